package taxonomy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
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
// opened with a form and those with another version have the same proofs.
func TestProofsAgree(t *testing.T) {
	r := largeRelease(t, 300)
	names := []string{"manifest", "element/" + r.ElementIDs()[123], "symbol/" + r.SymbolIDs()[0]}
	form, err := r.AppendForm(nil)
	require.NoError(t, err)
	parsed, err := taxonomy.ParseForm(form)
	require.NoError(t, err)
	text := releaseJSON(t, r)
	opened, err := parsed.OpenVerified(bytes.NewReader(text), int64(len(text)), symbols(r))
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
	p := taxonomy.Path{{1}, {2, 31: 3}}
	text, err := json.Marshal(p)
	require.NoError(t, err)
	var again taxonomy.Path
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
