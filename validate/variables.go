package validate

import (
	"fmt"
	"iter"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var variables = &Rule{
	Name: "variables",
	Doc:  "A placement fills in the variables of its element, each once and in the form of its type.",
	Codes: []issue.Code{
		issue.CodeInstanceRequiredVariableMissing,
		issue.CodeInstanceVariableUnknown, issue.CodeInstanceVariableDuplicate,
		issue.CodeInstanceVariableValueShape, issue.CodeInstanceVariableValueEmpty,
		issue.CodeInstanceVariableOptionUnknown, issue.CodeInstanceVariableOptionNotApplicable,
	},
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			if placed.Element != nil {
				checkRequired(p, placed)
				checkVariables(p, placed)
			}
		}
	},
}

// checkRequired looks for variables that must be filled in and are not.
func checkRequired(p *Pass, placed *Placed) {
	var slips map[string]int // found out where something is missing
	for v := range p.required(placed.Element) {
		if p.full() {
			return
		}
		if p.given(placed, v.ID) >= 0 {
			continue
		}
		message := fmt.Sprintf("The element %s needs the variable %s.", name(placed.ElementID), name(v.ID))
		if label := prose.Clip(v.Label.Pick(p.Schema.Locales()...)); label != "" {
			message = fmt.Sprintf("The element %s needs the variable %s (%s).", name(placed.ElementID), name(v.ID), label)
		}
		if slips == nil {
			slips = p.slips(placed)
		}
		hint := fmt.Sprintf(`add {"id": %s, "value": %s} to variables`, quote(prose.Clip(v.ID)), p.exampleValue(v, placed.ElementID))
		if at, slipped := slips[v.ID]; slipped {
			hint = fmt.Sprintf("write %s as the id of variables[%d], which is probably meant", name(v.ID), at)
		}
		p.fail(issue.CodeInstanceRequiredVariableMissing, placed.Path().Key("variables"), message, hint)
	}
}

// slips returns where a placement gives a variable that its element does not
// have, by the variable that is probably meant.
func (p *Pass) slips(placed *Placed) map[string]int {
	slips := make(map[string]int)
	for i := range placed.Variables {
		if !p.goOnAt(i) {
			break
		}
		id := placed.Variables[i].ID
		if p.variable(placed.Element, id) != nil {
			continue
		}
		near := p.hints.nearest(id, variableIDs(placed.Element))
		if _, taken := slips[near]; near != "" && !taken {
			slips[near] = i
		}
	}
	return slips
}

// checkVariables looks at the variables that are filled in.
func checkVariables(p *Pass, placed *Placed) {
	for i := range placed.Variables {
		if !p.goOnAt(i) {
			return
		}
		at := func() issue.Path { return placed.Path().Key("variables").Index(i) }
		value := &placed.Variables[i]
		declared := p.variable(placed.Element, value.ID)
		if declared == nil {
			issue := issue.Issue{
				Code: issue.CodeInstanceVariableUnknown, Path: at().Key("id"),
				Message: unknownVariable(placed.Element, value.ID),
				FixHint: oneOf(variableIDs(placed.Element), "remove the entry"),
			}
			near := p.hints.nearest(value.ID, variableIDs(placed.Element))
			if near != "" && p.given(placed, near) >= 0 {
				issue.FixHint, near = "remove the entry; "+name(near)+" is given already", ""
			}
			p.meant(issue, near)
			continue
		}
		if first := p.given(placed, value.ID); first != i {
			p.fail(issue.CodeInstanceVariableDuplicate, at().Key("id"),
				fmt.Sprintf("The variable %s is given in variables[%d] already.", name(value.ID), first), "remove one of the two")
			continue
		}
		if declared.Type == taxonomy.SelectVariable {
			checkSelect(p, placed, declared, value, at)
		} else {
			checkText(p, declared, value, at)
		}
	}
}

// given returns where a placement fills in a variable first, or -1.
func (p *Pass) given(placed *Placed, id string) int {
	given := placed.Variables
	return p.index.find(placed.Placement, len(given), func(i int) string { return given[i].ID }, id)
}

// variable returns the effective variable of an element, or nil.
func (p *Pass) variable(e *taxonomy.Element, id string) *taxonomy.Variable {
	i := p.index.find(e, len(e.Variables), func(i int) string { return e.Variables[i].ID }, id)
	if i < 0 {
		return nil
	}
	return &e.Variables[i]
}

// required yields the variables of an element that must be filled in.
func (p *Pass) required(e *taxonomy.Element) iter.Seq[*taxonomy.Variable] {
	return func(yield func(*taxonomy.Variable) bool) {
		if len(e.Variables) <= few {
			for i := range e.Variables {
				if v := &e.Variables[i]; v.Required && !yield(v) {
					return
				}
			}
			return
		}
		for _, i := range p.requiredPlaces(e) {
			if !yield(&e.Variables[i]) {
				return
			}
		}
	}
}

// requiredPlaces remembers which of the many variables of an element are
// required.
func (p *Pass) requiredPlaces(e *taxonomy.Element) []int {
	places, known := p.requiredAt[e]
	if !known {
		for i := range e.Variables {
			if e.Variables[i].Required {
				places = append(places, i)
			}
		}
		if p.requiredAt == nil {
			p.requiredAt = make(map[*taxonomy.Element][]int)
		}
		p.requiredAt[e] = places
	}
	return places
}

func variableIDs(e *taxonomy.Element) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range e.Variables {
			if !yield(e.Variables[i].ID) {
				return
			}
		}
	}
}

// unknownVariable is the message that an element has no such variable.
func unknownVariable(e *taxonomy.Element, id string) string {
	if len(e.Variables) == 0 {
		return fmt.Sprintf("The element %s has no variables, so %q can't be one.", name(e.ID), prose.Clip(id))
	}
	return fmt.Sprintf("The element %s has no variable %q; it has %s.", name(e.ID), prose.Clip(id), some(variableIDs(e)))
}
