package datachain

import (
	"cmp"
	"context"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// Presentation is a valid datachain with all that is needed to show it to a
// person: the datachain with its slice of the schema, and the icons. It is safe
// for concurrent use.
type Presentation struct {
	// Datachain is the document. Its snapshot is the one that it carries, or,
	// for a thin one, the one that resolving it would embed.
	Datachain *taxonomy.Resolved
	// Release is the schema version that the document pins, or nil where that
	// is not published any more.
	Release *taxonomy.Release

	icons *icons.Set // of Release
	// What icons need to know where the release has no such element.
	shapes  map[string]taxonomy.Shape // by category
	looks   map[lookKey]icons.Look
	symbols map[string]*icons.Symbol // of suggested elements
}

// lookKey is a context value of a category.
type lookKey struct{ category, value string }

// Present judges a datachain, thin or resolved, and makes it ready to be shown.
// A document that has a schema_snapshot is judged as by [Service.ValidateResolved],
// and any other as by [Service.Resolve], except that there is no bundle that could
// be too large. The presentation is nil where the document is not valid.
//
// An empty version is the one that the document pins. Then the verdict on a
// resolved document has no release where that version is not published any more.
func (s *Service) Present(ctx context.Context, version string, document []byte) (*Verdict, *Presentation, error) {
	addressed, err := s.addressed(ctx, version)
	if err != nil {
		return nil, nil, err
	}
	var v *Verdict
	var p *Presentation
	err = s.work(ctx, func(interrupt func() error) error {
		doc, err := parse(document)
		if err != nil {
			return err
		}
		o := &validate.Options{MustPin: true, Rules: s.options.Rules, Interrupt: interrupt}
		if _, resolved := doc.Root().Get("schema_snapshot"); resolved {
			v, p, err = s.presentResolved(ctx, addressed, doc, o)
		} else {
			v, p, err = s.presentThin(ctx, addressed, doc, o)
		}
		if err != nil || !v.OK() {
			return err
		}
		return p.prepare(ctx, s, interrupt)
	})
	if err != nil {
		return nil, nil, err
	}
	if !v.OK() {
		p = nil
	}
	return v, p, nil
}

// presentThin judges a document and gives it its slice of the schema.
func (s *Service) presentThin(ctx context.Context, r *taxonomy.Release, doc *document.Document, o *validate.Options) (*Verdict, *Presentation, error) {
	if r == nil {
		var err error
		if r, err = s.named(ctx, doc); err != nil {
			return nil, nil, err
		}
	}
	result, err := validate.Instance(r, doc, o)
	if err != nil {
		return nil, nil, err
	}
	v := verdict(r, result)
	if !v.OK() {
		return v, nil, nil
	}
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return nil, nil, err
	}
	ids := make([]string, len(instance.Elements))
	for i := range instance.Elements {
		ids[i] = instance.Elements[i].ElementID
	}
	slice, err := r.Slice(ids)
	if err != nil {
		return nil, nil, err
	}
	return v, &Presentation{Release: r, Datachain: &taxonomy.Resolved{
		Instance: *instance, SchemaSnapshot: slice.Snapshot(), SuggestedElements: []taxonomy.Element{},
	}}, nil
}

// presentResolved judges a document that has its slice of the schema.
func (s *Service) presentResolved(ctx context.Context, addressed *taxonomy.Release, doc *document.Document, o *validate.Options) (*Verdict, *Presentation, error) {
	live, err := s.pinned(ctx, doc)
	if err != nil {
		return nil, nil, err
	}
	result, err := validate.Resolved(live, doc, o)
	if err != nil {
		return nil, nil, err
	}
	v := verdict(cmp.Or(addressed, live), result)
	if !v.OK() {
		return v, nil, nil
	}
	resolved, err := taxonomy.DecodeResolved(doc)
	if err != nil {
		return nil, nil, err
	}
	return v, &Presentation{Release: live, Datachain: resolved}, nil
}

// prepare looks up what icons are drawn from.
func (p *Presentation) prepare(ctx context.Context, s *Service, interrupt func() error) error {
	p.shapes = make(map[string]taxonomy.Shape)
	p.looks = make(map[lookKey]icons.Look)
	for i := range p.Datachain.SchemaSnapshot.Categories {
		c := &p.Datachain.SchemaSnapshot.Categories[i]
		p.shapes[c.ID] = c.Shape
		for _, value := range c.Context.Values {
			if fill, ok := icons.ParseColor(value.Color); ok {
				p.looks[lookKey{c.ID, value.ID}] = icons.FilledLook(fill)
			}
		}
	}
	if p.Release == nil {
		return nil
	}
	var err error
	if p.icons, err = s.iconSet(ctx, p.Release); err != nil {
		return err
	}
	p.symbols = make(map[string]*icons.Symbol)
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

// suggestShape finds the shape of a suggested element whose category the
// snapshot does not have.
func (p *Presentation) suggestShape(e *taxonomy.Element) {
	if _, known := p.shapes[e.CategoryID]; known {
		return
	}
	if c, ok := p.Release.Category(e.CategoryID); ok {
		p.shapes[e.CategoryID] = c.Shape
	}
}

// Icon draws the icon of an element of the datachain in a variant: "default",
// "dark", or a context value. It reports whether the symbol of the element is on
// it: where that is not known any more, or never was, it draws the bare shape,
// and a circle where not even the category is known. A variant that the element
// does not have looks like the default one.
func (p *Presentation) Icon(e *taxonomy.Element, variant string, o *icons.Options) ([]byte, bool) {
	if p.published(e) {
		if svg, err := p.icons.Append(nil, e.ID, variant, o); err == nil {
			return svg, true
		}
	}
	shape, known := p.shapes[e.CategoryID]
	if !known {
		shape = taxonomy.Circle
	}
	symbol := p.symbols[e.SymbolID]
	svg, err := icons.Compose(shape, symbol, p.Look(e.CategoryID, variant), o)
	if err != nil {
		return nil, false
	}
	return svg, symbol != nil
}

// published reports whether the release has an element as it is here. A suggested
// one may go by the id of another.
func (p *Presentation) published(e *taxonomy.Element) bool {
	if p.icons == nil {
		return false
	}
	there, ok := p.Release.Element(e.ID)
	return ok && there.CategoryID == e.CategoryID && there.SymbolID == e.SymbolID
}

// Look returns how icons of a category are coloured in a variant.
func (p *Presentation) Look(categoryID, variant string) icons.Look {
	if look, ok := p.looks[lookKey{categoryID, variant}]; ok {
		return look
	}
	if variant == taxonomy.VariantDark {
		return icons.DarkLook()
	}
	return icons.DefaultLook()
}
