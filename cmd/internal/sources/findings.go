package sources

import (
	"path/filepath"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Place returns a position with its file as the user would type it. The source is nil for a store.
func (s *Source) Place(at issue.Position) issue.Position {
	if s != nil && at.File != "" {
		at.File = filepath.ToSlash(s.Shown(at.File))
	}
	return at
}

// Located returns findings with the files as the user would type them.
func (s *Source) Located(issues issue.Issues) issue.Issues {
	shown := append(issue.Issues{}, issues...)
	for i := range shown {
		shown[i].Position = s.Place(shown[i].Position)
	}
	return shown
}

// Report returns findings by file, with the texts of the files. Those of a store have no file.
func (s *Source) Report(issues issue.Issues) *report.Report {
	r := new(report.Report)
	last := "?" // the name of no file
	for _, i := range issues {
		if name := i.Position.File; name != last {
			last = name
			r.Files = append(r.Files, report.File{})
			if name != "" {
				r.Files[len(r.Files)-1] = report.File{Name: s.Shown(name), Path: s.path(name), Text: s.Text(name)}
			}
		}
		f := &r.Files[len(r.Files)-1]
		f.Findings = append(f.Findings, report.Finding{Issue: i})
	}
	return r
}
