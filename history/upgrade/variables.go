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
	*placement
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
func (u *upgrader) variables(p *placement) {
	p.renamed = make(map[string]string)
	list := p.member("variables")
	taken := make(map[string]bool, len(p.given.Variables)) // ids in the new document
	for i := range p.given.Variables {
		if id := p.given.Variables[i].ID; u.history.Variable(history.ElementOwner(p.element), id).Same != nil {
			taken[id] = true
		}
	}
	for i := range p.given.Variables {
		if !u.proceed(i) {
			return
		}
		v := &value{placement: p, index: i, given: &p.given.Variables[i]}
		v.at, _ = list.At(i)
		if p.old != nil {
			v.old, _ = p.old.Variable(v.given.ID)
		}
		u.variable(v, list, taken)
	}
	for _, next := range u.gaps(p, p.element, taken) {
		var at int
		if list.Kind() != '[' {
			at = u.edit.AddTo(p.at, "variables", gapEntry(next))
		} else {
			at = u.edit.Add(list, "", gapEntry(next))
		}
		u.noteGap(p.target, next, p.at, issue.Root.Key("variables").Index(at))
	}
}

// variableOf returns what a variable of an older version is in an element, or nil.
func (u *upgrader) variableOf(e *taxonomy.Element, id string) *taxonomy.Variable {
	return u.history.Variable(history.ElementOwner(e), id).Current()
}

// gaps returns the variables of an element that takes the place of the placed one, and that
// are required now but have no value. What the old version required already was missing
// before, so it is not a gap of the upgrade.
func (u *upgrader) gaps(p *placement, e *taxonomy.Element, taken map[string]bool) (list []*taxonomy.Variable) {
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
			required[u.variableOf(e, before.ID)] = true
		}
	}
	return slices.DeleteFunc(list, func(v *taxonomy.Variable) bool { return required[v] })
}

// variable moves one value.
func (u *upgrader) variable(v *value, list document.Value, taken map[string]bool) {
	id := v.given.ID
	f := u.history.Variable(history.ElementOwner(v.element), id)
	renamed := f.Renamed
	switch {
	case f.Same != nil:
		v.removed = f.Removed
		u.value(v, f.Same, list)
		return
	case len(renamed) == 1 && !taken[renamed[0].ID]:
		next := renamed[0]
		taken[next.ID], v.renamed[id] = true, next.ID
		u.edit.Replace(v.member("id"), quote(next.ID))
		u.done(kindVariableRenamed, v.member("id"), "Renamed the variable %s of %s to %s.", ident.Name(id), ident.Name(v.target), ident.Name(next.ID))
		u.value(v, next, list)
		return
	case len(renamed) == 0 && slices.ContainsFunc(v.others, func(e *taxonomy.Element) bool { // another placement has the value
		other, _ := u.splitVariable(v.at, e)
		return other != nil
	}):
		u.edit.Remove(list, v.index)
		v.renamed[id] = ""
		u.noteRemoved(kindElementSplit, v.at, "Moved the variable %s to the other placements, since %s does not have it.", u.variableLabel(id, v.old), ident.Name(v.target))
		return
	case v.old == nil && v.placement.old != nil:
		return // it was not a variable before; this is found later
	}
	n := note{at: v.member("id"), codes: []issue.Code{codes.InstanceVariableUnknown}}
	switch {
	case v.isGap():
		u.dropGap(v, list, "which no longer exists")
		return
	case len(renamed) == 1:
		n.Kind, n.Class = kindVariableClash, NeedsPerson
		n.Message = fmt.Sprintf("The variable %s of %s is now %s, which already has a value. Its own value is %s.",
			ident.Name(id), ident.Name(v.target), ident.Name(renamed[0].ID), v.short())
		n.FixHint = fmt.Sprintf("move what is worth keeping to %s, and remove the entry", ident.Name(renamed[0].ID))
	case len(renamed) == 0 && u.opts.Drop:
		u.dropVariable(v, list, "which no longer exists")
		return
	default:
		n.Kind, n.Class = kindVariableRemoved, NeedsPerson
		n.Message = fmt.Sprintf("The element %s has no variable %s. Its value is %s.", ident.Name(v.target), u.variableLabel(id, v.old), v.short()) +
			u.sentence(u.history.Lineage.RemovalNote(codes.IDVariable, id, u.since, v.owners()...))
		n.FixHint = "move what is worth keeping to another variable, and remove the entry"
		if len(renamed) > 0 {
			n.FixHint = "write " + wording.Or(clipNames(choices(nil, renamed, ofVariable)))
		}
	}
	u.note(n)
}

