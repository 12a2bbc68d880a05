package icons

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxFindings is how many errors, and how many warnings, are listed.
const maxFindings = 50

// findings collects what is wrong with a symbol.
type findings struct {
	src      []byte
	list     []finding
	errors   int
	warnings int
	dropped  map[string]bool // what a warning has been given for
	halted   bool            // nothing more is to be found
}

// finding is an issue and where it stands in the source.
type finding struct {
	off   int
	issue issue.Issue
}

// refuse records an error. After maxFindings of them the search is over.
func (f *findings) refuse(off int, code issue.Code, message, hint string) {
	if f.halted {
		return
	}
	f.add(off, issue.Issue{Code: code, Message: message, FixHint: hint, Severity: issue.SeverityError})
	if f.errors++; f.errors == maxFindings {
		f.add(math.MaxInt, issue.Issue{
			Code:     issue.CodeTooManyFindings,
			Message:  "The symbol has more than " + strconv.Itoa(maxFindings) + " errors; the others are not listed.",
			FixHint:  "mend these first, then check again",
			Severity: issue.SeverityError,
		})
		f.halted = true
	}
}

// halt records an error after which there is nothing sensible to say.
func (f *findings) halt(off int, code issue.Code, message, hint string) {
	f.refuse(off, code, message, hint)
	f.halted = true
}

// drop warns of something that is left out, once for each name.
func (f *findings) drop(off int, what, hint string) {
	if f.halted || f.dropped[what] || f.warnings > maxFindings {
		return
	}
	f.dropped[what] = true
	message := "The published symbol leaves out: " + what + "."
	if f.warnings++; f.warnings > maxFindings {
		off, message = math.MaxInt, "The published symbol leaves out more than is listed here."
	}
	f.add(off, issue.Issue{Code: issue.CodeSymbolDropped, Message: message, FixHint: hint, Severity: issue.SeverityWarning})
}

func (f *findings) add(off int, issue issue.Issue) {
	f.list = append(f.list, finding{off, issue})
}

// issues returns what was found in the order of the source.
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
// column, and bytes that are no UTF-8 take one each.
func (f *findings) position(off int) issue.Position {
	before := bytes.TrimPrefix(f.src[:min(off, len(f.src))], byteOrderMark)
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return issue.Position{
		Line:   bytes.Count(before, []byte("\n")) + 1,
		Column: utf8.RuneCount(line) + 1,
	}
}
