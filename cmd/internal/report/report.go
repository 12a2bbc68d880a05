// Package report writes findings for people and for tools: [Text] with the lines
// that findings are about, [JSON], [SARIF] for code scanners, [GitHub] for the
// annotations of a workflow, and [Diff] for what fixes change.
//
// A [Report] is plain data: findings in documents or in the files of a schema source.
//
// Text from files can't control a terminal or a workflow: control characters are replaced, and long
// lines are cut around the finding.
//
// The package also colors text ([Style]) and lays it out for a terminal ([Wrap], [Hang],
// [Reflow], [Table]). A width of 0 means that lines may have any length, as in a file.
package report

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Report is the findings in some files.
type Report struct {
	Files []File
	// Strict makes files with warnings fail, too.
	Strict bool
	// Codes describes codes that are not in the registry, for SARIF.
	Codes []issue.CodeInfo
}

// File is a checked file.
type File struct {
	// Name is the name to print, such as the one that the user typed. It may
	// be empty for findings that belong to no file.
	Name string
	// Path is the absolute path, or empty if there is none. SARIF and GitHub
	// need it to name the file relative to [Options.Root].
	Path string
	// Text is the content that the findings refer to; nil omits excerpts.
	Text     []byte
	Findings []Finding
	// Err is why the file was not checked or, if Unwritten is true, not replaced by the fixed
	// text.
	Err       error
	Unwritten bool
	// Kind and Version describe a document in JSON: "thin" or "resolved", and
	// the schema version that it was checked against.
	Kind, Version string
	// Fix is what can be fixed, or was; nil if nothing.
	Fix *Fix
}

// Fix is a change that resolves findings.
type Fix struct {
	// Resolved are the findings in Before that After no longer has.
	Resolved      issue.Issues
	Before, After []byte
}

// Finding is an issue and its place in the text of a file. If Span is zero, the
// place is the position of the issue.
type Finding struct {
	issue.Issue
	Span document.Span
}

// Options tune how a report is written. The zero value and nil are the defaults.
type Options struct {
	// Color adds the escape sequences of terminals to text and diffs.
	Color bool
	// Group shortens text about many findings: errors come first, and similar warnings are one
	// entry with their number; see [issue.Issue.Groups].
	Group bool
	// Width is how many columns of a line an excerpt shows at most; 0 means 100.
	// Four columns before it and one or two for … are not counted.
	Width int
	// Root is the directory to which SARIF and GitHub name files relatively.
	// Files elsewhere keep their own name.
	Root string
	// Tool is the version of the program, for SARIF.
	Tool string
	// BaseURL is that of a server with an explorer. If it is set, findings in
	// every format but JSON link to the page that explains their code; see
	// [issue.Code.URL].
	BaseURL string
}

// link returns the page about a code, or "" if there is none: no base URL is configured,
// or a custom rule reports the code.
func (o *Options) link(c issue.Code) string {
	if _, known := issue.LookupCode(c); !known || o.BaseURL == "" {
		return ""
	}
	return c.URL(o.BaseURL)
}

func (o *Options) orDefault() Options {
	var with Options
	if o != nil {
		with = *o
	}
	if with.Width == 0 {
		with.Width = 100
	}
	return with
}

// OK reports whether no file failed.
func (r *Report) OK() bool {
	s := r.Summary()
	return s.Valid == s.Files
}

func (r *Report) ok(f *File) bool {
	return f.Err == nil && f.count(issue.SeverityError) == 0 && (!r.Strict || len(f.Findings) == 0)
}

func (f *File) count(s issue.Severity) int {
	n := 0
	for i := range f.Findings {
		if f.Findings[i].Severity == s {
			n++
		}
	}
	return n
}

