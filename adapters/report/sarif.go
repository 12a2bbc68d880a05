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

// The part of SARIF 2.1.0 that a report uses. Columns count UTF-16 units, which
// is the default of SARIF.
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
		Version        string      `json:"version,omitempty"`
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

// SARIF writes findings as a SARIF 2.1.0 log, for tools that collect them. It
// describes the codes that occur. Severities are levels of SARIF, too.
func SARIF(w io.Writer, r *Report, o *Options) error {
	with := o.orDefault()
	rules := r.rules()
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "datachain", Version: with.Tool, InformationURI: "https://github.com/datachain-go/datachain", Rules: rules,
		}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		Results:     []sarifResult{},
	}
	invocation := &run.Invocations[0]
	for i := range r.Files {
		f := &r.Files[i]
		artifact := newSARIFArtifact(f.relative(with.Root))
		if f.Err != nil {
			invocation.ExecutionSuccessful = false
			invocation.ToolExecutionNotifications = append(invocation.ToolExecutionNotifications, sarifNotification{
				"error", sarifText{f.failure()}, []sarifLocation{{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact}}},
			})
		}
		for _, finding := range f.located(f.lines()) {
			run.Results = append(run.Results, newSARIFResult(rules, artifact, &finding))
		}
	}
	return writeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// rules describes the codes that occur, in the order of the registry.
func (r *Report) rules() []sarifRule {
	occurs := make(map[issue.Code]issue.Severity)
	for i := range r.Files {
		for _, f := range r.Files[i].Findings {
			occurs[f.Code] = f.Severity
		}
	}
	rules := []sarifRule{}
	for _, c := range issue.Codes() {
		if _, ok := occurs[c.Code]; ok {
			rules = append(rules, sarifRule{
				ID: string(c.Code), ShortDescription: sarifText{c.Meaning}, DefaultConfiguration: sarifSeverity{string(c.Severity)},
				Help: sarifText{c.Meaning + "\nExample: " + c.Example},
			})
			delete(occurs, c.Code)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(occurs)) { // of custom rules
		rules = append(rules, sarifRule{
			ID: string(code), ShortDescription: sarifText{string(code)}, DefaultConfiguration: sarifSeverity{string(occurs[code])},
			Help: sarifText{string(code)},
		})
	}
	return rules
}

func newSARIFResult(rules []sarifRule, artifact sarifArtifact, f *Finding) sarifResult {
	from, to := f.Span.Start, f.Span.End
	at := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact}}
	if from.Line > 0 {
		at.PhysicalLocation.Region = &sarifRegion{from.Line, from.UTF16, to.Line, to.UTF16}
	}
	if len(f.Path) > 0 {
		at.LogicalLocations = []sarifLogical{{f.Path.String()}}
	}
	return sarifResult{
		RuleID:    string(f.Code),
		RuleIndex: slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == string(f.Code) }),
		Level:     string(f.Severity), Message: sarifText{f.withHint()}, Locations: []sarifLocation{at},
	}
}

// newSARIFArtifact names a file by its path from the root or, if it is elsewhere,
// by its absolute path.
func newSARIFArtifact(name string) sarifArtifact {
	path := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		// url.URL keeps a name such as a:b from passing for a scheme.
		return sarifArtifact{URI: (&url.URL{Path: path}).String(), URIBaseID: "%SRCROOT%"}
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: path}).String()}
}
