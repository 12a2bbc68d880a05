package validate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var variables = &Rule{
	Name: "variables",
	Doc:  "A placement fills in the variables of its element and of its category, each once and in the form of its type.",
	Codes: []issue.Code{
		codes.InstanceRequiredVariableMissing,
		codes.InstanceVariableUnknown, codes.InstanceVariableDuplicate,
		codes.InstanceVariableValueShape, codes.InstanceVariableValueEmpty, codes.InstanceVariableValueDuplicate,
		codes.InstanceVariableOptionUnknown, codes.InstanceVariableOptionNotApplicable,
	},
	// A variable depends on the ids before its own, since it is reported as a duplicate
	// instead; that one is missing depends on all ids of the placement.
	DespiteShape: true,
	Needs:        WholeSchema,
	Run: func(_ context.Context, p *Pass) error {
		for placed := range p.Placements() {
			if p.variablesKnown(placed) {
				checkRequired(p, placed)
				checkVariables(p, placed)
			}
		}
		return nil
	},
}

// noVariables are those that an element without a category inherits.
var noVariables []taxonomy.Variable

// declared returns the lists of the variables that a placement can fill in: those of its
// element, and those of its category, which the element overrides. An element of a release
// has those of its category as its own, a suggested one need not repeat them.
func (p *Placed) declared() [2]*[]taxonomy.Variable {
	if p.Category == nil {
		return [2]*[]taxonomy.Variable{&p.Element.Variables, &noVariables}
	}
	return [2]*[]taxonomy.Variable{&p.Element.Variables, &p.Category.Variables}
}

// owners are the ids of the element and its category, which declare variables.
func (p *Placed) owners() []string { return []string{p.Element.ID, p.Element.CategoryID} }

// variablesKnown reports whether it is known which variables a placement can fill in.
func (p *Pass) variablesKnown(placed *Placed) bool {
	return placed.Element != nil && !p.unknown.has(WholeSchema) && (placed.Category != nil || !p.unknown.has(Limits))
}

// checkRequired reports required variables that are missing.
func checkRequired(p *Pass, placed *Placed) {
	if p.brokenVariableID(placed) {
		return
	}
	var typos map[string]bool // computed when needed
	var room [maxScanned]int
	for _, list := range placed.declared() {
		for _, at := range p.required(list, room[:0]) {
			if p.findings.full() {
				return
			}
			v := &(*list)[at]
			if p.given(placed, v.ID) >= 0 || p.variable(placed, v.ID) != v { // or overridden
				continue
			}
			if typos == nil {
				typos = p.variableTypos(placed)
			}
			if !typos[v.ID] { // the misspelled one is reported
				p.reportMissing(placed, v)
			}
		}
	}
}

// reportMissing reports a required variable that a placement does not have.
func (p *Pass) reportMissing(placed *Placed, v *taxonomy.Variable) {
	message := fmt.Sprintf("The element %s requires the variable %s.", ident.Name(placed.ElementID), ident.Name(v.ID))
	if label := wording.Clip(v.Label.Pick(p.Schema.Locales()...)); label != "" {
		message = fmt.Sprintf("The element %s requires the variable %s (%s).", ident.Name(placed.ElementID), ident.Name(v.ID), label)
	}
	p.Report(issue.Issue{
		Code: codes.InstanceRequiredVariableMissing, Path: placed.Path().Key("variables"), Message: message,
		FixHint: fmt.Sprintf(`add {"id": %s, "value": %s} to variables`, quote(wording.Clip(v.ID)), p.exampleValue(v, placed.ElementID)),
		About:   issue.Subject{Category: placed.Element.CategoryID, Variable: v.ID},
	})
}

// brokenVariableID reports whether the id of a variable of a placement is broken, or was not read.
func (p *Pass) brokenVariableID(placed *Placed) bool {
	if p.broken == nil {
		return false
	}
	at := placed.Path().Key("variables")
	for i := range placed.Variables {
		if p.Broken(at.Index(i).Key("id")) {
			return true
		}
	}
	return p.Open(at)
}

// variableTypos returns the ids that the unknown variables of a placement probably mean.
func (p *Pass) variableTypos(placed *Placed) map[string]bool {
	typos := make(map[string]bool)
	for i := range placed.Variables {
		if !p.Next() {
			break
		}
		id := placed.Variables[i].ID
		if p.variable(placed, id) != nil {
			continue
		}
		if near, _ := p.meantVariable(placed, id); near != "" {
			typos[near] = true
		}
	}
	return typos
}

