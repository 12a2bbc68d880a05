package register

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// Content is what lists show of an edition. It must not be changed, because the states of a
// register share it. It is empty if the edition was erased.
type Content struct {
	Title, Description taxonomy.Localized
	// Version is the schema version that the document pins.
	Version taxonomy.Version
	// Unpublished means that the schema version is not published any more: the
	// document is shown with the snapshot that it carries.
	Unpublished bool
	// Outdated means that the schema version was changed, and that the document is no
	// longer valid with it: it is shown with the snapshot from when it was.
	Outdated bool
	// Locales are the languages of its own texts, in order.
	Locales []string
	// CreatedAt and UpdatedAt are what the document says, or zero.
	CreatedAt, UpdatedAt time.Time
	Details              Details
	// Elements are the elements that are placed, each once, in the order of the
	// document.
	Elements []*taxonomy.Element
	// Summary is that of the document.
	Summary summary.Summary

	// levels are the values of the data, the risk and who decides by which lists sort the document.
	levels []level
	// words are the document's own texts besides its title and description, those
	// of a locale together. The locale of plain labels is "".
	words taxonomy.Localized
	// release is the content of the schema version that it was validated by, zero if
	// that is not published.
	release taxonomy.Hash
	// manifest is that of the schema version, nil if that is not published.
	manifest *taxonomy.Manifest
}

// updated returns when the document was changed last, by what it says.
func (c *Content) updated() time.Time {
	if c.UpdatedAt.IsZero() {
		return c.CreatedAt
	}
	return c.UpdatedAt
}

