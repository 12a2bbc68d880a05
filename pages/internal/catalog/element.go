package catalog

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// element is the data of the page of an element.
type element struct {
	described
	Instead  []*successor
	Variants []*iconVariant
	SVG      string
}

// iconVariant is an icon in one of its variants.
type iconVariant struct {
	ID    string
	Label phrases.Text
	// Large and Small are for a light ground, the others for a dark one.
	Large, Small, DarkLarge, DarkSmall template.HTML
	File                               string
}

func buildElement(q *request) (*core.Content, error) {
	e, err := q.Schema.Element(q.ID)
	if err != nil {
		return nil, q.gone(err)
	}
	v := q.Release().Version()
	category, _ := q.Release().Category(e.CategoryID) // every element has one
	compared, err := q.sinceStable()
	if err != nil {
		return nil, err
	}
	d := &element{Variants: q.variants(e, category)}
	if e.Deprecated() {
		d.Instead = q.successors(e.ID)
	}
	if icon, err := q.Schema.Icon(q.Ctx, e.ID, ""); err == nil {
		d.SVG = string(icon.SVG)
	}
	d.described = described{
		Of: e, Inside: category, Category: category, Title: q.Titled(e, nil), About: q.Blanks(e.Description, e.Variables, nil), Keywords: q.Text(e.Keywords), Badges: q.elementBadges(e, compared),
		Subchains: q.subchains(category.ID), Translations: q.translations(e.Title, e.Description, e.Variables),
		History: q.history(func(v taxonomy.Version) string { return core.ElementPath(v, e.ID) },
			func(r *taxonomy.Release) string { return elementText(r, e.ID) }),
	}
	return &core.Content{
		Title: d.Title.Value, Description: core.Short(d.About.Value, core.MaxDescription), Path: core.ElementPath(v, e.ID), JSON: core.APIPath(v) + "/elements/" + e.ID,
		Section: q.Taxonomies(), Data: d,
		Linked: q.termData(e.ID, core.ElementPath(v, e.ID), d.Title, d.About),
	}, nil
}

// elementBadges are the remarks on an element.
func (q *request) elementBadges(e *taxonomy.Element, compared *comparison) []core.Badge {
	list := q.Deprecated(e)
	if compared != nil {
		list = append(list, q.change(compared.elements[e.ID])...)
	}
	return list
}

// variants draws the icon of an element in all variants.
func (q *request) variants(e *taxonomy.Element, c *taxonomy.Category) []*iconVariant {
	list := make([]*iconVariant, len(e.IconVariants))
	for i, id := range e.IconVariants {
		file := "icon." + id + ".svg"
		label := q.Raw(id)
		switch value, ok := c.Context.Value(id); {
		case id == taxonomy.VariantDefault:
			file, label = "icon.svg", q.In(q.Lang, q.Word("element.default"))
		case id == taxonomy.VariantDark:
			label = q.In(q.Lang, q.Word("element.dark"))
		case ok:
			label = q.Name(value.Label, id)
		}
		list[i] = &iconVariant{
			ID: id, Label: label, File: q.API(core.APIPath(q.Release().Version()) + "/elements/" + e.ID + "/" + file),
			Large: q.Variant(q.Schema, e, id), Small: q.Variant(q.Schema, e, id), DarkLarge: q.Variant(q.Schema, e, id), DarkSmall: q.Variant(q.Schema, e, id),
		}
	}
	return list
}

// described is what the pages of elements and categories have in common.
type described struct {
	// Of is a *taxonomy.Element or a *taxonomy.Category, and Category its category or itself.
	Of       any
	Category *taxonomy.Category
	// Inside is the category of an element, or nil.
	Inside       *taxonomy.Category
	Title, About phrases.Text
	Keywords     phrases.Text // of an element
	Formerly     []string     // ids of a category in earlier versions
	Badges       []core.Badge
	Subchains    []taxonomy.Subchain
	Translations []translation
	History      []*event
}

// Inherits reports whether an element has a variable of its category.
func (d *described) Inherits(id string) bool {
	_, ok := d.Of.(*taxonomy.Element)
	return ok && slices.ContainsFunc(d.Category.Variables, func(v taxonomy.Variable) bool { return v.ID == id })
}

