package report_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// at returns a finding at a line and a column.
func at(line, column int) report.Finding {
	return report.Finding{Issue: issue.Issue{
		Code: codes.InstanceElementUnknown, Severity: issue.SeverityError, Message: "There is no element x.", FixHint: "use y",
		Position: issue.Position{Line: line, Column: column},
	}}
}

// spanning returns a finding that spans characters of the first line.
func spanning(line string, from, length int) report.Finding {
	point := func(column int) document.Point {
		offset := len(string([]rune(line)[:min(column-1, len([]rune(line)))]))
		return document.Point{Line: 1, Column: column, UTF8: offset + 1, UTF16: column, Offset: offset}
	}
	f := at(0, 0)
	f.Span = document.Span{Start: point(from), End: point(from + length)}
	return f
}

func text(t *testing.T, f report.File) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, report.Text(&b, &report.Report{Files: []report.File{f}}, nil))
	return b.String()
}

func ExampleText() {
	r := &report.Report{Files: []report.File{{
		Name: "chain.json", Text: []byte(`{"element_id": "data.trip"}`),
		Findings: []report.Finding{{
			Issue: issue.Issue{
				Code: codes.InstanceElementUnknown, Severity: issue.SeverityError,
				Message: "There is no element data.trip.", FixHint: "use data.trips",
				Position: issue.Position{Line: 1, Column: 16},
			},
		}},
	}}}
	if err := report.Text(os.Stdout, r, nil); err != nil {
		panic(err)
	}
	// Output:
	// chain.json:1:16: error: There is no element data.trip. [INSTANCE_ELEMENT_UNKNOWN]
	//     {"element_id": "data.trip"}
	//                    ^
	//   hint: use data.trips
}

// TestLineOrder has findings in another order than that of the text, as rules find them:
// text output sorts them, and what programs read keeps the order.
func TestLineOrder(t *testing.T) {
	found := func(line, column int, message string) report.Finding {
		f := at(line, column)
		f.Message = message
		return f
	}
	f := report.File{Name: "chain.json", Text: []byte("{\n  \"a\": 1,\n  \"b\": 2\n}"), Findings: []report.Finding{
		found(3, 3, "Fourth."), found(2, 8, "Third."), found(0, 0, "First."), found(2, 3, "Second."), found(3, 3, "Fifth."),
	}}
	shown := text(t, f)
	places := []int{-1}
	for _, message := range []string{"First.", "Second.", "Third.", "Fourth.", "Fifth."} {
		places = append(places, strings.Index(shown, message))
	}
	assert.IsIncreasing(t, places, shown)
	require.Contains(t, shown, "chain.json:2:8: error: Third. [INSTANCE_ELEMENT_UNKNOWN]\n      \"a\": 1,\n           ^\n")
	require.Equal(t, "Fourth.", f.Findings[0].Message, "the report itself stays as it is")

	var b strings.Builder
	require.NoError(t, report.GitHub(&b, &report.Report{Files: []report.File{f}}, nil))
	require.Less(t, strings.Index(b.String(), "Fourth."), strings.Index(b.String(), "First."))
}

// TestMarkWidth counts the cells of a terminal.
func TestMarkWidth(t *testing.T) {
	for _, c := range []struct {
		line          string
		column, width int
		want          string
	}{
		{"abc", 2, 1, " ^"},
		{"abc", 2, 2, " ^~"},
		{"abc", 2, 99, " ^~"},
		{"abc", 4, 1, "   ^"},
		{"\ta", 2, 1, "\t^"},
		{"自a", 2, 1, "  ^"},
		{"a自転b", 2, 2, " ^~~~"},
		{"🚲a", 2, 1, "  ^"},
		{"e\u0301a", 3, 1, " ^"},
	} {
		got := text(t, report.File{Name: "f", Text: []byte(c.line), Findings: []report.Finding{spanning(c.line, c.column, c.width)}})
		require.Contains(t, got, "\n    "+c.line+"\n    "+c.want+"\n", c.line)
		if c.width == 1 {
			require.Equal(t, got, text(t, report.File{Name: "f", Text: []byte(c.line), Findings: []report.Finding{at(1, c.column)}}), c.line)
		}
	}
}

