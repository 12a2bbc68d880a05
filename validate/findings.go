package validate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxFindings is how many findings a result lists. If there are more, a last one
// says so.
const maxFindings = 1000

// maxFindingBytes limits the texts of all findings together, since a hostile
// document can have long keys, and each is in every path through it.
const maxFindingBytes = 1 << 20

// findings collects issues. Warnings never hide the verdict: if the list is full,
// the first error replaces the last warning.
type findings struct {
	issues issue.Issues
	size   int  // of the texts
	failed bool // there was an error
	more   bool // there were more than fit
}

func (f *findings) add(i issue.Issue) {
	failed := i.Severity == issue.SeverityError
	if len(f.issues) < maxFindings && f.size < maxFindingBytes {
		f.size += sizeOf(&i)
		f.issues = append(f.issues, i)
	} else {
		f.more = true
		if failed && !f.failed {
			f.issues[len(f.issues)-1] = i
		}
	}
	f.failed = f.failed || failed
}

// sizeOf returns the approximate size of the texts of an issue.
func sizeOf(i *issue.Issue) int {
	n := len(i.Message) + len(i.FixHint)
	for _, step := range i.Path {
		n += len(step.Name()) + 1
	}
	return n
}

// full reports whether further findings would change neither list nor verdict.
func (f *findings) full() bool { return f.more && f.failed }

func (f *findings) list() issue.Issues {
	if f.issues == nil {
		return issue.Issues{}
	}
	if !f.more {
		return f.issues
	}
	last := issue.Issue{
		Code: codes.TooManyFindings, Severity: issue.SeverityWarning, Path: issue.Root,
		Message: fmt.Sprintf("There are more findings than the %d listed.", len(f.issues)),
		FixHint: "fix these first, then validate again",
	}
	if f.failed {
		last.Severity = issue.SeverityError
	}
	return append(f.issues, last)
}

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
	if at.Kind() != '{' || at.Len() <= maxScanned {
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

// keyCodes are about the key of a value, not about the value.
var keyCodes = []issue.Code{
	codes.UnknownField, codes.ElementProvenanceUnknownElement,
	codes.ElementProvenanceAmbiguous, codes.VariableRationaleUnknownVariable,
}

// Mark returns the part of a document that an editor underlines for an issue. This
// is the value at its path, or the key if the issue is about the key or the value is
// an object or array, which can have many lines. If there is no key, it is the
// opening bracket. If the document has no such value, such as a missing field, it is
// marked at the object that should have it.
func Mark(doc *document.Document, i issue.Issue) document.Span {
	at := doc.Locate(i.Path)
	long := true
	if at.Exact {
		kind := doc.Text()[at.Value.Start.Offset]
		long = kind == '{' || kind == '['
	}
	switch keyed := at.Key != (document.Span{}); {
	case keyed && (long || slices.Contains(keyCodes, i.Code)):
		return at.Key
	case long:
		return document.Span{Start: at.Value.Start, End: doc.Point(at.Value.Start.Offset + 1)}
	}
	return at.Value
}
