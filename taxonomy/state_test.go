package taxonomy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// The error for an unknown version says if it was retired.
func TestFindRetired(t *testing.T) {
	gone := taxonomy.MustVersion("ai@2026-03-01-beta")
	x, err := taxonomy.NewIndex([]taxonomy.Entry{entry("ai@2026-01-01-stable")}, taxonomy.RetiredVersion{ID: gone, ContentHash: taxonomy.Hash{1}})
	require.NoError(t, err)
	_, err = x.Find(gone.Ref())
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.ErrorContains(t, err, "not found: it was retired (known: ai@2026-01-01-stable")
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

// A successor that an index names may be unknown.
func TestDecodeIndexRefusesState(t *testing.T) {
	v := taxonomy.MustVersion("ai@2026-01-01-stable")
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
	_, err := taxonomy.NewIndex(nil, taxonomy.RetiredVersion{ID: v, ContentHash: taxonomy.Hash{1}, Successor: taxonomy.MustVersion("city@2026-01-01-stable")})
	require.ErrorContains(t, err, "the successor must be another version of ai")
}

func TestState(t *testing.T) {
	require.Equal(t, "has been deprecated since 2026-11-17, with its sunset on 2027-05-01: Its risks were incomplete", deprecated.Notice())
	require.Equal(t, "has been deprecated since 2026-11-17", taxonomy.State{Deprecated: "2026-11-17"}.Notice())
	require.Empty(t, taxonomy.State{}.Notice())
	long := strings.Repeat("Its risks were incomplete. ", 9)
	require.Equal(t, "has been deprecated since 2026-11-17: "+long[:200]+"…", taxonomy.State{Deprecated: "2026-11-17", Reason: long}.Notice())
	for range 20 { // not the one that a map has first
		_, err := taxonomy.NewIndex([]taxonomy.Entry{{ID: taxonomy.MustVersion("ai@2026-01-01-stable"), ContentHash: taxonomy.Hash{1}, State: taxonomy.State{Deprecated: "now", Sunset: "soon"}}})
		require.ErrorContains(t, err, "deprecated is \"now\"")
	}
}
