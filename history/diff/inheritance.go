package diff

import (
	"bytes"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// inheritance omits the changes that elements inherit from their category: its
// variables, and its context values as icon variants.
type inheritance struct {
	*pair
	changes []Change      // of the categories
	byPlace map[place]int // in changes
	// variants has the renamed context values: the places of their changes by
	// category and by the old and the new id.
	variants map[[2]string]int
}

// place identifies a change of a category.
type place struct {
	category string
	kind     Kind
	path     string
	old      string // the old id, if it was renamed: several can become one
}

func placeOf(category string, c *Change) place {
	at := place{category: category, kind: c.Kind, path: c.Path.String()}
	if c.Kind == Renamed {
		at.old = Text(c.Old)
	}
	return at
}

func newInheritance(p *pair, changes []Change) *inheritance {
	h := &inheritance{pair: p, changes: changes, byPlace: make(map[place]int, len(changes)), variants: make(map[[2]string]int)}
	renamedValue := on(Category, Renamed, "context.values.*")
	for i, c := range changes {
		h.byPlace[placeOf(c.ID, &c)] = i
		if renamedValue.matches(&c) {
			h.variants[[2]string{c.ID, Text(c.Old)}], h.variants[[2]string{c.ID, c.Path[2].Name()}] = i, i
		}
	}
	return h
}

// own returns the changes of an element that are not inherited. It counts the
// others at the category, where a change has the effect that it has at the
// elements: it breaks documents if it does so at one of them.
func (h *inheritance) own(id string, changes []Change) []Change {
	before := h.oldElement(id)
	after, _ := h.after.Element(id)
	if before == nil || after == nil || h.newID(before.CategoryID) != after.CategoryID {
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
		// A renamed context value is an icon variant less and one more.
		if c.Kind != Removed || from.Kind != Renamed {
			from.Inherited++
		}
		// What a renamed category allows is the subject of its own changes.
		if c.weight() > from.weight() && c.Path[0].Name() != "category_id" {
			from.Rule, from.Severity, from.Warns, from.Consequence = c.Rule, c.Severity, c.Warns, c.Consequence
		}
	}
	return own
}

// weight sorts changes by what they mean for documents.
func (c *Change) weight() int {
	switch {
	case c.Severity == Breaking:
		return 3
	case c.Severity == Notable:
		return 2
	case c.Warns:
		return 1
	}
	return 0
}

// source returns the change of the category that a change of an element comes
// from.
func (h *inheritance) source(category string, c *Change) (int, bool) {
	if len(c.Path) == 0 {
		return 0, false
	}
	switch c.Path[0].Name() {
	case "category_id": // it did not move
		i, ok := h.byPlace[place{category, Renamed, "", Text(c.Old)}]
		return i, ok
	case "variables":
		i, ok := h.byPlace[placeOf(category, c)]
		return i, ok && bytes.Equal(h.changes[i].Old, c.Old) && bytes.Equal(h.changes[i].New, c.New)
	case "icon_variants":
		if len(c.Path) == 2 {
			if i, ok := h.variants[[2]string{category, c.Path[1].Name()}]; ok {
				return i, true
			}
		}
		path := issue.Root.Key("context").Key("values")
		i, ok := h.byPlace[place{category: category, kind: c.Kind, path: append(path, c.Path[1:]...).String()}]
		return i, ok
	}
	return 0, false
}
