package folder

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// MaxFindings is the number of findings that are listed for a schema version.
const MaxFindings = 1000

// Location is where a finding is.
type Location struct {
	At   issue.Position
	Path issue.Path
}

// WholeFile is the location of a finding about a file or directory as a whole.
func WholeFile(name string) Location { return Location{issue.Position{File: name}, issue.Root} }

// Findings collects what is wrong. Errors and warnings have separate limits, so
// that warnings never hide an error.
type Findings struct {
	Errors, Warnings         issue.Issues
	MoreErrors, moreWarnings bool
}

// Errorf adds an error.
func (f *Findings) Errorf(code issue.Code, at Location, hint, format string, args ...any) {
	f.Add(NewError(code, at, hint, format, args...))
}

// Warnf adds a warning.
func (f *Findings) Warnf(code issue.Code, at Location, hint, format string, args ...any) {
	f.Add(issue.Issue{Code: code, Severity: issue.SeverityWarning, Message: fmt.Sprintf(format, args...), FixHint: hint, Path: at.Path, Position: at.At})
}

// Add adds a finding, unless there are too many.
func (f *Findings) Add(i issue.Issue) {
	list, more := &f.Warnings, &f.moreWarnings
	if i.Severity == issue.SeverityError {
		list, more = &f.Errors, &f.MoreErrors
	}
	if len(*list) >= MaxFindings {
		*more = true
		return
	}
	*list = append(*list, i)
}

// Merge appends the findings of a file.
func (f *Findings) Merge(other Findings) {
	for _, i := range slices.Concat(other.Errors, other.Warnings) {
		f.Add(i)
	}
	f.MoreErrors = f.MoreErrors || other.MoreErrors
	f.moreWarnings = f.moreWarnings || other.moreWarnings
}

// Sorted returns the findings by position, and errors before warnings at the
// same position. If some are left out, a last finding at dir says so; it is an
// error only if errors are left out.
func (f *Findings) Sorted(dir string) issue.Issues {
	Sort(f.Warnings)
	warnings := f.Warnings[:min(len(f.Warnings), MaxFindings-len(f.Errors))]
	all := slices.Concat(f.Errors, warnings)
	Sort(all)
	var last Findings
	const hint = "fix these first, then lint again"
	switch {
	case f.MoreErrors:
		last.Errorf(codes.TooManyFindings, WholeFile(dir), hint, "There are more errors than listed here.")
	case f.moreWarnings || len(warnings) < len(f.Warnings):
		last.Warnf(codes.TooManyFindings, WholeFile(dir), hint, "There are more warnings than listed here.")
	}
	return slices.Concat(all, last.Errors, last.Warnings)
}

// Sort sorts findings by file, line and column.
func Sort(issues issue.Issues) {
	slices.SortStableFunc(issues, func(a, b issue.Issue) int {
		return cmp.Or(
			strings.Compare(a.Position.File, b.Position.File),
			cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column),
		)
	})
}

// Hints guesses what was meant. A guess compares every known name, so the
// number of comparisons is limited. Each file has its own budget, and so have
// the checks across files, so that no hint depends on the order of the work.
type Hints struct{ Budget int }

// The budgets of the hints of a file, and of checks across files.
const (
	FileHints   = 10_000
	SharedHints = 2_000_000
)

// Nearest returns the known name nearest to what was written, or up to three if
// it is not clear which was meant, or none.
func (h *Hints) Nearest(written string, known iter.Seq[string]) []string {
	near := similar.AllNearest(written, func(yield func(string) bool) {
		for name := range known {
			if h.Budget--; h.Budget < 0 || !yield(name) {
				return
			}
		}
	}, 3)
	if h.Budget < 0 {
		return nil // not every name was compared
	}
	if one := similar.Nearest(written, slices.Values(near)); one != "" {
		return []string{one}
	}
	return near
}

// Misspelt reports a value that is not one of the known names.
func (f *Findings) Misspelt(h *Hints, i issue.Issue, written string, known iter.Seq[string]) {
	f.Add(h.Corrected(i, written, known))
}

// Corrected returns the issue of a value that is not one of the known names. The name that
// was meant is the hint, and the fix if only one can be.
func (h *Hints) Corrected(i issue.Issue, written string, known iter.Seq[string]) issue.Issue {
	near := h.Nearest(written, known)
	if len(near) > 0 {
		i.FixHint = "write " + wording.Or(near)
	}
	if one := similar.Nearest(written, slices.Values(near)); one != "" {
		i.Fix = SetTo(i.Path, one)
	}
	return i
}

// SetTo is the fix that writes a string.
func SetTo(at issue.Path, value string) *issue.Fix {
	return &issue.Fix{Path: at, Value: jcs.AppendQuote(nil, value)}
}

// NewError returns an error.
func NewError(code issue.Code, at Location, hint, format string, args ...any) issue.Issue {
	return issue.Issue{Code: code, Severity: issue.SeverityError, Message: fmt.Sprintf(format, args...), FixHint: hint, Path: at.Path, Position: at.At}
}
