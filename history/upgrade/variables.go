package upgrade

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// value is the value of a variable that is being upgraded.
type value struct {
	*placed
	index int
	at    document.Value // the entry in variables
	given *taxonomy.VariableValue
	old   *taxonomy.Variable // or nil
	// removed reports that the id was removed, and is back.
	removed bool
}

// member returns a member of the entry.
func (v *value) member(key string) document.Value {
	m, _ := v.at.Get(key)
	return m
}

// variables moves the values of a placement, and adds gaps.
func (m *upgrader) variables(p *placed) {
	p.renamed = make(map[string]string)
	list := p.member("variables")
	taken := make(map[string]bool, len(p.given.Variables)) // ids in the new document
	for i := range p.given.Variables {
		if id := p.given.Variables[i].ID; m.past.Variable(history.ElementOwner(p.element), id).Same != nil {
			taken[id] = true
		}
	}
	for i := range p.given.Variables {
		if !m.proceed(i) {
			return
		}
		v := &value{placed: p, index: i, given: &p.given.Variables[i]}
		v.at, _ = list.At(i)
		if p.old != nil {
			v.old, _ = p.old.Variable(v.given.ID)
		}
		m.variable(v, list, taken)
	}
	for _, next := range m.gaps(p, p.element, taken) {
		var at int
		if list.Kind() != '[' {
			at = m.edit.AddTo(p.at, "variables", gapEntry(next))
		} else {
			at = m.edit.Add(list, "", gapEntry(next))
		}
		m.noteGap(p.target, next, p.at, issue.Root.Key("variables").Index(at))
	}
}

// variableOf returns what a variable of an older version is in an element, or nil.
func (m *upgrader) variableOf(e *taxonomy.Element, id string) *taxonomy.Variable {
	return m.past.Variable(history.ElementOwner(e), id).Current()
}

// gaps returns the variables of an element that takes the place of the placed one, and that
// are required now but have no value. What the old version required already was missing
// before, so it is not a gap of the upgrade.
func (m *upgrader) gaps(p *placed, e *taxonomy.Element, taken map[string]bool) (list []*taxonomy.Variable) {
	for i := range e.Variables {
		if next := &e.Variables[i]; next.Required && !taken[next.ID] {
			list = append(list, next)
		}
	}
	if list == nil || p.old == nil {
		return list
	}
	required := make(map[*taxonomy.Variable]bool)
	for i := range p.old.Variables {
		if before := &p.old.Variables[i]; before.Required {
			required[m.variableOf(e, before.ID)] = true
		}
	}
	return slices.DeleteFunc(list, func(v *taxonomy.Variable) bool { return required[v] })
}

// variable moves one value.
func (m *upgrader) variable(v *value, list document.Value, taken map[string]bool) {
	id := v.given.ID
	f := m.past.Variable(history.ElementOwner(v.element), id)
	renamed := f.Renamed
	switch {
	case f.Same != nil:
		v.removed = f.Removed
		m.value(v, f.Same, list)
		return
	case len(renamed) == 1 && !taken[renamed[0].ID]:
		next := renamed[0]
		taken[next.ID], v.renamed[id] = true, next.ID
		m.edit.Replace(v.member("id"), quote(next.ID))
		m.done(kindVariableRenamed, v.member("id"), "Renamed the variable %s of %s to %s.", ident.Name(id), ident.Name(v.target), ident.Name(next.ID))
		m.value(v, next, list)
		return
	case len(renamed) == 0 && slices.ContainsFunc(v.also, func(e *taxonomy.Element) bool { // another placement has the value
		other, _ := m.splitVariable(v.at, e)
		return other != nil
	}):
		m.edit.Remove(list, v.index)
		v.renamed[id] = ""
		m.noteRemoved(kindElementSplit, v.at, "Moved the variable %s to the other placements, since %s does not have it.", m.variableLabel(id, v.old), ident.Name(v.target))
		return
	case v.old == nil && v.placed.old != nil:
		return // it was not a variable before; this is found later
	}
	n := note{at: v.member("id"), codes: []issue.Code{codes.InstanceVariableUnknown}}
	switch {
	case v.isGap():
		m.dropGap(v, list, "which no longer exists")
		return
	case len(renamed) == 1:
		n.Kind, n.Class = kindVariableClash, NeedsPerson
		n.Message = fmt.Sprintf("The variable %s of %s is now %s, which already has a value. Its own value is %s.",
			ident.Name(id), ident.Name(v.target), ident.Name(renamed[0].ID), v.short())
		n.FixHint = fmt.Sprintf("move what is worth keeping to %s, and remove the entry", ident.Name(renamed[0].ID))
	case len(renamed) == 0 && m.opts.Drop:
		m.dropVariable(v, list, "which no longer exists")
		return
	default:
		n.Kind, n.Class = kindVariableRemoved, NeedsPerson
		n.Message = fmt.Sprintf("The element %s has no variable %s. Its value is %s.", ident.Name(v.target), m.variableLabel(id, v.old), v.short()) +
			m.sentence(m.past.Lineage.RemovalNote(codes.IDVariable, id, m.since, v.owners()...))
		n.FixHint = "move what is worth keeping to another variable, and remove the entry"
		if len(renamed) > 0 {
			n.FixHint = "write " + wording.Or(some(choices(nil, renamed, ofVariable)))
		}
	}
	m.note(n)
}

