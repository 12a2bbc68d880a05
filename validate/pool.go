package validate

import "github.com/datachain-go/datachain/taxonomy"

// pool is the schema of a resolved document: its snapshot and the suggested
// elements. Of two elements or categories with the same id, the first counts.
type pool struct {
	typ        *taxonomy.Type
	categories []*taxonomy.Category
	byCategory map[string]*taxonomy.Category
	elements   []*taxonomy.Element
	byElement  map[string]*taxonomy.Element
	elementsOf map[string][]*taxonomy.Element // computed when needed
}

func newPool(r *taxonomy.Resolved) *pool {
	s := &r.SchemaSnapshot
	p := &pool{
		typ:        &s.DatachainType,
		byCategory: make(map[string]*taxonomy.Category, len(s.Categories)),
		byElement:  make(map[string]*taxonomy.Element, len(s.Elements)+len(r.SuggestedElements)),
	}
	for i := range s.Categories {
		c := &s.Categories[i]
		if _, taken := p.byCategory[c.ID]; !taken {
			p.byCategory[c.ID] = c
			p.categories = append(p.categories, c)
		}
	}
	for _, list := range [][]taxonomy.Element{s.Elements, r.SuggestedElements} {
		for i := range list {
			e := &list[i]
			if _, taken := p.byElement[e.ID]; !taken {
				p.byElement[e.ID] = e
				p.elements = append(p.elements, e)
			}
		}
	}
	return p
}

func (p *pool) Type() *taxonomy.Type             { return p.typ }
func (p *pool) Categories() []*taxonomy.Category { return p.categories }
func (p *pool) Elements() []*taxonomy.Element    { return p.elements }
func (p *pool) Locales() []string                { return nil } // not in a snapshot

func (p *pool) Category(id string) (*taxonomy.Category, bool) {
	c, ok := p.byCategory[id]
	return c, ok
}

func (p *pool) Element(id string) (*taxonomy.Element, bool) {
	e, ok := p.byElement[id]
	return e, ok
}

func (p *pool) ElementsOf(categoryID string) []*taxonomy.Element {
	if p.elementsOf == nil {
		p.elementsOf = make(map[string][]*taxonomy.Element)
		for _, e := range p.elements {
			p.elementsOf[e.CategoryID] = append(p.elementsOf[e.CategoryID], e)
		}
	}
	return p.elementsOf[categoryID]
}