// TestHostileText shows that foreign text cannot control a terminal or a
// workflow, and that long lines are cut around the place.
func TestHostileText(t *testing.T) {
	long := strings.Repeat("é", 300)
	for _, c := range []struct {
		name, text   string
		line, column int
		want         string
	}{
		{"escape sequences", "{\"\x1b[31m", 1, 1, "    {\"\uFFFD[31m\n"},
		{"text that runs backwards", "a\u202Eb", 1, 1, "    a\uFFFDb\n    ^\n"},
		{"invalid UTF-8", "{\"\xff\xfe", 1, 3, "    {\"\uFFFD\n      ^\n"},
		{"Windows line ends", "{\r\n  \"id\": 1\r\n}\r\n", 2, 9, "      \"id\": 1\n            ^\n"},
		{"a byte order mark", "\uFEFFabc", 1, 2, "    abc\n     ^\n"},
		{"a long line", long + "x" + long, 1, 301, "    …" + long[:100] + "x"},
		{"a blank line", "\n\n", 2, 1, "[INSTANCE_ELEMENT_UNKNOWN]\n  hint"},
		{"a line that is not there", "a\n", 9, 1, "f:9:1: error: There is no element x. [INSTANCE_ELEMENT_UNKNOWN]\n  hint"},
		{"a column that is not there", "abc", 1, 99, "f:1:4: error"},
		{"no line", "abc", 0, 0, "f: error: There is no element x."},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := report.File{Name: "f", Text: []byte(c.text), Findings: []report.Finding{at(c.line, c.column)}}
			got := text(t, f)
			require.Contains(t, got, c.want)
			require.NotContains(t, got, "\x1b")
			for line := range strings.Lines(got) {
				require.Less(t, len([]rune(line)), 120)
			}
			var b strings.Builder
			require.NoError(t, report.GitHub(&b, &report.Report{Files: []report.File{f}}, nil))
			require.Regexp(t, `^::error file=f,[^\n]*::[^\n]*\n$`, b.String())
			b.Reset()
			require.NoError(t, report.SARIF(&b, &report.Report{Files: []report.File{f}}, nil))
			require.True(t, json.Valid([]byte(b.String())))
		})
	}
}

// TestManyFindings walks a line once, however many findings it has.
func TestManyFindings(t *testing.T) {
	const n = 5_000
	f := report.File{Name: "f", Text: []byte(strings.Repeat("0123456789", n))}
	for i := range n {
		f.Findings = append(f.Findings, at(1, i*10+5))
	}
	require.Contains(t, text(t, f), "f:1:49995: error")
}

func TestNameWithNewline(t *testing.T) {
	f := report.File{Name: "a\n::error::x", Text: []byte("abc"), Findings: []report.Finding{at(1, 1)}, Fix: &report.Fix{After: []byte("b")}}
	require.NotContains(t, text(t, f), "\n::")
	var b strings.Builder
	require.NoError(t, report.GitHub(&b, &report.Report{Files: []report.File{f}}, nil))
	require.Equal(t, 1, strings.Count(b.String(), "\n"))
}

func TestColor(t *testing.T) {
	r := &report.Report{Files: []report.File{{
		Name: "f", Text: []byte("abc"), Findings: []report.Finding{at(1, 1)},
		Fix: &report.Fix{Before: []byte("a\n"), After: []byte("b\n")},
	}}}
	var b strings.Builder
	require.NoError(t, report.Text(&b, r, &report.Options{Color: true}))
	require.Contains(t, b.String(), "\x1b[31merror:\x1b[0m")
	require.Contains(t, b.String(), "\x1b[32m+b\x1b[0m")
}

// sample has a file of each kind.
func sample(dir string) *report.Report {
	warning := at(1, 3)
	warning.Severity, warning.Code, warning.FixHint = issue.SeverityWarning, "CUSTOM_RULE", ""
	document := spanning(`{"🚲": 1}`, 2, 3)
	document.Path = issue.Root.Key("elements").Index(0)
	return &report.Report{Files: []report.File{
		{Name: "a:b/ö 1#2.json", Path: filepath.Join(dir, "a:b", "ö 1#2.json"), Text: []byte(`{"🚲": 1}`), Kind: "thin", Findings: []report.Finding{document}},
		{Name: "more.yaml", Path: filepath.Join(dir, "sub", "more.yaml"), Text: []byte("🚲x"), Findings: []report.Finding{warning}},
		{Name: filepath.FromSlash("/elsewhere/100%.json"), Path: filepath.FromSlash("/elsewhere/100%.json"), Err: errors.New("permission denied")},
		{Name: "good.json", Version: "ai@2026-09-01-stable", Fix: &report.Fix{Resolved: issue.Issues{{Code: "X"}}, Before: []byte("a\n"), After: []byte("b\n")}},
	}}
}

func TestSummary(t *testing.T) {
	r := sample(t.TempDir())
	require.Equal(t, report.Summary{Files: 4, Valid: 2, Errors: 1, Warnings: 1, Unreadable: 1, Fixes: 1}, r.Summary())
	require.Equal(t, "4 files, 2 valid, 1 error, 1 warning, 1 unreadable", r.Summary().String())
	require.False(t, r.OK())
	r.Strict = true
	require.Equal(t, 1, r.Summary().Valid)
	require.True(t, new(report.Report).OK())
	require.Equal(t, "0 files, no findings", report.Summary{}.String())
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	require.NoError(t, report.JSON(&b, sample(t.TempDir())))
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
	require.Equal(t, false, got["ok"])
	files := got["files"].([]any)
	require.Len(t, files, 4)
	first := files[0].(map[string]any)
	assert.Equal(t, "thin", first["kind"])
	assert.Equal(t, map[string]any{
		"code": "INSTANCE_ELEMENT_UNKNOWN", "message": "There is no element x.", "fix_hint": "use y", "severity": "error", "path": "elements[0]",
		"range": map[string]any{
			"start": map[string]any{"line": 1., "column": 2., "offset": 1.}, "end": map[string]any{"line": 1., "column": 5., "offset": 7.},
		},
	}, first["issues"].([]any)[0])
	assert.Equal(t, "permission denied", files[2].(map[string]any)["error"])
	assert.Equal(t, "--- good.json\n+++ good.json\n@@ -1 +1 @@\n-a\n+b\n", files[3].(map[string]any)["diff"])
	assert.Equal(t, 1., got["summary"].(map[string]any)["fixes"])
}