// checkVariables checks the variables that are filled in.
func checkVariables(p *Pass, placed *Placed) {
	brokenBefore := false // an id before this one is broken, and may be the same
	for i := range placed.Variables {
		if !p.Next() {
			return
		}
		at := func() issue.Path { return placed.Path().Key("variables").Index(i) }
		value := &placed.Variables[i]
		if p.broken != nil && p.Broken(at().Key("id")) {
			brokenBefore = true
			continue
		}
		declared := p.variable(placed, value.ID)
		if declared == nil {
			p.reportUnknownVariable(placed, value.ID, at().Key("id"))
			continue
		}
		if first := p.given(placed, value.ID); first != i {
			p.clash(codes.InstanceVariableDuplicate, at().Key("id"), placed.Path().Key("variables").Index(first).Key("id"),
				fmt.Sprintf("The variable %s is already given in variables[%d].", ident.Name(value.ID), first), "remove one of the two")
			continue
		}
		if p.broken != nil && (brokenBefore || p.Broken(at().Key("value").Index(0))) { // neither a text nor options
			continue
		}
		if declared.Type == taxonomy.SelectVariable {
			checkSelect(p, placed, declared, value, at)
		} else {
			checkText(p, declared, value, at)
		}
	}
}

// reportUnknownVariable reports a variable that the placed element does not have.
func (p *Pass) reportUnknownVariable(placed *Placed, id string, at issue.Path) {
	i := issue.Issue{
		Code: codes.InstanceVariableUnknown, Path: at,
		Message: p.unknownVariable(placed, id),
		FixHint: oneOf(p.variableIDs(placed), "remove the entry"),
	}
	near, renamed := p.meantVariable(placed, id)
	switch {
	case near != "" && p.given(placed, near) >= 0:
		i.FixHint = "remove the entry; " + ident.Name(near) + " is already given"
		p.Report(i)
	case renamed:
		p.reportRenamed(i, near)
	default:
		p.reportMeant(i, near)
	}
}

// meantVariable returns the variable of a placement that had the id in earlier versions, or
// else the one with the nearest id, or "".
func (p *Pass) meantVariable(placed *Placed, id string) (meant string, renamed bool) {
	owners := placed.owners()
	for i, list := range placed.declared() {
		if k := former(p, taxonomy.IDVariable, list, *list, variableID, variableFrom, id, owners[i:]...); k >= 0 {
			return (*list)[k].ID, true
		}
	}
	return p.hints.nearest(id, p.variableIDs(placed)), false
}

// given returns the position of the first value of a variable, or -1.
func (p *Pass) given(placed *Placed, id string) int {
	return find(&p.index, placed.Placement, placed.Variables, valueID, id)
}

// variable returns the variable that a placement can fill in by an id, or nil.
func (p *Pass) variable(placed *Placed, id string) *taxonomy.Variable {
	for _, list := range placed.declared() {
		if i := find(&p.index, list, *list, variableID, id); i >= 0 {
			return &(*list)[i]
		}
	}
	return nil
}

// required returns the positions of the required variables of a list. It appends them to
// room, and remembers those of long lists.
func (p *Pass) required(list *[]taxonomy.Variable, room []int) []int {
	if places, known := p.requiredAt[list]; known {
		return places
	}
	for i := range *list {
		if (*list)[i].Required {
			room = append(room, i)
		}
	}
	if len(*list) > maxScanned {
		if p.requiredAt == nil {
			p.requiredAt = make(map[*[]taxonomy.Variable][]int)
		}
		p.requiredAt[list] = slices.Clone(room)
	}
	return room
}

// variableIDs yields the ids of the variables that a placement can fill in.
func (p *Pass) variableIDs(placed *Placed) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, list := range placed.declared() {
			for i := range *list {
				if v := &(*list)[i]; p.variable(placed, v.ID) == v && !yield(v.ID) {
					return
				}
			}
		}
	}
}

// unknownVariable is the message for a variable that a placement can't fill in.
func (p *Pass) unknownVariable(placed *Placed, id string) string {
	list, n := listing(p.variableIDs(placed))
	if n == 0 {
		return fmt.Sprintf("The element %s has no variables, but %q is given.", ident.Name(placed.ElementID), wording.Clip(id))
	}
	return fmt.Sprintf("The element %s has no variable %q; it has %s.", ident.Name(placed.ElementID), wording.Clip(id), list)
}

