package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// report is what `datachain validate` says of all documents.
type report struct {
	verdicts []*verdict
	// strict means that warnings are as bad as errors.
	strict bool
	// wrote means that the fixes were written.
	wrote bool
}

// ok reports whether a document is as good as was asked for.
func (r *report) ok(v *verdict) bool {
	return v.err == nil && v.count(issue.SeverityError) == 0 && (!r.strict || len(v.findings) == 0)
}

// summary counts what was found.
type summary struct {
	Files    int `json:"files"`
	Valid    int `json:"valid"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	// Unreadable files got no verdict.
	Unreadable int `json:"unreadable,omitempty"`
	// Fixes is how many findings can be mended, or were.
	Fixes int `json:"fixes,omitempty"`
}

func (r *report) summary() summary {
	s := summary{Files: len(r.verdicts)}
	for _, v := range r.verdicts {
		s.Errors += v.count(issue.SeverityError)
		s.Warnings += v.count(issue.SeverityWarning)
		s.Fixes += len(v.fixed)
		switch {
		case v.err != nil:
			s.Unreadable++
		case r.ok(v):
			s.Valid++
		}
	}
	return s
}

// String prints the summary on a line.
func (s summary) String() string {
	line := fmt.Sprintf("%s, %d valid, %s", count(s.Files, "file"), s.Valid, tally(s.Errors, s.Warnings))
	if s.Unreadable > 0 {
		line += fmt.Sprintf(", %d unreadable", s.Unreadable)
	}
	return line
}

// writeText writes the report for people.
func (r *report) writeText(w io.Writer, s style) error {
	var b strings.Builder
	for _, v := range r.verdicts {
		writeFindings(&b, s, v)
		if len(v.fixed) > 0 {
			writeDiff(&b, s, v.name, v.before, v.mended)
			b.WriteByte('\n')
		}
	}
	total := r.summary()
	fmt.Fprintf(&b, "%s\n", total)
	switch {
	case total.Fixes == 0:
	case r.wrote:
		fmt.Fprintf(&b, "%s fixed\n", count(total.Fixes, "finding"))
	default:
		fmt.Fprintf(&b, "%s can be fixed; --write changes the files\n", count(total.Fixes, "finding"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFindings writes the findings of a document.
func writeFindings(b *strings.Builder, s style, v *verdict) {
	if len(v.findings) == 0 {
		return
	}
	lines := strings.Split(string(v.text), "\n")
	for _, f := range v.findings {
		from, finding := f.span.Start, f.Issue
		var text, mark string
		if line := strings.TrimRight(lines[from.Line-1], "\r"); strings.TrimSpace(line) != "" {
			width := 1
			if f.span.End.Line == from.Line {
				width = f.span.End.Column - from.Column
			}
			text, mark = excerpt(line, from.UTF8-1, width)
		}
		finding.Position = issue.Position{File: v.name, Line: from.Line, Column: from.Column}
		writeIssue(b, s, finding, text, mark)
	}
}

// reportAnswer is what `datachain validate --format json` prints.
type reportAnswer struct {
	OK      bool         `json:"ok"`
	Files   []fileAnswer `json:"files"`
	Summary summary      `json:"summary"`
}

type fileAnswer struct {
	File string `json:"file"`
	OK   bool   `json:"ok"`
	// Kind is thin or resolved, and Version what the document was to be judged
	// by; both are "" for what is no JSON.
	Kind    string        `json:"kind,omitempty"`
	Version string        `json:"version,omitempty"`
	Issues  []issueAnswer `json:"issues"`
	// Error says why there is no verdict.
	Error string `json:"error,omitempty"`
	// Fixed are the issues that fixes mend, and Diff the change.
	Fixed issue.Issues `json:"fixed,omitempty"`
	Diff  string       `json:"diff,omitempty"`
}

type issueAnswer struct {
	issue.Issue
	Range rangeAnswer `json:"range"`
}

type rangeAnswer struct {
	Start pointAnswer `json:"start"`
	End   pointAnswer `json:"end"`
}

// pointAnswer counts lines and characters from 1, and bytes from 0.
type pointAnswer struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

// writeJSON writes the report for programs.
func (r *report) writeJSON(w io.Writer) error {
	total := r.summary()
	answer := reportAnswer{OK: total.Valid == total.Files, Files: []fileAnswer{}, Summary: total}
	for _, v := range r.verdicts {
		f := fileAnswer{
			File: filepath.ToSlash(v.name), OK: r.ok(v), Kind: v.kind, Version: v.version,
			Issues: []issueAnswer{}, Fixed: v.fixed,
		}
		if v.err != nil {
			f.Error = strings.TrimPrefix(v.err.Error(), v.name+": ")
		}
		for _, i := range v.findings {
			f.Issues = append(f.Issues, issueAnswer{i.Issue, rangeAnswer{newPointAnswer(i.span.Start), newPointAnswer(i.span.End)}})
		}
		if len(v.fixed) > 0 {
			var b strings.Builder
			writeDiff(&b, false, v.name, v.before, v.mended)
			f.Diff = b.String()
		}
		answer.Files = append(answer.Files, f)
	}
	return writeJSON(w, answer)
}

func newPointAnswer(p document.Point) pointAnswer { return pointAnswer{p.Line, p.Column, p.Offset} }
