package taxonomy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestIssueString(t *testing.T) {
	for _, c := range []struct {
		issue taxonomy.Issue
		want  string
	}{
		{taxonomy.Issue{Code: "c", Message: "m"}, "c: m"},
		{taxonomy.Issue{Code: "c", Message: "m", Path: taxonomy.Root}, "c: m"},
		{
			taxonomy.Issue{
				Code: "c", Message: "m", Path: taxonomy.Root.Key("a").Index(1), FixHint: "type b", Severity: taxonomy.SeverityWarning,
				Position: taxonomy.Position{File: "a/b.yaml", Line: 3, Column: 7},
			},
			"a/b.yaml:3:7: warning c at a[1]: m (type b)",
		},
	} {
		require.Equal(t, c.want, c.issue.String())
	}
}

func TestPosition(t *testing.T) {
	for want, p := range map[string]taxonomy.Position{
		"":          {},
		"a.yaml":    {File: "a.yaml"},
		"a.yaml:3":  {File: "a.yaml", Line: 3},
		"a.yaml:1:": {File: "a.yaml:1:"},
		"3:4":       {Line: 3, Column: 4},
		"x:3:4":     {File: "x", Line: 3, Column: 4},
	} {
		require.Equal(t, want, p.String())
		require.Equal(t, want == "", p.IsZero())
	}
}

func TestIssues(t *testing.T) {
	warning, bad := taxonomy.Issue{Severity: taxonomy.SeverityWarning}, taxonomy.Issue{Severity: taxonomy.SeverityError}
	for _, c := range []struct {
		issues           taxonomy.Issues
		errors, warnings int
	}{
		{nil, 0, 0},
		{taxonomy.Issues{warning, warning}, 0, 2},
		{taxonomy.Issues{warning, bad, warning}, 1, 2},
		{taxonomy.Issues{{}}, 0, 0},
	} {
		require.Equal(t, c.errors > 0, c.issues.HasErrors())
		require.Equal(t, c.errors, c.issues.Count(taxonomy.SeverityError))
		require.Equal(t, c.warnings, c.issues.Count(taxonomy.SeverityWarning))
	}
}
