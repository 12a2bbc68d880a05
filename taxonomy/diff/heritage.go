package diff

import (
	"bytes"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// heritage omits the changes that elements inherit from their category: its
// variables, and its context values as icon variants.
type heritage struct {
	pair
	changes []Change      // of the categories
	byPlace map[place]int // in changes
}

// place identifies a change of a category.
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

// own returns the changes of an element that are not inherited. It counts the
// others at the category, where a change has the effect that it has at the
// elements: it breaks documents if it does so at one of them.
func (h *heritage) own(id string, changes []Change) []Change {
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
		if c.Breaking && !from.Breaking || c.Reason != "" && from.Reason == "" {
			from.Breaking, from.Notable, from.Reason = c.Breaking, c.Notable, c.Reason
		}
	}
	return own
}

// source returns the change of the category that a change of an element comes
// from.
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
