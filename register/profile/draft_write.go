package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// draftDocument is a document in the order in which people write it.
type draftDocument struct {
	ID            string               `json:"id"`
	Title         taxonomy.Localized   `json:"title,omitempty"`
	Description   taxonomy.Localized   `json:"description,omitempty"`
	SchemaVersion string               `json:"schema_version"`
	CreatedAt     string               `json:"created_at"`
	Register      map[string]any       `json:"register,omitempty"`
	Elements      []taxonomy.Placement `json:"elements"`
	Sources       []map[string]any     `json:"sources,omitempty"`
}

// draft writes the document.
func (d *drafter) draft(o *Options) (*Draft, error) {
	since, _ := d.register["since"].(string)
	day, _ := d.filing["filed"].(string)
	if day = cmp.Or(day, since, o.Date); !ident.IsDate(day) {
		return nil, errors.New("profile: the entry has no date, so Options.Date must be one such as 2026-11-15")
	}
	doc := draftDocument{
		Title: d.localized(d.written["title"]), Description: d.localized(d.written["description"]), SchemaVersion: d.release.Version().String(),
		CreatedAt: day + "T00:00:00Z", Register: d.register, Elements: []taxonomy.Placement{}, Sources: d.sources,
	}
	slug := d.slug()
	if doc.ID = cmp.Or(d.written["id"], slug); doc.ID != slug {
		if made, err := register.SlugOf(doc.ID, ""); err == nil {
			slug = made
		} else {
			d.register["slug"] = slug
		}
	}
	d.complete()
	categories := d.release.Type().Categories
	slices.SortStableFunc(d.order, func(a, b *draftPlacement) int {
		return slices.Index(categories, a.category) - slices.Index(categories, b.category)
	})
	for _, p := range d.order {
		p.ElementID, p.ContextTypeID = cmp.Or(p.element, p.category), p.context
		for i := range p.Variables {
			if v := &p.Variables[i]; v.Options == nil {
				lines := make([]string, len(v.Text))
				for k := range v.Text {
					lines[k] = v.Text[k].Value
				}
				v.Text = d.localized(strings.Join(lines, "\n"))
			}
		}
		doc.Elements = append(doc.Elements, p.Placement)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return nil, err
	}
	return &Draft{Slug: slug, Document: b.Bytes(), Notes: d.notes}, nil
}

// slug returns a slug by the id of the entry, or else by its title.
func (d *drafter) slug() string {
	for _, text := range []string{d.written["id"], d.written["title"], textOf(d.filing["id"])} {
		made := source.SuggestID(text, ident.IsID)
		if made, err := register.SlugOf(strings.ReplaceAll(made, "_", "-"), ""); err == nil {
			return made
		}
	}
	return "entry"
}

// complete adds the filing, and what sources and documents must have.
func (d *drafter) complete() {
	answers := make(map[string]any)
	for name, a := range d.answers {
		if answers[name] = any(a.texts); len(a.texts) == 1 && !a.list {
			answers[name] = a.texts[0]
		}
	}
	if len(answers) > 0 {
		d.filing["answers"] = answers
	}
	if len(d.filing) > 1 {
		d.register["filings"] = []any{d.filing}
	}
	for _, source := range d.sources {
		if source["title"] == nil {
			source["title"] = cmp.Or(source["url"], source["type"])
		}
	}
	for _, c := range d.release.Categories() { // what is missing is asked for, as in a new document
		if c.Required && !slices.ContainsFunc(d.order, func(p *draftPlacement) bool { return p.category == c.ID }) {
			d.order = append(d.order, &draftPlacement{placeKey: placeKey{category: c.ID}})
		}
	}
}