// dropVariable drops the entry of a variable.
func (m *upgrader) dropVariable(v *value, list document.Value, why string) {
	m.edit.Remove(list, v.index)
	v.renamed[v.given.ID] = ""
	m.noteRemoved(kindVariableDropped, v.at, "Dropped the variable %s of %s, %s: %s", m.variableLabel(v.given.ID, v.old), ident.Name(v.target), why, excerpt(v.at))
}

// isGap reports whether the value is empty, as that of a gap that was not filled in.
func (v *value) isGap() bool {
	given := v.member("value")
	return given.Kind() == '[' && given.Len() == 0
}

// dropGap drops a gap that an earlier upgrade added, and that the new version does not
// have. There is nothing in it to keep.
func (m *upgrader) dropGap(v *value, list document.Value, why string) {
	m.edit.Remove(list, v.index)
	m.noteRemoved(kindVariableDropped, v.at, "Dropped the variable %s of %s, %s and has no value.", m.variableLabel(v.given.ID, v.old), ident.Name(v.target), why)
}

// value moves the value of a variable that the new version has.
func (m *upgrader) value(v *value, next *taxonomy.Variable, list document.Value) {
	if v.isGap() && v.old != nil && v.old.Required && !next.Required {
		m.dropGap(v, list, "which is no longer required")
		return
	}
	m.rewordedVariable(v, next)
	isSelect := next.Type == taxonomy.SelectVariable
	switch {
	case isSelect && len(v.given.Text) > 0, !isSelect && v.given.Options != nil:
		takes := "a text"
		if isSelect {
			takes = "a list of option ids"
		}
		m.ask(kindVariableType, v.member("value"), codes.InstanceVariableValueShape, "",
			"The variable %s of %s now takes %s, but its value is %s.",
			m.variableLabel(next.ID, next), ident.Name(v.target), takes, v.short())
	case isSelect:
		m.options(v, next, list)
	}
}

// gapEntry returns the entry of a variable with an empty value.
func gapEntry(v *taxonomy.Variable) []byte {
	return append(append([]byte(`{"id":`), quote(v.ID)...), `,"value":[]}`...)
}

// noteGap reports a gap below a value.
func (m *upgrader) noteGap(element string, v *taxonomy.Variable, at document.Value, below issue.Path) {
	m.note(note{at: at, below: below.Key("value"), codes: []issue.Code{codes.InstanceVariableValueEmpty}, ReportEntry: ReportEntry{
		Kind: kindVariableRequired, Class: NeedsPerson,
		Message: fmt.Sprintf("Added the variable %s of %s, which is now required, with an empty value.", m.variableLabel(v.ID, v), ident.Name(element)),
		FixHint: fillHint(element, v),
	}})
}

// fillHint says how to fill in the value of a variable.
func fillHint(elementID string, v *taxonomy.Variable) string {
	if v.Type != taxonomy.SelectVariable {
		return "fill in the text"
	}
	var ids []string
	for i := range v.Options {
		if o := &v.Options[i]; o.Applies(elementID) {
			ids = append(ids, ident.Name(o.ID))
		}
	}
	return "select " + wording.Or(some(ids))
}

// variableLabel returns the id of a variable with its label, if the variable is known.
func (m *upgrader) variableLabel(id string, v *taxonomy.Variable) string {
	return ident.Name(id) + label(m, v, ofVariable)
}

// options moves the options that are selected for a variable. Those that do not apply to
// the element are found when the new document is validated.
func (m *upgrader) options(v *value, next *taxonomy.Variable, list document.Value) {
	at := v.member("value")
	selected := make(map[string]bool) // in the new document
	for _, id := range v.given.Options {
		if m.past.Option(history.ElementOwner(v.element), next, id).Same != nil {
			selected[id] = true
		}
	}
	var dropped []int
	for i, id := range v.given.Options {
		if !m.proceed(i) {
			return
		}
		item, _ := at.At(i)
		f := m.past.Option(history.ElementOwner(v.element), next, id)
		renamed := f.Renamed
		before := oldOption(v, id)
		switch {
		case f.Same != nil:
			m.rewordedOption(v, next, item, before, f.Same, f.Removed)
		case len(renamed) == 1:
			m.renameOption(v, at, i, renamed[0], selected)
			m.rewordedOption(v, next, item, before, renamed[0], false)
		case before == nil && v.old != nil:
			// It was not an option before. This is found later.
		case m.opts.Drop && len(renamed) == 0:
			dropped = append(dropped, i)
		default:
			m.noOption(v, next, item, before, renamed)
		}
	}
	m.dropOptions(v, next, list, dropped)
}

