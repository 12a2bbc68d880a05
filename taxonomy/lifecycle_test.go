package taxonomy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// retitled returns a release of a version whose content differs from release(t).
func retitled(t *testing.T, v taxonomy.Version) *taxonomy.Release {
	t.Helper()
	c := content()
	c.Title = en("Changed")
	r, err := taxonomy.NewRelease(v, c)
	require.NoError(t, err)
	return r
}

// A version that was retired is remembered, and published again only if that is
// asked for. The id of a stable one stays bound to its content.
func TestIndexRetired(t *testing.T) {
	published := release(t)
	stable, err := published.WithVersion(taxonomy.MustVersion("ai@2026-10-01-stable"))
	require.NoError(t, err)
	both := []taxonomy.Publication{{Release: published}, {Release: stable}}
	x, err := index(t).With(both...)
	require.NoError(t, err)
	require.Empty(t, x.Retired())
	none, err := x.Without(taxonomy.Retired{ID: beta}, taxonomy.Retired{ID: stable.Version()})
	require.NoError(t, err)
	require.Zero(t, none.Len())
	require.Equal(t, []taxonomy.Retired{
		{ID: stable.Version(), ContentHash: stable.ContentHash()}, {ID: beta, ContentHash: published.ContentHash()},
	}, none.Retired(), "in the order of entries")
	for _, v := range []taxonomy.Version{beta, stable.Version()} {
		gone, ok := none.LookupRetired(v)
		require.True(t, ok)
		require.Equal(t, v, gone.ID)
		_, ok = x.LookupRetired(v)
		require.False(t, ok)
	}

	// Through JSON, as a store does.
	text, err := json.Marshal(none)
	require.NoError(t, err)
	none, err = taxonomy.DecodeIndex(text)
	require.NoError(t, err)

	_, err = none.With(both...)
	require.ErrorIs(t, err, taxonomy.ErrRetired)
	require.ErrorContains(t, err, beta.String()+", "+stable.Version().String(), "all of them at once")
	for _, again := range []bool{false, true} {
		_, err = none.With(taxonomy.Publication{Release: retitled(t, stable.Version()), Again: again})
		require.ErrorIs(t, err, taxonomy.ErrStableChanged)
	}
	y, err := none.With(taxonomy.Publication{Release: retitled(t, beta), Again: true}, taxonomy.Publication{Release: stable, Again: true})
	require.NoError(t, err)
	require.Equal(t, 2, y.Len())
	require.Empty(t, y.Retired())
	_, err = y.With(both[1])
	require.NoError(t, err, "it is no longer retired")

	// Other versions are not affected.
	other, err := published.WithVersion(taxonomy.MustVersion("ai@2026-10-01-beta"))
	require.NoError(t, err)
	y, err = none.With(taxonomy.Publication{Release: other})
	require.NoError(t, err)
	require.Equal(t, none.Retired(), y.Retired())
}

// The error for an unknown version says if it was retired.
func TestOpenRetired(t *testing.T) {
	x, err := index(t, entry("ai@2026-01-01-stable"), entry("ai@2026-03-01-beta")).Without(taxonomy.Retired{ID: taxonomy.MustVersion("ai@2026-03-01-beta")})
	require.NoError(t, err)
	_, err = x.Without(taxonomy.Retired{ID: taxonomy.MustVersion("ai@2026-03-01-beta")})
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.ErrorContains(t, err, "not found: it was retired (known: ai@2026-01-01-stable")
}

