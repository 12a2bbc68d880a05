package taxonomy_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// merkleRoot is MTH of RFC 6962, section 2.1, word for word.
func merkleRoot(d [][]byte) [sha256.Size]byte {
	switch n := len(d); n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0x00}, d[0]...))
	default:
		k := 1
		for k*2 < n {
			k *= 2
		}
		left, right := merkleRoot(d[:k]), merkleRoot(d[k:])
		return sha256.Sum256(slices.Concat([]byte{0x01}, left[:], right[:]))
	}
}

// leavesOf computes the leaves of a release from its published JSON. It uses the
// sorted maps of encoding/json as canonical JSON, which suffices for the tests.
func leavesOf(t testing.TB, release []byte, symbols map[string]string) map[string][]byte {
	t.Helper()
	var wire struct {
		Manifest      map[string]any   `json:"manifest"`
		DatachainType map[string]any   `json:"datachain_type"`
		Categories    []map[string]any `json:"categories"`
		Elements      []map[string]any `json:"elements"`
	}
	require.NoError(t, json.Unmarshal(release, &wire))
	delete(wire.Manifest, "id")
	delete(wire.Manifest, "status")
	delete(wire.Manifest, "content_hash")
	bodies := map[string]any{"manifest": wire.Manifest, "datachain_type": wire.DatachainType}
	for _, c := range wire.Categories {
		bodies["category/"+c["id"].(string)] = c
	}
	for _, e := range wire.Elements {
		bodies["element/"+e["id"].(string)] = e
	}
	for id, text := range symbols {
		bodies["symbol/"+id] = text
	}
	leaves := make(map[string][]byte)
	for name, body := range bodies {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		require.NoError(t, enc.Encode(map[string]any{"name": name, "body": body}))
		leaves[name] = bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	}
	return leaves
}

func rootOf(leaves map[string][]byte) string {
	var ordered [][]byte
	for _, name := range slices.Sorted(maps.Keys(leaves)) {
		ordered = append(ordered, leaves[name])
	}
	return fmt.Sprintf("sha256-%x", merkleRoot(ordered))
}

func TestContentHashIsAMerkleRoot(t *testing.T) {
	for n := 1; n <= 40; n++ {
		r := largeRelease(t, n)
		require.Equal(t, rootOf(leavesOf(t, releaseJSON(t, r), symbols(r))), r.ContentHash().String(), "%d elements", n)
	}
}

// The hash of a fixed release. If it changed, all published releases would be refused,
// so fix the code, not the test.
func TestContentHashGolden(t *testing.T) {
	r := release(t)
	require.Equal(t, "sha256-390b293dc7469f507aefcadb61fe977cf0db8d8b11e72f8758da76e2307b3975", r.ContentHash().String())
	require.Equal(t, r.ContentHash(), r.Manifest().ContentHash)
}

func TestContentHashIsOfTheContentAlone(t *testing.T) {
	r := release(t)
	later, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2031-01-01-stable"), content())
	require.NoError(t, err)
	require.Equal(t, r.ContentHash(), later.ContentHash())
}

// Any change of the content changes the hash.
func TestContentHashNotices(t *testing.T) {
	want := release(t).ContentHash()
	for name, change := range map[string]func(c *taxonomy.Content){
		"title":              func(c *taxonomy.Content) { c.Title[1].Value += " " },
		"description":        func(c *taxonomy.Content) { c.Description = nil },
		"locales":            func(c *taxonomy.Content) { c.Locales = []string{"fr", "en", "es"} },
		"type name":          func(c *taxonomy.Content) { c.Type.Name = en("Robot") },
		"type extra":         func(c *taxonomy.Content) { c.Type.Extra["x_type"] = []byte(`{"kept":false}`) },
		"subchain":           func(c *taxonomy.Content) { c.Type.Subchains[0].ID = "misuse" },
		"category":           func(c *taxonomy.Content) { c.Categories[4].Shape = taxonomy.Hexagon },
		"category extra":     func(c *taxonomy.Content) { delete(c.Categories[1].Extra, "x_category") },
		"context value":      func(c *taxonomy.Content) { c.Categories[3].Context.Values[0].Color = "#00AA56" },
		"element":            func(c *taxonomy.Content) { c.Elements[1].Description[0].Value = "Ease." },
		"element order":      func(c *taxonomy.Content) { c.Elements[1].Order++ },
		"element extra":      func(c *taxonomy.Content) { c.Elements[0].Extra["x_element"] = []byte(`"lost"`) },
		"element symbol":     func(c *taxonomy.Content) { c.Elements[2].SymbolID = "shield" },
		"symbol":             func(c *taxonomy.Content) { c.Symbols["camera"] += "\n" },
		"symbol more":        func(c *taxonomy.Content) { c.Symbols["more"] = "<svg/>" },
		"symbol less":        func(c *taxonomy.Content) { delete(c.Symbols, "unused") },
		"symbols swapped":    func(c *taxonomy.Content) { c.Symbols["unused"], c.Symbols["camera"] = svg, "<svg/>" },
		"element less":       func(c *taxonomy.Content) { c.Elements = c.Elements[:2] },
		"escape in the text": func(c *taxonomy.Content) { c.Title[0].Value = `AI\u0020systems` },
	} {
		t.Run(name, func(t *testing.T) {
			c := content()
			change(&c)
			r, err := taxonomy.NewRelease(beta, c)
			require.NoError(t, err)
			require.NotEqual(t, want, r.ContentHash())
		})
	}
}

func TestHashText(t *testing.T) {
	text := "sha256-" + strings.Repeat("0a", 32)
	var h taxonomy.Hash
	require.NoError(t, h.UnmarshalText([]byte(text)))
	require.Equal(t, text, h.String())
	require.False(t, h.IsZero())
	require.True(t, taxonomy.Hash{}.IsZero())
	marshalled, err := h.MarshalText()
	require.NoError(t, err)
	require.Equal(t, text, string(marshalled))

	kept := h
	for _, bad := range []string{
		"", "sha256-", "sha256", strings.Repeat("0a", 32), "sha256-" + strings.Repeat("0A", 32), "sha256-" + strings.Repeat("0a", 31),
		"sha256-" + strings.Repeat("0a", 33), "sha256-" + strings.Repeat("0g", 32), "SHA256-" + strings.Repeat("0a", 32),
		"sha512-" + strings.Repeat("0a", 32), text + "\n", strings.Repeat("x", 1<<16),
	} {
		err := h.UnmarshalText([]byte(bad))
		require.ErrorContains(t, err, "malformed content hash")
		require.Less(t, len(err.Error()), 400)
		require.Equal(t, kept, h, "a failure must not change the receiver")
	}
}
