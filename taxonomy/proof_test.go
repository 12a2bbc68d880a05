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
		leaves := leavesOf(t, releaseJSON(t, r), symbols(r))
		for name := range leaves {
			proof, err := r.Prove(name)
			require.NoError(t, err)
			require.Equal(t, name, proof.Leaf)
			require.Equal(t, int64(len(leaves)), proof.Size)
			body, ok := r.LeafJSON(name)
			require.True(t, ok)
			require.Equal(t, `{"body":`+body+`,"name":"`+name+`"}`, string(leaves[name]))
			require.NoError(t, proof.Verify(r.ContentHash(), []byte(body)))
		}
	}
}

// A proof can be sent as JSON, and the body can have any formatting.
func TestProofOnTheWire(t *testing.T) {
	r := release(t)
	proof, err := r.Prove("element/image")
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
	require.NoError(t, again.Verify(r.ContentHash(), indented))
}

// The version of a manifest is not part of the content, so it is not proven.
func TestProofOfTheManifest(t *testing.T) {
	r := release(t)
	proof, err := r.Prove("manifest")
	require.NoError(t, err)
	require.ErrorIs(t, proof.Verify(r.ContentHash(), []byte(r.ManifestJSON())), taxonomy.ErrProof)
	body, ok := r.LeafJSON("manifest")
	require.True(t, ok)
	require.NoError(t, proof.Verify(r.ContentHash(), []byte(body)))
}

func TestForgedProofs(t *testing.T) {
	r := release(t)
	body := []byte(r.ElementJSON("image"))
	for name, forge := range map[string]func(p *taxonomy.Proof, hash *taxonomy.Hash, body *[]byte){
		"other body":        func(_ *taxonomy.Proof, _ *taxonomy.Hash, b *[]byte) { *b = []byte(r.ElementJSON("purpose.safety")) },
		"one more field":    func(_ *taxonomy.Proof, _ *taxonomy.Hash, b *[]byte) { *b = append([]byte(`{"a":1,`), (*b)[1:]...) },
		"field twice":       func(_ *taxonomy.Proof, _ *taxonomy.Hash, b *[]byte) { *b = append([]byte(`{"id":"x",`), (*b)[1:]...) },
		"no JSON":           func(_ *taxonomy.Proof, _ *taxonomy.Hash, b *[]byte) { *b = nil },
		"other name":        func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Leaf = "element/purpose.safety" },
		"other index":       func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Index++ },
		"negative index":    func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Index = -1 },
		"index beyond":      func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Index = p.Size },
		"other size":        func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Size *= 2 },
		"no size":           func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Size = 0 },
		"huge size":         func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Size = 1<<62 + 1 },
		"huge index":        func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Size, p.Index = math.MaxInt64, math.MaxInt64-1 },
		"path shorter":      func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Path = p.Path[1:] },
		"path longer":       func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Path = append(p.Path, taxonomy.Hash{}) },
		"path empty":        func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Path = nil },
		"path swapped":      func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { slices.Reverse(p.Path) },
		"path bit flipped":  func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Path[0][31] ^= 1 },
		"another release":   func(_ *taxonomy.Proof, h *taxonomy.Hash, _ *[]byte) { h[0] ^= 1 },
		"no release":        func(_ *taxonomy.Proof, h *taxonomy.Hash, _ *[]byte) { *h = taxonomy.Hash{} },
		"name not in UTF-8": func(p *taxonomy.Proof, _ *taxonomy.Hash, _ *[]byte) { p.Leaf += "\xff" },
	} {
		t.Run(name, func(t *testing.T) {
			proof, err := r.Prove("element/image")
			require.NoError(t, err)
			hash, forged := r.ContentHash(), slices.Clone(body)
			require.NoError(t, proof.Verify(hash, forged))
			forge(proof, &hash, &forged)
			require.ErrorIs(t, proof.Verify(hash, forged), taxonomy.ErrProof)
		})
	}
}

func TestUnknownLeaves(t *testing.T) {
	r := release(t)
	for _, name := range []string{
		"", "element", "element/", "element/nope", "category", "category/nope", "symbol/", "symbol/nope",
		"manifest/", "manifest/x", "datachain_type/ai", "image", "Element/image", "element/image/",
	} {
		_, err := r.Prove(name)
		require.ErrorIs(t, err, taxonomy.ErrNotFound, name)
		require.ErrorContains(t, err, fmt.Sprintf("release %s: part %q: not found: parts are category/<id>", r.Version(), name))
		text, ok := r.LeafJSON(name)
		require.False(t, ok, name)
		require.Empty(t, text, name)
	}
}
