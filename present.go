package datachain

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Presentation is a datachain with everything needed to show it to a person: its slice of the
// schema and the icons. It is valid, unless [Service.Preview] made it. It is safe for concurrent use.
type Presentation struct {
	// Datachain is the document. Its snapshot is the one that it carries or, for
	// a thin document, the one that resolving it would embed.
	Datachain *taxonomy.Resolved
	// Release is the schema version that the document pins, or nil if that is no
	// longer published.
	Release *taxonomy.Release

	icons *icons.Set // of Release
	// The parts of icons that the release does not have.
	shapes  map[string]taxonomy.Shape // by category
	colors  map[colorsKey]icons.Colors
	symbols map[string]*icons.Symbol // of suggested elements, or of all elements without a release
}

// colorsKey identifies a context value of a category.
type colorsKey struct{ category, value string }

// Present validates a document, thin or resolved, and prepares it to be shown. A
// document with a schema snapshot is validated as by [Schema.ValidateResolved], any
// other as by [Schema.Resolve], without a size limit. The presentation is nil if
// the document is invalid.
func (s *Schema) Present(ctx context.Context, text []byte) (*Verdict, *Presentation, error) {
	return s.service.present(ctx, text, func(doc *document.Document) (target, error) { return s.target(ctx, doc) })
}

// Present validates a document by the version that it pins, and prepares it to be shown, as
// [Schema.Present] does. A resolved document can be shown even if that version is no longer published.
func (s *Service) Present(ctx context.Context, text []byte) (*Verdict, *Presentation, error) {
	return s.present(ctx, text, func(doc *document.Document) (target, error) {
		if IsResolved(doc) {
			pinned, err := s.pinned(ctx, doc)
			return target{resolved: true, release: pinned, pinned: pinned}, err
		}
		schema, err := s.openPinned(ctx, doc)
		if err != nil {
			return target{}, err
		}
		return schema.thin(doc)
	})
}

// PresentSnapshot validates a resolved document by the snapshot that it carries, and prepares it to be
// shown. The version that it pins may have changed since, as a beta version can.
func (s *Service) PresentSnapshot(ctx context.Context, text []byte) (*Verdict, *Presentation, error) {
	return s.present(ctx, text, func(doc *document.Document) (target, error) {
		if !IsResolved(doc) {
			return target{}, failure(issue.CodeBadRequest, nil, "resolve the document", "The document has no schema_snapshot.")
		}
		return target{resolved: true}, nil
	})
}