// dropVariable drops the entry of a variable.
func (u *upgrader) dropVariable(v *value, list document.Value, why string) {
	u.edit.Remove(list, v.index)
	v.renamed[v.given.ID] = ""
	u.noteRemoved(kindVariableDropped, v.at, "Dropped the variable %s of %s, %s: %s", u.variableLabel(v.given.ID, v.old), ident.Name(v.target), why, excerpt(v.at))
}

// isGap reports whether the value is empty, as that of a gap that was not filled in.
func (v *value) isGap() bool {
	given := v.member("value")
	return given.Kind() == '[' && given.Len() == 0
}

// dropGap drops a gap that an earlier upgrade added, and that the new version does not
// have. There is nothing in it to keep.
func (u *upgrader) dropGap(v *value, list document.Value, why string) {
	u.edit.Remove(list, v.index)
	u.noteRemoved(kindVariableDropped, v.at, "Dropped the variable %s of %s, %s and has no value.", u.variableLabel(v.given.ID, v.old), ident.Name(v.target), why)
}

// value moves the value of a variable that the new version has.
func (u *upgrader) value(v *value, next *taxonomy.Variable, list document.Value) {
	if v.isGap() && v.old != nil && v.old.Required && !next.Required {
		u.dropGap(v, list, "which is no longer required")
		return
	}
	u.rewordedVariable(v, next)
	isSelect := next.Type == taxonomy.SelectVariable
	switch {
	case isSelect && len(v.given.Text) > 0, !isSelect && v.given.Options != nil:
		takes := "a text"
		if isSelect {
			takes = "a list of option ids"
		}
		u.ask(kindVariableType, v.member("value"), codes.InstanceVariableValueShape, "",
			"The variable %s of %s now takes %s, but its value is %s.",
			u.variableLabel(next.ID, next), ident.Name(v.target), takes, v.short())
	case isSelect:
		u.options(v, next, list)
	}
}

// gapEntry returns the entry of a variable with an empty value.
func gapEntry(v *taxonomy.Variable) []byte {
	return append(append([]byte(`{"id":`), quote(v.ID)...), `,"value":[]}`...)
}

