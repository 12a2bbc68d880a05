package taxonomy_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// versionCases are canonical ids, aliases, and malformed texts with the reason.
var versionCases = []struct {
	text      string
	canonical bool
	alias     bool
	why       string
}{
	{text: "ai@2026-09-01-stable", canonical: true},
	{text: "ai@2026-09-01-beta", canonical: true},
	{text: "A_z-09@2024-02-29-beta", canonical: true},
	{text: "ai@2000-02-29-stable", canonical: true},
	{text: strings.Repeat("t", 128) + "@2026-09-01-stable", canonical: true},

	{text: "ai@latest", alias: true},
	{text: "ai@latest-beta", alias: true},
	{text: "ai@v1.2_rc-3", alias: true},
	{text: "ai@7", alias: true},
	{text: "ai@2026", alias: true},
	{text: "ai@2026-09", alias: true},
	{text: "ai@2026-9-01-stable", alias: true},
	{text: "ai@20260901", alias: true},
	{text: "ai@x2026-09-01-stable", alias: true},
	{text: "ai@a..b", alias: true},
	{text: "ai@" + strings.Repeat("n", 128), alias: true},

	{text: "", why: "such as <type>@latest"},
	{text: "ai", why: "such as <type>@latest"},
	{text: "ai%40latest", why: "such as <type>@latest"},
	{text: "@latest", why: "the type before @"},
	{text: "a i@latest", why: "the type before @"},
	{text: "a.i@latest", why: "the type before @"},
	{text: "ä@latest", why: "the type before @"},
	{text: strings.Repeat("t", 129) + "@latest", why: "the type before @"},
	{text: "ai@", why: "1 to 128"},
	{text: "ai@" + strings.Repeat("n", 129), why: "1 to 128"},
	{text: "ai@.latest", why: "must start with a letter or digit"},
	{text: "ai@-latest", why: "must start with a letter or digit"},
	{text: "ai@_latest", why: "must start with a letter or digit"},
	{text: "ai@la test", why: "can have only"},
	{text: "ai@latest\n", why: "can have only"},
	{text: "ai@latest@x", why: "can have only"},
	{text: "ai@latest/../x", why: "can have only"},
	{text: "ai@l\x00", why: "can have only"},
	{text: "ai@é", why: "can have only"},

	// Names that start like a date are reserved for canonical ids.
	{text: "ai@2026-13-01-stable", why: "not a valid date"},
	{text: "ai@2026-00-01-stable", why: "not a valid date"},
	{text: "ai@2026-02-29-stable", why: "not a valid date"},
	{text: "ai@1900-02-29-stable", why: "not a valid date"},
	{text: "ai@2026-04-31-beta", why: "not a valid date"},
	{text: "ai@2026-09-01", why: "-beta or -stable"},
	{text: "ai@2026-09-01-", why: "-beta or -stable"},
	{text: "ai@2026-09-01-draft", why: "-beta or -stable"},
	{text: "ai@2026-09-01-Stable", why: "-beta or -stable"},
	{text: "ai@2026-09-01-stable-2", why: "-beta or -stable"},
	{text: "ai@2026-09-01stable", why: "-beta or -stable"},
	{text: "ai@2026-09-01--stable", why: "-beta or -stable"},
	{text: "ai@2026-09-011-stable", why: "-beta or -stable"},
	{text: "ai@2026-09-01-stable ", why: "-beta or -stable"},
}

func TestParseVersion(t *testing.T) {
	for _, c := range versionCases {
		t.Run(c.text, func(t *testing.T) {
			v, err := taxonomy.ParseVersion(c.text)
			if !c.canonical {
				require.ErrorIs(t, err, taxonomy.ErrMalformedVersion)
				require.Zero(t, v)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.text, v.String())
			require.False(t, v.IsZero())
			again, err := taxonomy.NewVersion(v.Type(), v.Date(), v.Status())
			require.NoError(t, err)
			require.Equal(t, v, again)
			require.Equal(t, c.text, v.Type()+"@"+v.Folder())
		})
	}
}

