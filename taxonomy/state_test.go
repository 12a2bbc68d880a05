package taxonomy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// deprecated is the state of ai@2026-01-01-stable in these tests.
var deprecated = taxonomy.State{
	Deprecated: "2026-11-17", Sunset: "2027-05-01", Successor: taxonomy.MustVersion("ai@2026-03-01-stable"), Reason: "Its risks were incomplete.",
}

// A state is kept by whatever is done to an index, and nothing else changes with it.
func TestIndexState(t *testing.T) {
	old, next := taxonomy.MustVersion("ai@2026-01-01-stable"), deprecated.Successor
	before := index(t, entry(old.String(), "ai@v1"), entry(next.String()), entry("city@2026-01-01-stable")).WithSequence(7)
	x, err := before.WithState(old, deprecated)
	require.NoError(t, err)
	require.False(t, x.Equal(before))
	require.EqualValues(t, 7, x.Sequence())
	state := func(x *taxonomy.Index, v taxonomy.Version) taxonomy.State {
		e, listed := x.Lookup(v.Ref())
		require.True(t, listed)
		return e.State
	}
	require.Zero(t, state(before, old), "an index does not change")
	require.Equal(t, deprecated, state(x, old))
	require.Zero(t, state(x, next))
	require.Equal(t, next.String(), lookup(t, x, "ai@latest"), "aliases stay")
	require.Equal(t, old.String(), lookup(t, x, "ai@v1"))

	text, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	require.Contains(t, string(text), `"deprecated":"2026-11-17","id":"ai@2026-01-01-stable","reason":"Its risks were incomplete.","status":"stable","successor":"ai@2026-03-01-stable","sunset":"2027-05-01"`)
	sent, err := json.Marshal(x)
	require.NoError(t, err)
	for _, form := range [][]byte{text, sent} {
		again, err := taxonomy.DecodeIndex(form)
		require.NoError(t, err)
		require.True(t, x.Equal(again))
	}

	other, err := release(t).WithVersion(taxonomy.MustVersion("ai@2026-09-01-beta"))
	require.NoError(t, err)
	x, err = x.With(taxonomy.Publication{Release: other})
	require.NoError(t, err)
	require.Equal(t, deprecated, state(x, old), "another version was published")
	x, err = x.WithState(other.Version(), taxonomy.State{Deprecated: "2026-11-18"})
	require.NoError(t, err)
	x, err = x.With(taxonomy.Publication{Release: other, Aliases: []string{"ai@v2"}})
	require.NoError(t, err)
	require.Equal(t, "2026-11-18", state(x, other.Version()).Deprecated, "it was published again")

	back, err := x.WithState(old, taxonomy.State{})
	require.NoError(t, err)
	require.Zero(t, state(back, old))
	_, known := back.Successor(old)
	require.False(t, known)
}

// A version that is retired keeps its successor and reason unless it gets others, and loses
// its state when it is published again.
func TestRetireDeprecated(t *testing.T) {
	beta, err := release(t).WithVersion(taxonomy.MustVersion("ai@2026-02-01-beta"))
	require.NoError(t, err)
	second, third := deprecated.Successor, taxonomy.MustVersion("ai@2026-04-01-stable")
	x, err := index(t, entry(second.String()), entry(third.String())).With(taxonomy.Publication{Release: beta})
	require.NoError(t, err)
	x, err = x.WithState(beta.Version(), deprecated)
	require.NoError(t, err)
	next, known := x.Successor(beta.Version())
	require.True(t, known)
	require.Equal(t, second, next)

	replaced, err := x.Without(taxonomy.Retired{ID: second, Successor: third})
	require.NoError(t, err)
	next, known = replaced.Successor(beta.Version())
	require.True(t, known)
	require.Equal(t, third, next, "the successor was retired")
	both, err := replaced.Without(taxonomy.Retired{ID: beta.Version(), At: "2027-05-01"})
	require.NoError(t, err)
	gone, _ := both.LookupRetired(beta.Version())
	require.Equal(t, "ai@2026-02-01-beta was retired on 2027-05-01: Its risks were incomplete", gone.String())
	next, _ = both.Successor(beta.Version())
	require.Equal(t, third, next)

	other, err := x.Without(taxonomy.Retired{ID: beta.Version(), Successor: third, Reason: "It had mistakes."})
	require.NoError(t, err)
	gone, _ = other.LookupRetired(beta.Version())
	require.Equal(t, third, gone.Successor)
	require.Equal(t, "It had mistakes.", gone.Reason)
	again, err := other.With(taxonomy.Publication{Release: beta, Again: true})
	require.NoError(t, err)
	e, _ := again.Lookup(beta.Version().Ref())
	require.Zero(t, e.State)
}

