package validate

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// locator finds where paths lead in a document. An object with many members is
// indexed at the first question, so that many questions stay cheap.
type locator struct {
	doc     *document.Document
	members map[document.Value]map[string]document.Value
}

// sort puts findings into the order of the document. What is missing counts as
// where its parent begins.
func (l *locator) sort(issues issue.Issues) {
	if len(issues) < 2 {
		return
	}
	type located struct {
		issue.Issue
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

func (l *locator) offset(path issue.Path) int {
	at, _ := l.find(path)
	return at.Range().Start
}

// find returns the value at a path. Where there is none, it is the nearest one
// on the way there.
func (l *locator) find(path issue.Path) (at document.Value, exact bool) {
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

func (l *locator) step(at document.Value, step issue.Step) (document.Value, bool) {
	if i, ok := step.IsIndex(); ok {
		return at.At(i)
	}
	if at.Kind() != '{' || at.Len() <= few {
		return at.Get(step.Name())
	}
	members := l.members[at]
	if members == nil {
		members = make(map[string]document.Value, at.Len())
		for m := range at.All() {
			members[m.Key()] = m
		}
		if l.members == nil {
			l.members = make(map[document.Value]map[string]document.Value)
		}
		l.members[at] = members
	}
	next, ok := members[step.Name()]
	return next, ok
}