func TestParseRef(t *testing.T) {
	for _, c := range versionCases {
		t.Run(c.text, func(t *testing.T) {
			ref, err := taxonomy.ParseRef(c.text)
			if c.why != "" {
				require.ErrorIs(t, err, taxonomy.ErrMalformedVersion)
				require.ErrorContains(t, err, c.why)
				require.Zero(t, ref)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.text, ref.String())
			require.True(t, strings.HasPrefix(c.text, ref.Type()+"@"))
			v, canonical := ref.Version()
			require.Equal(t, c.canonical, canonical)
			if canonical {
				require.Equal(t, c.text, v.String())
				require.Equal(t, ref, v.Ref())
			} else {
				require.Zero(t, v)
			}
		})
	}
}

// A message quotes and clips hostile input.
func TestMalformedVersionIsClipped(t *testing.T) {
	_, err := taxonomy.ParseRef(strings.Repeat("é", 1<<20))
	require.ErrorContains(t, err, "é…\"")
	require.Less(t, len(err.Error()), 500)
}

func TestVersionParts(t *testing.T) {
	v := taxonomy.MustVersion("ai@2026-09-01-stable")
	require.Equal(t, "ai", v.Type())
	require.Equal(t, "2026-09-01", v.Date())
	require.Equal(t, taxonomy.Stable, v.Status())
	require.Equal(t, "2026-09-01-stable", v.Folder())
	require.Panics(t, func() { taxonomy.MustVersion("ai@latest") })

	_, err := taxonomy.NewVersion("a@2026-09-01-beta#", "2026-09-01", taxonomy.Beta)
	require.ErrorIs(t, err, taxonomy.ErrMalformedVersion)
	_, err = taxonomy.NewVersion("ai", "2026-09-01", "draft")
	require.ErrorIs(t, err, taxonomy.ErrMalformedVersion)
}

func TestZeroVersion(t *testing.T) {
	var v taxonomy.Version
	require.True(t, v.IsZero())
	require.Empty(t, v.String())
	require.Empty(t, v.Folder())
	require.Zero(t, v.Ref())
	require.Empty(t, v.Ref().String())
}

func TestVersionCompare(t *testing.T) {
	want := []string{
		"AI@2026-01-01-stable",
		"ai@2027-01-01-beta",
		"ai@2026-12-31-stable",
		"ai@2026-12-31-beta",
		"ai@2026-01-01-stable",
		"sensor@2027-01-01-stable",
	}
	var versions []taxonomy.Version
	for _, s := range want {
		versions = append(versions, taxonomy.MustVersion(s))
	}
	for i, v := range versions {
		for k, w := range versions {
			require.Equal(t, i < k, v.Compare(w) < 0, "%s, %s", v, w)
			require.Equal(t, i == k, v.Compare(w) == 0, "%s, %s", v, w)
		}
	}
	slices.Reverse(versions)
	slices.SortFunc(versions, taxonomy.Version.Compare)
	for i, v := range versions {
		require.Equal(t, want[i], v.String())
	}
}

func TestVersionText(t *testing.T) {
	type pair struct {
		Key map[taxonomy.Version]taxonomy.Version `json:"key"`
	}
	text := `{"key":{"ai@2026-09-01-beta":"ai@2026-09-01-stable"}}`
	var p pair
	require.NoError(t, json.Unmarshal([]byte(text), &p))
	require.Equal(t, taxonomy.MustVersion("ai@2026-09-01-stable"), p.Key[beta])
	out, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t, text, string(out))

	v := beta
	require.ErrorIs(t, v.UnmarshalText([]byte("ai@latest")), taxonomy.ErrMalformedVersion)
	require.Equal(t, beta, v, "a failure must not change the receiver")
}
