package taxonomy_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// bodiesOf returns the bodies of parts.
func bodiesOf(t testing.TB, r *taxonomy.Release, names []string) map[string]string {
	t.Helper()
	leaves := leavesOf(t, releaseJSON(t, r), symbols(r))
	bodies := make(map[string]string, len(names))
	for _, name := range names {
		body, ok := strings.CutPrefix(string(leaves[name]), `{"body":`)
		require.True(t, ok, name)
		bodies[name] = strings.TrimSuffix(body, `,"name":"`+name+`"}`)
	}
	return bodies
}

// TestProofOfParts proves random sets of parts, and compares the indexes with those of
// single proofs.
func TestProofOfParts(t *testing.T) {
	for _, n := range []int{1, 2, 5, 8, 27} {
		r := largeRelease(t, n)
		names := slices.Sorted(maps.Keys(leavesOf(t, releaseJSON(t, r), symbols(r))))
		require.Equal(t, int64(len(names)), r.Leaves())
		random := rand.New(rand.NewPCG(uint64(n), 1))
		for range 50 {
			some := slices.Clone(names)
			random.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
			some = some[:1+random.IntN(len(some))]
			proof, err := r.Prove(append(some, some[0]))
			require.NoError(t, err)
			bodies := bodiesOf(t, r, some)
			require.NoError(t, proof.Verify(r.ContentHash(), r.Leaves(), bodies))
			single := 0
			for i, name := range slices.Sorted(maps.Keys(bodies)) {
				one, err := r.Prove([]string{name})
				require.NoError(t, err)
				require.Equal(t, one.Indexes[0], proof.Indexes[i])
				single += len(one.Path)
			}
			require.LessOrEqual(t, len(proof.Path), single)
		}
	}
}

// TestForgedProofOfParts alters a proof of parts of every size of tree.
func TestForgedProofOfParts(t *testing.T) {
	for _, n := range []int{1, 4, 9} {
		r := largeRelease(t, n)
		names := []string{"datachain_type", "category/" + r.Categories()[0].ID, "element/" + r.ElementIDs()[0], "element/" + r.ElementIDs()[n-1]}
		good := bodiesOf(t, r, names)
		prove := func() *taxonomy.Proof {
			proof, err := r.Prove(names)
			require.NoError(t, err)
			return proof
		}
		refused := func(what string, proof *taxonomy.Proof, leaves int64, bodies map[string]string) {
			require.ErrorIs(t, proof.Verify(r.ContentHash(), leaves, bodies), taxonomy.ErrProof, what)
		}
		require.NoError(t, prove().Verify(r.ContentHash(), r.Leaves(), good))
		for i := range prove().Path {
			p := prove()
			p.Path[i][i%32] ^= 1
			refused("bit flipped", p, r.Leaves(), good)
			p = prove()
			p.Path = slices.Delete(p.Path, i, i+1)
			refused("hash dropped", p, r.Leaves(), good)
			p = prove()
			p.Path = slices.Insert(p.Path, i, p.Path[i])
			refused("hash repeated", p, r.Leaves(), good)
			if i > 0 {
				p = prove()
				p.Path[i-1], p.Path[i] = p.Path[i], p.Path[i-1]
				refused("hashes swapped", p, r.Leaves(), good)
			}
		}
		for i := range prove().Indexes {
			for _, at := range []int64{-1, 0, 1, r.Leaves() - 1, r.Leaves(), 1 << 40} {
				p := prove()
				if p.Indexes[i] != at {
					p.Indexes[i] = at
					refused(fmt.Sprintf("index %d is %d", i, at), p, r.Leaves(), good)
				}
			}
			p := prove()
			p.Indexes = slices.Delete(p.Indexes, i, i+1)
			refused("index dropped", p, r.Leaves(), good)
		}
		for name := range good {
			bodies := maps.Clone(good)
			bodies[name] = `{"id":"other"}`
			refused("other body", prove(), r.Leaves(), bodies)
			bodies[name] = `{`
			refused("no JSON", prove(), r.Leaves(), bodies)
			delete(bodies, name)
			refused("part dropped", prove(), r.Leaves(), bodies)
			bodies[name+"x"] = good[name]
			refused("part renamed", prove(), r.Leaves(), bodies)
		}
		refused("no leaves", prove(), 0, good)
		refused("negative", prove(), -1, good)
		refused("too many leaves", prove(), 1<<40, good)
		refused("no parts", prove(), r.Leaves(), nil)
		refused("nothing", new(taxonomy.Proof), r.Leaves(), nil)
	}
}

// The tree of a release is built once, by the first of many callers. Releases that were
// decoded and those with another version have the same proofs.
func TestProofsAgree(t *testing.T) {
	r := largeRelease(t, 300)
	names := []string{"manifest", "element/" + r.ElementIDs()[123], "symbol/" + r.SymbolIDs()[0]}
	opened, err := taxonomy.DecodeRelease(releaseJSON(t, r), symbols(r))
	require.NoError(t, err)
	beta, err := r.WithVersion(taxonomy.MustVersion(r.Version().Type() + "@2030-01-01-beta"))
	require.NoError(t, err)
	want, err := largeRelease(t, 300).Prove(names)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for _, r := range []*taxonomy.Release{r, opened, beta, r, opened, beta} {
		wg.Go(func() {
			proof, err := r.Prove(names)
			if err != nil || !slices.Equal(want.Path, proof.Path) || !slices.Equal(want.Indexes, proof.Indexes) {
				t.Errorf("%s: %v, %v", r.Version(), proof, err)
			}
		})
	}
	wg.Wait()
}

func TestPathText(t *testing.T) {
	p := taxonomy.ProofPath{{1}, {2, 31: 3}}
	text, err := json.Marshal(p)
	require.NoError(t, err)
	var again taxonomy.ProofPath
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, p, again)
	for _, bad := range []string{"AA==", "?", string(text[1 : len(text)-2]), string(text[1:10]) + `\n` + string(text[10:len(text)-1]), string(text[1:len(text)-2]) + "B="} {
		require.ErrorContains(t, json.Unmarshal([]byte(`"`+bad+`"`), &again), "malformed path", bad)
	}
}

// BenchmarkProve proves and verifies the parts of a document of 12 elements, without the
// first proof, which hashes the release.
func BenchmarkProve(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		r := largeRelease(b, n)
		names := []string{"datachain_type"}
		for i := range 12 {
			e := r.Elements()[i*n/12]
			names = append(names, "element/"+e.ID, "category/"+e.CategoryID, "symbol/"+e.SymbolID)
		}
		proof, err := r.Prove(names)
		require.NoError(b, err)
		bodies := bodiesOf(b, r, names)
		b.Run(fmt.Sprintf("elements=%d/prove", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Prove(names); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("elements=%d/verify", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := proof.Verify(r.ContentHash(), r.Leaves(), bodies); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

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