func TestIndexRefusesState(t *testing.T) {
	v := taxonomy.MustVersion("ai@2026-01-01-stable")
	x := index(t, entry(v.String()), entry("ai@2026-03-01-stable"), entry("city@2026-01-01-stable"))
	for want, change := range map[string]func(s *taxonomy.State){
		`deprecated is "soon", but must be a date`:              func(s *taxonomy.State) { s.Deprecated = "soon" },
		`sunset is "2027-02-30"`:                                func(s *taxonomy.State) { s.Sunset = "2027-02-30" },
		"the sunset, 2026-11-16, must not be before 2026-11-17": func(s *taxonomy.State) { s.Sunset = "2026-11-16" },
		"sunset, successor and reason need deprecated":          func(s *taxonomy.State) { s.Deprecated = "" },
		"successor of ai@2026-01-01-stable must be another published version of ai, not ai@2026-01-01-stable": func(s *taxonomy.State) { s.Successor = v },
		"not city@2026-01-01-stable": func(s *taxonomy.State) { s.Successor = taxonomy.MustVersion("city@2026-01-01-stable") },
		"not ai@2025-01-01-beta":     func(s *taxonomy.State) { s.Successor = taxonomy.MustVersion("ai@2025-01-01-beta") },
		"the reason has 1001 bytes":  func(s *taxonomy.State) { s.Reason = strings.Repeat("a", 1001) },
	} {
		s := deprecated
		change(&s)
		_, err := x.WithState(v, s)
		require.ErrorContains(t, err, "index: ")
		require.ErrorContains(t, err, want)
	}
	_, err := x.WithState(taxonomy.MustVersion("ai@2026-01-02-stable"), deprecated)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)

	// What other programs wrote is checked, too, except that a successor may be unknown.
	const text = `{"versions":[{"id":"ai@2026-01-01-stable","status":"stable","content_hash":"HASH","aliases":["ai@latest"],STATE}]}`
	for state, want := range map[string]string{
		`"deprecated":"2026-11-17","sunset":"2026-11-17","successor":"ai@2027-01-01-stable"`: "",
		`"deprecated":"2026-11-17","sunset":"2026-11-16"`:                                    "must not be before",
		`"deprecated":"2026-11-17","successor":"city@2026-01-01-stable"`:                     "the successor must be another version of ai",
		`"deprecated":"2026-11-17","successor":"ai@latest"`:                                  "malformed",
		`"reason":"Old"`: "need deprecated",
	} {
		x, err := taxonomy.DecodeIndex([]byte(strings.NewReplacer("HASH", taxonomy.Hash{1}.String(), "STATE", state).Replace(text)))
		if want != "" {
			require.ErrorContains(t, err, want, state)
			continue
		}
		require.NoError(t, err, state)
		_, known := x.Successor(v)
		require.False(t, known)
	}
	_, err = taxonomy.NewIndex(nil, taxonomy.Retired{ID: v, ContentHash: taxonomy.Hash{1}, Successor: taxonomy.MustVersion("city@2026-01-01-stable")})
	require.ErrorContains(t, err, "the successor must be another version of ai")
}

func TestState(t *testing.T) {
	require.Equal(t, "has been deprecated since 2026-11-17, with its sunset on 2027-05-01: Its risks were incomplete", deprecated.Notice())
	require.Equal(t, "has been deprecated since 2026-11-17", taxonomy.State{Deprecated: "2026-11-17"}.Notice())
	require.Empty(t, taxonomy.State{}.Notice())
	for day, want := range map[string]bool{"2027-04-30": false, "2027-05-01": true, "2027-05-02": true} {
		require.Equal(t, want, deprecated.Ended(day), day)
	}
	require.False(t, taxonomy.State{Deprecated: "2026-11-17"}.Ended("2999-01-01"), "no end is decided")
}
