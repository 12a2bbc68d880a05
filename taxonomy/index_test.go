package taxonomy_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func entry(id string, aliases ...string) taxonomy.Entry {
	v := taxonomy.MustVersion(id)
	return taxonomy.Entry{ID: v, Status: v.Status(), ContentHash: taxonomy.Hash{1, 2, byte(len(id))}, Aliases: aliases}
}

func index(t testing.TB, entries ...taxonomy.Entry) *taxonomy.Index {
	t.Helper()
	x, err := taxonomy.NewIndex(entries)
	require.NoError(t, err)
	return x
}

func lookup(t testing.TB, x *taxonomy.Index, ref string) string {
	t.Helper()
	r, err := taxonomy.ParseRef(ref)
	require.NoError(t, err)
	e, ok := x.Lookup(r)
	require.Equal(t, ok, !e.ID.IsZero())
	return e.ID.String()
}

func TestIndexOrderAndAliases(t *testing.T) {
	for name, c := range map[string]struct {
		given []taxonomy.Entry
		want  []string // id and aliases of each entry
	}{
		"empty": {nil, nil},
		"stable alone": {
			[]taxonomy.Entry{entry("ai@2026-01-01-stable")},
			[]string{"ai@2026-01-01-stable ai@latest"},
		},
		"beta alone": {
			[]taxonomy.Entry{entry("ai@2026-01-01-beta")},
			[]string{"ai@2026-01-01-beta ai@latest ai@latest-beta"},
		},
		"latest is the newest stable, though a beta is newer": {
			[]taxonomy.Entry{
				entry("ai@2026-01-01-beta"), entry("ai@2026-03-01-beta"), entry("ai@2026-01-01-stable"), entry("ai@2025-01-01-stable"),
			},
			[]string{"ai@2026-03-01-beta ai@latest-beta", "ai@2026-01-01-stable ai@latest", "ai@2026-01-01-beta", "ai@2025-01-01-stable"},
		},
		"each type has its own": {
			[]taxonomy.Entry{entry("sensor@2020-01-01-beta"), entry("ai@2026-01-01-stable"), entry("sensor@2019-01-01-stable"), entry("AI@2001-01-01-beta")},
			[]string{"AI@2001-01-01-beta AI@latest AI@latest-beta", "ai@2026-01-01-stable ai@latest", "sensor@2020-01-01-beta sensor@latest-beta", "sensor@2019-01-01-stable sensor@latest"},
		},
		"declared aliases follow, sorted": {
			[]taxonomy.Entry{entry("ai@2026-01-01-beta", "ai@v2", "ai@next")},
			[]string{"ai@2026-01-01-beta ai@latest ai@latest-beta ai@next ai@v2"},
		},
		"assigned aliases are assigned anew": {
			[]taxonomy.Entry{entry("ai@2026-01-01-stable"), entry("ai@2025-01-01-stable", "ai@old", "ai@latest"), entry("ai@2024-01-01-beta", "ai@latest-beta", "ai@latest")},
			[]string{"ai@2026-01-01-stable ai@latest", "ai@2025-01-01-stable ai@old", "ai@2024-01-01-beta ai@latest-beta"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				x := index(t, c.given...)
				var got []string
				for _, e := range x.Entries() {
					require.NotNil(t, e.Aliases)
					require.Equal(t, e.ID.Status(), e.Status)
					got = append(got, strings.Join(append([]string{e.ID.String()}, e.Aliases...), " "))
					for _, ref := range append(e.Aliases, e.ID.String()) {
						require.Equal(t, e.ID.String(), lookup(t, x, ref))
					}
				}
				require.Equal(t, c.want, got)
				require.Equal(t, len(c.want), x.Len())
				slices.Reverse(c.given)

				// The entries of an index make the same index again, and so
				// does its JSON.
				require.ElementsMatch(t, x.Entries(), index(t, x.Entries()...).Entries())
				text, err := json.Marshal(x)
				require.NoError(t, err)
				for name, codec := range codecs {
					var again taxonomy.Index
					require.NoError(t, codec.unmarshal(text, &again), name)
					require.True(t, x.Equal(&again), name)
					require.Error(t, codec.unmarshal([]byte(`{"schemas":[]}`), &again), name)
					require.True(t, x.Equal(&again), name)
				}
			}
		})
	}
}

