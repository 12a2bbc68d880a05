package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// MaxFindings is how many findings a document gets before one last says that
// there are more.
const MaxFindings = 1000

// maxFindingBytes is how long the texts of all findings may be together.
// Ordinary ones are far from it, but a document can have keys as long as it
// likes, and each of them stands in every path that leads through it.
const maxFindingBytes = 1 << 20

// findings collects what is wrong. Warnings never crowd out the verdict: when
// there is no room any more, the first error still takes the place of the last
// warning.
type findings struct {
	issues issue.Issues
	size   int  // of the texts
	failed bool // an error is among the issues
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

// sizeOf is how long the texts of an issue are, nearly.
func sizeOf(i *issue.Issue) int {
	n := len(i.Message) + len(i.FixHint)
	for _, step := range i.Path {
		n += len(step.Name()) + 1
	}
	return n
}

// full reports whether nothing that is yet to be found can change the list or
// the verdict.
func (f *findings) full() bool { return f.more && f.failed }

func (f *findings) list() issue.Issues {
	if f.more {
		severity := issue.SeverityWarning
		if f.failed {
			severity = issue.SeverityError
		}
		return append(f.issues, issue.Issue{
			Code: issue.CodeTooManyFindings, Severity: severity, Path: issue.Root,
			Message: fmt.Sprintf("There are more findings than the %d listed.", len(f.issues)),
			FixHint: "mend these first, then validate again",
		})
	}
	if f.issues == nil {
		return issue.Issues{}
	}
	return f.issues
}
