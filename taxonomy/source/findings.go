package source

import (
	"iter"
	"slices"
	"sync/atomic"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxFindings is how many findings a schema version gets before one last says
// that there are more.
const maxFindings = 1000

// findings collects what is wrong.
type findings struct {
	issues taxonomy.Issues
	more   bool
}

func (f *findings) add(i taxonomy.Issue) {
	if len(f.issues) >= maxFindings {
		f.more = true
		return
	}
	f.issues = append(f.issues, i)
}

// merge appends the findings of a part.
func (f *findings) merge(part findings) {
	for _, i := range part.issues {
		f.add(i)
	}
	f.more = f.more || part.more
}

// sorted returns the findings by file and place; of one place, in the order
// in which they were found.
func (f *findings) sorted() taxonomy.Issues {
	slices.SortStableFunc(f.issues, func(a, b taxonomy.Issue) int { return comparePositions(a.Position, b.Position) })
	if f.more {
		f.issues = append(f.issues, taxonomy.Issue{
			Code: taxonomy.CodeTooManyFindings, Severity: taxonomy.SeverityError, Path: taxonomy.Root,
			Message: "there are more findings than these",
			FixHint: "mend these first, then lint again",
		})
	}
	return f.issues
}

// hints guesses what somebody meant. Guessing costs a look at every known
// name, so there is a budget for it: a file with a thousand slips does not
// need a thousand guesses among 100,000 names.
type hints struct{ budget atomic.Int64 }

const hintBudget = 2_000_000

func newHints() *hints {
	h := new(hints)
	h.budget.Store(hintBudget)
	return h
}

// nearest returns the known name that is nearest to what was written, or "".
func (h *hints) nearest(written string, known iter.Seq[string]) string {
	return nearest.One(written, func(yield func(string) bool) {
		for name := range known {
			if h.budget.Add(-1) < 0 || !yield(name) {
				return
			}
		}
	})
}
