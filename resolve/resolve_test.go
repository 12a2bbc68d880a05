package resolve_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// trails reads the release of the vectors.
func trails(t testing.TB) *taxonomy.Release {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "vectors", "release.json"))
	require.NoError(t, err)
	r, err := taxonomy.DecodeRelease(text, nil)
	require.NoError(t, err)
	return r
}

func parsed(t testing.TB, text string) *document.Document {
	t.Helper()
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	return doc
}

// head is the start of the test documents.
const head = `{"id":"walk","schema_version":"trail@2026-03-01-stable","created_at":"2026-06-01T10:00Z",`

// TestVectors compares bundles with those of a program in another language.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "vectors", "vectors.json"))
	require.NoError(t, err)
	var vectors []struct{ Name, Document, Bundle string }
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.NotEmpty(t, vectors)
	release := trails(t)
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			bundle, err := resolve.Resolve(release, parsed(t, v.Document), nil)
			require.NoError(t, err)
			require.Equal(t, v.Bundle, string(bundle.AppendJSON(nil)))
			require.Equal(t, len(v.Bundle), bundle.Len())
		})
	}
}

// TestBundle makes bundles of documents with random fields, and compares them with a
// naive implementation: fill a map, marshal it, canonicalize it.
func TestBundle(t *testing.T) {
	release := trails(t)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		thin := map[string]any{"id": "walk", "schema_version": release.Version().String(), "created_at": "2026-06-01T10:00Z"}
		var elements []any
		for range 1 + r.IntN(8) {
			elements = append(elements, map[string]any{"element_id": release.Elements()[r.IntN(len(release.Elements()))].ID, randomKey(r): randomValue(r, 3)})
		}
		thin["elements"] = elements
		for range r.IntN(12) {
			thin[randomKey(r)] = randomValue(r, 4)
		}
		if r.IntN(2) == 0 {
			thin["title"] = []any{map[string]any{"locale": "en", "value": "Walk"}}
		}
		text, err := json.MarshalIndent(thin, "", " ")
		require.NoError(t, err)

		bundle, err := resolve.Resolve(release, parsed(t, string(text)), nil)
		require.NoError(t, err)
		got := bundle.AppendJSON([]byte("before"))[len("before"):]
		require.Equal(t, string(naive(t, release, text)), string(got), "seed %d", seed)
		require.Len(t, got, bundle.Len())
		canonical, err := document.Canonical(bytes.Clone(got))
		require.NoError(t, err)
		require.Equal(t, string(canonical), string(got))
	}
}

func randomKey(r *rand.Rand) string {
	parts := []string{"schema_snapshot", "suggested_elements", "a", "Z", "_", "é", "\u007f", "\ue000", "\uffff", "😀", "𐀀", "\"", "\\", "\n", ""}
	return "x" + parts[r.IntN(len(parts))] + parts[r.IntN(len(parts))]
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n == 2:
		return r.NormFloat64() * 1e6
	case n == 3:
		return r.Int64N(1 << 53)
	case n <= 5 || depth == 0:
		return randomKey(r)
	case n == 6:
		return []any{randomValue(r, depth-1), randomValue(r, depth-1)}
	}
	return map[string]any{randomKey(r): randomValue(r, depth-1), randomKey(r): randomValue(r, depth-1)}
}

// naive resolves without prepared texts.
func naive(t testing.TB, release *taxonomy.Release, text []byte) []byte {
	t.Helper()
	var d map[string]any
	require.NoError(t, json.Unmarshal(text, &d))
	var ids []string
	for _, p := range d["elements"].([]any) {
		ids = append(ids, p.(map[string]any)["element_id"].(string))
	}
	snapshot := taxonomy.Snapshot{DatachainType: *release.Type(), Categories: []taxonomy.Category{}, Elements: []taxonomy.Element{}}
	for _, e := range release.Elements() {
		if slices.Contains(ids, e.ID) {
			snapshot.Elements = append(snapshot.Elements, *e)
		}
	}
	for _, c := range release.Categories() {
		if slices.ContainsFunc(snapshot.Elements, func(e taxonomy.Element) bool { return e.CategoryID == c.ID }) {
			snapshot.Categories = append(snapshot.Categories, *c)
		}
	}
	for _, key := range []string{"title", "description"} {
		if _, there := d[key]; !there {
			d[key] = []any{}
		}
	}
	d["schema_snapshot"], d["suggested_elements"] = snapshot, []any{}
	bundle, err := document.MarshalCanonical(d)
	require.NoError(t, err)
	return bundle
}

// TestCap pads a document until its bundle has the maximum size.
func TestCap(t *testing.T) {
	release := trails(t)
	padded := func(n int) *document.Document {
		return parsed(t, head+`"elements":[{"element_id":"surface.rock"}],"x_padding":"`+strings.Repeat("x", n)+`"}`)
	}
	empty, err := resolve.Resolve(release, padded(0), nil)
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		max   int // as in the options
		limit int // expected
	}{
		{"default", 0, 524288},
		{"smaller", 10_000, 10_000},
		{"larger", 600_000, 600_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &resolve.Options{MaxBytes: c.max}
			bundle, err := resolve.Resolve(release, padded(c.limit-empty.Len()), o)
			require.NoError(t, err)
			require.Len(t, bundle.AppendJSON(nil), c.limit)

			bundle, err = resolve.Resolve(release, padded(c.limit-empty.Len()+1), o)
			require.Nil(t, bundle)
			var large *resolve.TooLargeError
			require.ErrorAs(t, err, &large)
			require.Equal(t, resolve.TooLargeError{Size: c.limit + 1, Max: c.limit}, *large)
			require.ErrorContains(t, err, fmt.Sprintf("%d bytes; at most %d", c.limit+1, c.limit))
		})
	}
	bundle, err := resolve.Resolve(release, padded(1<<20), &resolve.Options{MaxBytes: -1})
	require.NoError(t, err)
	require.Greater(t, bundle.Len(), 1<<20)
}

