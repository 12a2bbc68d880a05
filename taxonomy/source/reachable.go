package source

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checkMinimums finds categories that need more placements than their elements
// allow together: no document could be valid.
func (c *compiler) checkMinimums() {
	if c.lost.elements {
		return // the one that can't be read may make up for it
	}
	byCategory := c.elementsByCategory()
	for i := range c.categories {
		cat := &c.categories[i]
		elements := byCategory[cat.ID]
		if allowed := room(elements, cat.Cardinality.Min); len(elements) > 0 && allowed < cat.Cardinality.Min {
			c.wrong(issue.SeverityError, issue.CodeCardinalityUnreachable, cat.least,
				fmt.Sprintf("category %s needs at least %d placements, but max_placements of its elements allows %d together", cat.ID, cat.Cardinality.Min, allowed),
				fmt.Sprintf("write %d at most, raise max_placements, or add elements", allowed))
		}
	}
}

// room is how many placements elements allow together, or most where that is
// less.
func room(elements []*element, most int) int {
	left := most
	for _, e := range elements {
		if e.MaxPlacements == 0 || e.MaxPlacements >= left {
			return most
		}
		left -= e.MaxPlacements
	}
	return most - left
}

// checkOptionsReach finds elements that inherit a required variable none of
// whose options is for them: no document could place them and be valid. A
// variable that an element itself declares needs no look, since applies_to
// can name no other element there.
func (c *compiler) checkOptionsReach() {
	if c.lost.elements {
		return
	}
	byCategory := c.elementsByCategory()
	for i := range c.categories {
		cat := &c.categories[i]
		for _, v := range cat.Variables {
			if at, narrow := narrowed(cat, &v); narrow {
				c.checkReach(cat, &v, at, byCategory[cat.ID])
			}
		}
	}
}

// narrowed reports whether a variable must be filled in and all its options are
// for some elements only, and where it is declared.
func narrowed(cat *category, v *taxonomy.Variable) (at reference, narrow bool) {
	if !v.Required || v.Type != taxonomy.SelectVariable ||
		slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return len(o.AppliesTo) == 0 }) {
		return at, false
	}
	i := slices.IndexFunc(cat.appliers, func(a applier) bool { return a.variable.id == v.ID })
	if i < 0 {
		return at, false // it has no options, which is said already
	}
	return cat.appliers[i].variable, true
}

func (c *compiler) checkReach(cat *category, v *taxonomy.Variable, at reference, elements []*element) {
	reached := make(map[string]bool)
	for _, o := range v.Options {
		for _, id := range o.AppliesTo {
			reached[id] = true
		}
	}
	var left []*element
	for _, e := range elements {
		overrides := slices.ContainsFunc(e.Variables, func(own taxonomy.Variable) bool { return own.ID == v.ID })
		if !reached[e.ID] && !overrides {
			left = append(left, e)
		}
		delete(reached, e.ID)
	}
	if len(left) == 0 || len(reached) > 0 { // a misspelt one is said already, and may be it
		return
	}
	others := ""
	if n := len(left) - 1; n > 0 {
		others = fmt.Sprintf(" (nor to %d more)", n)
	}
	c.wrong(issue.SeverityWarning, issue.CodeOptionNoneApplies, at,
		fmt.Sprintf("category %s: variable %s is required, but none of its options applies to %s%s", cat.ID, v.ID, left[0].what(), others),
		"add an option for it, declare the variable anew in the element, or make it optional")
}

// elementsByCategory returns the elements of each category.
func (c *compiler) elementsByCategory() map[string][]*element {
	byCategory := make(map[string][]*element, len(c.categories))
	for i := range c.elements {
		e := &c.elements[i]
		byCategory[e.CategoryID] = append(byCategory[e.CategoryID], e)
	}
	return byCategory
}
