package validate

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// snapshotSchema is the schema of a resolved document: its snapshot, the suggested elements,
// and the published categories that these elements need and the snapshot lacks. Of two
// elements or categories with the same id, the first counts.
type snapshotSchema struct {
	typ        *taxonomy.Type
	categories []*taxonomy.Category
	byCategory map[string]*taxonomy.Category
	elements   []*taxonomy.Element
	published  map[string]*taxonomy.Element // of the snapshot
	suggested  map[string]*taxonomy.Element
	elementsOf map[string][]*taxonomy.Element // by category, computed when needed
	complete   bool                           // the category of every element is known
}

// newSnapshotSchema returns the schema of a document. Live is the version that it pins, or
// nil.
func newSnapshotSchema(r *taxonomy.Resolved, live *taxonomy.Release) *snapshotSchema {
	s := &r.SchemaSnapshot
	p := &snapshotSchema{
		typ:        &s.DatachainType,
		byCategory: make(map[string]*taxonomy.Category, len(s.Categories)),
		published:  make(map[string]*taxonomy.Element, len(s.Elements)),
	}
	for i := range s.Categories {
		c := &s.Categories[i]
		if _, taken := p.byCategory[c.ID]; !taken {
			p.byCategory[c.ID] = c
			p.categories = append(p.categories, c)
		}
	}
	p.add(p.published, s.Elements)
	if len(r.SuggestedElements) > 0 {
		p.suggested = make(map[string]*taxonomy.Element, len(r.SuggestedElements))
		p.add(p.suggested, r.SuggestedElements)
	}
	p.addCategories(live)
	return p
}

// addCategories adds the published categories that elements need and the snapshot lacks.
func (p *snapshotSchema) addCategories(live *taxonomy.Release) {
	p.complete = true
	for _, e := range p.elements {
		if _, there := p.byCategory[e.CategoryID]; there {
			continue
		}
		c, published := (*taxonomy.Category)(nil), false
		if live != nil {
			c, published = live.Category(e.CategoryID)
		}
		if !published {
			p.complete = false
			continue
		}
		p.byCategory[c.ID] = c
		p.categories = append(p.categories, c)
	}
}

// add adds elements, except those whose id is already taken.
func (p *snapshotSchema) add(to map[string]*taxonomy.Element, list []taxonomy.Element) {
	for i := range list {
		e := &list[i]
		if _, taken := p.Element(e.ID); !taken {
			to[e.ID] = e
			p.elements = append(p.elements, e)
		}
	}
}

func (p *snapshotSchema) Type() *taxonomy.Type { return p.typ }

func (p *snapshotSchema) Categories() []*taxonomy.Category { return p.categories }

func (p *snapshotSchema) Elements() []*taxonomy.Element { return p.elements }

func (p *snapshotSchema) Locales() []string { return nil } // not in a snapshot

func (p *snapshotSchema) ElementIDs() []string { return slices.Collect(elementIDs(p.elements)) }

func (p *snapshotSchema) Category(id string) (*taxonomy.Category, bool) {
	c, ok := p.byCategory[id]
	return c, ok
}

func (p *snapshotSchema) Element(id string) (*taxonomy.Element, bool) {
	if e, ok := p.published[id]; ok {
		return e, true
	}
	e, ok := p.suggested[id]
	return e, ok
}

func (p *snapshotSchema) ElementsOf(categoryID string) []*taxonomy.Element {
	if p.elementsOf == nil {
		p.elementsOf = make(map[string][]*taxonomy.Element)
		for _, e := range p.elements {
			p.elementsOf[e.CategoryID] = append(p.elementsOf[e.CategoryID], e)
		}
	}
	return p.elementsOf[categoryID]
}
