package validate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// MaxFindings is how many findings a result lists. If there are more, an additional one
// says so.
const MaxFindings = 1000

// maxFindingBytes limits the texts of all findings together: a hostile document can have
// long keys, which every path through them repeats.
const maxFindingBytes = 1 << 20

// findings collects issues. If the list is full of warnings, the first error replaces the
// last one, so that the verdict is right.
type findings struct {
	issues    issue.Issues
	size      int // of the texts
	hasError  bool
	truncated bool // there were more than fit
}

func (f *findings) add(i issue.Issue) {
	isError := i.Severity == issue.SeverityError
	if len(f.issues) < MaxFindings && f.size < maxFindingBytes {
		f.size += sizeOf(&i)
		f.issues = append(f.issues, i)
	} else {
		f.truncated = true
		if isError && !f.hasError {
			f.issues[len(f.issues)-1] = i
		}
	}
	f.hasError = f.hasError || isError
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
func (f *findings) full() bool { return f.truncated && f.hasError }

func (f *findings) list() issue.Issues {
	if f.issues == nil {
		return issue.Issues{}
	}
	if !f.truncated {
		return f.issues
	}
	last := issue.Issue{
		Code: codes.TooManyFindings, Severity: issue.SeverityWarning, Path: issue.Root,
		Message: fmt.Sprintf("There are more findings than the %d listed.", len(f.issues)),
		FixHint: "fix these first, then validate again",
	}
	if f.hasError {
		last.Severity = issue.SeverityError
	}
	return append(f.issues, last)
}

// locator finds values by path. It indexes large objects, so that many lookups are fast.
type locator struct {
	doc     *document.Document
	members map[document.Value]map[string]document.Value
}

// sort sorts issues by their position in the document. A missing value is at the start of
// its parent.
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

// keyCodes are the codes of findings about the key of a value, not about the value.
var keyCodes = []issue.Code{
	codes.UnknownField, codes.ElementProvenanceUnknownElement,
	codes.ElementProvenanceAmbiguous, codes.VariableRationaleUnknownVariable,
}

// Mark returns the part of a document that an editor underlines for an issue: the value at
// its path, or its key if the issue is about the key, or if the value is an object or array,
// which can have many lines. Without a key it is the opening bracket. A missing value is
// marked at the object that should have it, and a syntax error where it is.
func Mark(doc *document.Document, i issue.Issue) document.Span {
	if i.Code == issue.CodeBadRequest {
		for _, e := range doc.SyntaxErrors() {
			if e.Path.Equal(i.Path) && i.Message == syntaxIssue(e).Message {
				return document.Span{Start: e.Point, End: e.Point}
			}
		}
	}
	at := doc.Locate(i.Path)
	long := true
	if at.Exact {
		v, _ := doc.Find(i.Path)
		long = v.Kind() == '{' || v.Kind() == '['
	}
	switch keyed := at.Key != (document.Span{}); {
	case keyed && (long || slices.Contains(keyCodes, i.Code)):
		return at.Key
	case long:
		return document.Span{Start: at.Value.Start, End: doc.Point(at.Value.Start.Offset + 1)}
	}
	return at.Value
}
