package validate

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// locator finds values by path. It indexes large objects, so that many lookups stay
// fast.
type locator struct {
	doc     *document.Document
	members map[document.Value]map[string]document.Value
}

// sort sorts issues by their place in the document. A missing value counts as the
// start of its parent.
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
		at, _ := l.find(issues[i].Path)
		list[i] = located{issues[i], at.Range().Start}
	}
	slices.SortStableFunc(list, func(a, b located) int { return cmp.Compare(a.offset, b.offset) })
	for i := range list {
		issues[i] = list[i].Issue
	}
}

// find returns the value at a path, or the nearest value that contains it.
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
