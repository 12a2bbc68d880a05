package main

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/source"
)

// findingsAnswer is what commands that compile say of the source in JSON.
type findingsAnswer struct {
	OK       bool         `json:"ok"`
	Errors   int          `json:"errors"`
	Warnings int          `json:"warnings"`
	Issues   issue.Issues `json:"issues"`
}

// newFindingsAnswer names the files of the issues as the user would.
func newFindingsAnswer(a *authoring, tree *source.Tree) findingsAnswer {
	all := tree.AllIssues()
	answer := findingsAnswer{
		OK: !all.HasErrors(), Issues: make(issue.Issues, len(all)),
		Errors: all.Count(issue.SeverityError), Warnings: all.Count(issue.SeverityWarning),
	}
	for i, issue := range all {
		if issue.Position.File != "" {
			issue.Position.File = filepath.ToSlash(a.shown(issue.Position.File))
		}
		answer.Issues[i] = issue
	}
	return answer
}

// tally prints how many errors and warnings there are.
func tally(errors, warnings int) string {
	switch {
	case errors == 0 && warnings == 0:
		return "no findings"
	case warnings == 0:
		return count(errors, "error")
	case errors == 0:
		return count(warnings, "warning")
	}
	return count(errors, "error") + ", " + count(warnings, "warning")
}

// issuePrinter prints issues with the lines of source that they are about.
type issuePrinter struct {
	w      io.Writer
	style  style
	source *authoring
	// file is the file whose lines were read last: issues come by file.
	file  string
	lines []string
	// last is the place that was asked for last, and lastOffset its offset in
	// its line.
	last       issue.Position
	lastOffset int
}

// tree prints all issues, by version.
func (p *issuePrinter) tree(t *source.Tree) error {
	if err := p.group("", t.Issues); err != nil {
		return err
	}
	for _, c := range t.Versions {
		if err := p.group(c.Version.String(), c.Issues); err != nil {
			return err
		}
	}
	return nil
}

func (p *issuePrinter) group(heading string, issues issue.Issues) error {
	if len(issues) == 0 {
		return nil
	}
	var b strings.Builder
	if heading != "" {
		counts := tally(issues.Count(issue.SeverityError), issues.Count(issue.SeverityWarning))
		fmt.Fprintf(&b, "%s: %s\n\n", p.style.bold(heading), counts)
	}
	for _, i := range issues {
		p.issue(&b, i)
	}
	_, err := io.WriteString(p.w, b.String())
	return err
}

func (p *issuePrinter) issue(b *strings.Builder, i issue.Issue) {
	var text, mark string
	if line, ok := p.line(i.Position); ok {
		text, mark = excerpt(line, p.offset(line, i.Position), 1)
	}
	if i.Position.File != "" {
		i.Position.File = p.source.shown(i.Position.File)
	}
	writeIssue(b, p.style, i, text, mark)
}

// writeIssue writes an issue as file:line:column: severity: message [code], then
// the text with a mark under the place, if there is one, then what to do.
func writeIssue(b *strings.Builder, s style, i issue.Issue, text, mark string) {
	if !i.Position.IsZero() {
		b.WriteString(s.bold(oneLine(i.Position.String())+":") + " ")
	}
	severity := s.yellow(string(i.Severity) + ":")
	if i.Severity == issue.SeverityError {
		severity = s.red(string(i.Severity) + ":")
	}
	fmt.Fprintf(b, "%s %s %s\n", severity, oneLine(i.Message), s.dim("["+string(i.Code)+"]"))
	if mark != "" {
		fmt.Fprintf(b, "    %s\n    %s\n", text, s.green(mark))
	}
	if i.FixHint != "" {
		fmt.Fprintf(b, "  hint: %s\n", oneLine(i.FixHint))
	}
	b.WriteByte('\n')
}

// line returns the line that a position is in, if it can be shown.
func (p *issuePrinter) line(at issue.Position) (string, bool) {
	if at.Line == 0 || at.Column == 0 {
		return "", false
	}
	if p.file != at.File {
		p.file, p.lines = at.File, nil
		if info, err := p.source.root.Stat(filepath.FromSlash(at.File)); err == nil && info.Size() <= source.DefaultMaxFileSize {
			if data, err := fs.ReadFile(p.source.root.FS(), at.File); err == nil {
				p.lines = strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
			}
		}
	}
	if at.Line > len(p.lines) {
		return "", false
	}
	return strings.TrimRight(p.lines[at.Line-1], "\r"), true
}

// offset returns where in its line a position is, in bytes. Findings come in
// the order of the text, so it goes on from the last one in the same line.
func (p *issuePrinter) offset(line string, at issue.Position) int {
	if last := p.last; last.File != at.File || last.Line != at.Line || last.Column > at.Column {
		p.last, p.lastOffset = issue.Position{File: at.File, Line: at.Line, Column: 1}, 0
	}
	for p.last.Column < at.Column && p.lastOffset < len(line) {
		_, size := utf8.DecodeRuneInString(line[p.lastOffset:])
		p.lastOffset += size
		p.last.Column++
	}
	return p.lastOffset
}

// excerptWidth is how many characters of a line are shown.
const excerptWidth = 100

// excerpt cuts out of a line what stands around an offset in bytes, and returns
// a mark to be printed under so many characters from there on. It looks at
// nothing else of the line, which may be the whole of a large file.
func excerpt(line string, offset, width int) (text, mark string) {
	const reach = excerptWidth * utf8.UTFMax
	offset = min(offset, len(line))
	from, to := max(offset-reach, 0), min(offset+reach, len(line))
	for from > 0 && from < offset && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > offset && !utf8.RuneStart(line[to]) {
		to--
	}
	show := func(part string) []rune {
		return []rune(printable(strings.ToValidUTF8(part, string(utf8.RuneError))))
	}
	left := show(line[from:offset])
	runes, at := slices.Concat(left, show(line[offset:to])), len(left)
	start, end := 0, len(runes)
	if len(runes) > excerptWidth {
		start = min(max(at-excerptWidth/2, 0), len(runes)-excerptWidth)
		end = start + excerptWidth
	}
	before := ""
	if start > 0 || from > 0 {
		before = "…"
	}
	text = before + string(runes[start:end])
	if end < len(runes) || to < len(line) {
		text += "…"
	}
	under := ""
	if last := min(at+width, end); last > at {
		under = strings.Repeat("~", max(cells(runes[at:last])-1, 0))
	}
	return text, blank([]rune(before)) + blank(runes[start:at]) + "^" + under
}

// blank returns white space as wide as a text.
func blank(runes []rune) string {
	var b strings.Builder
	for i, r := range runes {
		if r == '\t' {
			b.WriteRune(r) // as wide as in the line above
		} else {
			b.WriteString(strings.Repeat(" ", cells(runes[i:i+1])))
		}
	}
	return b.String()
}