// Summary counts what a report contains.
type Summary struct {
	Files    int `json:"files"`
	Valid    int `json:"valid"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	// Unreadable files were not checked.
	Unreadable int `json:"unreadable,omitempty"`
	// NotWritten files could be fixed, but not replaced.
	NotWritten int `json:"not_written,omitempty"`
	// Fixes is the number of findings that fixes resolve.
	Fixes int `json:"fixes,omitempty"`
}

// Summary counts files and findings.
func (r *Report) Summary() Summary {
	s := Summary{Files: len(r.Files)}
	for i := range r.Files {
		f := &r.Files[i]
		s.Errors += f.count(issue.SeverityError)
		s.Warnings += f.count(issue.SeverityWarning)
		if f.Fix != nil {
			s.Fixes += len(f.Fix.Resolved)
		}
		switch {
		case f.Unwritten:
			s.NotWritten++
		case f.Err != nil:
			s.Unreadable++
		case r.ok(f):
			s.Valid++
		}
	}
	return s
}

// String returns the summary on one line, without the fixes.
func (s Summary) String() string {
	line := wording.Count(s.Files, "file")
	if s.Valid > 0 {
		line += fmt.Sprintf(", %d valid", s.Valid)
	}
	line += ", " + s.Findings()
	if s.Unreadable > 0 {
		line += fmt.Sprintf(", %d unreadable", s.Unreadable)
	}
	if s.NotWritten > 0 {
		line += fmt.Sprintf(", %d not written", s.NotWritten)
	}
	return line
}

// Findings returns the number of errors and warnings: "1 error, 2 warnings".
func (s Summary) Findings() string {
	var parts []string
	if s.Errors > 0 {
		parts = append(parts, wording.Count(s.Errors, "error"))
	}
	if s.Warnings > 0 {
		parts = append(parts, wording.Count(s.Warnings, "warning"))
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// lines returns the text by line, without line ends and byte order mark.
func (f *File) lines() []string {
	text := strings.TrimPrefix(string(f.Text), "\uFEFF")
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// located returns the findings with complete spans. If they are in the order of the text, it reads
// each line once, even if a line is a whole large file.
func (f *File) located(lines []string) []Finding {
	list := slices.Clone(f.Findings)
	var at document.Point
	for i := range list {
		span := &list[i].Span
		line, column := list[i].Position.Line, list[i].Position.Column
		if span.Start.Line > 0 {
			line, column = span.Start.Line, span.Start.Column
		}
		if line == 0 || span.Start.UTF8 > 0 {
			continue
		}
		if at.Line != line || at.Column > column {
			at = document.Point{Line: line, Column: 1, UTF8: 1, UTF16: 1}
		}
		text := ""
		if line <= len(lines) {
			text = lines[line-1]
		}
		for at.Column < column && at.UTF8 <= len(text) {
			r, size := utf8.DecodeRuneInString(text[at.UTF8-1:])
			at.Column, at.UTF8, at.UTF16 = at.Column+1, at.UTF8+size, at.UTF16+utf16.RuneLen(r)
		}
		*span = document.Span{Start: at, End: at}
	}
	return list
}

// relative returns the path of a file relative to a directory that contains it, or its name.
func (f *File) relative(root string) string {
	if f.Path != "" && root != "" {
		if rel, err := filepath.Rel(root, f.Path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return f.Name
}

// withHint returns the message and, on a line of its own, the hint.
func (f *Finding) withHint() string {
	if f.FixHint == "" {
		return f.Message
	}
	return f.Message + "\nHint: " + f.FixHint
}

// failure returns why a file was not checked, with its name.
func (f *File) failure() string { return f.Name + ": " + f.Err.Error() }

// Amount is how many of some things are in a state.
type Amount struct {
	N     int
	State string
}

// Counted adds the amounts that are not zero to a text: "3 documents published, 1 changed".
func Counted(first string, more ...Amount) string {
	for _, a := range more {
		if a.N > 0 {
			first += fmt.Sprintf(", %d %s", a.N, a.State)
		}
	}
	return strings.TrimPrefix(first, ", ")
}

// ShortHash returns enough of a hash to tell two apart by eye.
func ShortHash(h taxonomy.Hash) string { return hex.EncodeToString(h[:6]) }
