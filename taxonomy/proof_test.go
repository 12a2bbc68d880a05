package taxonomy_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestProofs(t *testing.T) {
	for _, n := range []int{1, 2, 5, 8} {
		r := largeRelease(t, n)
		for name := range leavesOf(t, releaseJSON(t, r), symbols(r)) {
			proof, err := r.Prove([]string{name})
			require.NoError(t, err)
			require.NoError(t, proof.Verify(r.ContentHash(), r.Leaves(), bodiesOf(t, r, []string{name})))
		}
	}
}

// A proof can be sent as JSON, and the body can have any formatting.
func TestProofOnTheWire(t *testing.T) {
	r := release(t)
	proof, err := r.Prove([]string{"element/image"})
	require.NoError(t, err)
	text, err := json.Marshal(proof)
	require.NoError(t, err)
	var again taxonomy.Proof
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, *proof, again)

	var body map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.ElementJSON("image")), &body))
	indented, err := json.MarshalIndent(body, "", "\t")
	require.NoError(t, err)
	require.NoError(t, again.Verify(r.ContentHash(), r.Leaves(), map[string]string{"element/image": string(indented)}))
}

// The version of a manifest is not part of the content, so it is not proven.
func TestProofOfTheManifest(t *testing.T) {
	r := release(t)
	proof, err := r.Prove([]string{"manifest"})
	require.NoError(t, err)
	require.ErrorIs(t, proof.Verify(r.ContentHash(), r.Leaves(), map[string]string{"manifest": r.ManifestJSON()}), taxonomy.ErrProof)
	require.NoError(t, proof.Verify(r.ContentHash(), r.Leaves(), bodiesOf(t, r, []string{"manifest"})))
}

func TestForgedProofs(t *testing.T) {
	r := release(t)
	good := r.ElementJSON("image")
	type claim struct {
		taxonomy.Proof
		leaf   string
		leaves int64
		hash   taxonomy.Hash
		body   string
	}
	for name, forge := range map[string]func(c *claim){
		"other body":        func(c *claim) { c.body = r.ElementJSON("purpose.safety") },
		"one more field":    func(c *claim) { c.body = `{"a":1,` + good[1:] },
		"field twice":       func(c *claim) { c.body = `{"id":"x",` + good[1:] },
		"no JSON":           func(c *claim) { c.body = "" },
		"other name":        func(c *claim) { c.leaf = "element/purpose.safety" },
		"name not in UTF-8": func(c *claim) { c.leaf += "\xff" },
		"other index":       func(c *claim) { c.Indexes[0]++ },
		"negative index":    func(c *claim) { c.Indexes[0] = -1 },
		"index beyond":      func(c *claim) { c.Indexes[0] = c.leaves },
		"two indexes":       func(c *claim) { c.Indexes = append(c.Indexes, c.Indexes[0]+1) },
		"other size":        func(c *claim) { c.leaves *= 2 },
		"no size":           func(c *claim) { c.leaves = 0 },
		"huge size":         func(c *claim) { c.leaves = 1<<62 + 1 },
		"huge index":        func(c *claim) { c.leaves, c.Indexes[0] = math.MaxInt64, math.MaxInt64-1 },
		"path shorter":      func(c *claim) { c.Path = c.Path[1:] },
		"path longer":       func(c *claim) { c.Path = append(c.Path, taxonomy.Hash{}) },
		"path empty":        func(c *claim) { c.Path = nil },
		"path swapped":      func(c *claim) { slices.Reverse(c.Path) },
		"path bit flipped":  func(c *claim) { c.Path[0][31] ^= 1 },
		"another release":   func(c *claim) { c.hash[0] ^= 1 },
		"no release":        func(c *claim) { c.hash = taxonomy.Hash{} },
	} {
		t.Run(name, func(t *testing.T) {
			proof, err := r.Prove([]string{"element/image"})
			require.NoError(t, err)
			c := claim{*proof, "element/image", r.Leaves(), r.ContentHash(), good}
			require.NoError(t, c.Verify(c.hash, c.leaves, map[string]string{c.leaf: c.body}))
			forge(&c)
			require.ErrorIs(t, c.Verify(c.hash, c.leaves, map[string]string{c.leaf: c.body}), taxonomy.ErrProof)
		})
	}
}

func TestUnknownLeaves(t *testing.T) {
	r := release(t)
	for _, name := range []string{
		"", "element", "element/", "element/nope", "category", "category/nope", "symbol/", "symbol/nope",
		"manifest/", "manifest/x", "datachain_type/ai", "image", "Element/image", "element/image/",
	} {
		_, err := r.Prove([]string{name})
		require.ErrorIs(t, err, taxonomy.ErrNotFound, name)
		require.ErrorContains(t, err, fmt.Sprintf("release %s: part %q: not found: parts are category/<id>", r.Version(), name))
	}
}