// subchains returns the subchains that a category belongs to.
func (q *request) subchains(categoryID string) []taxonomy.Subchain {
	return slices.DeleteFunc(slices.Clone(q.Release().Type().Subchains), func(s taxonomy.Subchain) bool { return !slices.Contains(s.Categories, categoryID) })
}

// translation is the texts of an element or a category in one language.
type translation struct {
	Language, Lang string
	Name, About    phrases.Text
}

// translations describes texts in all languages of the version. A language without texts
// is left out.
func (q *request) translations(name, about taxonomy.Localized, variables []taxonomy.Variable) []translation {
	var list []translation
	for _, locale := range q.Locales {
		one := q.Translated(locale)
		pick := func(l taxonomy.Localized) phrases.Text {
			value, ok := l.Get(locale)
			if !ok {
				return phrases.Text{}
			}
			return one.Blanks(taxonomy.Localized{{Locale: locale, Value: value}}, variables, nil)
		}
		t := translation{Language: core.Endonym(locale), Lang: locale, Name: pick(name), About: pick(about)}
		if !t.Name.Empty() || !t.About.Empty() {
			list = append(list, t)
		}
	}
	return list
}

// successor is an element to place instead of another one.
type successor struct {
	URL         string
	Icon        template.HTML
	Title, Note phrases.Text
}

// successors describes the elements that take the place of one.
func (q *request) successors(id string) []*successor {
	r := q.Release()
	var list []*successor
	f, _ := r.Fate(id)
	for _, s := range f.Successors {
		if e, ok := r.Element(s.ID); ok {
			list = append(list, &successor{
				Title: q.Titled(e, nil), Note: q.Text(s.Note), URL: q.To(core.ElementPath(r.Version(), s.ID), nil), Icon: q.Icon(q.Schema, e),
			})
		}
	}
	return list
}

// goneError is an element that the version no longer has, but says what became of.
type goneError struct {
	cause   *datachain.Error
	removal *taxonomy.Removal
}

// Error returns the message of the cause.
func (e *goneError) Error() string { return e.cause.Error() }

// Unwrap returns the error as programs get it.
func (e *goneError) Unwrap() error { return e.cause }

// Explain says what became of the element, and why.
func (e *goneError) Explain(q *core.Request, f *core.Failure) {
	f.Gone = q.Word("errors.gone", e.removal.ID, e.removal.Since.String())
	f.Note, f.NearTitle = q.Text(e.removal.Note), q.Word("errors.instead")
}

// gone returns the error for an element that is not there: one that says what to place
// instead, if the version knows.
func (q *request) gone(err error) error {
	f, ok := q.Release().Fate(q.ID)
	if !ok || f.Removal == nil {
		return err
	}
	known := &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "The element " + q.ID + " was removed in " + f.Removal.Since.String() + "."},
		Kind:  datachain.KindUnknown, Param: "element_id", Err: taxonomy.ErrNotFound,
	}
	for _, s := range f.Successors {
		known.Known = append(known.Known, s.ID)
	}
	return &goneError{known, f.Removal}
}

// event is what became of an element or a category in a version.
type event struct {
	Date, Status, StatusName string
	URL                      string // or "" if the version does not have it
	Current                  bool
	Change                   core.Badge
	CompareURL               string // with the version before, or ""
}

// maxHistory is how many versions a history shows.
const maxHistory = 24