// noteGap reports a gap below a value.
func (u *upgrader) noteGap(element string, v *taxonomy.Variable, at document.Value, below issue.Path) {
	u.note(note{at: at, below: below.Key("value"), codes: []issue.Code{codes.InstanceVariableValueEmpty}, ReportEntry: ReportEntry{
		Kind: kindVariableRequired, Class: NeedsPerson,
		Message: fmt.Sprintf("Added the variable %s of %s, which is now required, with an empty value.", u.variableLabel(v.ID, v), ident.Name(element)),
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
	return "select " + wording.Or(clipNames(ids))
}

// variableLabel returns the id of a variable with its label, if the variable is known.
func (u *upgrader) variableLabel(id string, v *taxonomy.Variable) string {
	return ident.Name(id) + label(u, v, ofVariable)
}

// options moves the options that are selected for a variable. Those that do not apply to
// the element are found when the new document is validated.
func (u *upgrader) options(v *value, next *taxonomy.Variable, list document.Value) {
	at := v.member("value")
	selected := make(map[string]bool) // in the new document
	for _, id := range v.given.Options {
		if u.history.Option(history.ElementOwner(v.element), next, id).Same != nil {
			selected[id] = true
		}
	}
	var dropped []int
	for i, id := range v.given.Options {
		if !u.proceed(i) {
			return
		}
		item, _ := at.At(i)
		f := u.history.Option(history.ElementOwner(v.element), next, id)
		renamed := f.Renamed
		before := oldOption(v, id)
		switch {
		case f.Same != nil:
			u.rewordedOption(v, next, item, before, f.Same, f.Removed)
		case len(renamed) == 1:
			u.renameOption(v, at, i, renamed[0], selected)
			u.rewordedOption(v, next, item, before, renamed[0], false)
		case before == nil && v.old != nil:
			// It was not an option before. This is found later.
		case u.opts.Drop && len(renamed) == 0:
			dropped = append(dropped, i)
		default:
			u.noOption(v, next, item, before, renamed)
		}
	}
	u.dropOptions(v, next, list, dropped)
}

// renameOption gives an option its new id. If that is selected already, two options
// became one.
func (u *upgrader) renameOption(v *value, at document.Value, i int, next *taxonomy.Option, selected map[string]bool) {
	item, _ := at.At(i)
	n := note{at: item, ReportEntry: ReportEntry{
		Kind: kindOptionRenamed, Class: Done,
		Message: fmt.Sprintf("Renamed the option %s of %s to %s.", ident.Name(item.Text()), ident.Name(v.target), ident.Name(next.ID)),
	}}
	if selected[next.ID] {
		n.removed = true
		n.Message = fmt.Sprintf("Removed the option %s of %s, which is now %s and already selected.", ident.Name(item.Text()), ident.Name(v.target), ident.Name(next.ID))
		u.edit.Remove(at, i)
	} else {
		selected[next.ID] = true
		u.edit.Replace(item, quote(next.ID))
	}
	u.note(n)
}

// noOption reports an option that no longer exists, or that became one of several.
func (u *upgrader) noOption(v *value, next *taxonomy.Variable, item document.Value, before *taxonomy.Option, renamed []*taxonomy.Option) {
	id, hint := item.Text(), "remove the option"
	if ids := choices(next.Options, renamed, ofOption); len(ids) > 0 {
		hint = "write " + wording.Or(clipNames(ids)) + ", or remove the option"
	}
	u.ask(kindOptionRemoved, item, codes.InstanceVariableOptionUnknown, hint, "The variable %s of %s has no option %s%s.%s",
		ident.Name(next.ID), ident.Name(v.target), ident.Name(id), label(u, before, ofOption),
		u.sentence(u.history.Lineage.RemovalNote(codes.IDOption, id, u.since, v.owners()...)))
}

// dropOptions drops options. A variable that has none left goes with them, unless it is
// required.
func (u *upgrader) dropOptions(v *value, next *taxonomy.Variable, list document.Value, dropped []int) {
	if len(dropped) == 0 {
		return
	}
	if len(dropped) == len(v.given.Options) && !next.Required {
		u.dropVariable(v, list, "whose options no longer exist")
		return
	}
	at := v.member("value")
	for _, i := range dropped {
		item, _ := at.At(i)
		u.edit.Remove(at, i)
		u.noteRemoved(kindOptionDropped, item, "Dropped the option %s%s of %s, which no longer exists.", ident.Name(item.Text()), label(u, oldOption(v, item.Text()), ofOption), ident.Name(v.target))
	}
	if len(dropped) == len(v.given.Options) {
		u.ask(kindVariableRequired, at, codes.InstanceVariableValueEmpty, fillHint(v.target, next),
			"The variable %s of %s is required, and has no option selected any more.", u.variableLabel(next.ID, next), ident.Name(v.target))
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
	for _, id := range []string{v.target, v.placement.given.ElementID} {
		if e, ok := r.Element(id); ok {
			return history.ElementOwner(e), true
		}
	}
	if c, ok := r.Category(v.element.CategoryID); ok {
		return history.CategoryOwner(c), true
	}
	return o, false
}
