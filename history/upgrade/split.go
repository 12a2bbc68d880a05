package upgrade

import (
	"bytes"
	"fmt"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// split adds a placement of another element that takes the place of the placed one. It
// says what the original placement says, as far as the element has a place for it.
func (u *upgrader) split(p *placement, e *taxonomy.Element) {
	text := []byte{'{'}
	add := func(key string, value []byte) {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, quote(key)...), ':'), value...)
	}
	category, _ := u.to.Category(e.CategoryID)
	for member := range p.at.All() {
		switch key := member.Key(); key {
		case "element_id":
			add(key, quote(e.ID))
		case "element_instance_id": // which is that of one placement
		case "context_type_id":
			if now := u.history.ContextValue(category, member.Text()).Current(); now != nil {
				add(key, quote(now.ID))
			}
		case "variables": // which follow
		default:
			add(key, member.Raw())
		}
	}
	var values [][]byte
	taken := make(map[string]bool)
	for entry := range p.member("variables").All() {
		if v, value := u.splitVariable(entry, e); v != nil {
			values, taken[v.ID] = append(values, value), true
		}
	}
	filled, gaps := len(values), u.gaps(p, e, taken)
	for _, v := range gaps {
		values = append(values, gapEntry(v))
	}
	if len(values) > 0 {
		add("variables", append(append([]byte{'['}, bytes.Join(values, []byte{','})...), ']'))
	}
	elements, _ := u.doc.Root().Get("elements")
	at := issue.Root.Index(u.edit.Add(elements, "", append(text, '}')))
	u.note(note{at: elements, below: at, ReportEntry: ReportEntry{
		Kind: kindElementSplit, Class: Done,
		Message: fmt.Sprintf("Added a placement of %s, which takes the place of %s together with %s.", u.title(e.ID, e), u.title(p.given.ElementID, p.old), u.title(p.target, p.element)),
	}})
	for i, v := range gaps {
		u.noteGap(e.ID, v, elements, at.Key("variables").Index(filled+i))
	}
}

// splitVariable returns the variable of another element that an entry of variables is about,
// and the entry as that has it. It is nil if there is no such variable, or not the options.
func (u *upgrader) splitVariable(entry document.Value, e *taxonomy.Element) (*taxonomy.Variable, []byte) {
	id, _ := entry.Get("id")
	v := u.variableOf(e, id.Text())
	if v == nil {
		return nil, nil
	}
	given, _ := entry.Get("value")
	value := given.Raw()
	for i := range given.Len() {
		item, _ := given.At(i)
		if isOption := item.Kind() == '"'; isOption != (v.Type == taxonomy.SelectVariable) {
			return nil, nil
		} else if !isOption {
			continue
		}
		o := u.history.Option(history.ElementOwner(e), v, item.Text()).Current()
		if o == nil {
			return nil, nil
		}
		if i == 0 {
			value = []byte{'['}
		} else {
			value = append(value, ',')
		}
		if value = append(value, quote(o.ID)...); i == given.Len()-1 {
			value = append(value, ']')
		}
	}
	return v, append(append(append(append([]byte(`{"id":`), quote(v.ID)...), `,"value":`...), value...), '}')
}