// history tells in which versions a part exists, newest first, and how it differs from
// the version before. The function returns all that the part consists of, or "".
func (q *request) history(path func(taxonomy.Version) string, of func(*taxonomy.Release) string) []*event {
	entries := q.Siblings()
	entries = entries[:min(len(entries), maxHistory)]
	var list []*event
	before, known := "", false
	var earlier taxonomy.Version
	for _, entry := range slices.Backward(entries) {
		v := entry.ID
		schema, err := q.Site.Service.Open(q.Ctx, v.String())
		if err != nil {
			continue // it can't be read now
		}
		now := of(schema.Release())
		e := &event{Date: q.Day(q.Released(v)), Status: string(v.Status()), StatusName: q.StatusName(v.Status()), Current: v == q.Release().Version()}
		if now != "" {
			e.URL = q.To(path(v), nil)
		}
		switch w := q.Words; {
		case now == "" && before == "":
			e.Change = core.Badge{Class: "", Name: w.Word("element.absent")}
		case now == "":
			e.Change = core.Badge{Class: "removed", Name: w.Word("element.removed")}
		case before == "" && known:
			e.Change = core.Badge{Class: "added", Name: q.Word("layout.new")}
		case before == "":
			e.Change = core.Badge{Class: "", Name: w.Word("element.first")}
		case now == before:
			e.Change = core.Badge{Class: "", Name: w.Word("element.unchanged")}
		default:
			e.Change = core.Badge{Class: "changed", Name: q.Word("layout.changed")}
		}
		if known && now != before && q.Has("/compare") {
			e.CompareURL = q.To("/compare", url.Values{"old": {earlier.String()}, "new": {v.String()}})
		}
		list = append([]*event{e}, list...)
		before, known, earlier = now, true, v
	}
	return list
}

// elementText returns all that an element consists of, its symbol included.
func elementText(r *taxonomy.Release, id string) string {
	e, ok := r.Element(id)
	if !ok {
		return ""
	}
	symbol, _ := r.Symbol(e.SymbolID)
	return r.ElementJSON(id) + symbol
}

// category is the data of the page of a category.
type category struct {
	described
	elementList
	Rules []string
}

func buildCategory(q *request) (*core.Content, error) {
	r := q.Release()
	v := r.Version()
	c, ok := r.Category(q.ID)
	if !ok {
		return nil, q.noPart("category", "category_id", r.Type().Categories)
	}
	compared, err := q.sinceStable()
	if err != nil {
		return nil, err
	}
	begin, end := r.CategoryRange(c.ID)
	d := &category{Rules: q.ruleTexts(c), elementList: q.elementList(c, begin, min(begin+pageSize, end), compared)}
	d.described = described{
		Of: c, Category: c, Title: q.Name(c.Name, c.ID), About: q.Text(c.Description), Formerly: history.From(r).Category(c).RenamedFrom, Badges: q.badges(c, compared),
		Subchains: q.subchains(c.ID), Translations: q.translations(c.Name, c.Description, nil),
		History: q.history(func(v taxonomy.Version) string { return core.CategoryPath(v, c.ID) },
			func(r *taxonomy.Release) string { return r.CategoryJSON(c.ID) }),
	}
	return &core.Content{
		Title: d.Title.Value, Description: core.Short(d.About.Value, core.MaxDescription), Path: core.CategoryPath(v, c.ID),
		JSON: core.APIPath(v) + "/elements?category_id=" + url.QueryEscape(c.ID) + "&fields=all", Section: q.Taxonomies(), Data: d,
		Linked: q.termData(c.ID, core.CategoryPath(v, c.ID), d.Title, d.About),
	}, nil
}

// noPart is the error for a part that the version does not have: what it is, the parameter
// of the API that names it, and the ids that there are.
func (q *request) noPart(what, param string, ids []string) error {
	return &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: fmt.Sprintf("There is no %s %s in %s.", what, wording.Clip(q.ID), q.Release().Version())},
		Kind:  datachain.KindUnknown, Param: param, Known: similar.Related(q.ID, slices.Values(ids), 3), Err: taxonomy.ErrNotFound,
	}
}

// ruleTexts are the rules of a category as sentences.
func (q *request) ruleTexts(c *taxonomy.Category) []string {
	w := q.Words
	var list []string
	if c.Required {
		list = append(list, w.Word("element.rulerequired"))
	} else {
		list = append(list, w.Word("element.ruleoptional"))
	}
	if c.Cardinality.Min > 0 {
		list = append(list, w.Count("element.rulemin", c.Cardinality.Min))
	}
	if c.Cardinality.Max > 0 {
		list = append(list, w.Count("element.rulemax", c.Cardinality.Max))
	}
	if len(c.Context.Values) > 0 && c.Context.Required {
		list = append(list, w.Word("element.rulecontext"))
	}
	return list
}
