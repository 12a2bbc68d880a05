package diff

import "github.com/datachain-go/datachain/taxonomy"

// items are the items of two lists, to look up by their ids.
type items[T any] struct {
	before, after map[string]*T
	was           map[string]string // the old ids of those that were renamed, by their new ones
}

func newItems[T any](before, after []T, read func(*T) former) *items[T] {
	l := &items[T]{before: make(map[string]*T, len(before)), after: make(map[string]*T, len(after))}
	ids := make([]string, len(before))
	for i := range before {
		ids[i] = read(&before[i]).id
		l.before[ids[i]] = &before[i]
	}
	for i := range after {
		l.after[read(&after[i]).id] = &after[i]
	}
	l.was = formerIDs(ids, formers(after, read))
	return l
}

// get returns an item as it was and as it is, or nil where there is none. The id is the
// new one, or that of an item that was removed.
func (l *items[T]) get(id string) (before, after *T) {
	after = l.after[id]
	if old, ok := l.was[id]; ok {
		id = old
	}
	return l.before[id], after
}

// parts are the variables and options of an element that both releases have.
type parts struct {
	id        string
	variables *items[taxonomy.Variable]
	options   map[string]*items[taxonomy.Option] // by the id of the variable
}

// parts returns those of an element. The changes of an element follow one another, so
// they are kept for one.
func (k *counts) parts(id string) *parts {
	if k.current == nil || k.current.id != id {
		before, _ := k.before.Element(id)
		after, _ := k.after.Element(id)
		k.current = &parts{
			id: id, variables: newItems(before.Variables, after.Variables, formerVariable),
			options: make(map[string]*items[taxonomy.Option]),
		}
	}
	return k.current
}

// optionsOf returns the options of a variable. Those of variables that are not selected
// from do not matter.
func (p *parts) optionsOf(variable string) *items[taxonomy.Option] {
	if known, ok := p.options[variable]; ok {
		return known
	}
	before, after := p.variables.get(variable)
	list := newItems(choices(before), choices(after), formerOption)
	p.options[variable] = list
	return list
}

// choices returns the options of a variable that is selected from.
func choices(v *taxonomy.Variable) []taxonomy.Option {
	if v == nil || v.Type != taxonomy.SelectVariable {
		return nil
	}
	return v.Options
}
