package main

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The part of SARIF 2.1.0 that a report uses. Columns count UTF-16 units, which
// is what SARIF means where it does not say otherwise.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string        `json:"id"`
		ShortDescription     sarifText     `json:"shortDescription"`
		Help                 sarifText     `json:"help"`
		DefaultConfiguration sarifSeverity `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifSeverity struct {
		Level string `json:"level"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical  `json:"physicalLocation"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
)

// writeSARIF writes the report for tools that collect findings. Root is the
// folder from which paths count, and version that of this program.
func (r *report) writeSARIF(w io.Writer, root, version string) error {
	rules := documentCodes()
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "datachain", Version: version, InformationURI: "https://github.com/datachain-go/datachain", Rules: sarifRules(rules),
		}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		Results:     []sarifResult{},
	}
	how := &run.Invocations[0]
	for _, v := range r.verdicts {
		artifact := sarifArtifactOf(root, v.input)
		if v.err != nil {
			how.ExecutionSuccessful = false
			how.ToolExecutionNotifications = append(how.ToolExecutionNotifications, sarifNotification{
				"error", sarifText{v.err.Error()}, []sarifLocation{{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact}}},
			})
		}
		for _, f := range v.findings {
			run.Results = append(run.Results, newSARIFResult(rules, artifact, f))
		}
	}
	return writeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func newSARIFResult(rules []issue.CodeInfo, artifact sarifArtifact, f finding) sarifResult {
	from, to := f.span.Start, f.span.End
	at := sarifLocation{PhysicalLocation: sarifPhysical{artifact, &sarifRegion{from.Line, from.UTF16, to.Line, to.UTF16}}}
	if len(f.Path) > 0 {
		at.LogicalLocations = []sarifLogical{{f.Path.String()}}
	}
	message := f.Message
	if f.FixHint != "" {
		message += "\nHint: " + f.FixHint
	}
	return sarifResult{
		RuleID:    string(f.Code),
		RuleIndex: slices.IndexFunc(rules, func(c issue.CodeInfo) bool { return c.Code == f.Code }),
		Level:     string(f.Severity), Message: sarifText{message}, Locations: []sarifLocation{at},
	}
}

// sarifRules describes codes. Severities are levels of SARIF, too.
func sarifRules(codes []issue.CodeInfo) []sarifRule {
	list := make([]sarifRule, len(codes))
	for i, c := range codes {
		list[i] = sarifRule{
			ID: string(c.Code), ShortDescription: sarifText{c.Meaning}, DefaultConfiguration: sarifSeverity{string(c.Severity)},
			Help: sarifText{c.Meaning + "\nExample: " + c.Example},
		}
	}
	return list
}

// sarifArtifactOf names a document by its path from the root, or where it is
// elsewhere by its whole path.
func sarifArtifactOf(root string, d input) sarifArtifact {
	name := relative(root, d)
	if !filepath.IsAbs(name) {
		// A name that begins like one, such as a:b, must not pass for a scheme.
		return sarifArtifact{URI: (&url.URL{Path: filepath.ToSlash(name)}).String(), URIBaseID: "%SRCROOT%"}
	}
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: path}).String()}
}
