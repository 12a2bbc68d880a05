package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxFindings is how many findings a schema version gets before one last says
// that there are more.
const maxFindings = 1000

// findings collects what is wrong. Errors have a room of their own, so that
// many warnings never hide one.
type findings struct {
	errors, warnings         issue.Issues
	moreErrors, moreWarnings bool
}

func (f *findings) add(i issue.Issue) {
	i.Message = sentence(i.Message)
	list, more := &f.warnings, &f.moreWarnings
	if i.Severity == issue.SeverityError {
		list, more = &f.errors, &f.moreErrors
	}
	if len(*list) >= maxFindings {
		*more = true
		return
	}
	*list = append(*list, i)
}

// sentence makes a sentence of a message, as issues are everywhere: with a
// capital, unless it begins with a name, and a full stop. Messages are put
// together from parts that also stand in the middle of others.
func sentence(message string) string {
	first, _, _ := strings.Cut(message, " ")
	if message != "" && !strings.ContainsAny(first, "_./\"") {
		message = strings.ToUpper(message[:1]) + message[1:]
	}
	if !strings.HasSuffix(message, ".") {
		message += "."
	}
	return message
}

// merge appends the findings of a part.
func (f *findings) merge(part findings) {
	for _, i := range part.errors {
		f.add(i)
	}
	for _, i := range part.warnings {
		f.add(i)
	}
	f.moreErrors = f.moreErrors || part.moreErrors
	f.moreWarnings = f.moreWarnings || part.moreWarnings
}

// sorted returns the findings by file and place; of one place, errors first
// and else in the order in which they were found. What does not fit in is
// noted at dir: as an error only if errors are left out, since a schema version
// with nothing but warnings is sound, however many they are.
func (f *findings) sorted(dir string) issue.Issues {
	sortIssues(f.warnings)
	warnings := f.warnings[:min(len(f.warnings), maxFindings-len(f.errors))]
	all := slices.Concat(f.errors, warnings)
	sortIssues(all)
	more := issue.Issue{
		Code: issue.CodeTooManyFindings, Severity: issue.SeverityWarning, Path: issue.Root,
		Position: issue.Position{File: dir},
		Message:  "There are more warnings than these.",
		FixHint:  "mend these first, then lint again",
	}
	switch {
	case f.moreErrors:
		more.Severity, more.Message = issue.SeverityError, "There are more errors than these."
	case !f.moreWarnings && len(warnings) == len(f.warnings):
		return all
	}
	return append(all, more)
}

func sortIssues(issues issue.Issues) {
	slices.SortStableFunc(issues, func(a, b issue.Issue) int { return comparePositions(a.Position, b.Position) })
}

// hints guesses what somebody meant. Guessing costs a look at every known
// name, so there is a budget for it: a file with a thousand slips does not
// need a thousand guesses among 100,000 names. Each file has its own budget,
// and so has what goes across files; what is hinted thus never depends on the
// order of the work.
type hints struct{ budget int }

const (
	fileHints   = 10_000
	sharedHints = 2_000_000
)

// nearest returns the known name that is nearest to what was written, a few of
// them where it could be either, or "".
func (h *hints) nearest(written string, known iter.Seq[string]) string {
	near := nearest.All(written, func(yield func(string) bool) {
		for name := range known {
			if h.budget--; h.budget < 0 || !yield(name) {
				return
			}
		}
	}, 3)
	if h.budget < 0 {
		return "" // not all were seen
	}
	if one := nearest.One(written, slices.Values(near)); one != "" {
		return one
	}
	return strings.Join(near, " or ")
}
