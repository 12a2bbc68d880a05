package validate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// TestCustomRules runs additional rules. Their issues are sorted, and are errors unless
// they say that they are warnings.
func TestCustomRules(t *testing.T) {
	backwards := &validate.Rule{Name: "backwards", Run: func(p *validate.Pass) {
		var places []*validate.Placed
		for placed := range p.Placements() {
			places = append([]*validate.Placed{placed}, places...)
		}
		for _, placed := range places {
			category := "none"
			if placed.Category != nil {
				category = placed.Category.ID
			}
			p.Report(issue.Issue{Code: "custom", Message: category, Path: placed.Path()})
		}
	}}
	last := &validate.Rule{Name: "last", Run: func(p *validate.Pass) {
		p.Report(issue.Issue{Code: "custom", Path: issue.Root, Severity: issue.SeverityWarning})
		p.Report(issue.Issue{Code: "custom", Path: issue.Root, Severity: "info"})
	}}
	result := judge(t, walk(`{"element_id":"unknown"}`), &validate.Options{Rules: []*validate.Rule{backwards, last}})
	var got []string
	for _, i := range result.Issues {
		got = append(got, fmt.Sprintf("%s %s %q %s", i.Severity, i.Code, i.Path, i.Message))
	}
	require.Equal(t, []string{
		`error INSTANCE_ELEMENT_UNKNOWN "elements[3].element_id" There is no element "unknown" in trail@2026-03-01-stable.`,
		`error custom "elements[0]" access`,
		`error custom "elements[1]" access`,
		`error custom "elements[2]" surface`,
		`error custom "elements[3]" none`,
		`warning custom "" `,
		`error custom "" `,
	}, got)
	require.Len(t, result.Issues, len(result.Errors())+len(result.Warnings()))
}

// TestResult separates errors and warnings.
func TestResult(t *testing.T) {
	result := judge(t, walk(`{"element_id":"facility.hut"}`, `{"element_id":"hazard.ice"}`), nil)
	require.False(t, result.OK())
	require.Len(t, result.Issues, 2)
	require.Equal(t, result.Issues[:1], result.Warnings())
	require.Equal(t, result.Issues[1:], result.Errors())

	fine := judge(t, walk(), nil)
	require.True(t, fine.OK())
	require.NotNil(t, fine.Issues, "no findings are an empty list on the wire")
	require.NotNil(t, fine.Errors())
	require.NotNil(t, fine.Warnings())
}

// TestSuitesAreCopies changes suites.
func TestSuitesAreCopies(t *testing.T) {
	for _, suite := range []func() []*validate.Rule{validate.InstanceRules, validate.ResolvedRules, validate.StrictRules} {
		suite()[0] = nil
		require.NotNil(t, suite()[0])
	}
}