// TestCapCountsCanonicalBytes has white space and escapes that do not count, and a
// number that is longer in canonical form.
func TestCapCountsCanonicalBytes(t *testing.T) {
	release := trails(t)
	short, err := resolve.Resolve(release, parsed(t, head+`"elements":[{"element_id":"surface.rock"}],"x":["é",100000]}`), nil)
	require.NoError(t, err)
	long, err := resolve.Resolve(release, parsed(t, head+strings.Repeat(" ", 600_000)+`"elements":[{"element_id":"surface.rock"}],"x":["\u00e9",1e5]}`), nil)
	require.NoError(t, err)
	require.Equal(t, string(short.AppendJSON(nil)), string(long.AppendJSON(nil)))
	require.Equal(t, short.Len(), long.Len())
}

func TestRefused(t *testing.T) {
	stop := errors.New("stop")
	for _, c := range []struct {
		name, document string
		options        *resolve.Options
		is             error
		contains       string
	}{
		{"unknown element", head + `"elements":[{"element_id":"weather"}]}`, nil, taxonomy.ErrNotFound, "weather"},
		{"another version", `{"schema_version":"trail@2026-05-01-beta","elements":[{"element_id":"surface.rock"}]}`, nil, nil, "the document pins another schema version: \"trail@2026-05-01-beta\""},
		{"no version", `{"elements":[{"element_id":"surface.rock"}]}`, nil, nil, "the document pins another schema version: \"\", not trail@2026-03-01-stable"},
		{"version is not a string", `{"schema_version":1,"elements":[{"element_id":"surface.rock"}]}`, nil, nil, "the document pins another schema version"},
		{"no object", `[]`, nil, nil, "the document pins another schema version"},
		{"no elements", head + `"x":1}`, nil, nil, "elements: must be an array"},
		{"elements are an object", head + `"elements":{}}`, nil, nil, "elements: must be an array"},
		{"placement is not an object", head + `"elements":[1]}`, nil, nil, "elements[0].element_id"},
		{"placement without an id", head + `"elements":[{"element_id":"surface.rock"},{}]}`, nil, nil, "elements[1].element_id"},
		{"id is not a string", head + `"elements":[{"element_id":null}]}`, nil, nil, "elements[0].element_id"},
		{"interrupted", head + `"elements":[{"element_id":"surface.rock"}]}`, &resolve.Options{Interrupt: func() error { return stop }}, stop, "stop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bundle, err := resolve.Resolve(trails(t), parsed(t, c.document), c.options)
			require.Nil(t, bundle)
			require.ErrorContains(t, err, c.contains)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
		})
	}
}

// FuzzResolve resolves any text. The bundle is canonical, has the size of Len, and
// resolves to itself.
func FuzzResolve(f *testing.F) {
	for _, rest := range []string{
		`"elements":[{"element_id":"surface.rock"}]}`,
		`"title":[],"elements":[{"element_id":"hazard.ice","x":1e2},{"element_id":"signal.cairn"}],"\ud83d\ude00":{"\ue000":1,"a":[]}}`,
		`"schema_snapshot":1,"suggested_elements":2,"elements":[]}`,
	} {
		f.Add([]byte(head + rest))
	}
	release := trails(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := document.Parse(text)
		if err != nil {
			return
		}
		bundle, err := resolve.Resolve(release, doc, nil)
		if err != nil {
			return
		}
		first := bundle.AppendJSON(nil)
		require.Len(t, first, bundle.Len())
		canonical, err := document.Canonical(bytes.Clone(first))
		require.NoError(t, err)
		require.Equal(t, string(canonical), string(first))
		again, err := resolve.Resolve(release, parsed(t, string(first)), nil)
		require.NoError(t, err)
		require.Equal(t, string(first), string(again.AppendJSON(nil)))
	})
}

// TestWithSymbols adds symbols to a bundle, in place of other ones, and nothing else.
func TestWithSymbols(t *testing.T) {
	release := trails(t)
	placed := release.Elements()[0]
	bundle, err := resolve.Resolve(release, parsed(t, head+`"symbols":{"other":"<svg/>"},"elements":[{"element_id":"`+placed.ID+`"}]}`), nil)
	require.NoError(t, err)
	text, err := resolve.WithSymbols(release, bundle.AppendJSON(nil))
	require.NoError(t, err)
	canonical, err := document.Canonical(text)
	require.NoError(t, err)
	require.Equal(t, string(canonical), string(text))
	var got, want map[string]any
	require.NoError(t, json.Unmarshal(text, &got))
	require.NoError(t, json.Unmarshal(bundle.AppendJSON(nil), &want))
	svg, ok := release.Symbol(placed.SymbolID)
	require.True(t, ok)
	want["symbols"] = map[string]any{placed.SymbolID: svg}
	require.Equal(t, want, got)
	_, err = resolve.WithSymbols(release, []byte("{"))
	require.Error(t, err)
}
