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
)

// draftDocument is a document in the order in which people write it.
type draftDocument struct {
	ID            string           `json:"id"`
	Title         any              `json:"title,omitempty"`
	Description   any              `json:"description,omitempty"`
	SchemaVersion string           `json:"schema_version"`
	CreatedAt     string           `json:"created_at"`
	Register      map[string]any   `json:"register,omitempty"`
	Elements      []draftElement   `json:"elements"`
	Sources       []map[string]any `json:"sources,omitempty"`
}

type draftElement struct {
	ElementID     string           `json:"element_id"`
	ContextTypeID string           `json:"context_type_id,omitempty"`
	Label         any              `json:"label,omitempty"`
	Variables     []map[string]any `json:"variables,omitempty"`
	Actions       []map[string]any `json:"actions,omitempty"`
}

// draft writes the document.
func (d *drafter) draft(o *Options) (*Draft, error) {
	since, _ := d.register["since"].(string)
	day := d.filing[2]
	if !ident.IsDate(day) {
		day = cmp.Or(since, o.Date)
	}
	if !ident.IsDate(day) {
		return nil, errors.New("profile: the entry has no date, so Options.Date must be one such as 2026-11-15")
	}
	doc := draftDocument{SchemaVersion: d.release.Version().String(), CreatedAt: day + "T00:00:00Z", Register: d.register, Elements: []draftElement{}}
	slug := d.slug()
	if doc.ID = cmp.Or(d.top[0], slug); doc.ID != slug {
		if made, err := register.SlugOf(doc.ID, ""); err == nil {
			slug = made
		} else {
			d.register["slug"] = slug
		}
	}
	if d.top[1] != "" {
		doc.Title = d.localized(d.top[1])
	}
	if d.top[2] != "" {
		doc.Description = d.localized(d.top[2])
	}
	d.complete()
	doc.Sources = d.sources
	for _, c := range d.release.Categories() { // what is missing is asked for, as in a new document
		if c.Required && !slices.ContainsFunc(d.order, func(p *draftPlacement) bool { return p.category == c.ID }) {
			d.order = append(d.order, &draftPlacement{category: c.ID})
		}
	}
	categories := d.release.Type().Categories
	slices.SortStableFunc(d.order, func(a, b *draftPlacement) int {
		return slices.Index(categories, a.category) - slices.Index(categories, b.category)
	})
	for _, p := range d.order {
		doc.Elements = append(doc.Elements, d.element(p))
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
	for _, text := range []string{d.top[0], d.top[1], d.filing[0]} {
		made := source.SuggestID(text, ident.IsID)
		if made, err := register.SlugOf(strings.ReplaceAll(made, "_", "-"), ""); err == nil {
			return made
		}
	}
	return "entry"
}

// complete adds the filing, and what items must have.
func (d *drafter) complete() {
	filing := map[string]any{"profile": d.profile.ID}
	for i, key := range []string{"id", "url", "filed"} {
		if d.filing[i] != "" {
			filing[key] = d.filing[i]
		}
	}
	if len(d.answers) > 0 {
		filing["answers"] = d.answers
	}
	if len(filing) > 1 {
		d.register["filings"] = []any{filing}
	}
	for k, item := range d.lists {
		if k.list == "sources" && item["title"] == nil {
			item["title"] = cmp.Or(textOf(item["url"]), textOf(item["type"]))
		}
		for _, key := range []string{"title", "name"} {
			if item[key] == nil {
				delete(item, key)
			}
		}
	}
}

func (d *drafter) element(p *draftPlacement) draftElement {
	e := draftElement{ElementID: cmp.Or(p.element, p.category), ContextTypeID: p.context, Actions: p.actions}
	if p.label != "" {
		e.Label = d.localized(p.label)
	}
	for _, v := range p.variables {
		written := map[string]any{"id": v.id, "value": any(v.options)}
		if v.options == nil {
			written["value"] = d.localized(v.text)
		}
		e.Variables = append(e.Variables, written)
	}
	return e
}
