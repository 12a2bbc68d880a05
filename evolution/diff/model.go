package diff

import (
	"math"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// model says what valid documents of a release can contain. Placements are judged
// one by one, and counted by element and by category, so how often elements and
// categories can be placed describes all valid documents.
type model struct {
	release *taxonomy.Release
	// satisfiable reports whether there is a valid document at all.
	satisfiable bool
	// capacity is how often all elements of a category can be placed, before its
	// own maximum applies.
	capacity map[string]int
}

// unlimited is the maximum of what has none.
const unlimited = math.MaxInt

func newModel(r *taxonomy.Release) *model {
	m := &model{release: r, capacity: make(map[string]int)}
	for _, e := range r.Elements() {
		m.capacity[e.CategoryID] = plus(m.capacity[e.CategoryID], allowed(e))
	}
	for _, c := range r.Categories() {
		able := min(m.capacity[c.ID], maximum(c))
		if able < minimum(c) {
			m.satisfiable = false
			return m
		}
		// A document has at least one placement.
		m.satisfiable = m.satisfiable || able > 0
	}
	return m
}

// minimum is how many placements of its elements a category needs.
func minimum(c *taxonomy.Category) int {
	if c.Required {
		return max(c.Cardinality.Min, 1)
	}
	return c.Cardinality.Min
}

func maximum(c *taxonomy.Category) int { return limit(c.Cardinality.Max) }

// limit returns a maximum, for which 0 in a release means that there is none.
func limit(most int) int {
	if most == 0 {
		return unlimited
	}
	return most
}

// allowed is how often an element can be placed, before the maximum of its category
// applies. An element whose required variable has no option to choose can't be placed.
func allowed(e *taxonomy.Element) int {
	for i := range e.Variables {
		if v := &e.Variables[i]; v.Required && !fillable(e.ID, v) {
			return 0
		}
	}
	return limit(e.MaxPlacements)
}

// fillable reports whether a variable of an element can have a value.
func fillable(elementID string, v *taxonomy.Variable) bool {
	return v.Type != taxonomy.SelectVariable ||
		slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return applies(elementID, &o) })
}

func applies(elementID string, o *taxonomy.Option) bool {
	return len(o.AppliesTo) == 0 || slices.Contains(o.AppliesTo, elementID)
}

// needsContext reports whether placements of a category must have a context value.
func needsContext(c *taxonomy.Category) bool {
	return c.Context.Required && len(c.Context.Values) > 0
}

// placements returns how often a valid document can place an element.
func (m *model) placements(e *taxonomy.Element) int {
	c, known := m.release.Category(e.CategoryID)
	if !m.satisfiable || !known {
		return 0
	}
	return min(allowed(e), maximum(c))
}

// placeable reports whether a valid document can place an element.
func (m *model) placeable(e *taxonomy.Element) bool { return e != nil && m.placements(e) > 0 }

// between returns the fewest and the most placements of elements of a set in a valid
// document. The elements of the set belong to the given categories, and possibly some
// others of these categories do not belong to it.
func (m *model) between(categories []string, in func(*taxonomy.Element) bool) (fewest, most int) {
	for _, id := range categories {
		c, known := m.release.Category(id)
		if !known {
			continue
		}
		inside, outside := 0, 0
		for _, e := range m.release.ElementsOf(id) {
			if in(e) {
				inside = plus(inside, allowed(e))
			} else {
				outside = plus(outside, allowed(e))
			}
		}
		fewest = plus(fewest, max(0, minimum(c)-outside))
		most = plus(most, min(maximum(c), inside))
	}
	// A document has at least one placement, possibly of none but these elements.
	if fewest == 0 && !slices.ContainsFunc(m.release.Elements(), func(e *taxonomy.Element) bool { return !in(e) && m.placeable(e) }) {
		fewest = 1
	}
	return fewest, most
}

// plus adds numbers that can be unlimited.
func plus(a, b int) int {
	if a > unlimited-b {
		return unlimited
	}
	return a + b
}
