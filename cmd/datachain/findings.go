package main

import (
	"io"
	"path/filepath"

	"github.com/datachain-go/datachain/adapters/report"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// findingsAnswer is the part of an answer in JSON about the findings in a schema
// source.
type findingsAnswer struct {
	OK       bool         `json:"ok"`
	Errors   int          `json:"errors"`
	Warnings int          `json:"warnings"`
	Issues   issue.Issues `json:"issues"`
}

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

// summary counts the findings.
func (a *findingsAnswer) summary() string {
	return report.Summary{Errors: a.Errors, Warnings: a.Warnings}.Findings()
}

// report returns findings in a source by file.
func (a *authoring) report(issues issue.Issues) *report.Report {
	r := new(report.Report)
	last := "?" // the name of no file
	for _, i := range issues {
		if name := i.Position.File; name != last {
			last = name
			r.Files = append(r.Files, report.File{})
			if name != "" {
				r.Files[len(r.Files)-1] = report.File{Name: a.shown(name), Path: filepath.Join(a.root.Name(), filepath.FromSlash(name)), Text: a.text(name)}
			}
		}
		f := &r.Files[len(r.Files)-1]
		f.Findings = append(f.Findings, report.Finding{Issue: i})
	}
	return r
}

// text returns the content of a file of the source, or nil if it is not one that
// can be shown.
func (a *authoring) text(name string) []byte {
	f, err := a.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > source.DefaultMaxFileSize {
		return nil
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil
	}
	return text
}