func TestIndexEqual(t *testing.T) {
	a, b := entry("ai@2026-01-01-stable", "ai@v1"), entry("ai@2026-03-01-beta")
	x := index(t, a, b)
	same := index(t, b, a)
	require.True(t, x.Equal(same))
	require.False(t, x.Equal(nil))
	retired, err := taxonomy.NewIndex([]taxonomy.Entry{a, b}, taxonomy.RetiredVersion{ID: taxonomy.MustVersion("ai@2026-04-01-beta"), ContentHash: taxonomy.Hash{1}})
	require.NoError(t, err)
	changed := func(change func(e *taxonomy.Entry)) *taxonomy.Index {
		e := a
		change(&e)
		return index(t, e, b)
	}
	for name, other := range map[string]*taxonomy.Index{
		"version":  index(t, a),
		"content":  changed(func(e *taxonomy.Entry) { e.ContentHash = taxonomy.Hash{9} }),
		"alias":    changed(func(e *taxonomy.Entry) { e.Aliases = []string{"ai@v2"} }),
		"released": changed(func(e *taxonomy.Entry) { e.Released = "2026-01-02" }),
		"state":    changed(func(e *taxonomy.Entry) { e.Deprecated = "2026-01-02" }),
		"archive":  changed(func(e *taxonomy.Entry) { e.Archive = taxonomy.Hash{9} }),
		"retired":  retired,
	} {
		require.False(t, x.Equal(other), name)
		require.False(t, other.Equal(x), name)
	}
}

func TestIndexLookup(t *testing.T) {
	x := index(t, entry("ai@2026-01-01-stable", "ai@v1"), entry("ai@2026-03-01-beta"))
	require.Equal(t, "ai@2026-01-01-stable", lookup(t, x, "ai@latest"))
	require.Equal(t, "ai@2026-01-01-stable", lookup(t, x, "ai@v1"))
	for _, ref := range []string{"ai@v2", "ai@V1", "sensor@latest", "ai@2026-01-01-beta", "ai@2026-03-01-stable"} {
		require.Empty(t, lookup(t, x, ref))
	}
	_, ok := x.Lookup(taxonomy.Ref{})
	require.False(t, ok)
}

// An index does not share memory with its arguments and results.
func TestIndexIsImmutable(t *testing.T) {
	given := []taxonomy.Entry{entry("ai@2025-01-01-beta", "ai@z", "ai@a"), entry("ai@2026-01-01-stable")}
	x := index(t, given...)
	require.Equal(t, []string{"ai@z", "ai@a"}, given[0].Aliases)
	want := x.Entries()
	given[0].Aliases[0] = "changed"
	x.Entries()[0].Aliases[0] = "changed"
	e, _ := x.Lookup(want[0].ID.Ref())
	e.Aliases[0] = "changed"
	require.Equal(t, want, x.Entries())
}

func TestNewIndexRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		given []taxonomy.Entry
		want  string
	}{
		"no id":           {[]taxonomy.Entry{{}}, "no version id"},
		"twice":           {[]taxonomy.Entry{entry("ai@2026-01-01-beta"), entry("ai@2026-01-01-beta")}, "ai@2026-01-01-beta is listed twice"},
		"malformed alias": {[]taxonomy.Entry{entry("ai@2026-01-01-beta", "ai@lat est")}, "ai@2026-01-01-beta: alias: malformed"},
		"alias no type":   {[]taxonomy.Entry{entry("ai@2026-01-01-beta", "v1")}, "malformed"},
		"alias of date":   {[]taxonomy.Entry{entry("ai@2026-01-01-beta", "ai@2025-01-01-beta")}, "form of a version id"},
		"alias of type":   {[]taxonomy.Entry{entry("ai@2026-01-01-beta", "sensor@latest")}, "another datachain type"},
		"alias of case":   {[]taxonomy.Entry{entry("ai@2026-01-01-beta", "AI@v1")}, "another datachain type"},
		"alias twice": {
			[]taxonomy.Entry{entry("ai@2026-01-01-beta", "ai@v1"), entry("ai@2025-01-01-beta", "ai@v1")},
			"alias claimed twice: ai@v1 by ai@2026-01-01-beta and ai@2025-01-01-beta",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := taxonomy.NewIndex(c.given)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "index: ")
			if name == "alias twice" {
				require.ErrorIs(t, err, taxonomy.ErrAliasConflict)
			}
			if strings.HasPrefix(name, "malformed") {
				require.ErrorIs(t, err, taxonomy.ErrMalformedVersion)
			}
		})
	}
}

