package listing_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

func entry(id string, aliases ...string) taxonomy.Entry {
	return taxonomy.Entry{ID: taxonomy.MustVersion(id), ContentHash: taxonomy.Hash{1, 2, byte(len(id))}, Aliases: aliases}
}

func index(t *testing.T, entries ...taxonomy.Entry) *taxonomy.Index {
	t.Helper()
	x, err := taxonomy.NewIndex(entries)
	require.NoError(t, err)
	return x
}

func lookup(t *testing.T, x *taxonomy.Index, ref string) string {
	t.Helper()
	r, err := taxonomy.ParseRef(ref)
	require.NoError(t, err)
	e, _ := x.Lookup(r)
	return e.ID.String()
}

// titled returns a release that has nothing but a title.
func titled(t *testing.T, v taxonomy.Version, title string) *taxonomy.Release {
	t.Helper()
	text := taxonomy.Localized{{Locale: "en", Value: title}}
	r, err := taxonomy.NewRelease(v, taxonomy.Content{Title: text, Locales: []string{"en"}, Type: taxonomy.Type{ID: v.Type(), Name: text}})
	require.NoError(t, err)
	return r
}

var beta = taxonomy.MustVersion("ai@2026-09-01-beta")

// deprecated is the state of ai@2026-01-01-stable in these tests.
var deprecated = taxonomy.State{
	Deprecated: "2026-11-17", Sunset: "2027-05-01", Successor: taxonomy.MustVersion("ai@2026-03-01-stable"), Reason: "Its risks were incomplete.",
}

func TestAddAndRemove(t *testing.T) {
	r := titled(t, beta, "AI")
	stable, err := r.WithVersion(taxonomy.MustVersion("ai@2026-10-01-stable"))
	require.NoError(t, err)
	empty := index(t)

	x, err := listing.Add(empty, listing.Publication{Release: r, Aliases: []string{"ai@next"}}, listing.Publication{Release: stable})
	require.NoError(t, err)
	require.Zero(t, empty.Len())
	require.Equal(t, 2, x.Len())
	require.Equal(t, beta.String(), lookup(t, x, "ai@next"))
	require.Equal(t, "ai@2026-10-01-stable", lookup(t, x, "ai@latest"))
	e, _ := x.Lookup(beta.Ref())
	require.Equal(t, r.ContentHash(), e.ContentHash)

	// A beta can change, a stable version can't.
	other := titled(t, beta, "Changed")
	y, err := listing.Add(x, listing.Publication{Release: other})
	require.NoError(t, err)
	require.Equal(t, 2, y.Len())
	require.Empty(t, lookup(t, y, "ai@next"))
	otherStable, err := other.WithVersion(stable.Version())
	require.NoError(t, err)
	_, err = listing.Add(x, listing.Publication{Release: otherStable})
	require.ErrorIs(t, err, taxonomy.ErrStableChanged)
	_, err = listing.Add(x, listing.Publication{Release: stable, Aliases: []string{"ai@v1"}})
	require.NoError(t, err, "the same content may be published again")
	_, err = listing.Add(x, listing.Publication{Release: stable, Aliases: []string{"ai@next"}})
	require.ErrorIs(t, err, taxonomy.ErrAliasConflict)
	_, err = listing.Add(x, listing.Publication{})
	require.ErrorContains(t, err, "no release")

	z, err := listing.Remove(x, taxonomy.RetiredVersion{ID: stable.Version()}, taxonomy.RetiredVersion{ID: stable.Version()})
	require.NoError(t, err)
	require.Equal(t, beta.String(), lookup(t, z, "ai@latest"))
	require.Equal(t, 2, x.Len())
	_, err = listing.Remove(z, taxonomy.RetiredVersion{ID: stable.Version()})
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
}

