package icons

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/excerpt"
	"github.com/datachain-go/datachain/taxonomy"
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
	issue taxonomy.Issue
}

// refuse records an error. After maxFindings of them the search is over.
func (f *findings) refuse(off int, code taxonomy.Code, message, hint string) {
	if f.halted {
		return
	}
	f.add(off, taxonomy.Issue{Code: code, Message: message, FixHint: hint, Severity: taxonomy.SeverityError})
	if f.errors++; f.errors == maxFindings {
		f.add(math.MaxInt, taxonomy.Issue{
			Code:     taxonomy.CodeTooManyFindings,
			Message:  "The symbol has more than " + strconv.Itoa(maxFindings) + " errors; the others are not listed.",
			FixHint:  "mend these first, then check again",
			Severity: taxonomy.SeverityError,
		})
		f.halted = true
	}
}

// halt records an error after which there is nothing sensible to say.
func (f *findings) halt(off int, code taxonomy.Code, message, hint string) {
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
	f.add(off, taxonomy.Issue{Code: taxonomy.CodeSymbolDropped, Message: message, FixHint: hint, Severity: taxonomy.SeverityWarning})
}

func (f *findings) add(off int, issue taxonomy.Issue) {
	f.list = append(f.list, finding{off, issue})
}

// issues returns what was found in the order of the source.
func (f *findings) issues() taxonomy.Issues {
	slices.SortStableFunc(f.list, func(a, b finding) int { return cmp.Compare(a.off, b.off) })
	var list taxonomy.Issues
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
func (f *findings) position(off int) taxonomy.Position {
	before := bytes.TrimPrefix(f.src[:min(off, len(f.src))], byteOrderMark)
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return taxonomy.Position{
		Line:   bytes.Count(before, []byte("\n")) + 1,
		Column: utf8.RuneCount(line) + 1,
	}
}

// quote prints a piece of the source for a message, shortened if it is long.
func quote(s string) string { return strconv.Quote(shorten(s)) }

// shorten cuts a text at 60 characters.
func shorten(s string) string { return excerpt.Of(s, 60) }
