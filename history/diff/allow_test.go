package diff_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestAllowance(t *testing.T) {
	report := compare(t, nil, func(c *taxonomy.Content) {
		c.Type.Subchains = []taxonomy.Subchain{}
		c.Elements[1].MaxPlacements = 1
		c.Elements[1].Title[0].Value = "Safe"
		dataContext(func(c *taxonomy.Context) { c.Values = c.Values[:0] })(c)
	})
	var targets []string
	for _, c := range report.With(diff.Breaking) {
		targets = append(targets, string(c.Rule)+" "+c.Target())
	}
	require.Equal(t, []string{
		"subchain-removed subchains.flow",
		"context-value-removed data/context.values.identified", "context-value-removed data/context.values.anonymous",
		"element-maximum-lowered purpose.safety/max_placements",
	}, targets)
	for _, c := range []struct {
		rule    diff.RuleID
		subject string
		allows  int
	}{
		{"subchain-removed", "subchains.flow", 1},
		{"subchain-removed", "", 0},
		{"context-value-removed", "data", 2},
		{"context-value-removed", "data/context.values.identified", 1},
		{"context-value-removed", "data/context.values", 0},
		{"element-maximum-lowered", "purpose.safety", 1},
		{"element-removed", "purpose.safety", 0},
		{"element-reworded", "purpose.safety", 0},
	} {
		allowed := 0
		for _, change := range report.Changes {
			if (&diff.Allowance{Rule: c.rule, Subject: c.subject}).Allows(&change) {
				allowed++
			}
		}
		require.Equal(t, c.allows, allowed, "%s %s", c.rule, c.subject)
	}
}
