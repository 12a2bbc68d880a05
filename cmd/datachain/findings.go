package main

import (
	"path/filepath"

	"github.com/datachain-go/datachain/internal/report"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/internal/stores"
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

func newFindingsAnswer(a *stores.Source, tree *source.Tree) findingsAnswer {
	all := tree.AllIssues()
	answer := findingsAnswer{
		OK: !all.HasErrors(), Issues: make(issue.Issues, len(all)),
		Errors: all.Count(issue.SeverityError), Warnings: all.Count(issue.SeverityWarning),
	}
	for i, issue := range all {
		if issue.Position.File != "" {
			issue.Position.File = filepath.ToSlash(a.Shown(issue.Position.File))
		}
		answer.Issues[i] = issue
	}
	return answer
}

// summary counts the findings.
func (a *findingsAnswer) summary() string {
	return report.Summary{Errors: a.Errors, Warnings: a.Warnings}.Findings()
}

// sourceReport returns findings in a source by file.
func sourceReport(a *stores.Source, issues issue.Issues) *report.Report {
	r := new(report.Report)
	last := "?" // the name of no file
	for _, i := range issues {
		if name := i.Position.File; name != last {
			last = name
			r.Files = append(r.Files, report.File{})
			if name != "" {
				r.Files[len(r.Files)-1] = report.File{Name: a.Shown(name), Path: filepath.Join(a.Root.Name(), filepath.FromSlash(name)), Text: a.Text(name)}
			}
		}
		f := &r.Files[len(r.Files)-1]
		f.Findings = append(f.Findings, report.Finding{Issue: i})
	}
	return r
}
