package explorer

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// categoryPage shows a category.
func categoryPage() *page {
	return &page{name: "category", pattern: categoryPattern, build: buildCategory}
}

// category is the data of the page of a category.
type category struct {
	described
	ID           string
	Name, About  text
	Prompt       text
	Shape        template.HTML
	ShapeName    string
	Rules        []string
	ContextName  text
	ContextAbout text
	Contexts     []*contextValue
	Count        string
	Cards        []*card
	More         string
	MoreName     template.HTML
}

// contextValue is a value of the context with its colour.
type contextValue struct {
	ID           string
	Label, About text
	Swatch       template.HTML
	Color        string // or "" for a tag
	Formerly     []string
	Contrast     string
}

func buildCategory(q *request) (*content, error) {
	r, w := q.release(), q.words
	v := r.Version()
	c, ok := r.Category(q.id)
	if !ok {
		return nil, q.noPart("category", "category_id", r.Type().Categories)
	}
	compared, err := q.sinceStable()
	if err != nil {
		return nil, err
	}
	begin, end := r.CategoryRange(c.ID)
	d := &category{
		ID: c.ID, Name: q.name(c.Name, c.ID), About: q.text(c.Description), Prompt: q.text(c.Prompt), Shape: shape(c.Shape), ShapeName: w.Element.shape(c.Shape),
		Rules: q.ruleTexts(c), ContextName: q.text(c.Context.Name), ContextAbout: q.text(c.Context.Description), Contexts: q.contexts(c),
		Count: w.Count(w.Layout.Elements, end-begin),
	}
	for _, e := range r.ElementRange(begin, min(begin+pageSize, end)) {
		card := q.card(q.schema, e, nil, search.Query{})
		q.mark(card, e, compared)
		d.Cards = append(d.Cards, card)
	}
	if end-begin > pageSize {
		d.More = q.to(catalogPath(v), url.Values{"category": {c.ID}})
		d.MoreName = w.FillHTML(w.Catalog.All, template.HTML(w.Number(end-begin)), d.Name.unmarked()) //nolint:gosec // digits
	}
	d.described = described{
		Head: q.head(), Badges: q.badges(c, compared), Guidance: q.text(c.AuthoringGuidance), Variables: q.variables(c.Variables, nil),
		Subchains: q.subchains(c.ID), Mappings: q.mappings(c.Mappings), Sources: q.sources(c.Sources), Formerly: c.RenamedFrom, Translations: q.translations(c.Name, c.Description, nil),
		History: q.history(func(v taxonomy.Version) string { return categoryPath(v, c.ID) },
			func(r *taxonomy.Release) string { return r.CategoryJSON(c.ID) }),
	}
	return &content{
		Title: d.Name.Plain, Description: short(d.About.Plain, maxDescription), Path: categoryPath(v, c.ID),
		JSON: apiPath(v) + "/elements?category_id=" + url.QueryEscape(c.ID) + "&fields=all", Section: q.taxonomies(), Data: d,
		Linked: q.termData(c.ID, categoryPath(v, c.ID), d.Name, d.About), Picture: q.picture(categoryPath(v, c.ID)),
	}, nil
}

// noPart is the error for a part that the version does not have: what it is, the parameter
// of the API that names it, and the ids that there are.
func (q *request) noPart(what, param string, ids []string) error {
	return &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: fmt.Sprintf("There is no %s %s in %s.", what, prose.Clip(q.id), q.release().Version())},
		Kind:  datachain.KindUnknown, Param: param, Known: prose.Related(q.id, slices.Values(ids), 3), Err: taxonomy.ErrNotFound,
	}
}

// ruleTexts are the rules of a category as sentences.
func (q *request) ruleTexts(c *taxonomy.Category) []string {
	w := q.words
	var list []string
	if c.Required {
		list = append(list, w.Element.RuleRequired)
	} else {
		list = append(list, w.Element.RuleOptional)
	}
	if c.Cardinality.Min > 0 {
		list = append(list, w.Count(w.Element.RuleMin, c.Cardinality.Min))
	}
	if c.Cardinality.Max > 0 {
		list = append(list, w.Count(w.Element.RuleMax, c.Cardinality.Max))
	}
	if len(c.Context.Values) > 0 && c.Context.Required {
		list = append(list, w.Element.RuleContext)
	}
	return list
}

// contexts describes the context values of a category.
func (q *request) contexts(c *taxonomy.Category) []*contextValue {
	var list []*contextValue
	for i := range c.Context.Values {
		value := &c.Context.Values[i]
		shown := &contextValue{ID: value.ID, Label: q.name(value.Label, value.ID), About: q.text(value.Description), Swatch: swatch(c, value.ID), Formerly: value.RenamedFrom}
		if fill, ok := icons.ParseColor(value.Color); ok {
			look := icons.FilledLook(fill)
			shown.Color, shown.Contrast = fill.String(), fmt.Sprintf("%.1f", look.Ink.Contrast(look.Fill))
		}
		list = append(list, shown)
	}
	return list
}