func TestGitHub(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	require.NoError(t, report.GitHub(&b, sample(dir), &report.Options{Root: dir}))
	require.Equal(t, `::error file=a%3Ab/ö 1#2.json,line=1,col=2,endLine=1,endColumn=5,title=INSTANCE_ELEMENT_UNKNOWN::There is no element x.%0AHint: use y
::warning file=sub/more.yaml,line=1,col=3,title=CUSTOM_RULE::There is no element x.
::error file=/elsewhere/100%25.json,title=unreadable::/elsewhere/100%25.json: permission denied
`, b.String())
}

// TestSARIF checks what SARIF 2.1.0 requires of a log, and the places in it.
func TestSARIF(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	require.NoError(t, report.SARIF(&b, sample(dir), &report.Options{Root: dir, Tool: "v1.2.3"}))
	type region struct{ StartLine, StartColumn, EndLine, EndColumn int }
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version, InformationURI string
					Rules                         []struct {
						ID                     string
						ShortDescription, Help struct{ Text string }
						DefaultConfiguration   struct{ Level string }
					}
				}
			}
			Invocations []struct {
				ExecutionSuccessful        bool
				ToolExecutionNotifications []struct{ Message struct{ Text string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           *region
					}
					LogicalLocations []struct{ FullyQualifiedName string }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &log))
	require.Equal(t, "2.1.0", log.Version)
	require.NotEmpty(t, log.Schema)
	require.Len(t, log.Runs, 1)
	run := log.Runs[0]
	require.Equal(t, "datachain", run.Tool.Driver.Name)
	require.Equal(t, "v1.2.3", run.Tool.Driver.Version)
	for _, rule := range run.Tool.Driver.Rules {
		require.NotEmpty(t, rule.ShortDescription.Text)
		require.NotEmpty(t, rule.Help.Text)
		require.Contains(t, []string{"error", "warning"}, rule.DefaultConfiguration.Level)
	}
	require.False(t, run.Invocations[0].ExecutionSuccessful)
	require.Equal(t, "/elsewhere/100%.json: permission denied", run.Invocations[0].ToolExecutionNotifications[0].Message.Text)

	require.Len(t, run.Results, 2)
	for _, r := range run.Results {
		require.Equal(t, run.Tool.Driver.Rules[r.RuleIndex].ID, r.RuleID)
		require.Len(t, r.Locations, 1)
		require.Equal(t, "%SRCROOT%", r.Locations[0].PhysicalLocation.ArtifactLocation.URIBaseID)
	}
	place := run.Results[0].Locations[0]
	assert.Equal(t, "./a:b/%C3%B6%201%232.json", place.PhysicalLocation.ArtifactLocation.URI)
	assert.Equal(t, "elements[0]", place.LogicalLocations[0].FullyQualifiedName)
	assert.Equal(t, "There is no element x.\nHint: use y", run.Results[0].Message.Text)
	// A character beyond the first plane is two units of UTF-16.
	place = run.Results[1].Locations[0]
	assert.Equal(t, &region{1, 4, 1, 4}, place.PhysicalLocation.Region)
	assert.Contains(t, b.String(), `"uri": "file:///elsewhere/100%25.json"`)
}

// TestLinks shows that findings link to the page about their code if a base URL is
// configured, except for codes that no page explains.
func TestLinks(t *testing.T) {
	own := at(1, 1)
	own.Code = "of_a_custom_rule"
	r := &report.Report{Files: []report.File{{Name: "chain.json", Text: []byte("{}"), Findings: []report.Finding{at(1, 1), own}}}}
	for name, write := range map[string]func(*strings.Builder, *report.Options) error{
		"text":    func(b *strings.Builder, o *report.Options) error { return report.Text(b, r, o) },
		"grouped": func(b *strings.Builder, o *report.Options) error { o.Group = true; return report.Text(b, r, o) },
		"SARIF":   func(b *strings.Builder, o *report.Options) error { return report.SARIF(b, r, o) },
		"GitHub":  func(b *strings.Builder, o *report.Options) error { return report.GitHub(b, r, o) },
	} {
		t.Run(name, func(t *testing.T) {
			var with, without strings.Builder
			require.NoError(t, write(&with, &report.Options{BaseURL: "https://example.org/t"}))
			require.NoError(t, write(&without, new(report.Options)))
			assert.Equal(t, 1, strings.Count(with.String(), "https://example.org/t/codes/INSTANCE_ELEMENT_UNKNOWN"))
			assert.NotContains(t, with.String(), "codes/of_a_custom_rule")
			assert.NotContains(t, without.String(), "/codes/")
		})
	}
}
