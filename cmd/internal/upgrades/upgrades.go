// Package upgrades reports on upgraded documents as text or JSON. It writes documents one by one, so
// that a report never has all of them in memory.
package upgrades

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options configure what is done with upgraded documents, and how they are reported.
type Options struct {
	// JSON reports for programs, as one object.
	JSON bool
	// Style is that of text for people.
	Style report.Style
	// Write replaces the files of finished documents, and with Unfinished those of others.
	Write, Unfinished bool
	// Result gets the text of the only document, if it has no file to replace.
	Result io.Writer
	// Merging means that documents are merged with products. One that needs a decision is written all
	// the same if it is valid, since everything that needs one stays as it was.
	Merging bool
	// Markdown reports for the summary of a job in CI.
	Markdown bool
	// Documents is how many there are. Text for people shows many of them in groups.
	Documents int
}

// maxDetailed is how many documents the report for people shows one by one.
const maxDetailed = 20

// detailed reports whether the report for people shows documents one by one.
func (o *Options) detailed() bool { return o.Documents <= maxDetailed || o.Markdown }

// File is a document and the result of upgrading it.
type File struct {
	File string `json:"file"`
	OK   bool   `json:"ok"`
	// Written reports whether the file was changed.
	Written bool `json:"written"`
	// Product is that with which the document was merged.
	Product *Product        `json:"product,omitempty"`
	Report  *upgrade.Report `json:"report,omitempty"`
	// Diff and Text are what changed and the new document, if it changed.
	Diff    string `json:"diff,omitempty"`
	Text    string `json:"text,omitempty"`
	Skipped string `json:"skipped,omitempty"`
	Error   string `json:"error,omitempty"`

	err  error
	held bool // not written, because it is not finished
}

// Failed returns a document that can't be read, upgraded or written.
func Failed(name string, err error) *File {
	if e, ok := errors.AsType[*datachain.Error](err); ok && e.Kind == datachain.KindSyntax {
		finding, _ := e.Finding()
		message := strings.TrimSuffix(finding.Message, ".")
		err = fmt.Errorf("%d:%d: %s", finding.Span.Start.Line, finding.Span.Start.Column, strings.ToLower(message[:1])+message[1:])
	}
	return &File{File: name, Error: err.Error(), err: err}
}

// File returns an upgraded document. If the options say so, it replaces the file first.
func (o *Options) File(name string, before []byte, result *upgrade.Result, replace func(text []byte) error) *File {
	f := &File{File: name, OK: result.OK(), Report: &result.Report}
	if !f.Report.Changed {
		if o.Result != nil {
			f.Text = string(before)
		}
		return f
	}
	text, finished := result.Document.Text(), f.OK
	if o.Merging {
		finished = !result.Issues.HasErrors() && f.Report.Counts.Cannot == 0
	}
	thinned := func(e upgrade.ReportEntry) bool { return e.Kind == "written_thin" }
	switch {
	case !o.Write:
	case !o.Unfinished && (!finished || slices.ContainsFunc(f.Report.Entries, thinned)):
		f.held = true
	case o.Result == nil:
		if err := replace(text); err != nil {
			return Failed(name, err)
		}
		f.Written = true
	}
	if o.JSON || o.Result != nil {
		f.Text = string(text)
	}
	switch long := func(line []byte) bool { return len(line) > maxDiffLine }; {
	case o.JSON, o.Markdown:
		f.Diff = report.Diff(name, before, text, false)
	case o.Write && !f.held || !o.detailed():
	case slices.ContainsFunc(bytes.Split(text, []byte("\n")), long):
		f.Diff = wording.Line(name) + " changes; its lines are too long for a diff\n"
	default:
		f.Diff = report.Diff(name, before, text, o.Style)
	}
	return f
}

// maxDiffLine is the longest line of a diff that people can read.
const maxDiffLine = 2000

// Summary counts documents, and the entries of their reports.
type Summary struct {
	Files int `json:"files"`
	// Changed documents have another text, Open ones need a decision.
	Changed    int            `json:"changed"`
	Written    int            `json:"written"`
	Open       int            `json:"open"`
	Skipped    int            `json:"skipped,omitempty"`
	Unreadable int            `json:"unreadable,omitempty"`
	Entries    upgrade.Counts `json:"entries"`

	// Held documents were not written, because they are not finished.
	Held int `json:"-"`
}

// Report reports on documents.
type Report struct {
	Options
	Summary Summary

	out     *bufio.Writer
	listed  int // files in the JSON list
	written int // bytes of Markdown
	cut     int // documents that Markdown leaves out
	groups  map[upgrade.Class]*classGroups
	failed  []error // the first ones
	skipped error   // the first one
}