// describe collects the elements, the languages and the words of a document.
func (d *validDocument) describe(shown *datachain.Presentation) {
	words := make(map[string]*strings.Builder)
	add := func(l taxonomy.Localized) {
		for _, t := range l {
			b := words[t.Locale]
			if b == nil {
				b = new(strings.Builder)
				words[strings.Clone(t.Locale)] = b
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(t.Value)
		}
	}
	seen, element := make(map[string]bool), phrases.ElementsOf(shown)
	for i := range shown.Datachain.Elements {
		p := &shown.Datachain.Elements[i]
		if !seen[p.ElementID] {
			seen[p.ElementID] = true
			if e := element(p.ElementID); e != nil {
				d.Elements = append(d.Elements, e)
			}
		}
		if p.Label != nil {
			add(phrases.OfLabel(*p.Label))
		}
		for _, v := range p.Variables {
			add(v.Text)
		}
	}
	for _, locale := range slices.Sorted(maps.Keys(words)) {
		d.words = append(d.words, taxonomy.Text{Locale: locale, Value: strings.Clone(words[locale].String())}) // without spare capacity
	}
	for _, l := range []taxonomy.Localized{d.Title, d.Description, d.words} {
		for _, t := range l {
			if t.Locale != "" && !slices.Contains(d.Locales, t.Locale) {
				d.Locales = append(d.Locales, t.Locale)
			}
		}
	}
}

// summarize makes the summary of a document. What the schema version says is shared with
// other documents, and the document's own words are copied: a summary refers to a
// presentation, which has many times its size.
func (d *validDocument) summarize(shown *datachain.Presentation, overlay *summary.Roles) {
	entries, made := summary.Entries(shown.Datachain, shown.Release, overlay)
	d.Summary = *made
	if d.Summary.Stage != nil {
		d.Summary.Stage = new(*d.Summary.Stage)
	}
	elements := make(map[string]*taxonomy.Element, len(d.Elements))
	for _, e := range d.Elements {
		elements[e.ID] = e
	}
	for i := range d.Summary.Points {
		p := &d.Summary.Points[i]
		p.Category = category(shown, p.Category)
		p.Context = contextValue(p.Category, p.Context)
		for k := range p.Entries {
			e := &p.Entries[k]
			e.Context = contextValue(category(shown, &taxonomy.Category{ID: e.Element.CategoryID}), e.Context)
			e.Element = elements[e.Element.ID]
			for _, l := range []*taxonomy.Localized{&e.Name, &e.Words, &e.Contact, &e.Link, &e.Safeguard, &e.LegalBasis, &e.Period} {
				*l = clone(*l)
			}
			var placement *taxonomy.Placement
			for _, a := range e.Placement.Actions {
				if placement == nil {
					placement = new(taxonomy.Placement)
				}
				placement.Actions = append(placement.Actions, taxonomy.Action{
					Type: strings.Clone(a.Type), Target: strings.Clone(a.Target),
					Label: taxonomy.Label{Plain: strings.Clone(a.Label.Plain), Text: clone(a.Label.Text)},
				})
			}
			e.Placement = placement
		}
	}
	for _, f := range []Field{ByData, ByRisk, ByDecision} {
		d.level(f, shown, entries, elements, overlay)
	}
}

// level is a value by which lists sort a document: a context value or, for placements without
// one, an element.
type level struct {
	field Field
	id    string
	title taxonomy.Localized
	// value is the context value, and context has those that it is one of, nil for an element.
	value   *taxonomy.ContextValue
	context *taxonomy.Context
}

// level adds the values of a field: the highest one or, if the values have no order, all. Who decides is
// said by elements; their contexts say what about.
func (d *validDocument) level(f Field, shown *datachain.Presentation, entries []summary.Entry, elements map[string]*taxonomy.Element, overlay *summary.Roles) {
	if p, ok := d.Summary.Point(roleOf(f)); ok && p.AtMost {
		context := &p.Category.Context
		if overlay != nil && context.Order == "" {
			context = new(*context)
			context.Order = overlay.Contexts[p.Category.ID].Order
		}
		d.levels = append(d.levels, level{f, p.Context.ID, p.Context.Label, p.Context, context})
		return
	}
	known := make(map[string]bool)
	for i := range entries {
		e := &entries[i]
		if e.Role != roleOf(f) {
			continue
		}
		v := level{field: f, id: e.Element.ID, title: elements[e.Element.ID].Title}
		if e.Context != nil && f != ByDecision {
			c := category(shown, &taxonomy.Category{ID: e.Element.CategoryID})
			v.value, v.context = contextValue(c, e.Context), &c.Context
			v.id, v.title = v.value.ID, v.value.Label
		}
		if !known[v.id] {
			known[v.id] = true
			d.levels = append(d.levels, v)
		}
	}
}

// category returns the category of the release with the id of another one, so that
// documents share it, or a copy.
func category(shown *datachain.Presentation, c *taxonomy.Category) *taxonomy.Category {
	if c == nil {
		return nil
	}
	if shown.Release != nil {
		if live, ok := shown.Release.Category(c.ID); ok {
			return live
		}
	}
	list := shown.Datachain.SchemaSnapshot.Categories
	if i := slices.IndexFunc(list, func(known taxonomy.Category) bool { return known.ID == c.ID }); i >= 0 {
		c = &list[i]
	}
	one := *c
	return &one
}

// contextValue returns the value of a category with the id of another one.
func contextValue(c *taxonomy.Category, v *taxonomy.ContextValue) *taxonomy.ContextValue {
	if c == nil || v == nil {
		return v
	}
	if i := slices.IndexFunc(c.Context.Values, func(known taxonomy.ContextValue) bool { return known.ID == v.ID }); i >= 0 {
		return &c.Context.Values[i]
	}
	return v
}

// clone copies a text, which otherwise keeps the whole document in memory.
func clone(l taxonomy.Localized) taxonomy.Localized {
	l = slices.Clone(l)
	for i := range l {
		l[i] = taxonomy.Text{Locale: strings.Clone(l[i].Locale), Value: strings.Clone(l[i].Value)}
	}
	return l
}

// DetailsOf returns the object register of a document.
func DetailsOf(doc *taxonomy.Instance) (d Details, err error) {
	text, ok := doc.Extra["register"]
	if !ok {
		return d, nil
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("the object register can't be read: %w", err)
	}
	return d, nil
}
