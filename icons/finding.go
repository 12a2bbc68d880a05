package icons

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxFindings is the maximum number of errors, and of warnings, that are listed.
const maxFindings = 50

// findings collects the problems of a symbol.
type findings struct {
	src      []byte
	limits   limits
	list     []finding
	errors   int
	warnings int
	dropped  map[string]bool // what has a warning already
	halted   bool            // no more findings are wanted
}

// finding is an issue and its offset in the source, math.MaxInt if it has none.
type finding struct {
	off   int
	issue issue.Issue
}

// refuse records an error. The check ends after maxFindings of them.
func (f *findings) refuse(off int, code issue.Code, hint, format string, args ...any) {
	if f.halted {
		return
	}
	f.add(off, issue.SeverityError, code, hint, fmt.Sprintf(format, args...))
	if f.errors++; f.errors == maxFindings {
		f.add(math.MaxInt, issue.SeverityError, codes.TooManyFindings, "fix these first, then check again",
			fmt.Sprintf("The check stopped after %d errors.", maxFindings))
		f.halted = true
	}
}

// halt records an error that makes further checks pointless.
func (f *findings) halt(off int, code issue.Code, hint, format string, args ...any) {
	f.refuse(off, code, hint, format, args...)
	f.halted = true
}

// drop warns about something that is not published, once per name.
func (f *findings) drop(off int, what, hint string) {
	if f.halted || f.dropped[what] || f.warnings > maxFindings {
		return
	}
	f.dropped[what] = true
	message := "The published symbol omits " + what + "."
	if f.warnings++; f.warnings > maxFindings {
		off, message = math.MaxInt, "The published symbol omits more than is listed here."
	}
	f.add(off, issue.SeverityWarning, codes.SymbolDropped, hint, message)
}

func (f *findings) add(off int, severity issue.Severity, code issue.Code, hint, message string) {
	f.list = append(f.list, finding{off, issue.Issue{Code: code, Message: message, FixHint: hint, Severity: severity}})
}

// issues returns the findings in source order.
func (f *findings) issues() issue.Issues {
	slices.SortStableFunc(f.list, func(a, b finding) int { return cmp.Compare(a.off, b.off) })
	var list issue.Issues
	for _, found := range f.list {
		if found.off < math.MaxInt {
			found.issue.Position = f.position(found.off)
		}
		list = append(list, found.issue)
	}
	return list
}

// position returns the line and column of an offset. A byte order mark takes no
// column; an invalid byte takes one.
func (f *findings) position(off int) issue.Position {
	before := bytes.TrimPrefix(f.src[:min(off, len(f.src))], byteOrderMark)
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return issue.Position{
		Line:   bytes.Count(before, []byte("\n")) + 1,
		Column: utf8.RuneCount(line) + 1,
	}
}
