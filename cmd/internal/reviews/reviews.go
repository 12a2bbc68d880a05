// Package reviews reports what a review of documents finds, leaves out what was accepted, and
// requests links.
package reviews

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/review"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Report is the result of a review.
type Report struct {
	OK       bool                `json:"ok"`
	Findings []Finding           `json:"findings"`
	Counts   map[review.Kind]int `json:"counts"`
	// Accepted is the number of findings that were left out.
	Accepted int `json:"accepted,omitempty"`
	// Documents is the number of documents that were reviewed, and Invalid are the files of others.
	Documents int      `json:"documents"`
	Invalid   []string `json:"invalid,omitempty"`
	// Unused are entries of accepted findings that are not found any more.
	Unused []Accepted `json:"unused,omitempty"`

	files map[string]file
}

// Finding is a finding with its place in the text of the file.
type Finding struct {
	review.Finding
	Range report.Range `json:"range,omitzero"`
	span  document.Span
}

// file is a file with findings.
type file struct {
	inputs.Input
	text []byte
	doc  *document.Document // until its findings were located
}

// Options say how a report is made.
type Options struct {
	// Work is the working directory, and Dir that of the documents as it was typed.
	Work, Dir string
	Accepted  []Accepted
	// Only, Links and Profile say what the review looked for: other entries are not unused.
	Only           []review.Kind
	Links, Profile bool
	// Fail makes findings fail the command.
	Fail bool
}

// New reports the findings of a review.
func New(state *register.State, found []review.Finding, o *Options) *Report {
	r := &Report{Findings: []Finding{}, Counts: make(map[review.Kind]int), files: make(map[string]file)}
	for _, d := range state.Documents() {
		if !d.Removed() {
			r.Documents++
		}
	}
	for _, refused := range state.Refused() {
		r.Invalid = append(r.Invalid, refused.File)
	}
	slices.Sort(r.Invalid)
	r.Invalid = slices.Compact(r.Invalid)

	used := make(map[Accepted]bool)
	failed := false
	for _, f := range found {
		if i := slices.IndexFunc(o.Accepted, func(a Accepted) bool { return a.matches(&f) }); i >= 0 {
			used[o.Accepted[i]] = true
			r.Accepted++
			continue
		}
		r.Counts[f.Kind]++
		r.Findings = append(r.Findings, r.locate(f, o))
		failed = failed || !f.Kind.Passing()
	}
	for _, a := range o.Accepted {
		looked := (o.Only == nil || slices.Contains(o.Only, a.Kind)) && (o.Links || !a.Kind.NeedsLinks()) && (o.Profile || a.Kind != review.ProfileMissing)
		if looked && !used[a] && !a.expired {
			r.Unused = append(r.Unused, a)
		}
	}
	r.OK = !o.Fail || !failed
	return r
}

// locate returns a finding with its place.
func (r *Report) locate(f review.Finding, o *Options) Finding {
	known, ok := r.files[f.File]
	if !ok {
		known.Input = inputs.Named(o.Work, filepath.ToSlash(filepath.Join(o.Dir, filepath.FromSlash(f.File))))
		known.Dir = o.Dir // so that a pipe is not read
		if read, err := known.Read(nil); err == nil {
			known.text = read.Text
			known.doc, _ = document.Parse(read.Text) // else there is no place to show
		}
		r.files[f.File] = known
	}
	located := Finding{Finding: f}
	if known.doc != nil {
		located.span = validate.Mark(known.doc, asIssue(&f))
		located.Range = report.NewRange(located.span)
	}
	return located
}

func asIssue(f *review.Finding) issue.Issue {
	return issue.Issue{Code: issue.Code(f.Kind), Severity: issue.SeverityWarning, Path: f.Path, Message: f.Message, FixHint: f.Hint}
}

// Located returns the findings in their order. Several in a row about a file are together.
func (r *Report) Located() *report.Report {
	all := new(report.Report)
	for _, k := range review.Kinds() {
		all.Codes = append(all.Codes, issue.CodeInfo{Code: issue.Code(k), Severity: issue.SeverityWarning, RaisedBy: "documents review", Meaning: k.Meaning()})
	}
	last := ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if i == 0 || f.File != last {
			in := r.files[f.File]
			all.Files = append(all.Files, report.File{Name: in.Name, Path: in.Path, Text: in.text})
			last = f.File
		}
		current := &all.Files[len(all.Files)-1]
		current.Findings = append(current.Findings, report.Finding{Issue: asIssue(&f.Finding), Span: f.span})
	}
	return all
}

// Summary counts the findings, on one line.
func (r *Report) Summary() string {
	var amounts []report.Amount
	for _, k := range review.Kinds() {
		amounts = append(amounts, report.Amount{N: r.Counts[k], State: string(k)})
	}
	text := fmt.Sprintf("%s reviewed, %s", wording.Count(r.Documents, "document"), wording.Count(len(r.Findings), "finding"))
	if len(r.Findings) > 0 {
		text += ": " + report.Counted("", amounts...)
	}
	if r.Accepted > 0 {
		text += fmt.Sprintf("; %d accepted", r.Accepted)
	}
	return text + "."
}

// maxNamed is how many files are named in a message.
const maxNamed = 20

// InvalidText names the files that were not reviewed. It is "" if there are none.
func (r *Report) InvalidText() string {
	n := len(r.Invalid)
	if n == 0 {
		return ""
	}
	names := slices.Clone(r.Invalid[:min(n, maxNamed)])
	if n > maxNamed {
		names = append(names, fmt.Sprintf("%d more", n-maxNamed))
	}
	return fmt.Sprintf("Not reviewed, since they are invalid: %s. 'datachain documents check' says why.", wording.And(names))
}

// UnusedText says how many entries of accepted findings can be removed. It is "" if there are none.
func (r *Report) UnusedText() string {
	if len(r.Unused) == 0 {
		return ""
	}
	return fmt.Sprintf("Accepted, but not found any more: %s of %s. Remove what is no longer needed.",
		wording.Count(len(r.Unused), "finding"), wording.Quote(r.Unused[0].File))
}
