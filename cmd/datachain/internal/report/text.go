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
// are. With [Options.Group], warnings that are alike are
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
			writeFindings(&b, f.with(issue.SeverityError), with)
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

// byLine sorts findings by their place, as people read a text. Those at the same place,
// or without one, stay in order.
func byLine(findings []Finding) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(a.Span.Start.Line-b.Span.Start.Line, a.Span.Start.UTF8-b.Span.Start.UTF8)
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

// writeMessage writes the place, the severity and the message of a finding, after how
// often it was found.
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

// writeHint writes the hint of a finding and the page about its code, and ends it.
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

// excerpt returns the characters of a line around a byte offset, in at most as many
// columns as given, and a mark to print under the marked ones. It reads no more of the
// line, which may be a whole large file.
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
	show := func(part string) []rune {
		return []rune(wording.Printable(strings.ToValidUTF8(part, string(utf8.RuneError))))
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

// shownPlaces is how many places of a group are listed besides the first.
const shownPlaces = 3

// group is warnings that are alike.
type group struct {
	name    string // of [issue.Issue.Groups], or ""
	members []member
}

// member is a finding and the file that it is in.
type member struct {
	file    string
	lines   []string
	finding Finding
}

// alike is what the members of a group have in common.
type alike struct {
	code          issue.Code
	name          string
	message, hint string // if there is no name
}

// with returns the file with the findings of a severity.
func (f *File) with(s issue.Severity) *File {
	part := *f
	part.Findings = slices.DeleteFunc(slices.Clone(f.Findings), func(f Finding) bool { return f.Severity != s })
	return &part
}

// groups returns the warnings of a report, in the order in which the first of each
// group was found.
func groups(r *Report) []*group {
	var list []*group
	known := make(map[alike]*group)
	for i := range r.Files {
		f := r.Files[i].with(issue.SeverityWarning)
		if len(f.Findings) == 0 {
			continue
		}
		lines := f.lines()
		for _, finding := range byLine(f.located(lines)) {
			keys := []alike{{code: finding.Code, message: finding.Message, hint: finding.FixHint}}
			if len(finding.Groups) > 0 {
				keys = nil
				for _, name := range finding.Groups {
					keys = append(keys, alike{code: finding.Code, name: name})
				}
			}
			for _, key := range keys {
				g := known[key]
				if g == nil {
					g = &group{name: key.name}
					known[key], list = g, append(list, g)
				}
				g.members = append(g.members, member{f.Name, lines, finding})
			}
		}
	}
	return list
}

// writeGroups writes the warnings of a report.
func writeGroups(b *strings.Builder, r *Report, o Options) {
	written := make(map[issue.Position]bool) // that are alone in several groups
	for _, g := range groups(r) {
		first := &g.members[0]
		if len(g.members) > 1 {
			g.write(b, &o)
			continue
		}
		if place := first.finding.place(first.file); g.name == "" || !written[place] {
			written[place] = g.name != ""
			writeFinding(b, first.file, first.lines, &first.finding, o)
		}
	}
}

// write writes a group of several warnings, with the hint if they have the same.
func (g *group) write(b *strings.Builder, o *Options) {
	first := &g.members[0]
	often := fmt.Sprintf("%d times: ", len(g.members))
	if g.name != "" {
		often = fmt.Sprintf("%s, %d times: ", wording.Line(g.name), len(g.members))
	}
	writeMessage(b, first.file, &first.finding, often, Style(o.Color))
	var places []string
	for _, m := range g.members[1:] {
		if place := m.finding.place(m.file); place != (issue.Position{}) && !slices.Contains(places, place.String()) {
			places = append(places, place.String())
		}
		if len(places) == shownPlaces {
			break
		}
	}
	if len(places) > 0 {
		line := "also at " + strings.Join(places, ", ")
		if more := len(g.members) - 1 - len(places); more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(b, "  %s\n", wording.Line(line))
	}
	hint := first.finding
	if slices.ContainsFunc(g.members, func(m member) bool { return m.finding.FixHint != hint.FixHint }) {
		hint.FixHint = ""
	}
	writeHint(b, &hint, o)
}

// diffContext is the number of lines shown around a change.
const diffContext = 3

// Diff returns what changed in a file as a unified diff.
func Diff(name string, before, after []byte, s Style) string {
	var b strings.Builder
	name = wording.Line(name)
	fmt.Fprintf(&b, "%s\n%s\n", s.Bold("--- "+name), s.Bold("+++ "+name))
	script := diffLines(strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n"))
	for len(script) > 0 {
		var hunk []diffLine
		hunk, script = cutHunk(script)
		writeHunk(&b, s, hunk)
	}
	return b.String()
}

// diffLine is a line of a diff: ' ' is in both texts, '-' in the old one only, '+'
// in the new one only.
type diffLine struct {
	sign     byte
	text     string
	old, new int // numbers from 1 of the line, or of the next one, in both texts
}

// diffLines compares lines. Fixes are small, so the place where two texts agree
// again is found by looking a little further on both sides.
func diffLines(before, after []string) []diffLine {
	var script []diffLine
	i, j := 0, 0
	emit := func(sign byte, text string) {
		if text != "" { // after the last line end
			script = append(script, diffLine{sign, text, i + 1, j + 1})
		}
	}
	for i < len(before) || j < len(after) {
		if i < len(before) && j < len(after) && before[i] == after[j] {
			emit(' ', before[i])
			i, j = i+1, j+1
			continue
		}
		di, dj := meet(before[i:], after[j:])
		for range di {
			emit('-', before[i])
			i++
		}
		for range dj {
			emit('+', after[j])
			j++
		}
	}
	return script
}

// meet returns how many lines of each text come before one that both have, the
// fewest in total.
func meet(before, after []string) (int, int) {
	for sum := 1; sum < len(before)+len(after); sum++ {
		for di := max(0, sum-len(after)); di <= min(sum, len(before)); di++ {
			if dj := sum - di; di < len(before) && dj < len(after) && before[di] == after[dj] {
				return di, dj
			}
		}
	}
	return len(before), len(after)
}

// cutHunk takes the first changes that are close together, with the lines around
// them.
func cutHunk(script []diffLine) (hunk, rest []diffLine) {
	first := 0
	for first < len(script) && script[first].sign == ' ' {
		first++
	}
	if first == len(script) {
		return nil, nil
	}
	last := first // of the changes in the hunk
	for i := first; i < len(script) && i <= last+2*diffContext+1; i++ {
		if script[i].sign != ' ' {
			last = i
		}
	}
	return script[max(first-diffContext, 0):min(last+diffContext+1, len(script))], script[last+1:]
}

func writeHunk(b *strings.Builder, s Style, hunk []diffLine) {
	if len(hunk) == 0 {
		return
	}
	before, after := 0, 0
	for _, l := range hunk {
		if l.sign != '+' {
			before++
		}
		if l.sign != '-' {
			after++
		}
	}
	fmt.Fprintf(b, "%s\n", s.Dim(fmt.Sprintf("@@ -%d,%d +%d,%d @@", hunk[0].old, before, hunk[0].new, after)))
	for _, l := range hunk {
		text, ended := strings.CutSuffix(l.text, "\n")
		text, windows := strings.CutSuffix(text, "\r")
		line := string(l.sign) + wording.Printable(text)
		if windows {
			line += "\r"
		}
		switch l.sign {
		case '-':
			line = s.Red(line)
		case '+':
			line = s.Green(line)
		}
		b.WriteString(line + "\n")
		if !ended {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}
