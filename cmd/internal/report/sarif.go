package report

import (
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// object is a JSON object. SARIF has many types, of which a report needs few fields.
type object = map[string]any

// SARIF writes findings as a SARIF 2.1.0 log, and describes the codes that occur. Severities have
// the same names as the levels of SARIF.
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

// rules describes the codes that occur, in the order of the registry and then of the report. It also
// returns the index of each.
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

// sarifArtifact returns the location of a file: relative to the root or, if it is elsewhere, absolute.
func sarifArtifact(name string) object {
	path := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		// url.URL escapes a name such as a:b, which would be a scheme.
		return object{"uri": (&url.URL{Path: path}).String(), "uriBaseId": "%SRCROOT%"}
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return object{"uri": (&url.URL{Scheme: "file", Path: path}).String()}
}
