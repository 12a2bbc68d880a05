package validate

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// locator finds where paths lead in a document. An object with many members is
// indexed at the first question, so that many questions stay cheap.
type locator struct {
	doc     *taxonomy.Document
	members map[taxonomy.Value]map[string]taxonomy.Value
}

// sort puts findings into the order of the document. What is missing counts as
// where its parent begins.
func (l *locator) sort(issues taxonomy.Issues) {
	if len(issues) < 2 {
		return
	}
	type located struct {
		taxonomy.Issue
		offset int
	}
	list := make([]located, len(issues))
	for i := range issues {
		list[i] = located{issues[i], l.offset(issues[i].Path)}
	}
	slices.SortStableFunc(list, func(a, b located) int { return cmp.Compare(a.offset, b.offset) })
	for i := range list {
		issues[i] = list[i].Issue
	}
}

func (l *locator) offset(path taxonomy.Path) int {
	at, _ := l.find(path)
	return at.Range().Start
}

// find returns the value at a path. Where there is none, it is the nearest one
// on the way there.
func (l *locator) find(path taxonomy.Path) (at taxonomy.Value, exact bool) {
	at = l.doc.Root()
	for _, step := range path {
		next, ok := l.step(at, step)
		if !ok {
			return at, false
		}
		at = next
	}
	return at, true
}

func (l *locator) step(at taxonomy.Value, step taxonomy.Step) (taxonomy.Value, bool) {
	if i, ok := step.IsIndex(); ok {
		return at.At(i)
	}
	if at.Kind() != '{' || at.Len() <= few {
		return at.Get(step.Name())
	}
	members := l.members[at]
	if members == nil {
		members = make(map[string]taxonomy.Value, at.Len())
		for m := range at.All() {
			members[m.Key()] = m
		}
		if l.members == nil {
			l.members = make(map[taxonomy.Value]map[string]taxonomy.Value)
		}
		l.members[at] = members
	}
	next, ok := members[step.Name()]
	return next, ok
}
