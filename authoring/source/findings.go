package source

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxFindings is the number of findings that are listed for a schema version.
const maxFindings = 1000

// spot is where a finding is.
type spot struct {
	at   issue.Position
	path issue.Path
}

// wholeFile is the spot of a finding about a file or directory as a whole.
func wholeFile(name string) spot { return spot{issue.Position{File: name}, issue.Root} }

// findings collects what is wrong. Errors and warnings have separate limits, so
// that warnings never hide an error.
type findings struct {
	errors, warnings         issue.Issues
	moreErrors, moreWarnings bool
}

func (f *findings) errorf(c issue.Code, s spot, hint, format string, args ...any) {
	f.add(newError(c, s, hint, format, args...))
}

func (f *findings) warnf(c issue.Code, s spot, hint, format string, args ...any) {
	f.add(issue.Issue{Code: c, Severity: issue.SeverityWarning, Message: fmt.Sprintf(format, args...), FixHint: hint, Path: s.path, Position: s.at})
}

func (f *findings) add(i issue.Issue) {
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

// merge appends the findings of a file.
func (f *findings) merge(part findings) {
	for _, i := range slices.Concat(part.errors, part.warnings) {
		f.add(i)
	}
	f.moreErrors = f.moreErrors || part.moreErrors
	f.moreWarnings = f.moreWarnings || part.moreWarnings
}

// sorted returns the findings by position, and errors before warnings at the
// same position. If some are left out, a last finding at dir says so; it is an
// error only if errors are left out.
func (f *findings) sorted(dir string) issue.Issues {
	sortByPosition(f.warnings)
	warnings := f.warnings[:min(len(f.warnings), maxFindings-len(f.errors))]
	all := slices.Concat(f.errors, warnings)
	sortByPosition(all)
	var last findings
	const hint = "fix these first, then lint again"
	switch {
	case f.moreErrors:
		last.errorf(issue.CodeTooManyFindings, wholeFile(dir), hint, "There are more errors than listed here.")
	case f.moreWarnings || len(warnings) < len(f.warnings):
		last.warnf(issue.CodeTooManyFindings, wholeFile(dir), hint, "There are more warnings than listed here.")
	}
	return slices.Concat(all, last.errors, last.warnings)
}

// Sort sorts findings by file, line and column, as [Compile] returns them, after others
// were added.
func Sort(issues issue.Issues) { sortByPosition(issues) }

func sortByPosition(issues issue.Issues) {
	slices.SortStableFunc(issues, func(a, b issue.Issue) int {
		return cmp.Or(
			strings.Compare(a.Position.File, b.Position.File),
			cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column),
		)
	})
}

// hints guesses what was meant. A guess compares every known name, so the
// number of comparisons is limited. Each file has its own budget, and so have
// the checks across files, so that no hint depends on the order of the work.
type hints struct{ budget int }

const (
	fileHints   = 10_000
	sharedHints = 2_000_000
)

// nearest returns the known name nearest to what was written, or up to three if
// it is not clear which was meant, or none.
func (h *hints) nearest(written string, known iter.Seq[string]) []string {
	near := nearest.All(written, func(yield func(string) bool) {
		for name := range known {
			if h.budget--; h.budget < 0 || !yield(name) {
				return
			}
		}
	}, 3)
	if h.budget < 0 {
		return nil // not every name was compared
	}
	if one := nearest.One(written, slices.Values(near)); one != "" {
		return []string{one}
	}
	return near
}

// misspelt reports a value that is not one of the known names. The name that was meant
// is the hint, and the fix if only one can be.
func (f *findings) misspelt(h *hints, i issue.Issue, written string, known iter.Seq[string]) {
	near := h.nearest(written, known)
	if len(near) > 0 {
		i.FixHint = "write " + prose.Or(near)
	}
	if one := nearest.One(written, slices.Values(near)); one != "" {
		i.Fix = setTo(i.Path, one)
	}
	f.add(i)
}

// setTo is the fix that writes a string.
func setTo(at issue.Path, value string) *issue.Fix {
	return &issue.Fix{Path: at, Value: jcs.AppendQuote(nil, value)}
}

// newError returns an error.
func newError(c issue.Code, s spot, hint, format string, args ...any) issue.Issue {
	return issue.Issue{Code: c, Severity: issue.SeverityError, Message: fmt.Sprintf(format, args...), FixHint: hint, Path: s.path, Position: s.at}
}

// suggest returns the hint to write the nearest of the known names, or
// otherwise if none is near.
func (h *hints) suggest(written string, known iter.Seq[string], otherwise string) string {
	if near := h.nearest(written, known); len(near) > 0 {
		return "write " + prose.Or(near)
	}
	return otherwise
}
