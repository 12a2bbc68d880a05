package diff

import (
	"bytes"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// heritage withholds the changes that elements have only because their category
// has them: its variables, and its context values as icon variants.
type heritage struct {
	pair
	// changes are those of the categories; byPlace finds one.
	changes []Change
	byPlace map[place]int
}

// place names a change of a category.
type place struct {
	category string
	kind     Kind
	path     string
}

func newHeritage(p pair, changes []Change) *heritage {
	h := &heritage{pair: p, changes: changes, byPlace: make(map[place]int, len(changes))}
	for i, c := range changes {
		h.byPlace[place{c.ID, c.Kind, c.Path.String()}] = i
	}
	return h
}

// withhold returns the changes of an element without the inherited ones, which
// it counts at the category. A change breaks at the category what it breaks at
// one of its elements.
func (h *heritage) withhold(id string, changes []Change) []Change {
	before, _ := h.before.Element(id)
	after, _ := h.after.Element(id)
	if before == nil || after == nil || before.CategoryID != after.CategoryID {
		return changes
	}
	var own []Change
	for _, c := range changes {
		i, ok := h.source(after.CategoryID, &c)
		if !ok {
			own = append(own, c)
			continue
		}
		from := &h.changes[i]
		from.Inherited++
		if c.Breaking && !from.Breaking {
			from.Breaking, from.Reason = true, c.Reason
		}
	}
	return own
}

// source finds the change of the category that an element's change comes from.
func (h *heritage) source(category string, c *Change) (int, bool) {
	if len(c.Path) == 0 {
		return 0, false
	}
	switch c.Path[0].Name() {
	case "variables":
		i, ok := h.byPlace[place{category, c.Kind, c.Path.String()}]
		return i, ok && bytes.Equal(h.changes[i].Old, c.Old) && bytes.Equal(h.changes[i].New, c.New)
	case "icon_variants":
		path := issue.Root.Key("context").Key("values")
		i, ok := h.byPlace[place{category, c.Kind, append(path, c.Path[1:]...).String()}]
		return i, ok
	}
	return 0, false
}