// renameOption gives an option its new id. If that is selected already, two options
// became one.
func (m *upgrader) renameOption(v *value, at document.Value, i int, next *taxonomy.Option, selected map[string]bool) {
	item, _ := at.At(i)
	n := note{at: item, ReportEntry: ReportEntry{
		Kind: kindOptionRenamed, Class: Done,
		Message: fmt.Sprintf("Renamed the option %s of %s to %s.", ident.Name(item.Text()), ident.Name(v.target), ident.Name(next.ID)),
	}}
	if selected[next.ID] {
		n.removed = true
		n.Message = fmt.Sprintf("Removed the option %s of %s, which is now %s and already selected.", ident.Name(item.Text()), ident.Name(v.target), ident.Name(next.ID))
		m.edit.Remove(at, i)
	} else {
		selected[next.ID] = true
		m.edit.Replace(item, quote(next.ID))
	}
	m.note(n)
}

// noOption reports an option that no longer exists, or that became one of several.
func (m *upgrader) noOption(v *value, next *taxonomy.Variable, item document.Value, before *taxonomy.Option, renamed []*taxonomy.Option) {
	id, hint := item.Text(), "remove the option"
	if ids := choices(next.Options, renamed, ofOption); len(ids) > 0 {
		hint = "write " + wording.Or(some(ids)) + ", or remove the option"
	}
	m.ask(kindOptionRemoved, item, codes.InstanceVariableOptionUnknown, hint, "The variable %s of %s has no option %s%s.%s",
		ident.Name(next.ID), ident.Name(v.target), ident.Name(id), label(m, before, ofOption),
		m.sentence(m.past.Lineage.RemovalNote(codes.IDOption, id, m.since, v.owners()...)))
}

// dropOptions drops options. A variable that has none left goes with them, unless it is
// required.
func (m *upgrader) dropOptions(v *value, next *taxonomy.Variable, list document.Value, dropped []int) {
	if len(dropped) == 0 {
		return
	}
	if len(dropped) == len(v.given.Options) && !next.Required {
		m.dropVariable(v, list, "whose options no longer exist")
		return
	}
	at := v.member("value")
	for _, i := range dropped {
		item, _ := at.At(i)
		m.edit.Remove(at, i)
		m.noteRemoved(kindOptionDropped, item, "Dropped the option %s%s of %s, which no longer exists.", ident.Name(item.Text()), label(m, oldOption(v, item.Text()), ofOption), ident.Name(v.target))
	}
	if len(dropped) == len(v.given.Options) {
		m.ask(kindVariableRequired, at, codes.InstanceVariableValueEmpty, fillHint(v.target, next),
			"The variable %s of %s is required, and has no option selected any more.", m.variableLabel(next.ID, next), ident.Name(v.target))
	}
}

// oldOption returns an option of the old variable, or nil.
func oldOption(v *value, id string) *taxonomy.Option {
	if v.old == nil {
		return nil
	}
	i := slices.IndexFunc(v.old.Options, func(o taxonomy.Option) bool { return o.ID == id })
	if i < 0 {
		return nil
	}
	return &v.old.Options[i]
}

// owners returns what can have the variable of a value: its element and the category of it.
func (v *value) owners() []string { return []string{v.target, v.element.CategoryID} }

// lacks reports whether a version has the element of a value or, if not that, its category,
// but not the variable, or not the option of it.
func (v *value) lacks(r *taxonomy.Release, variable, option string) bool {
	_, ok := v.ownerIn(r)
	return ok && !v.has(r, variable, option)
}

// has reports whether a version has the variable of a value, or the option of it.
func (v *value) has(r *taxonomy.Release, variable, option string) bool {
	owner, _ := v.ownerIn(r)
	ever := history.Of(taxonomy.Version{}, r)
	in := ever.Variable(owner, variable)
	if in.Current() == nil || option == "" {
		return in.Current() != nil || len(in.Renamed) > 0
	}
	o := ever.Option(owner, in.Current(), option)
	return o.Same != nil || len(o.Renamed) > 0
}

// ownerIn returns what has the variables of a value in a version.
func (v *value) ownerIn(r *taxonomy.Release) (o history.Owner, ok bool) {
	for _, id := range []string{v.target, v.placed.given.ElementID} {
		if e, ok := r.Element(id); ok {
			return history.ElementOwner(e), true
		}
	}
	if c, ok := r.Category(v.element.CategoryID); ok {
		return history.CategoryOwner(c), true
	}
	return o, false
}