// NewReport returns a report without documents.
func NewReport(w io.Writer, o Options) *Report {
	return &Report{Options: o, Summary: Summary{Files: o.Documents}, out: bufio.NewWriter(w), groups: make(map[upgrade.Class]*classGroups)}
}

// maxFailed is how many files that can't be read or written are listed in the end.
const maxFailed = 50

// Add reports a document.
func (r *Report) Add(f *File) error {
	s := &r.Summary
	switch {
	case f.Skipped != "":
		s.Skipped++
		if r.skipped == nil {
			r.skipped = fmt.Errorf("%s: %w", f.File, f.err)
		}
	case f.err != nil:
		if s.Unreadable++; s.Unreadable <= maxFailed {
			r.failed = append(r.failed, fmt.Errorf("%s: %w", f.File, f.err))
		}
	default:
		counts := &f.Report.Counts
		s.Entries.Done += counts.Done
		s.Entries.Review += counts.Review
		s.Entries.NeedsPerson += counts.NeedsPerson
		s.Entries.Cannot += counts.Cannot
		s.Changed += count(f.Report.Changed)
		s.Written += count(f.Written || f.Report.Changed && r.Result != nil && !f.held)
		s.Open += count(!f.OK)
		s.Held += count(f.held)
	}
	if r.JSON {
		return r.addJSON(f)
	}
	if f.Report == nil {
		return nil
	}
	if r.Result != nil && !f.held {
		if _, err := io.WriteString(r.Result, f.Text); err != nil {
			return err
		}
	}
	switch {
	case r.Markdown:
		r.printMarkdown(f)
	case r.detailed():
		r.print(f)
	default:
		r.group(f)
	}
	return nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// End completes the report; for people, with a summary. The error is why
// documents were not read or written or, if all were skipped, why the first one was.
func (r *Report) End() error {
	s := &r.Summary
	allSkipped := s.Skipped == s.Files && (!r.Merging || s.Files == 1)
	switch {
	case r.JSON:
		r.endJSON()
	case r.Markdown:
		r.endMarkdown()
	case !allSkipped:
		r.printGroups()
		_, _ = r.out.WriteString(s.text(r.Write, r.Merging)) // its errors are kept
	}
	err := r.out.Flush()
	switch {
	case err != nil:
		return err
	case allSkipped:
		return r.skipped
	case s.Unreadable > maxFailed:
		r.failed = append(r.failed, fmt.Errorf("and %s", wording.Count(s.Unreadable-maxFailed, "more file")))
	}
	return errors.Join(r.failed...)
}

// text returns the last lines of a report for people.
func (s *Summary) text(write, merging bool) string {
	changed := report.Amount{N: s.Changed, State: "to change"}
	if write {
		changed = report.Amount{N: s.Written, State: "written"}
	}
	skipped := "of other datachain types skipped"
	if merging {
		skipped = "not based on the product skipped"
	}
	text := report.Counted(wording.Count(s.Files, "file"), changed, report.Amount{N: s.Open, State: "not finished"},
		report.Amount{N: s.Skipped, State: skipped}, report.Amount{N: s.Unreadable, State: "unreadable"})
	entries := report.Counted("", report.Amount{N: s.Entries.Done, State: "done"}, report.Amount{N: s.Entries.Review, State: "to review"},
		report.Amount{N: s.Entries.NeedsPerson, State: "need a decision"}, report.Amount{N: s.Entries.Cannot, State: "unresolved"})
	text += ": " + cmp.Or(entries, "nothing to do") + "\n"
	switch {
	case s.Held > 0:
		text += wording.Count(s.Held, "unfinished document") + " not written; use --unfinished to write documents with gaps\n"
	case s.Changed > 0 && !write:
		text += "nothing was written; use --write to change the files\n"
	}
	return text
}

// OK reports whether every document was upgraded, and none needs a decision.
func (s *Summary) OK() bool { return s.Open+s.Unreadable == 0 }

// addJSON writes an item of the list of files.
func (r *Report) addJSON(f *File) error {
	separator := ",\n    "
	if r.listed++; r.listed == 1 {
		separator = "{\n  \"files\": [\n    "
	}
	_, _ = r.out.WriteString(separator) // its errors are kept
	return r.writeJSON(f, "    ")
}

// endJSON writes the summary.
func (r *Report) endJSON() {
	_, _ = r.out.WriteString("\n  ],\n  \"summary\": ")
	_ = r.writeJSON(&r.Summary, "  ")
	_, _ = fmt.Fprintf(r.out, ",\n  \"ok\": %t\n}\n", r.Summary.OK())
}

func (r *Report) writeJSON(v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := r.out.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// print prints the diff of a document, unless its file was replaced, and the entries of its report.
func (r *Report) print(f *File) {
	if !f.Report.Changed && len(f.Report.Entries) == 0 {
		return
	}
	if f.Product != nil {
		_, _ = fmt.Fprintf(r.out, "%s %s\n", r.Style.Bold(wording.Line(f.File)+":"), f.Product) // its errors are kept
	}
	_, _ = r.out.WriteString(f.Diff) // its errors are kept
	for i := range f.Report.Entries {
		if e := &f.Report.Entries[i]; e.Kind != "repinned" || f.Diff == "" { // the diff shows it
			r.printEntry(f, e)
		}
	}
	_, _ = r.out.WriteString("\n")
}

func (r *Report) printEntry(f *File, e *upgrade.ReportEntry) {
	s := r.Style
	_, _ = fmt.Fprintf(r.out, "%s %s %s %s\n", s.Bold(wording.Line(f.at(e).String())+":"), className(s, e.Class)+":", wording.Line(entryText(e)), s.Dim("["+label(e)+"]"))
	if hint := entryHint(e); hint != "" {
		_, _ = fmt.Fprintf(r.out, "  hint: %s\n", wording.Line(hint))
	}
}

// entryText returns what an entry says, with the part of the document that a merge decides about.
func entryText(e *upgrade.ReportEntry) string {
	if e.Unit == "" {
		return e.Message
	}
	return e.Unit + ": " + e.Message
}

// entryHint returns what to do about an entry.
func entryHint(e *upgrade.ReportEntry) string {
	if e.Unit == "" || e.Class != upgrade.NeedsPerson {
		return e.FixHint
	}
	unit := report.Quoted(e.Unit)
	return fmt.Sprintf("use --take %s to take what the product has, or --keep %s to keep yours", unit, unit)
}

// at returns the place of an entry.
func (f *File) at(e *upgrade.ReportEntry) issue.Position {
	return issue.Position{File: f.File, Line: e.Position.Line, Column: e.Position.Column}
}

// label returns the kind of an entry, or the code of a finding.
func label(e *upgrade.ReportEntry) string {
	if e.Kind == "finding" {
		return string(e.Code)
	}
	return string(e.Kind)
}

// className returns the name of a class for people.
func className(s report.Style, c upgrade.Class) string {
	switch c {
	case upgrade.Cannot:
		return s.Red("cannot")
	case upgrade.NeedsPerson:
		return s.Red("needs a decision")
	case upgrade.Review:
		return s.Yellow("review")
	}
	return s.Green("done")
}

// entry is what the entries of a group have in common.
type entry struct{ label, message, hint string }

// classGroups are the entries of a class.
type classGroups struct {
	report.Groups[entry]
	more int // entries that are not in a group
}

// How many groups of a class are counted, and how many of them are printed.
const (
	maxGroups      = 1000
	maxGroupsShown = 20
)

// group counts the entries of a document. Those about what was dropped from a file are printed,
// since nothing else has that any more.
func (r *Report) group(f *File) {
	for i := range f.Report.Entries {
		e := &f.Report.Entries[i]
		if f.Written && e.Path == nil {
			r.printEntry(f, e)
			continue
		}
		g := r.groups[e.Class]
		if g == nil {
			g = new(classGroups)
			r.groups[e.Class] = g
		}
		key := entry{label(e), entryText(e), entryHint(e)}
		if g.Len() == maxGroups && !g.Has(key) {
			g.more++
			continue
		}
		g.Of(key).Add(f.at(e))
	}
}

// printGroups prints the entries by class, those that concern most documents first.
func (r *Report) printGroups() {
	for _, class := range []upgrade.Class{upgrade.Cannot, upgrade.NeedsPerson, upgrade.Review, upgrade.Done} {
		groups := r.groups[class]
		if groups == nil {
			continue
		}
		_, _ = fmt.Fprintf(r.out, "%s:\n", className(r.Style, class))
		groups.SortByDocuments()
		shown := 0
		for e, places := range groups.All() {
			if shown == maxGroupsShown {
				groups.more += places.Number
				continue
			}
			shown++
			_, _ = fmt.Fprintf(r.out, "  %s %s\n      %s: %s\n", wording.Line(e.message), r.Style.Dim("["+e.label+"]"), places.Count(), places)
			if e.hint != "" {
				_, _ = fmt.Fprintf(r.out, "      hint: %s\n", wording.Line(e.hint))
			}
		}
		if groups.more > 0 {
			_, _ = fmt.Fprintf(r.out, "  and %d more; see --format json\n", groups.more)
		}
		_, _ = r.out.WriteString("\n")
	}
}
