package upgrade

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// options moves the options that are selected for a variable. Those that do not apply to
// the element are found when the new document is validated.
func (m *move) options(v *value, next *taxonomy.Variable, list document.Value) {
	at := v.member("value")
	selected := make(map[string]bool) // in the new document
	for _, id := range v.given.Options {
		if same, _ := named(next.Options, id, ofOption); same != nil {
			selected[id] = true
		}
	}
	var dropped []int
	for i, id := range v.given.Options {
		if !m.goOn(i) {
			return
		}
		item, _ := at.At(i)
		same, renamed := named(next.Options, id, ofOption)
		before := oldOption(v, id)
		switch {
		case same != nil:
			m.rewordedOption(v, item, before, same)
		case len(renamed) == 1:
			m.renameOption(v, at, i, renamed[0], selected)
			m.rewordedOption(v, item, before, renamed[0])
		case before == nil && v.old != nil:
			// It was not an option before. This is found later.
		case m.opts.Drop && len(renamed) == 0:
			dropped = append(dropped, i)
		default:
			m.noOption(v, next, item, id, before, renamed)
		}
	}
	m.dropOptions(v, next, list, dropped)
}

// renameOption gives an option its new id. If that is selected already, two options
// became one.
func (m *move) renameOption(v *value, at document.Value, i int, next *taxonomy.Option, selected map[string]bool) {
	item, _ := at.At(i)
	n := note{at: item, Entry: Entry{
		Kind: KindOptionRenamed, Class: Done,
		Message: fmt.Sprintf("Renamed the option %s of %s to %s.", name(item.Text()), name(v.target), name(next.ID)),
	}}
	if selected[next.ID] {
		n.gone = true
		n.Message = fmt.Sprintf("Removed the option %s of %s, which is now %s and already selected.", name(item.Text()), name(v.target), name(next.ID))
		m.edit.Remove(at, i)
	} else {
		selected[next.ID] = true
		m.edit.Replace(item, quote(next.ID))
	}
	m.note(n)
}

// noOption reports an option that no longer exists, or that became one of several.
func (m *move) noOption(v *value, next *taxonomy.Variable, item document.Value, id string, before *taxonomy.Option, renamed []*taxonomy.Option) {
	n := note{at: item, codes: []issue.Code{issue.CodeInstanceVariableOptionUnknown}, Entry: Entry{
		Kind: KindOptionRemoved, Class: NeedsPerson,
		Message: fmt.Sprintf("The variable %s of %s has no option %s%s.", name(next.ID), name(v.target), name(id), m.optionLabel(before)),
		FixHint: "remove the option",
	}}
	var ids []string
	for _, o := range renamed {
		ids = append(ids, name(o.ID))
	}
	for i := 0; i < len(next.Options) && len(renamed) == 0; i++ {
		ids = append(ids, name(next.Options[i].ID))
	}
	if len(ids) > 0 {
		n.FixHint = "write " + prose.Or(some(ids)) + ", or remove the option"
	}
	m.note(n)
}

// dropOptions drops options. A variable that has none left goes with them, unless it is
// required.
func (m *move) dropOptions(v *value, next *taxonomy.Variable, list document.Value, dropped []int) {
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
		m.note(note{at: item, gone: true, Entry: Entry{
			Kind: KindOptionDropped, Class: Done,
			Message: fmt.Sprintf("Dropped the option %s%s of %s, which no longer exists.", name(item.Text()), m.optionLabel(oldOption(v, item.Text())), name(v.target)),
		}})
	}
	if len(dropped) == len(v.given.Options) {
		m.note(note{at: at, codes: []issue.Code{issue.CodeInstanceVariableValueEmpty}, Entry: Entry{
			Kind: KindVariableRequired, Class: NeedsPerson,
			Message: fmt.Sprintf("The variable %s of %s is required, and has no option selected any more.", m.variableLabel(next.ID, next), name(v.target)),
			FixHint: fillHint(v.target, next),
		}})
	}
}

// oldOption returns an option of the old variable, or nil.
func oldOption(v *value, id string) *taxonomy.Option {
	if v.old == nil {
		return nil
	}
	same, _ := named(v.old.Options, id, ofOption)
	return same
}

func (m *move) optionLabel(o *taxonomy.Option) string {
	if o == nil {
		return ""
	}
	return m.parens(o.Label)
}
