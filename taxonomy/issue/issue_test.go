package issue_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestIssueString(t *testing.T) {
	for _, c := range []struct {
		issue issue.Issue
		want  string
	}{
		{issue.Issue{Code: "c", Message: "m"}, "c: m"},
		{issue.Issue{Code: "c", Message: "m", Path: issue.Root}, "c: m"},
		{
			issue.Issue{
				Code: "c", Message: "m", Path: issue.Root.Key("a").Index(1), FixHint: "type b", Severity: issue.SeverityWarning,
				Position: issue.Position{File: "a/b.yaml", Line: 3, Column: 7},
			},
			"a/b.yaml:3:7: warning c at a[1]: m (type b)",
		},
	} {
		require.Equal(t, c.want, c.issue.String())
	}
}

func TestPosition(t *testing.T) {
	for want, p := range map[string]issue.Position{
		"":          {},
		"a.yaml":    {File: "a.yaml"},
		"a.yaml:3":  {File: "a.yaml", Line: 3},
		"a.yaml:1:": {File: "a.yaml:1:"},
		"3:4":       {Line: 3, Column: 4},
		"x:3:4":     {File: "x", Line: 3, Column: 4},
	} {
		require.Equal(t, want, p.String())
	}
}

func TestIssues(t *testing.T) {
	warning, bad := issue.Issue{Severity: issue.SeverityWarning}, issue.Issue{Severity: issue.SeverityError}
	for _, c := range []struct {
		issues           issue.Issues
		errors, warnings int
	}{
		{nil, 0, 0},
		{issue.Issues{warning, warning}, 0, 2},
		{issue.Issues{warning, bad, warning}, 1, 2},
		{issue.Issues{{}}, 0, 0},
	} {
		require.Equal(t, c.errors > 0, c.issues.HasErrors())
		require.Len(t, c.issues.With(issue.SeverityError), c.errors)
		require.Len(t, c.issues.With(issue.SeverityWarning), c.warnings)
	}
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"", "elements[3].category_id", `a["b.c"][0]["\n\u0000"]`, `["é"]`, "[01]", "a..b", `["a"]`, `["\ud800"]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := issue.ParsePath(s)
		if err != nil {
			require.ErrorContains(t, err, "malformed path")
		} else {
			require.Equal(t, s, p.String(), "each place has one spelling")
		}
		if utf8.ValidString(s) {
			// Any key can be printed and read again.
			p := issue.Root.Key("a").Key(s).Index(len(s)).Key(s)
			again, err := issue.ParsePath(p.String())
			require.NoError(t, err)
			require.True(t, p.Equal(again))
		}
	})
}