// A version that was retired is remembered, and published again only if that is
// asked for. The id of a stable one stays bound to its content.
func TestAddRetired(t *testing.T) {
	published := titled(t, beta, "AI")
	stable, err := published.WithVersion(taxonomy.MustVersion("ai@2026-10-01-stable"))
	require.NoError(t, err)
	both := []listing.Publication{{Release: published}, {Release: stable}}
	x, err := listing.Add(index(t), both...)
	require.NoError(t, err)
	require.Empty(t, x.Retired())
	none, err := listing.Remove(x, taxonomy.RetiredVersion{ID: beta}, taxonomy.RetiredVersion{ID: stable.Version()})
	require.NoError(t, err)
	require.Zero(t, none.Len())
	require.Equal(t, []taxonomy.RetiredVersion{
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

	_, err = listing.Add(none, both...)
	require.ErrorIs(t, err, listing.ErrRetired)
	require.ErrorContains(t, err, beta.String()+", "+stable.Version().String(), "all of them at once")
	for _, again := range []bool{false, true} {
		_, err = listing.Add(none, listing.Publication{Release: titled(t, stable.Version(), "Changed"), Again: again})
		require.ErrorIs(t, err, taxonomy.ErrStableChanged)
	}
	y, err := listing.Add(none, listing.Publication{Release: titled(t, beta, "Changed"), Again: true}, listing.Publication{Release: stable, Again: true})
	require.NoError(t, err)
	require.Equal(t, 2, y.Len())
	require.Empty(t, y.Retired())
	_, err = listing.Add(y, both[1])
	require.NoError(t, err, "it is no longer retired")

	// Other versions are not affected.
	other, err := published.WithVersion(taxonomy.MustVersion("ai@2026-10-01-beta"))
	require.NoError(t, err)
	y, err = listing.Add(none, listing.Publication{Release: other})
	require.NoError(t, err)
	require.Equal(t, none.Retired(), y.Retired())
}

// A retired version says when and why it was retired and what to upgrade to, also after
// its successor was retired.
func TestSuccessor(t *testing.T) {
	first, second, third := taxonomy.MustVersion("ai@2026-01-01-stable"), taxonomy.MustVersion("ai@2026-02-01-stable"), taxonomy.MustVersion("ai@2026-03-01-stable")
	x := index(t, entry(first.String()), entry(second.String()), entry(third.String()), entry("city@2026-01-01-stable"))
	for want, bad := range map[string]taxonomy.RetiredVersion{
		"the successor must be another version of ai, not ai@2026-01-01-stable": {ID: first, Successor: first},
		"not ai@2025-01-01-beta":     {ID: first, Successor: taxonomy.MustVersion("ai@2025-01-01-beta")},
		"not city@2026-01-01-stable": {ID: first, Successor: taxonomy.MustVersion("city@2026-01-01-stable")},
		"at is \"today\"":            {ID: first, At: "today"},
		"the reason has 1001 bytes":  {ID: first, Reason: strings.Repeat("a", 1001)},
	} {
		_, err := listing.Remove(x, bad)
		require.ErrorContains(t, err, want)
	}
	x, err := listing.Remove(x, taxonomy.RetiredVersion{ID: first, At: "2026-11-16", Successor: second, Reason: "It was wrong."})
	require.NoError(t, err)
	next, known := x.Successor(first)
	require.True(t, known)
	require.Equal(t, second, next)
	x, err = listing.Remove(x, taxonomy.RetiredVersion{ID: second, Successor: third})
	require.NoError(t, err)
	text, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	require.Contains(t, string(text), `"at":"2026-11-16"`)
	x, err = taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	_, err = listing.Remove(x, taxonomy.RetiredVersion{ID: first})
	require.EqualError(t, err, "listing: schema version ai@2026-01-01-stable: not found: it was retired on 2026-11-16: It was wrong; upgrade to ai@2026-03-01-stable")
	x, err = listing.Remove(x, taxonomy.RetiredVersion{ID: third})
	require.NoError(t, err)
	_, known = x.Successor(first)
	require.False(t, known, "there is none left")
	_, known = x.Successor(taxonomy.MustVersion("city@2026-01-01-stable"))
	require.False(t, known, "it is published")

	// Other programs may write a cycle.
	x, err = taxonomy.NewIndex(nil, taxonomy.RetiredVersion{ID: first, ContentHash: taxonomy.Hash{1}, Successor: second}, taxonomy.RetiredVersion{ID: second, ContentHash: taxonomy.Hash{1}, Successor: first})
	require.NoError(t, err)
	_, known = x.Successor(first)
	require.False(t, known)
}

// A state is kept by whatever is done to an index, and nothing else changes with it.
func TestSetState(t *testing.T) {
	old, next := taxonomy.MustVersion("ai@2026-01-01-stable"), deprecated.Successor
	before := index(t, entry(old.String(), "ai@v1"), entry(next.String()), entry("city@2026-01-01-stable")).WithRecord(taxonomy.Record{Sequence: 7})
	x, err := listing.SetState(before, old, deprecated)
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

	other, err := titled(t, beta, "AI").WithVersion(taxonomy.MustVersion("ai@2026-09-01-beta"))
	require.NoError(t, err)
	x, err = listing.Add(x, listing.Publication{Release: other})
	require.NoError(t, err)
	require.Equal(t, deprecated, state(x, old), "another version was published")
	x, err = listing.SetState(x, other.Version(), taxonomy.State{Deprecated: "2026-11-18"})
	require.NoError(t, err)
	x, err = listing.Add(x, listing.Publication{Release: other, Aliases: []string{"ai@v2"}})
	require.NoError(t, err)
	require.Equal(t, "2026-11-18", state(x, other.Version()).Deprecated, "it was published again")

	back, err := listing.SetState(x, old, taxonomy.State{})
	require.NoError(t, err)
	require.Zero(t, state(back, old))
	_, known := back.Successor(old)
	require.False(t, known)
}

// A version that is retired keeps its successor and reason unless it gets others, and loses
// its state when it is published again.
func TestRetireDeprecated(t *testing.T) {
	beta, err := titled(t, beta, "AI").WithVersion(taxonomy.MustVersion("ai@2026-02-01-beta"))
	require.NoError(t, err)
	second, third := deprecated.Successor, taxonomy.MustVersion("ai@2026-04-01-stable")
	x, err := listing.Add(index(t, entry(second.String()), entry(third.String())), listing.Publication{Release: beta})
	require.NoError(t, err)
	x, err = listing.SetState(x, beta.Version(), deprecated)
	require.NoError(t, err)
	next, known := x.Successor(beta.Version())
	require.True(t, known)
	require.Equal(t, second, next)

	replaced, err := listing.Remove(x, taxonomy.RetiredVersion{ID: second, Successor: third})
	require.NoError(t, err)
	next, known = replaced.Successor(beta.Version())
	require.True(t, known)
	require.Equal(t, third, next, "the successor was retired")
	both, err := listing.Remove(replaced, taxonomy.RetiredVersion{ID: beta.Version(), At: "2027-05-01"})
	require.NoError(t, err)
	gone, _ := both.LookupRetired(beta.Version())
	require.Equal(t, "ai@2026-02-01-beta was retired on 2027-05-01: Its risks were incomplete", gone.String())
	next, _ = both.Successor(beta.Version())
	require.Equal(t, third, next)

	other, err := listing.Remove(x, taxonomy.RetiredVersion{ID: beta.Version(), Successor: third, Reason: "It had mistakes."})
	require.NoError(t, err)
	gone, _ = other.LookupRetired(beta.Version())
	require.Equal(t, third, gone.Successor)
	require.Equal(t, "It had mistakes.", gone.Reason)
	again, err := listing.Add(other, listing.Publication{Release: beta, Again: true})
	require.NoError(t, err)
	e, _ := again.Lookup(beta.Version().Ref())
	require.Zero(t, e.State)
}

func TestSetStateRefuses(t *testing.T) {
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
		_, err := listing.SetState(x, v, s)
		require.ErrorContains(t, err, "index: ")
		require.ErrorContains(t, err, want)
	}
	_, err := listing.SetState(x, taxonomy.MustVersion("ai@2026-01-02-stable"), deprecated)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
}

func TestAddReleased(t *testing.T) {
	r := titled(t, taxonomy.MustVersion("ai@2026-02-02-stable"), "AI")
	x, err := listing.Add(new(taxonomy.Index), listing.Publication{Release: r, Released: "2026-02-03"})
	require.NoError(t, err)
	stored, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	again, err := taxonomy.DecodeIndex(stored)
	require.NoError(t, err)
	require.Equal(t, x.Entries(), again.Entries())
	sent, err := x.MarshalJSON()
	require.NoError(t, err)
	require.Contains(t, string(sent), `"released":"2026-02-03"`)

	kept, err := listing.Add(x, listing.Publication{Release: r})
	require.NoError(t, err)
	require.Equal(t, "2026-02-03", kept.Entries()[0].Released, "a publication that does not know the day keeps it")
	moved, err := listing.Add(x, listing.Publication{Release: r, Released: "2026-02-04"})
	require.NoError(t, err)
	require.Equal(t, "2026-02-04", moved.Entries()[0].Released)
	for _, wrong := range []string{"2026-02-30", "yesterday", "2026-2-3"} {
		_, err = listing.Add(x, listing.Publication{Release: r, Released: wrong})
		require.ErrorContains(t, err, "must be a date", wrong)
	}
}

func TestPublicationEntry(t *testing.T) {
	r := titled(t, beta, "AI")
	p := listing.Publication{Release: r, Aliases: []string{"ai@v1"}}
	e := p.Entry()
	require.Equal(t, taxonomy.Entry{ID: beta, Status: taxonomy.Beta, ContentHash: r.ContentHash(), Aliases: []string{"ai@v1"}}, e)
	e.Aliases[0] = "changed"
	require.Equal(t, "ai@v1", p.Aliases[0])
}
