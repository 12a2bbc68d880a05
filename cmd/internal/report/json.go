package report

import (
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

type (
	jsonReport struct {
		OK      bool       `json:"ok"`
		Files   []jsonFile `json:"files"`
		Summary Summary    `json:"summary"`
	}
	jsonFile struct {
		File    string        `json:"file"`
		OK      bool          `json:"ok"`
		Kind    string        `json:"kind,omitempty"`
		Version string        `json:"version,omitempty"`
		Issues  []jsonFinding `json:"issues"`
		Error   string        `json:"error,omitempty"`
		Fixed   issue.Issues  `json:"fixed,omitempty"`
		Diff    string        `json:"diff,omitempty"`
	}
	jsonFinding struct {
		issue.Issue
		Range Range `json:"range"`
	}
	// Range is a [document.Span] in JSON.
	Range struct {
		Start jsonPoint `json:"start"`
		End   jsonPoint `json:"end"`
	}
	// jsonPoint counts lines and characters from 1, and bytes from 0.
	jsonPoint struct {
		Line   int `json:"line"`
		Column int `json:"column"`
		Offset int `json:"offset"`
	}
)

// JSON writes a report for programs, as one indented object
//
//	{"ok", "files": [{"file", "ok", "kind", "version", "issues": […], "error", "fixed": […], "diff"}], "summary"}
//
// in which each issue has the "range" of its place: lines and columns count from
// 1, offsets in bytes from 0.
func JSON(w io.Writer, r *Report) error {
	out := jsonReport{OK: r.OK(), Files: []jsonFile{}, Summary: r.Summary()}
	for i := range r.Files {
		f := &r.Files[i]
		file := jsonFile{File: filepath.ToSlash(f.Name), OK: r.ok(f), Kind: f.Kind, Version: f.Version, Issues: []jsonFinding{}}
		if f.Err != nil {
			file.Error = f.Err.Error()
		}
		for _, finding := range f.located(f.lines()) {
			file.Issues = append(file.Issues, jsonFinding{
				finding.Issue, NewRange(finding.Span),
			})
		}
		if f.Fix != nil {
			file.Fixed, file.Diff = f.Fix.Resolved, Diff(f.Name, f.Fix.Before, f.Fix.After, false)
		}
		out.Files = append(out.Files, file)
	}
	return WriteJSON(w, out)
}

// NewRange returns a span as JSON has it.
func NewRange(s document.Span) Range { return Range{newJSONPoint(s.Start), newJSONPoint(s.End)} }

func newJSONPoint(p document.Point) jsonPoint { return jsonPoint{p.Line, p.Column, p.Offset} }

// WriteJSON writes a value for programs and people, indented and without escaped HTML.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
