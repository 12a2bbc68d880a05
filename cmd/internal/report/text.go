package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Text writes findings for people, each as
//
//	name:line:column: severity: message [code]
//	    the line, cut around the place
//	        ^~~~
//	  hint: what to do
//	  see: the page about the code, with [Options.BaseURL]
//
// in the order of the text, and fixes as diffs. [Report.Summary] says how many there
// are. With [Options.Group], similar warnings are
//
//	name:line:column: severity: number times: message [code]
//	  also at the other places
//	  hint: what to do
func Text(w io.Writer, r *Report, o *Options) error {
	with := o.orDefault()
	var b strings.Builder
	for i := range r.Files {
		f := &r.Files[i]
		if with.Group {
			writeFindings(&b, f.filtered(issue.SeverityError), with)
		} else {
			writeFindings(&b, f, with)
		}
		if f.Fix != nil {
			b.WriteString(Diff(f.Name, f.Fix.Before, f.Fix.After, Style(with.Color)) + "\n")
		}
	}
	if with.Group {
		writeGroups(&b, r, with)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeFindings(b *strings.Builder, f *File, o Options) {
	if len(f.Findings) == 0 {
		return
	}
	lines := f.lines()
	for _, finding := range byLine(f.located(lines)) {
		writeFinding(b, f.Name, lines, &finding, o)
	}
}

// byLine sorts findings by their place in the text, those of its syntax first, since others can be
// gone once these are. The sort is stable.
func byLine(findings []Finding) []Finding {
	later := func(f Finding) int {
		if f.Code == issue.CodeBadRequest {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(later(a)-later(b), a.Span.Start.Line-b.Span.Start.Line, a.Span.Start.UTF8-b.Span.Start.UTF8)
	})
	return findings
}

// writeFinding writes a finding in full.
func writeFinding(b *strings.Builder, file string, lines []string, f *Finding, o Options) {
	from, to := f.Span.Start, f.Span.End
	writeMessage(b, file, f, "", Style(o.Color))
	if 0 < from.Line && from.Line <= len(lines) && strings.TrimSpace(lines[from.Line-1]) != "" {
		marked := 1
		if to.Line == from.Line {
			marked = to.Column - from.Column
		}
		text, mark := excerpt(lines[from.Line-1], from.UTF8-1, marked, o.Width)
		fmt.Fprintf(b, "    %s\n    %s\n", text, Style(o.Color).Green(mark))
	}
	writeHint(b, f, &o)
}

// writeMessage writes the place, the severity and the message of a finding. How often it was found
// comes before the message.
func writeMessage(b *strings.Builder, file string, f *Finding, often string, s Style) {
	if place := f.place(file); place != (issue.Position{}) {
		b.WriteString(s.Bold(wording.Line(place.String())+":") + " ")
	}
	severity := s.Yellow(string(f.Severity) + ":")
	if f.Severity == issue.SeverityError {
		severity = s.Red(string(f.Severity) + ":")
	}
	fmt.Fprintf(b, "%s %s%s %s\n", severity, often, wording.Line(f.Message), s.Dim("["+string(f.Code)+"]"))
}

// writeHint writes the hint of a finding, a link to the page about its code, and an empty line.
func writeHint(b *strings.Builder, f *Finding, o *Options) {
	if f.FixHint != "" {
		fmt.Fprintf(b, "  hint: %s\n", wording.Line(f.FixHint))
	}
	if link := o.link(f.Code); link != "" {
		fmt.Fprintf(b, "  see: %s\n", link)
	}
	b.WriteByte('\n')
}

// place returns where a located finding is.
func (f *Finding) place(file string) issue.Position {
	return issue.Position{File: file, Line: f.Span.Start.Line, Column: f.Span.Start.Column}
}

// excerpt returns the characters of a line around a byte offset, in at most so many columns, and a
// mark to print under the marked ones. It reads only that much of the line, which may be a whole
// large file.
func excerpt(line string, offset, marked, most int) (text, mark string) {
	reach := most * utf8.UTFMax
	offset = min(offset, len(line))
	from, to := max(offset-reach, 0), min(offset+reach, len(line))
	for from > 0 && from < offset && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > offset && !utf8.RuneStart(line[to]) {
		to--
	}
	show := func(s string) []rune {
		return []rune(wording.Printable(strings.ToValidUTF8(s, string(utf8.RuneError))))
	}
	left := show(line[from:offset])
	runes, at := slices.Concat(left, show(line[offset:to])), len(left)
	start, end, used := at, at, 0
	grow := func(limit int, more bool, next int) bool {
		if !more || used+RuneWidth(runes[next]) > limit {
			return false
		}
		used += RuneWidth(runes[next])
		return true
	}
	for grow(most/2, start > 0, start-1) {
		start--
	}
	for grow(most, end < len(runes), end) {
		end++
	}
	for grow(most, start > 0, start-1) {
		start--
	}
	before := ""
	if start > 0 || from > 0 {
		before = "…"
	}
	text = before + string(runes[start:end])
	if end < len(runes) || to < len(line) {
		text += "…"
	}
	under := 0
	for _, r := range runes[at:max(at, min(at+marked, end))] {
		under += RuneWidth(r)
	}
	return text, blank([]rune(before)) + blank(runes[start:at]) + "^" + strings.Repeat("~", max(under-1, 0))
}

// blank returns white space as wide as a text. Tabs stay: they are as wide as in
// the line above.
func blank(text []rune) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\t' {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Repeat(" ", RuneWidth(r)))
		}
	}
	return b.String()
}
