package source

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checkMinimums finds categories that require more placements than their
// elements allow, so that no document can be valid.
func (c *compiler) checkMinimums() {
	for _, cat := range c.categories {
		least, elements := cat.Cardinality.Min, c.members[cat.ID]
		if allowed := room(elements, least); len(elements) > 0 && allowed < least {
			c.errorf(issue.CodeCardinalityUnreachable, cat.least, fmt.Sprintf("lower min to %d, raise max_placements, or add elements", allowed),
				"Category %s requires at least %d placements, but max_placements of its elements allows only %d in total.", cat.ID, least, allowed)
		}
	}
}

// room returns how many placements the elements allow in total, but not more
// than most.
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

// checkAppliesTo finds options that apply to elements without the variable. A
// variable of a category belongs to its elements, one of an element to it alone.
func (c *compiler) checkAppliesTo() {
	categoryOf := make(map[string]string, len(c.elements))
	for i := range c.elements {
		categoryOf[c.elements[i].ID] = c.elements[i].CategoryID
	}
	for _, cat := range c.categories {
		c.checkAppliers(cat.appliers, "Category "+cat.ID, c.members[cat.ID], func(id string) bool { return categoryOf[id] == cat.ID })
	}
	for i := range c.elements {
		e := &c.elements[i]
		c.checkAppliers(e.appliers, e.String(), []*element{e}, func(id string) bool { return id == e.ID })
	}
}

func (c *compiler) checkAppliers(appliers []applier, owner string, elements []*element, has func(id string) bool) {
	known := func(yield func(string) bool) {
		for _, e := range elements {
			if !yield(e.ID) {
				return
			}
		}
	}
	for _, a := range appliers {
		for _, ref := range a.elements {
			if !has(ref.id) {
				c.misspelt(&c.hints, newError(issue.CodeElementUnknown, ref.spot, "write the id of an element that has the variable",
					"%s: variable %s: %s: applies_to lists %s, which does not have the variable.", owner, a.variable.id, a.option, prose.Plain(ref.id)), ref.id, known)
			}
		}
	}
}

// checkOptionsReach finds elements that inherit a required variable without an
// option that applies to them, so that no document with them can be valid. The
// own variables of an element need no check, since their options cannot apply
// to other elements.
func (c *compiler) checkOptionsReach() {
	for _, cat := range c.categories {
		for _, v := range cat.Variables {
			i := slices.IndexFunc(cat.appliers, func(a applier) bool { return a.variable.id == v.ID })
			forAll := slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return len(o.AppliesTo) == 0 })
			if v.Required && v.Type == taxonomy.SelectVariable && !forAll && i >= 0 {
				c.checkReach(cat, &v, cat.appliers[i].variable.spot)
			}
		}
	}
}

func (c *compiler) checkReach(cat *category, v *taxonomy.Variable, at spot) {
	applies := make(map[string]bool)
	for _, o := range v.Options {
		for _, id := range o.AppliesTo {
			applies[id] = true
		}
	}
	var left []string
	for _, e := range c.members[cat.ID] {
		overrides := slices.ContainsFunc(e.Variables, func(own taxonomy.Variable) bool { return own.ID == v.ID })
		if !applies[e.ID] && !overrides {
			left = append(left, e.ID)
		}
		delete(applies, e.ID)
	}
	if len(left) == 0 || len(applies) > 0 { // a misspelt id has been reported, and may be the one
		return
	}
	others := ""
	if n := len(left) - 1; n > 0 {
		others = fmt.Sprintf(" (nor to %d others)", n)
	}
	c.warnf(issue.CodeOptionNoneApplies, at, "add an option that applies to it, redeclare the variable in the element, or make it optional",
		"Category %s: variable %s is required, but none of its options applies to element %s%s.", cat.ID, v.ID, left[0], others)
}
