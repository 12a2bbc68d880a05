package upgrade

import (
	"github.com/datachain-go/datachain/taxonomy"
)

// schema is the old side of an upgrade: a release, the snapshot of a resolved document,
// or nothing.
type schema interface {
	Element(id string) (*taxonomy.Element, bool)
	Category(id string) (*taxonomy.Category, bool)
}

// snapshot is the schema that a resolved document carries. Of two parts with the same id
// the first counts.
type snapshot struct {
	elements   map[string]*taxonomy.Element
	categories map[string]*taxonomy.Category
}

func newSnapshot(s *taxonomy.Snapshot) *snapshot {
	n := &snapshot{make(map[string]*taxonomy.Element, len(s.Elements)), make(map[string]*taxonomy.Category, len(s.Categories))}
	for i := range s.Elements {
		if e := &s.Elements[i]; n.elements[e.ID] == nil {
			n.elements[e.ID] = e
		}
	}
	for i := range s.Categories {
		if c := &s.Categories[i]; n.categories[c.ID] == nil {
			n.categories[c.ID] = c
		}
	}
	return n
}

func (s *snapshot) Element(id string) (*taxonomy.Element, bool) {
	e, ok := s.elements[id]
	return e, ok
}

func (s *snapshot) Category(id string) (*taxonomy.Category, bool) {
	c, ok := s.categories[id]
	return c, ok
}

// nothing is the schema of a version that is not available.
type nothing struct{}

func (nothing) Element(string) (*taxonomy.Element, bool)   { return nil, false }
func (nothing) Category(string) (*taxonomy.Category, bool) { return nil, false }
