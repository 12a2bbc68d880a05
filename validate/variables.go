package validate

import (
	"fmt"
	"iter"
	"slices"

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
		issue.CodeInstanceVariableValueShape, issue.CodeInstanceVariableValueEmpty, issue.CodeInstanceVariableValueDuplicate,
		issue.CodeInstanceVariableOptionUnknown, issue.CodeInstanceVariableOptionNotApplicable,
	},
	Needs: "the element_id, the value of the variable, its id and those before it, since it is reported as a duplicate instead; " +
		"a missing variable, all ids of the placement; " +
		"in a resolved document also the snapshot and the suggested elements",
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			if placed.Element != nil && !p.unread.schema {
				checkRequired(p, placed)
				checkVariables(p, placed)
			}
		}
	},
}

// checkRequired reports required variables that are missing.
func checkRequired(p *Pass, placed *Placed) {
	if p.variableUnread(placed) {
		return
	}
	var typos map[string]bool // computed when needed
	var room [few]int
	for _, at := range p.required(placed.Element, room[:0]) {
		if p.findings.full() {
			return
		}
		v := &placed.Element.Variables[at]
		if p.given(placed, v.ID) >= 0 {
			continue
		}
		if typos == nil {
			typos = p.variableTypos(placed)
		}
		if typos[v.ID] {
			continue // the misspelled one is reported
		}
		message := fmt.Sprintf("The element %s requires the variable %s.", name(placed.ElementID), name(v.ID))
		if label := prose.Clip(v.Label.Pick(p.Schema.Locales()...)); label != "" {
			message = fmt.Sprintf("The element %s requires the variable %s (%s).", name(placed.ElementID), name(v.ID), label)
		}
		p.fail(issue.CodeInstanceRequiredVariableMissing, placed.Path().Key("variables"), message,
			fmt.Sprintf(`add {"id": %s, "value": %s} to variables`, quote(prose.Clip(v.ID)), p.exampleValue(v, placed.ElementID)))
	}
}

// variableUnread reports whether the id of a variable of a placement is broken.
func (p *Pass) variableUnread(placed *Placed) bool {
	if p.breaks == nil {
		return false
	}
	at := placed.Path().Key("variables")
	for i := range placed.Variables {
		if p.Broken(at.Index(i).Key("id")) {
			return true
		}
	}
	return p.Broken(at)
}

// variableTypos returns the variables that the unknown variables of a placement were
// probably meant to be.
func (p *Pass) variableTypos(placed *Placed) map[string]bool {
	typos := make(map[string]bool)
	for i := range placed.Variables {
		if !p.goOnAt(i) {
			break
		}
		id := placed.Variables[i].ID
		if p.variable(placed.Element, id) != nil {
			continue
		}
		if near, _ := p.meantVariable(placed.Element, id); near != "" {
			typos[near] = true
		}
	}
	return typos
}

// checkVariables checks the variables that are filled in.
func checkVariables(p *Pass, placed *Placed) {
	unread := false // an id before this one is broken, and may be the same
	for i := range placed.Variables {
		if !p.goOnAt(i) {
			return
		}
		at := func() issue.Path { return placed.Path().Key("variables").Index(i) }
		value := &placed.Variables[i]
		if p.breaks != nil && p.Broken(at().Key("id")) {
			unread = true
			continue
		}
		declared := p.variable(placed.Element, value.ID)
		if declared == nil {
			p.noVariable(placed, value.ID, at().Key("id"))
			continue
		}
		if first := p.given(placed, value.ID); first != i {
			p.clash(issue.CodeInstanceVariableDuplicate, at().Key("id"), placed.Path().Key("variables").Index(first).Key("id"),
				fmt.Sprintf("The variable %s is already given in variables[%d].", name(value.ID), first), "remove one of the two")
			continue
		}
		if p.breaks != nil && (unread || p.Broken(at().Key("value").Index(0))) { // neither a text nor options
			continue
		}
		if declared.Type == taxonomy.SelectVariable {
			checkSelect(p, placed, declared, value, at)
		} else {
			checkText(p, declared, value, at)
		}
	}
}

// noVariable reports a variable that the placed element does not have.
func (p *Pass) noVariable(placed *Placed, id string, at issue.Path) {
	known := variableIDs(placed.Element.Variables)
	i := issue.Issue{
		Code: issue.CodeInstanceVariableUnknown, Path: at,
		Message: unknownVariable(placed.Element, id),
		FixHint: oneOf(known, "remove the entry"),
	}
	near, renamed := p.meantVariable(placed.Element, id)
	switch {
	case near != "" && p.given(placed, near) >= 0:
		i.FixHint = "remove the entry; " + name(near) + " is already given"
		p.Report(i)
	case renamed:
		p.follow(i, near)
	default:
		p.meant(i, near)
	}
}

// meantVariable returns the variable of an element that earlier versions call id, or
// else the one that is nearest to it, or "".
func (p *Pass) meantVariable(e *taxonomy.Element, id string) (meant string, renamed bool) {
	if k := former(&p.index, e, e.Variables, variableFrom, id); k >= 0 {
		return e.Variables[k].ID, true
	}
	return p.hints.nearest(id, variableIDs(e.Variables)), false
}

// given returns the position of the first value of a variable, or -1.
func (p *Pass) given(placed *Placed, id string) int {
	return find(&p.index, placed.Placement, placed.Variables, valueID, id)
}

// variable returns the variable of an element, or nil.
func (p *Pass) variable(e *taxonomy.Element, id string) *taxonomy.Variable {
	i := find(&p.index, e, e.Variables, variableID, id)
	if i < 0 {
		return nil
	}
	return &e.Variables[i]
}

// required returns the positions of the required variables of an element. It uses
// room if they are few, and otherwise remembers them.
func (p *Pass) required(e *taxonomy.Element, room []int) []int {
	if places, known := p.requiredAt[e]; known {
		return places
	}
	for i := range e.Variables {
		if e.Variables[i].Required {
			room = append(room, i)
		}
	}
	if len(e.Variables) > few {
		if p.requiredAt == nil {
			p.requiredAt = make(map[*taxonomy.Element][]int)
		}
		p.requiredAt[e] = slices.Clone(room)
	}
	return room
}

func variableIDs(list []taxonomy.Variable) iter.Seq[string] {
	return idsOf(list, variableID)
}

// unknownVariable is the message for a variable that an element does not have.
func unknownVariable(e *taxonomy.Element, id string) string {
	if len(e.Variables) == 0 {
		return fmt.Sprintf("The element %s has no variables, but %q is given.", name(e.ID), prose.Clip(id))
	}
	return fmt.Sprintf("The element %s has no variable %q; it has %s.", name(e.ID), prose.Clip(id), some(variableIDs(e.Variables)))
}
