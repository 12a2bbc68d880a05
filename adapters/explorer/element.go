package explorer

import (
	"html/template"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// elementPage shows an element.
func elementPage() *page {
	return &page{name: "element", pattern: elementPattern, params: []string{"context", "v."}, parts: []string{"tryout"}, build: buildElement}
}

// element is the data of the page of an element.
type element struct {
	described
	ID           string
	Title, About text
	Icon         template.HTML
	Keywords     text
	MaxPlaced    string
	Deprecated   bool
	Instead      []*successor
	Examples     []text
	Variants     []*iconVariant
	SVG          string
	Raw          string // the address of its JSON
	Try          *tryout
}

// iconVariant is an icon in one of its variants.
type iconVariant struct {
	ID    string
	Label text
	// Large and Small are for a light ground, the others for a dark one.
	Large, Small, DarkLarge, DarkSmall template.HTML
	File                               string
}

func buildElement(q *request) (*content, error) {
	e, err := q.schema.Element(q.id)
	if err != nil {
		return nil, q.gone(err)
	}
	r, w := q.release(), q.words
	v := r.Version()
	category, _ := r.Category(e.CategoryID) // every element has one
	compared, err := q.sinceStable()
	if err != nil {
		return nil, err
	}
	d := &element{
		ID: e.ID, Title: q.titled(e, nil), About: q.blanks(e.Description, e.Variables, nil), Icon: q.icon(q.schema, e),
		Keywords: q.text(e.Keywords), Raw: q.api(apiPath(v) + "/elements/" + e.ID),
		Variants: q.variants(e, category), Try: q.tryOut(e, category), Examples: q.examples(e.Examples),
	}
	if d.Deprecated = e.Deprecated(); d.Deprecated {
		d.Instead = q.successors(e.ID)
	}
	if e.MaxPlacements > 0 {
		d.MaxPlaced = w.Count(w.Element.AtMost, e.MaxPlacements)
	}
	if icon, err := q.schema.Icon(q.ctx, e.ID, ""); err == nil {
		d.SVG = string(icon.SVG)
	}
	d.described = described{
		Head: q.head(), Trail: &named{Name: q.name(category.Name, category.ID), URL: q.to(categoryPath(v, category.ID), nil)}, Badges: q.elementBadges(e, compared), Guidance: q.text(e.AuthoringGuidance), Variables: q.variables(e.Variables, category.Variables),
		Subchains: q.subchains(category.ID), Sources: q.sources(e.Sources), Translations: q.translations(e.Title, e.Description, e.Variables),
		History: q.history(func(v taxonomy.Version) string { return elementPath(v, e.ID) },
			func(r *taxonomy.Release) string { return elementText(r, e.ID) }),
	}
	return &content{
		Title: d.Title.Plain, Description: short(d.About.Plain, maxDescription), Path: elementPath(v, e.ID), State: d.Try.state(), JSON: apiPath(v) + "/elements/" + e.ID,
		Section: "/", Data: d, Part: q.params.Get("part"), Unlisted: len(d.Try.state()) > 0,
		Linked: q.termData(e.ID, elementPath(v, e.ID), d.Title, d.About), Picture: q.picture(elementPath(v, e.ID)),
	}, nil
}

// elementBadges are the remarks on an element.
func (q *request) elementBadges(e *taxonomy.Element, compared *comparison) []badge {
	var list []badge
	if e.Deprecated() {
		list = append(list, badge{"deprecated", q.words.Layout.Deprecated})
	}
	if compared != nil {
		if b, ok := q.change(compared.elements[e.ID]); ok {
			list = append(list, b)
		}
	}
	return list
}

// variants draws the icon of an element in all variants.
func (q *request) variants(e *taxonomy.Element, c *taxonomy.Category) []*iconVariant {
	list := make([]*iconVariant, len(e.IconVariants))
	for i, id := range e.IconVariants {
		file := "icon." + id + ".svg"
		label := q.raw(id)
		switch value, ok := c.Context.Value(id); {
		case id == taxonomy.VariantDefault:
			file, label = "icon.svg", q.in(q.words.Lang, q.words.Element.Default)
		case id == taxonomy.VariantDark:
			label = q.in(q.words.Lang, q.words.Element.Dark)
		case ok:
			label = q.name(value.Label, id)
		}
		list[i] = &iconVariant{
			ID: id, Label: label, File: q.api(apiPath(q.release().Version()) + "/elements/" + e.ID + "/" + file),
			Large: q.variant(q.schema, e, id), Small: q.variant(q.schema, e, id), DarkLarge: q.variant(q.schema, e, id), DarkSmall: q.variant(q.schema, e, id),
		}
	}
	return list
}

// swatch draws the shape of a category in the colours of a context value.
func swatch(c *taxonomy.Category, id string) template.HTML {
	look, _ := icons.LookOf(c, id)
	svg, _ := icons.Compose(c.Shape, nil, look, nil) // nil for an unknown shape
	return template.HTML(svg)                        //nolint:gosec // composed of our own drawing
}

// joined writes names with commas.
func joined(names []string) string { return strings.Join(names, ", ") }
