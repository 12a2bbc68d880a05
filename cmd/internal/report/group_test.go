package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func warning(code issue.Code, line int, message string, groups ...string) report.Finding {
	return report.Finding{Issue: issue.Issue{
		Code: code, Severity: issue.SeverityWarning, Message: message, FixHint: "fix it", Groups: groups,
		Position: issue.Position{Line: line, Column: 1},
	}}
}

// TestGroup shows that errors come first, and that warnings that are alike are one
// entry, also across files.
func TestGroup(t *testing.T) {
	dropped := func(line int) report.Finding {
		return warning(codes.SymbolDropped, line, "The attribute x is dropped.")
	}
	r := &report.Report{Files: []report.File{
		{Name: "a.svg", Text: []byte("one\ntwo\nthree"), Findings: []report.Finding{
			dropped(1), warning(codes.SymbolDropped, 2, "The attribute y is dropped."), dropped(3),
		}},
		{Name: "b.svg", Text: []byte("four\nfive\nsix"), Findings: []report.Finding{dropped(1), at(2, 2), dropped(2), dropped(3)}},
	}}
	var b strings.Builder
	require.NoError(t, report.Text(&b, r, &report.Options{Group: true}))
	require.Equal(t, `b.svg:2:2: error: There is no element x. [INSTANCE_ELEMENT_UNKNOWN]
    five
     ^
  hint: use y

a.svg:1:1: warning: 5 times: The attribute x is dropped. [symbol_dropped]
  also at a.svg:3:1, b.svg:1:1, b.svg:2:1 and 1 more
  hint: fix it

a.svg:2:1: warning: The attribute y is dropped. [symbol_dropped]
    two
    ^
  hint: fix it

`, b.String())
	require.Len(t, r.Files[1].Findings, 4, "the report is not changed")
}

func otherHint(f report.Finding) report.Finding {
	f.FixHint = "fix both"
	return f
}

// TestGroupByName shows that a finding counts in each of its groups, and is written
// once if it is alone in them.
func TestGroupByName(t *testing.T) {
	r := &report.Report{Files: []report.File{{Name: "a", Findings: []report.Finding{
		warning(codes.TranslationMissing, 1, "One: fr.", "fr"),
		otherHint(warning(codes.TranslationMissing, 2, "Two: fr, es.", "fr", "es")),
		otherHint(warning(codes.TranslationMissing, 3, "Three: fr, es.", "fr", "es")),
		warning(codes.TranslationMissing, 4, "Four: de, it.", "de", "it"),
	}}}}
	var b strings.Builder
	require.NoError(t, report.Text(&b, r, &report.Options{Group: true}))
	require.Equal(t, `a:1:1: warning: fr, 3 times: One: fr. [translation_missing]
  also at a:2:1, a:3:1

a:2:1: warning: es, 2 times: Two: fr, es. [translation_missing]
  also at a:3:1
  hint: fix both

a:4:1: warning: Four: de, it. [translation_missing]
  hint: fix it

`, b.String())
}