// Preview prepares a document that is being written to be shown, as far as it goes: it need not be
// valid. It is shown by the version that it pins. Placements of elements that the version does not
// have are left out, also those that the document suggests, and required categories are there without
// placements. A document whose fields have the wrong types is an error.
func (s *Service) Preview(ctx context.Context, text []byte) (*Presentation, error) {
	var p *Presentation
	err := s.Work(ctx, text, func(w *Work) error {
		schema, err := s.openPinned(ctx, w.doc)
		if err != nil {
			return err
		}
		instance, err := taxonomy.DecodeInstance(w.doc)
		if err != nil {
			return malformed("document", err, "write the fields as the schema says", "The document can't be read: %v.", err)
		}
		release := schema.release
		instance.Elements = slices.DeleteFunc(instance.Elements, func(e taxonomy.Placement) bool {
			_, known := release.Element(e.ElementID)
			return !known
		})
		if p, err = presentThin(instance, release); err != nil {
			return err
		}
		snapshot, has := &p.Datachain.SchemaSnapshot, make(map[string]bool)
		for i := range snapshot.Categories {
			has[snapshot.Categories[i].ID] = true
		}
		for _, c := range release.Categories() {
			if c.Required && !has[c.ID] {
				snapshot.Categories = append(snapshot.Categories, *c)
			}
		}
		return p.prepare(ctx, s, w.Interrupt)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// present validates a document against the target that choose returns, and prepares it to be
// shown.
func (s *Service) present(ctx context.Context, text []byte, choose func(*document.Document) (target, error)) (*Verdict, *Presentation, error) {
	var v *Verdict
	var p *Presentation
	err := s.Work(ctx, text, func(w *Work) error {
		var t target
		var err error
		options := w.ValidateOptions()
		options.MustPin = true
		v, t, err = w.verdict(choose, options)
		if err != nil || !v.OK() {
			return err
		}
		if t.resolved {
			p, err = newResolvedPresentation(v.doc, t.pinned)
		} else {
			p, err = newThinPresentation(v.doc, t.release)
		}
		if err != nil {
			return err
		}
		return p.prepare(ctx, s, w.Interrupt)
	})
	if syntax := newSyntaxVerdict(err, false); syntax != nil {
		return syntax, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return v, p, nil
}

// newResolvedPresentation returns the presentation of a resolved document. The release that
// it pins can be nil.
func newResolvedPresentation(doc *document.Document, pinned *taxonomy.Release) (*Presentation, error) {
	resolved, err := pinned.DecodeResolved(doc)
	if err != nil {
		return nil, err
	}
	return &Presentation{Release: pinned, Datachain: resolved}, nil
}

// newThinPresentation returns the presentation of a thin document with its part of the
// release.
func newThinPresentation(doc *document.Document, release *taxonomy.Release) (*Presentation, error) {
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return nil, err
	}
	return presentThin(instance, release)
}

// presentThin returns the presentation of an instance whose elements the release has.
func presentThin(instance *taxonomy.Instance, release *taxonomy.Release) (*Presentation, error) {
	ids := make([]string, len(instance.Elements))
	for i := range instance.Elements {
		ids[i] = instance.Elements[i].ElementID
	}
	ids, err := release.SortIDs(ids)
	if err != nil {
		return nil, err
	}
	snapshot := taxonomy.Snapshot{DatachainType: *release.Type(), Categories: []taxonomy.Category{}, Elements: make([]taxonomy.Element, 0, len(ids))}
	for _, id := range ids { // in the order of their categories
		e, _ := release.Element(id)
		snapshot.Elements = append(snapshot.Elements, *e)
		if n := len(snapshot.Categories); n == 0 || snapshot.Categories[n-1].ID != e.CategoryID {
			c, _ := release.Category(e.CategoryID)
			snapshot.Categories = append(snapshot.Categories, *c)
		}
	}
	return &Presentation{Release: release, Datachain: &taxonomy.Resolved{
		Instance: *instance, SchemaSnapshot: snapshot, SuggestedElements: []taxonomy.Element{},
	}}, nil
}

// prepare collects the parts of icons.
func (p *Presentation) prepare(ctx context.Context, s *Service, interrupt func() error) error {
	p.shapes = make(map[string]taxonomy.Shape)
	p.colors = make(map[colorsKey]icons.Colors)
	for i := range p.Datachain.SchemaSnapshot.Categories {
		c := &p.Datachain.SchemaSnapshot.Categories[i]
		p.shapes[c.ID] = c.Shape
		for _, value := range c.Context.Values {
			if fill, ok := icons.ParseColor(value.Color); ok {
				p.colors[colorsKey{c.ID, value.ID}] = icons.FilledColors(fill)
			}
		}
	}
	p.symbols = make(map[string]*icons.Symbol)
	if p.Release == nil {
		return p.ownSymbols(interrupt)
	}
	var err error
	if p.icons, err = (&Schema{service: s, release: p.Release}).icons(ctx); err != nil {
		return err
	}
	for i := range p.Datachain.SuggestedElements {
		e := &p.Datachain.SuggestedElements[i]
		p.suggestShape(e)
		text, known := p.Release.Symbol(e.SymbolID)
		if _, done := p.symbols[e.SymbolID]; done || !known {
			continue
		}
		if err := interrupt(); err != nil {
			return err
		}
		symbol, _ := icons.Sanitize([]byte(text))
		p.symbols[e.SymbolID] = symbol // nil is a bare shape
	}
	return nil
}

// ownSymbols collects the symbols that the document carries, since the release is not
// available. They are as untrusted as the rest of it.
func (p *Presentation) ownSymbols(interrupt func() error) error {
	var texts map[string]string
	if err := json.Unmarshal(p.Datachain.Extra["symbols"], &texts); err != nil {
		return nil //nolint:nilerr // there are none, or the field is something else
	}
	for _, list := range [][]taxonomy.Element{p.Datachain.SchemaSnapshot.Elements, p.Datachain.SuggestedElements} {
		for i := range list {
			id := list[i].SymbolID
			if _, done := p.symbols[id]; done || texts[id] == "" {
				continue
			}
			if err := interrupt(); err != nil {
				return err
			}
			symbol, _ := icons.Sanitize([]byte(texts[id]))
			p.symbols[id] = symbol // nil is a bare shape
		}
	}
	return nil
}

// suggestShape adds the shape of a suggested element whose category is not in the
// snapshot.
func (p *Presentation) suggestShape(e *taxonomy.Element) {
	if _, known := p.shapes[e.CategoryID]; known {
		return
	}
	if c, ok := p.Release.Category(e.CategoryID); ok {
		p.shapes[e.CategoryID] = c.Shape
	}
}

// maxLanguages is how many languages of a text are considered.
const maxLanguages = 64

// Locales returns the languages in which the datachain can be shown, the fallback first:
// those of the release, of the name of the datachain type and of the title. There is at
// least one.
func (p *Presentation) Locales() []string {
	var list []string
	add := func(locale string) {
		if ident.IsLocale(locale) && !slices.Contains(list, locale) {
			list = append(list, locale)
		}
	}
	if p.Release != nil {
		for _, locale := range p.Release.Locales() {
			add(locale)
		}
	}
	for _, l := range []taxonomy.Localized{p.Datachain.SchemaSnapshot.DatachainType.Name, p.Datachain.Title} {
		for _, t := range l[:min(len(l), maxLanguages)] {
			add(t.Locale)
		}
	}
	if len(list) == 0 {
		list = []string{"en"}
	}
	return list
}

// AppendIcon appends the icon of an element of the datachain in a variant to dst: "default",
// "dark", or a context value. It reports whether the icon has the element's symbol: if the
// symbol is not known, it draws the bare shape, and a circle if the category is not known
// either. An unknown variant looks like the default one.
func (p *Presentation) AppendIcon(dst []byte, e *taxonomy.Element, variant string, o *icons.Options) ([]byte, bool) {
	if p.published(e) {
		if svg, err := p.icons.Append(dst, e.ID, variant, o); err == nil {
			return svg, true
		}
	}
	shape, known := p.shapes[e.CategoryID]
	if !known {
		shape = taxonomy.Circle
	}
	symbol := p.symbols[e.SymbolID]
	svg, err := icons.Append(dst, shape, symbol, p.colorsOf(e.CategoryID, variant), o)
	if err != nil {
		return dst, false
	}
	return svg, symbol != nil
}

// published reports whether the release has this very element. A suggested one can have the
// id of a published one.
func (p *Presentation) published(e *taxonomy.Element) bool {
	if p.icons == nil {
		return false
	}
	published, ok := p.Release.Element(e.ID)
	return ok && published.CategoryID == e.CategoryID && published.SymbolID == e.SymbolID
}

// colorsOf returns the colours of icons of a category in a variant.
func (p *Presentation) colorsOf(categoryID, variant string) icons.Colors {
	if colors, ok := p.colors[colorsKey{categoryID, variant}]; ok {
		return colors
	}
	if variant == taxonomy.VariantDark {
		return icons.DarkColors()
	}
	return icons.DefaultColors()
}
