package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// MaxFindings is how many findings a result lists. If there are more, a last one
// says so.
const MaxFindings = 1000

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
	if len(f.issues) < MaxFindings && f.size < maxFindingBytes {
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
		Code: issue.CodeTooManyFindings, Severity: issue.SeverityWarning, Path: issue.Root,
		Message: fmt.Sprintf("There are more findings than the %d listed.", len(f.issues)),
		FixHint: "fix these first, then validate again",
	}
	if f.failed {
		last.Severity = issue.SeverityError
	}
	return append(f.issues, last)
}
