package diff

import (
	"math"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// count is what the old documents have of a category of the new release.
type count struct{ fewest, most int }

// placementsOf returns how many placements the documents of the old release have of a category of the
// new one. What a category is called does not matter: documents name elements.
func (p *pair) placementsOf(c *taxonomy.Category) count {
	known, ok := p.byCategory[c.ID]
	if ok {
		return known
	}
	var from []string // the categories that its elements had
	for _, e := range p.after.ElementsOf(c.ID) {
		if old, ok := p.before.Element(e.ID); ok && !slices.Contains(from, old.CategoryID) {
			from = append(from, old.CategoryID)
		}
	}
	var n count
	n.fewest, n.most = p.countOf(from, func(old *taxonomy.Element) bool {
		e, ok := p.after.Element(old.ID)
		return ok && e.CategoryID == c.ID
	})
	p.byCategory[c.ID] = n
	return n
}

// tooFew reports whether an old document can have too few placements of a category
// of the new release.
func (p *pair) tooFew(c *taxonomy.Category) bool {
	return p.satisfiable() && minimum(c) > 0 && p.placementsOf(c).fewest < minimum(c)
}

// tooMany reports whether an old document can have too many placements of a category
// of the new release.
func (p *pair) tooMany(c *taxonomy.Category) bool {
	return p.satisfiable() && p.placementsOf(c).most > maximum(c)
}

// raised reports whether the minimum of a category is higher than it was, and lowered
// whether its maximum is lower. A new category had no minimum and no maximum.
func (p *pair) raised(c *taxonomy.Category) bool {
	old, ok := p.before.Category(p.renames.was[c.ID])
	return !ok || minimum(c) > minimum(old)
}

func (p *pair) lowered(c *taxonomy.Category) bool {
	old, ok := p.before.Category(p.renames.was[c.ID])
	return !ok || maximum(c) < maximum(old)
}

// unlimited is the maximum of what has none.
const unlimited = math.MaxInt

// isSatisfiable reports whether a release has a valid document at all. Placements are checked one by
// one, and counted by element and by category, so how often elements and categories can be placed
// describes all valid documents.
func isSatisfiable(r *taxonomy.Release) (satisfiable bool) {
	capacity := make(map[string]int) // how often all elements of a category can be placed
	for _, e := range r.Elements() {
		capacity[e.CategoryID] = plus(capacity[e.CategoryID], allowed(e))
	}
	for _, c := range r.Categories() {
		able := min(capacity[c.ID], maximum(c))
		if able < minimum(c) {
			return false
		}
		satisfiable = satisfiable || able > 0 // a document has at least one placement
	}
	return satisfiable
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
		slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return o.Applies(elementID) })
}

// needsContext reports whether placements of a category must have a context value.
func needsContext(c *taxonomy.Category) bool {
	return c.Context.Required && len(c.Context.Values) > 0
}

// placements returns how often a valid document of the old release can place an element.
func (p *pair) placements(e *taxonomy.Element) int {
	c, known := p.before.Category(e.CategoryID)
	if !p.satisfiable() || !known {
		return 0
	}
	return min(allowed(e), maximum(c))
}

// placeable reports whether a valid document of the old release can place an element.
func (p *pair) placeable(e *taxonomy.Element) bool { return e != nil && p.placements(e) > 0 }

// countOf returns the fewest and the most placements of elements of a set in a valid
// document of the old release. The elements of the set belong to the given categories, and possibly some
// others of these categories do not belong to it.
func (p *pair) countOf(categories []string, in func(*taxonomy.Element) bool) (fewest, most int) {
	for _, id := range categories {
		c, known := p.before.Category(id)
		if !known {
			continue
		}
		inside, outside := 0, 0
		for _, e := range p.before.ElementsOf(id) {
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
	others := func(e *taxonomy.Element) bool { return !in(e) && p.placeable(e) }
	if fewest == 0 && !slices.ContainsFunc(p.before.Elements(), others) {
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
