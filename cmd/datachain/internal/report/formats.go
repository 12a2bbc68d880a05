package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// object is a JSON object of SARIF, of which a report uses a small part.
type object = map[string]any

// SARIF writes findings as a SARIF 2.1.0 log, for tools that collect them. It
// describes the codes that occur. Severities are levels of SARIF, too.
func SARIF(w io.Writer, r *Report, o *Options) error {
	with := o.orDefault()
	rules, index := r.rules(&with)
	results, failures := []object{}, []object{}
	for i := range r.Files {
		f := &r.Files[i]
		artifact := sarifArtifact(f.relative(with.Root))
		if f.Err != nil {
			failures = append(failures, object{
				"level": "error", "message": sarifText(f.failure()),
				"locations": []object{{"physicalLocation": object{"artifactLocation": artifact}}},
			})
		}
		for _, finding := range f.located(f.lines()) {
			results = append(results, object{
				"ruleId": finding.Code, "ruleIndex": index[finding.Code], "level": finding.Severity,
				"message": sarifText(finding.withHint()), "locations": []object{finding.sarifLocation(artifact)},
			})
		}
	}
	return WriteJSON(w, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool": object{"driver": object{
				"name": "datachain", "version": with.Tool, "informationUri": "https://github.com/datachain-go/datachain", "rules": rules,
			}},
			"invocations": []object{{"executionSuccessful": len(failures) == 0, "toolExecutionNotifications": failures}},
			"results":     results,
		}},
	})
}

func sarifText(text string) object { return object{"text": text} }

// rules describes the codes that occur, in the order of the registry, then of the
// report, and returns
// the index of each.
func (r *Report) rules(o *Options) ([]object, map[issue.Code]int) {
	occurs := make(map[issue.Code]issue.CodeInfo)
	for i := range r.Files {
		for _, f := range r.Files[i].Findings {
			occurs[f.Code] = issue.CodeInfo{Code: f.Code, Severity: f.Severity, Meaning: string(f.Code)} // of a custom rule
		}
	}
	var list []issue.CodeInfo
	for _, c := range slices.Concat(issue.Codes(), r.Codes) {
		if _, ok := occurs[c.Code]; ok {
			list = append(list, c)
			delete(occurs, c.Code)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(occurs)) {
		list = append(list, occurs[code])
	}
	rules, index := []object{}, make(map[issue.Code]int)
	for i, c := range list {
		index[c.Code] = i
		help := c.Meaning
		if c.Example != "" {
			help += "\nExample: " + c.Example
		}
		rule := object{
			"id": c.Code, "shortDescription": sarifText(c.Meaning), "help": sarifText(help),
			"defaultConfiguration": object{"level": c.Severity},
		}
		if link := o.link(c.Code); link != "" {
			rule["helpUri"] = link
		}
		rules = append(rules, rule)
	}
	return rules, index
}

// sarifLocation returns the place of a finding. Columns count UTF-16 units, which
// is the default of SARIF.
func (f *Finding) sarifLocation(artifact object) object {
	place := object{"artifactLocation": artifact}
	if from, to := f.Span.Start, f.Span.End; from.Line > 0 {
		place["region"] = object{"startLine": from.Line, "startColumn": from.UTF16, "endLine": to.Line, "endColumn": to.UTF16}
	}
	location := object{"physicalLocation": place}
	if len(f.Path) > 0 {
		location["logicalLocations"] = []object{{"fullyQualifiedName": f.Path.String()}}
	}
	return location
}

// sarifArtifact names a file by its path from the root or, if it is elsewhere, by
// its absolute path.
func sarifArtifact(name string) object {
	path := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		// url.URL keeps a name such as a:b from passing for a scheme.
		return object{"uri": (&url.URL{Path: path}).String(), "uriBaseId": "%SRCROOT%"}
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return object{"uri": (&url.URL{Scheme: "file", Path: path}).String()}
}

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
		Range jsonRange `json:"range"`
	}
	jsonRange struct {
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
				finding.Issue, jsonRange{newJSONPoint(finding.Span.Start), newJSONPoint(finding.Span.End)},
			})
		}
		if f.Fix != nil {
			file.Fixed, file.Diff = f.Fix.Resolved, Diff(f.Name, f.Fix.Before, f.Fix.After, false)
		}
		out.Files = append(out.Files, file)
	}
	return WriteJSON(w, out)
}

func newJSONPoint(p document.Point) jsonPoint { return jsonPoint{p.Line, p.Column, p.Offset} }

// WriteJSON writes a value for programs and people, indented and without escaped HTML.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Workflow commands escape these characters in a message and in a property.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes findings as workflow commands, which GitHub shows as annotations
// of the changed files. Options.Root is the root of the checkout.
func GitHub(w io.Writer, r *Report, o *Options) error {
	with := o.orDefault()
	var b strings.Builder
	for i := range r.Files {
		f := &r.Files[i]
		file := "" // of findings that belong to no file
		if name := f.relative(with.Root); name != "" {
			file = "file=" + githubProperty.Replace(wording.Printable(filepath.ToSlash(name))) + ","
		}
		for _, finding := range f.located(f.lines()) {
			from, to := finding.Span.Start, finding.Span.End
			place := file
			if from.Line > 0 {
				place += fmt.Sprintf("line=%d,col=%d,", from.Line, from.Column)
			}
			// GitHub takes an end column only if the end is on the same line.
			if to.Line == from.Line && to.Column > from.Column {
				place += fmt.Sprintf("endLine=%d,endColumn=%d,", to.Line, to.Column)
			}
			message := finding.withHint()
			if link := with.link(finding.Code); link != "" {
				message += "\nSee " + link
			}
			fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", finding.Severity, place,
				githubProperty.Replace(string(finding.Code)), githubMessage.Replace(wording.Printable(message)))
		}
		if f.Err != nil {
			title := "unreadable"
			if f.Unwritten {
				title = "not written"
			}
			fmt.Fprintf(&b, "::error %stitle=%s::%s\n", file, title, githubMessage.Replace(wording.Printable(f.failure())))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
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