func TestDecodeIndexRefuses(t *testing.T) {
	hash := taxonomy.Hash{1}.String()
	line := func(id, status, aliases string) string {
		return `{"id":"` + id + `","status":"` + status + `","content_hash":"` + hash + `","aliases":` + aliases + `}`
	}
	newer, older := line("ai@2026-01-01-stable", "stable", `["ai@latest"]`), line("ai@2025-01-01-stable", "stable", `[]`)
	_, err := taxonomy.DecodeIndex([]byte(`{"versions":[` + newer + `,` + older + `],"unknown":1}`))
	require.NoError(t, err)

	for name, c := range map[string]struct{ text, want string }{
		"nothing":         {``, "the text is empty"},
		"cut":             {`{"versions":[`, "ends before"},
		"list":            {`[]`, ""},
		"null":            {`null`, "versions is missing"},
		"other object":    {`{"ok":false}`, "versions is missing"},
		"versions null":   {`{"versions":null}`, "versions is missing"},
		"versions object": {`{"versions":{}}`, ""},
		"key twice":       {`{"versions":[],"versions":[]}`, "appears twice"},
		"entry null":      {`{"versions":[null]}`, "no id"},
		"entry empty":     {`{"versions":[{}]}`, "no id"},
		"entry id":        {`{"versions":[` + line("ai@latest", "stable", `[]`) + `]}`, "malformed schema version"},
		"entry id null":   {`{"versions":[{"id":null}]}`, "no id"},
		"entry status":    {`{"versions":[` + line("ai@2026-01-01-stable", "beta", `["ai@latest"]`) + `]}`, `status is "beta"`},
		"entry hash":      {`{"versions":[` + strings.Replace(newer, hash, "sha256-00", 1) + `]}`, "malformed content hash"},
		"entry no hash":   {`{"versions":[{"id":"ai@2026-01-01-stable","status":"stable","aliases":["ai@latest"]}]}`, "no content_hash"},
		"alias number":    {`{"versions":[` + line("ai@2026-01-01-stable", "stable", `[1]`) + `]}`, ""},
		"alias missing":   {`{"versions":[` + line("ai@2026-01-01-stable", "stable", `[]`) + `]}`, `aliases are [], but must be ["ai@latest"]`},
		"alias misplaced": {
			`{"versions":[` + line("ai@2026-01-01-stable", "stable", `[]`) + `,` + line("ai@2025-01-01-stable", "stable", `["ai@latest"]`) + `]}`,
			"ai@2026-01-01-stable: aliases",
		},
		"alias order": {`{"versions":[` + line("ai@2026-01-01-stable", "stable", `["ai@latest","ai@b","ai@a"]`) + `]}`, "aliases are"},
		"alias twice": {`{"versions":[` + line("ai@2026-01-01-stable", "stable", `["ai@latest","ai@a","ai@a"]`) + `]}`, "claimed twice"},
		"order":       {`{"versions":[` + older + `,` + newer + `]}`, "found ai@2025-01-01-stable in place of ai@2026-01-01-stable"},
		"twice":       {`{"versions":[` + newer + `,` + newer + `]}`, "listed twice"},
		"too deep":    {`{"versions":[],"x":` + nested(64) + `}`, "deeper"},
		"format":      {`{"format":3,"versions":{}}`, "update the program"},
		"old format":  {`{"format":1,"versions":[]}`, "publish the releases into a new store"},
		"no format":   {`{"sequence":1,"versions":[]}`, "publish the releases into a new store"},
		"log":         {`{"log_size":1,"versions":[]}`, "publish the releases into a new store"},
		"archive":     {`{"versions":[` + strings.Replace(newer, `"aliases"`, `"archive":"`+hash+`","aliases"`, 1) + `]}`, "publish the releases into a new store"},
		"format text": {`{"format":"1","versions":[]}`, ""},
		"sequence":    {`{"format":2,"sequence":-1,"versions":[]}`, "sequence is -1"},
		"fraction":    {`{"sequence":1.5,"versions":[]}`, ""},
		"too many":    {`{"sequence":9007199254740992,"versions":[]}`, "beyond"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := taxonomy.DecodeIndex([]byte(c.text))
			require.ErrorContains(t, err, "index: ")
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestIndexKeeps shows that what a newer program has added to index.json survives
// each change of the index, and is not sent to clients.
func TestIndexKeeps(t *testing.T) {
	hash := taxonomy.Hash{1}.String()
	const before = `{"format":2,"mirrors":["b","a"],"retired":[{"content_hash":"HASH","id":"ai@2025-01-01-stable","why":"old"}],` +
		`"sequence":41,"versions":[{"aliases":["ai@latest"],"content_hash":"HASH","id":"ai@2026-01-01-stable","signed":{"by":"x"},"status":"stable"}]}`
	text := strings.ReplaceAll(before, "HASH", hash)
	x, err := taxonomy.DecodeIndex([]byte(text))
	require.NoError(t, err)
	require.EqualValues(t, 41, x.Record().Sequence)
	same, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	require.Equal(t, text, string(same))
	sent, err := json.Marshal(x)
	require.NoError(t, err)
	for _, stored := range []string{"format", "sequence", "mirrors", "why", "signed"} {
		require.NotContains(t, string(sent), stored)
	}

	next, err := x.WithVersions(append(x.Entries(), entry("ai@2026-03-01-beta")), x.Retired())
	require.NoError(t, err)
	next = next.WithRecord(taxonomy.Record{Sequence: 42})
	changed, err := taxonomy.EncodeIndex(next)
	require.NoError(t, err)
	for _, kept := range []string{`"format":2`, `"sequence":42`, `"mirrors":["b","a"]`, `"why":"old"`, `"signed":{"by":"x"}`} {
		require.Contains(t, string(changed), kept)
	}
	require.EqualValues(t, 41, x.Record().Sequence, "an index does not change")

	_, err = taxonomy.DecodeIndex([]byte(`{"format":3,"versions":[]}`))
	require.ErrorIs(t, err, taxonomy.ErrIndexFormat)
}

func TestIndexWithHeld(t *testing.T) {
	x := index(t, entry("ai@2026-01-01-stable"), entry("ai@2026-03-01-stable"))
	old := taxonomy.MustVersion("ai@2026-01-01-stable")
	held := x.WithHeld(map[string]taxonomy.Version{"ai@latest": old, "ai@latest-beta": taxonomy.MustVersion("ai@2020-01-01-beta")})
	require.Equal(t, "ai@2026-01-01-stable", lookup(t, held, "ai@latest"))
	require.Empty(t, lookup(t, held, "ai@latest-beta"))
	require.Equal(t, "ai@2026-03-01-stable", lookup(t, x, "ai@latest"), "an index does not change")
	require.Equal(t, x.Entries(), held.Entries())
}

func TestIndexNearest(t *testing.T) {
	x := index(t, entry("ai@2026-01-01-stable", "ai@v1"), entry("ai@2026-03-01-beta"), entry("sensor@2026-01-01-stable"))
	for _, c := range []struct {
		ref   string
		limit int
		want  []string
	}{
		{"ai@2026-01-02-stable", 1, []string{"ai@2026-01-01-stable"}},
		{"ai@v2", 3, []string{"ai@v1"}},
		{"a1@latest", 1, []string{"ai@latest"}},
		{"sensor@latest-beta", 3, []string{"sensor@2026-01-01-stable", "sensor@latest"}},
		{"ai@2026-03-01-stable", 1, []string{"ai@2026-01-01-stable"}},
		{"ai@something-else-entirely", 2, []string{"ai@2026-03-01-beta", "ai@latest-beta"}},
		{"ai@something-else-entirely", 9, []string{"ai@2026-03-01-beta", "ai@latest-beta", "ai@2026-01-01-stable", "ai@latest", "ai@v1"}},
		{"robot@something-else-entirely", 9, nil},
		{"ai@v2", 0, nil},
		{"ai@v2", -1, nil},
		{"ai@" + strings.Repeat("x", 128), 1, []string{"ai@2026-03-01-beta"}},
	} {
		ref, err := taxonomy.ParseRef(c.ref)
		require.NoError(t, err)
		got := x.Nearest(ref, c.limit)
		require.Empty(t, slices.Compare(c.want, got), "%s: %q", c.ref, got)
	}
}

// TestIndexArchives shows that index.json names the archives of releases, and that
// the JSON of an index, which servers send, does not.
func TestIndexArchives(t *testing.T) {
	x := index(t, entry("ai@2026-01-01-stable"), entry("ai@2026-02-01-beta", "ai@next"))
	stored, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	sent, err := json.Marshal(x)
	require.NoError(t, err)
	require.NotContains(t, string(stored), "archive")
	require.JSONEq(t, string(sent), string(stored))

	v := taxonomy.MustVersion("ai@2026-02-01-beta")
	archived := x.WithRecord(taxonomy.Record{Archives: map[taxonomy.Version]taxonomy.Hash{v: {7}, taxonomy.MustVersion("ai@2020-01-01-beta"): {8}}})
	stored, err = taxonomy.EncodeIndex(archived)
	require.NoError(t, err)
	require.Contains(t, string(stored), `"archive":"sha256-07`)
	again, err := json.Marshal(archived)
	require.NoError(t, err)
	require.Equal(t, string(sent), string(again))

	decoded, err := taxonomy.DecodeIndex(stored)
	require.NoError(t, err)
	require.Equal(t, archived.Entries(), decoded.Entries())
	e, _ := decoded.Lookup(v.Ref())
	require.Equal(t, taxonomy.Hash{7}, e.Archive)
	e, _ = x.Lookup(v.Ref())
	require.True(t, e.Archive.IsZero(), "an index does not change")
	require.Same(t, archived, archived.WithRecord(archived.Record()))

	fewer, err := decoded.WithVersions(decoded.Entries()[:1], nil)
	require.NoError(t, err)
	e, _ = fewer.Lookup(v.Ref())
	require.Equal(t, taxonomy.Hash{7}, e.Archive, "other versions keep their archives")

	_, err = taxonomy.DecodeIndex([]byte(strings.Replace(string(stored), `"archive":"sha256-07`, `"archive":"sha256-0x`, 1)))
	require.ErrorContains(t, err, "malformed")
}