// checkText checks the value of a text variable.
func checkText(p *Pass, v *taxonomy.Variable, value *taxonomy.VariableValue, at func() issue.Path) {
	if value.Options != nil {
		i := issue.Issue{
			Code: codes.InstanceVariableValueShape, Path: at().Key("value"),
			Message: fmt.Sprintf("The variable %s needs a text, but its value is a list of option ids.", ident.Name(v.ID)),
			FixHint: "write " + p.exampleValue(v, ""),
		}
		if len(value.Options) == 1 {
			p.localize(&i, i.Path, quote(value.Options[0]))
		}
		p.Report(i)
		return
	}
	if len(value.Text) == 0 && !p.Open(at().Key("value")) {
		p.fail(codes.InstanceVariableValueEmpty, at().Key("value"), fmt.Sprintf("The variable %s has no text.", ident.Name(v.ID)),
			"write a text, or remove the variable if it is not required")
	}
	for i, t := range value.Text {
		if strings.TrimSpace(t.Value) == "" && !p.Broken(at().Key("value").Index(i).Key("value")) {
			p.fail(codes.InstanceVariableValueEmpty, at().Key("value").Index(i).Key("value"),
				fmt.Sprintf("The variable %s has no text for the locale %q.", ident.Name(v.ID), wording.Clip(t.Locale)), "write the text, or remove the locale")
		}
	}
}

// checkSelect checks the value of a select variable.
func checkSelect(p *Pass, placed *Placed, v *taxonomy.Variable, value *taxonomy.VariableValue, at func() issue.Path) {
	switch {
	case len(value.Text) > 0:
		p.reportTextForOptions(v, placed.ElementID, value.Text, at().Key("value"))
		return
	case len(value.Options) == 0 && p.Open(at().Key("value")):
		return
	case len(value.Options) == 0:
		hint := "remove the variable"
		if write := oneOf(p.options(v, placed.ElementID), ""); write != "" {
			hint = write + ", or remove the variable if it is not required"
		}
		p.fail(codes.InstanceVariableValueEmpty, at().Key("value"), fmt.Sprintf("The variable %s has no option selected.", ident.Name(v.ID)), hint)
		return
	}
	brokenBefore := false // an option before this one is broken, and may be the same
	for i, id := range value.Options {
		if !p.Next() {
			return
		}
		k := find(&p.index, v, v.Options, optionID, id)
		first := p.selected(value, id)
		switch {
		case p.broken != nil && p.Broken(at().Key("value").Index(i)):
			brokenBefore = true
		case first != i:
			p.clash(codes.InstanceVariableValueDuplicate, at().Key("value").Index(i), at().Key("value").Index(first),
				fmt.Sprintf("The option %s of the variable %s is already selected in value[%d].", ident.Name(id), ident.Name(v.ID), first), "remove one of the two")
		case brokenBefore:
		case k < 0:
			p.reportUnknownOption(placed, v, value, id, at().Key("value").Index(i))
		case !p.applies(&v.Options[k], placed.ElementID):
			p.fail(codes.InstanceVariableOptionNotApplicable, at().Key("value").Index(i),
				fmt.Sprintf("The option %s of the variable %s does not apply to the element %s, only to %s.",
					ident.Name(id), ident.Name(v.ID), ident.Name(placed.ElementID), some(slices.Values(v.Options[k].AppliesTo))),
				oneOf(p.options(v, placed.ElementID), "remove the option"))
		}
	}
}

// reportUnknownOption reports an option that a variable does not have.
func (p *Pass) reportUnknownOption(placed *Placed, v *taxonomy.Variable, value *taxonomy.VariableValue, id string, at issue.Path) {
	known := p.options(v, placed.ElementID)
	i := issue.Issue{
		Code: codes.InstanceVariableOptionUnknown, Path: at,
		Message: fmt.Sprintf("The variable %s has no option %q; the options for %s are %s.",
			ident.Name(v.ID), wording.Clip(id), ident.Name(placed.ElementID), some(known)),
		FixHint: oneOf(known, "remove the option"),
	}
	near, renamed := p.meantOption(v, placed, id)
	switch {
	case near != "" && p.selected(value, near) >= 0:
		i.FixHint = "remove it; " + ident.Name(near) + " is already selected"
		p.Report(i)
	case renamed:
		p.reportRenamed(i, near)
	default:
		p.reportMeant(i, near)
	}
}

