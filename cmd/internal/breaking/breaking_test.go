package breaking_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/breaking"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

func allow(t *testing.T, text string) *breaking.Allowance {
	t.Helper()
	a, problem, _ := breaking.ParseAllowance(text)
	require.NotNil(t, a, problem)
	return a
}

func TestParseAllowance(t *testing.T) {
	for text, want := range map[string][2]string{
		"element-remove:x": {`there is no rule "element-remove"`, "use element-removed"},
		"mappings-changed": {"changes by the rule mappings-changed are not breaking", "remove it"},
		"element-removed:": {"", ""},
	} {
		a, problem, hint := breaking.ParseAllowance(text)
		require.Nil(t, a, text)
		require.Equal(t, want, [2]string{problem, hint}, text)
	}
}

// TestCheck compares an older sample with a newer one, which has elements that it lacks.
func TestCheck(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	release := func(id string) *taxonomy.Release {
		r, err := store.Release(t.Context(), taxonomy.MustVersion(id))
		require.NoError(t, err)
		return r
	}
	check := func(allowed ...*breaking.Allowance) *breaking.Check {
		c := new(breaking.Check)
		c.Version(&sources.Version{Release: release("ai@2026-09-01-stable")}, []*taxonomy.Release{release("ai@2026-11-18-beta")}, nil, allowed)
		c.Unused(allowed)
		return c
	}
	found := check()
	require.Len(t, found.Versions, 1)
	require.NotZero(t, found.Versions[0].Breaking)
	require.Len(t, found.Issues, found.Versions[0].Breaking)

	first := found.Versions[0].Changes[0]
	used, unused := allow(t, string(first.Rule)+":"+first.Target), allow(t, "element-removed:no.such")
	again := check(used, unused)
	require.Equal(t, "--allow", again.Versions[0].Changes[0].Reason)
	require.Equal(t, 1, again.Versions[0].Allowed)
	require.EqualValues(t, "allowed_change_unused", again.Issues[len(again.Issues)-1].Code)

	none := new(breaking.Check)
	none.Version(&sources.Version{Release: release("ai@2026-09-01-stable")}, nil, nil, []*breaking.Allowance{used})
	require.Zero(t, none.Versions[0].Against)
}
