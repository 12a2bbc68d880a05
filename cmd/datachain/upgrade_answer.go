package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain/adapters/report"
	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/internal/ansi"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// upgradeAnswer is the output of `datachain upgrade --format json`.
type upgradeAnswer struct {
	OK      bool           `json:"ok"`
	Files   []upgradedFile `json:"files"`
	Summary upgradeSummary `json:"summary"`
}

// upgradedFile is a document and what became of it.
type upgradedFile struct {
	File string `json:"file"`
	OK   bool   `json:"ok"`
	// Written reports whether the file was changed.
	Written bool            `json:"written"`
	Report  *upgrade.Report `json:"report,omitempty"`
	// Diff and Text are what changed and the new document, if it changed.
	Diff    string `json:"diff,omitempty"`
	Text    string `json:"text,omitempty"`
	Skipped string `json:"skipped,omitempty"`
	Error   string `json:"error,omitempty"`

	before []byte
}

// upgradeSummary counts documents, and the entries of their reports.
type upgradeSummary struct {
	Files int `json:"files"`
	// Changed documents have another text, Open ones need a person.
	Changed    int            `json:"changed"`
	Open       int            `json:"open"`
	Skipped    int            `json:"skipped,omitempty"`
	Unreadable int            `json:"unreadable,omitempty"`
	Entries    upgrade.Counts `json:"entries"`
}

// newUpgradeAnswer returns the answer for documents that were written or not. Diffs are
// for programs: people get them when they are printed.
func newUpgradeAnswer(list []upgraded, wrote, diffs bool) *upgradeAnswer {
	a := &upgradeAnswer{OK: true, Files: make([]upgradedFile, len(list)), Summary: upgradeSummary{Files: len(list)}}
	for i := range list {
		u, s := &list[i], &a.Summary
		f := upgradedFile{File: filepath.ToSlash(u.input.name)}
		switch {
		case u.skipped:
			f.OK, f.Skipped = true, readable(u.err).Error()
			s.Skipped++
		case u.err != nil:
			f.Error = readable(u.err).Error()
			s.Unreadable++
		default:
			r := u.result
			f.OK, f.Report, f.before = r.OK(), &r.Report, u.read.Text
			s.Entries.Add(r.Report.Counts)
			if !f.OK {
				s.Open++
			}
			if r.Report.Changed {
				s.Changed++
				f.Written, f.Text = wrote && u.input.path != "", string(r.Document.Text())
				if diffs {
					f.Diff = diffOf(f.File, f.before, f.Text, false)
				}
			}
		}
		a.OK = a.OK && f.OK
		a.Files[i] = f
	}
	return a
}

func diffOf(name string, before []byte, after string, color bool) string {
	var b strings.Builder
	_ = report.Diff(&b, name, before, []byte(after), &report.Options{Color: color}) // never fails
	return b.String()
}

// print writes the answer for people.
func (a *upgradeAnswer) print(w io.Writer, s ansi.Style, o *upgradeOptions) {
	var b strings.Builder
	for i := range a.Files {
		if f := &a.Files[i]; f.Report != nil {
			f.print(&b, s, o.write)
		}
	}
	fmt.Fprintln(&b, a.Summary.line())
	if a.Summary.Changed > 0 && !o.write {
		fmt.Fprintln(&b, "nothing was written; use --write to change the files")
	}
	_, _ = io.WriteString(w, b.String())
}

// print writes what became of a document: the diff unless the file was changed, then
// the entries of its report.
func (f *upgradedFile) print(b *strings.Builder, s ansi.Style, wrote bool) {
	if !f.Report.Changed && len(f.Report.Entries) == 0 {
		return
	}
	switch {
	case wrote || !f.Report.Changed:
	case longest(f.Text) > maxDiffLine:
		fmt.Fprintf(b, "%s changes; its lines are too long for a diff\n", prose.Line(f.File))
	default:
		b.WriteString(diffOf(f.File, f.before, f.Text, bool(s)))
	}
	for i := range f.Report.Entries {
		e := &f.Report.Entries[i]
		if e.Kind == upgrade.KindRepinned && !wrote {
			continue // the diff shows it
		}
		label := string(e.Kind)
		if e.Kind == upgrade.KindFinding {
			label = string(e.Code)
		}
		place := issue.Position{File: f.File, Line: e.Position.Line, Column: e.Position.Column}
		fmt.Fprintf(b, "%s %s %s %s\n", s.Bold(prose.Line(place.String())+":"), classStyle(s, e.Class), prose.Line(e.Message), s.Dim("["+label+"]"))
		if e.FixHint != "" {
			fmt.Fprintf(b, "  hint: %s\n", prose.Line(e.FixHint))
		}
	}
	b.WriteByte('\n')
}

// maxDiffLine is the longest line of a diff that people can read.
const maxDiffLine = 2000

// longest returns the length of the longest line.
func longest(text string) int {
	most := 0
	for line := range strings.Lines(text) {
		most = max(most, len(line))
	}
	return most
}

// classStyle returns the name of a class for people.
func classStyle(s ansi.Style, c upgrade.Class) string {
	switch c {
	case upgrade.Cannot:
		return s.Red("cannot:")
	case upgrade.NeedsPerson:
		return s.Red("needs a person:")
	case upgrade.Review:
		return s.Yellow("review:")
	}
	return s.Green("done:")
}

// line returns the summary on one line.
func (s *upgradeSummary) line() string {
	parts := []string{
		prose.Count(s.Files, "file"), fmt.Sprintf("%d changed", s.Changed), fmt.Sprintf("%d not finished", s.Open),
	}
	if s.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d of other datachain types skipped", s.Skipped))
	}
	if s.Unreadable > 0 {
		parts = append(parts, fmt.Sprintf("%d unreadable", s.Unreadable))
	}
	return fmt.Sprintf("%s: %d done, %d to review, %d for a person, %d impossible",
		strings.Join(parts, ", "), s.Entries.Done, s.Entries.Review, s.Entries.NeedsPerson, s.Entries.Cannot)
}