// meantOption returns the option of a variable that had the id in earlier versions, or else
// the one with the nearest id, or "". It considers only options that apply to the element.
func (p *Pass) meantOption(v *taxonomy.Variable, placed *Placed, id string) (meant string, renamed bool) {
	k := former(p, taxonomy.IDOption, v, v.Options, optionID, optionFrom, id, placed.owners()...)
	if k >= 0 && p.applies(&v.Options[k], placed.ElementID) {
		return v.Options[k].ID, true
	}
	return p.hints.nearest(id, p.options(v, placed.ElementID)), false
}

// selected returns the first position of an option in a value, or -1.
func (p *Pass) selected(value *taxonomy.VariableValue, id string) int {
	return find(&p.index, value, value.Options, itself, id)
}

// applies is [taxonomy.Option.Applies] with an index, since the lists of untrusted schemas can
// be long.
func (p *Pass) applies(o *taxonomy.Option, elementID string) bool {
	return len(o.AppliesTo) == 0 || find(&p.index, o, o.AppliesTo, itself, elementID) >= 0
}

// options yields the ids of the options that an element can use.
func (p *Pass) options(v *taxonomy.Variable, elementID string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range v.Options {
			if p.applies(&v.Options[i], elementID) && !yield(v.Options[i].ID) {
				return
			}
		}
	}
}

// reportTextForOptions reports a text in place of options. The hint is the option that the
// text names, or else all options. The fix is that option if every language names it.
func (p *Pass) reportTextForOptions(v *taxonomy.Variable, elementID string, text taxonomy.Localized, at issue.Path) {
	i := issue.Issue{
		Code: codes.InstanceVariableValueShape, Path: at,
		Message: fmt.Sprintf("The variable %s needs a list of option ids, but its value is a text.", ident.Name(v.ID)),
		FixHint: "remove the variable",
	}
	if o := p.named(v, elementID, text); o != nil {
		i.FixHint = fmt.Sprintf("write [%s]", quote(wording.Clip(o.ID)))
		other := func(t taxonomy.Text) bool { return p.named(v, elementID, taxonomy.Localized{t}) != o }
		if !slices.ContainsFunc(text, other) {
			i.Fix = &issue.Fix{Path: at, Value: slices.Concat([]byte("["), quote(o.ID), []byte("]"))}
		}
	} else if list, n := listing(p.options(v, elementID)); n > 0 {
		i.FixHint = "write a list with one or more of " + list
	}
	p.Report(i)
}

// named returns the option whose id or label is the text, or nil. It uses the budget of
// hints.
func (p *Pass) named(v *taxonomy.Variable, elementID string, text taxonomy.Localized) *taxonomy.Option {
	for _, t := range text {
		name := strings.TrimSpace(t.Value)
		for i := range v.Options {
			o := &v.Options[i]
			if p.hints.budget -= 1 + len(o.Label); p.hints.budget < 0 {
				return nil
			}
			label, _ := o.Label.Get(t.Locale)
			if p.applies(o, elementID) && (strings.EqualFold(o.ID, name) || strings.EqualFold(label, name)) {
				return o
			}
		}
	}
	return nil
}

// exampleValue returns an example of the value of a variable.
func (p *Pass) exampleValue(v *taxonomy.Variable, elementID string) string {
	return p.exampleOf(v, elementID, p.Schema.Locales())
}

// exampleOf returns an example of the value of a variable in one of the locales, which
// can be unknown.
func (p *Pass) exampleOf(v *taxonomy.Variable, elementID string, locales []string) string {
	if v.Type == taxonomy.SelectVariable {
		for id := range p.options(v, elementID) {
			return fmt.Sprintf("[%s]", quote(wording.Clip(id)))
		}
		return "[…]"
	}
	locale := "en"
	if len(locales) > 0 {
		locale = locales[0]
	} else if len(v.Label) > 0 {
		locale = v.Label[0].Locale
	}
	return fmt.Sprintf(`[{"locale": %s, "value": "…"}]`, quote(wording.Clip(locale)))
}