// A retired version says when and why it was retired and what to upgrade to, also after
// its successor was retired.
func TestSuccessor(t *testing.T) {
	first, second, third := taxonomy.MustVersion("ai@2026-01-01-stable"), taxonomy.MustVersion("ai@2026-02-01-stable"), taxonomy.MustVersion("ai@2026-03-01-stable")
	x := index(t, entry(first.String()), entry(second.String()), entry(third.String()), entry("city@2026-01-01-stable"))
	for want, bad := range map[string]taxonomy.Retired{
		"the successor must be another version of ai, not ai@2026-01-01-stable": {ID: first, Successor: first},
		"not ai@2025-01-01-beta":     {ID: first, Successor: taxonomy.MustVersion("ai@2025-01-01-beta")},
		"not city@2026-01-01-stable": {ID: first, Successor: taxonomy.MustVersion("city@2026-01-01-stable")},
		"at is \"today\"":            {ID: first, At: "today"},
		"the reason has 1001 bytes":  {ID: first, Reason: strings.Repeat("a", 1001)},
	} {
		_, err := x.Without(bad)
		require.ErrorContains(t, err, want)
	}
	x, err := x.Without(taxonomy.Retired{ID: first, At: "2026-11-16", Successor: second, Reason: "It was wrong."})
	require.NoError(t, err)
	next, known := x.Successor(first)
	require.True(t, known)
	require.Equal(t, second, next)
	x, err = x.Without(taxonomy.Retired{ID: second, Successor: third})
	require.NoError(t, err)
	text, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	require.Contains(t, string(text), `"at":"2026-11-16"`)
	x, err = taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	_, err = x.Without(taxonomy.Retired{ID: first})
	require.EqualError(t, err, "schema version ai@2026-01-01-stable: not found: it was retired on 2026-11-16: It was wrong; upgrade to ai@2026-03-01-stable")
	x, err = x.Without(taxonomy.Retired{ID: third})
	require.NoError(t, err)
	_, known = x.Successor(first)
	require.False(t, known, "there is none left")
	_, known = x.Successor(taxonomy.MustVersion("city@2026-01-01-stable"))
	require.False(t, known, "it is published")

	// Other programs may write a cycle.
	x, err = taxonomy.NewIndex(nil, taxonomy.Retired{ID: first, ContentHash: taxonomy.Hash{1}, Successor: second}, taxonomy.Retired{ID: second, ContentHash: taxonomy.Hash{1}, Successor: first})
	require.NoError(t, err)
	_, known = x.Successor(first)
	require.False(t, known)
}

// An index that was written before retired versions were recorded has none, and
// reads as before; its text does not change.
func TestDecodeIndexWithoutRetired(t *testing.T) {
	old := `{"versions":[{"id":"ai@2026-01-01-stable","status":"stable","content_hash":"` + taxonomy.Hash{1}.String() + `","aliases":["ai@latest"]}]}`
	x, err := taxonomy.DecodeIndex([]byte(old))
	require.NoError(t, err)
	require.Empty(t, x.Retired())
	text, err := json.Marshal(x)
	require.NoError(t, err)
	require.Equal(t, old, string(text))
}

func TestDecodeIndexRefusesRetired(t *testing.T) {
	hash := taxonomy.Hash{1}.String()
	gone := func(id string) string { return `{"id":"` + id + `","content_hash":"` + hash + `"}` }
	listed := `{"id":"ai@2026-01-01-stable","status":"stable","content_hash":"` + hash + `","aliases":["ai@latest"]}`
	for name, c := range map[string]struct {
		retired []string
		want    string // empty if it is accepted
	}{
		"none":      {nil, ""},
		"two":       {[]string{gone("ai@2025-02-01-stable"), gone("ai@2025-01-01-beta")}, ""},
		"no id":     {[]string{`{"content_hash":"` + hash + `"}`}, "a retired version has no id"},
		"null":      {[]string{"null"}, "a retired version has no id"},
		"alias":     {[]string{gone("ai@latest")}, "malformed schema version"},
		"no hash":   {[]string{`{"id":"ai@2025-01-01-beta"}`}, "retired version ai@2025-01-01-beta: no content_hash"},
		"twice":     {[]string{gone("ai@2025-01-01-beta"), gone("ai@2025-01-01-beta")}, "ai@2025-01-01-beta is retired twice"},
		"published": {[]string{gone("ai@2026-01-01-stable")}, "ai@2026-01-01-stable is both published and retired"},
		"order":     {[]string{gone("ai@2025-01-01-beta"), gone("ai@2025-02-01-stable")}, "found retired ai@2025-01-01-beta in place of ai@2025-02-01-stable"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := taxonomy.DecodeIndex([]byte(`{"versions":[` + listed + `],"retired":[` + strings.Join(c.retired, ",") + `]}`))
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "index: ")
			require.ErrorContains(t, err, c.want)
		})
	}
}

// deprecated is the state of ai@2026-01-01-stable in these tests.
var deprecated = taxonomy.State{
	Deprecated: "2026-11-17", Sunset: "2027-05-01", Successor: taxonomy.MustVersion("ai@2026-03-01-stable"), Reason: "Its risks were incomplete.",
}

// A state is kept by whatever is done to an index, and nothing else changes with it.
func TestIndexState(t *testing.T) {
	old, next := taxonomy.MustVersion("ai@2026-01-01-stable"), deprecated.Successor
	before := index(t, entry(old.String(), "ai@v1"), entry(next.String()), entry("city@2026-01-01-stable")).WithRecord(taxonomy.Record{Sequence: 7})
	x, err := before.WithState(old, deprecated)
	require.NoError(t, err)
	require.False(t, x.Equal(before))
	require.EqualValues(t, 7, x.Record().Sequence)
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
}
