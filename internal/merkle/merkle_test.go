package merkle_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/merkle"
)

// naiveRoot is the definition of a tree hash in RFC 6962, section 2.1.
func naiveRoot(leaves []tlog.Hash) tlog.Hash {
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := 1 << (bits.Len(uint(len(leaves)-1)) - 1) // the largest power of two that is smaller
	return tlog.NodeHash(naiveRoot(leaves[:k]), naiveRoot(leaves[k:]))
}

// naivePath returns the roots of the largest subtrees without a leaf at one of the indexes,
// by the place in the tree: level by level, from left to right.
func naivePath(leaves []tlog.Hash, indexes []int64) []tlog.Hash {
	var path []tlog.Hash
	covered := func(from, to int64) bool {
		return slices.ContainsFunc(indexes, func(at int64) bool { return from <= at && at < to })
	}
	size := int64(len(leaves))
	for width := int64(1); width < size; width *= 2 {
		for from := int64(0); from < size; from += width {
			to, parent := min(from+width, size), from/(2*width)*2*width
			if sibling := from ^ width; sibling < size && !covered(from, to) && covered(parent, min(parent+2*width, size)) {
				path = append(path, naiveRoot(leaves[from:to]))
			}
		}
	}
	return path
}

// sample returns the leaves of a tree.
func sample(n int) []tlog.Hash {
	leaves := make([]tlog.Hash, n)
	for i := range leaves {
		leaves[i] = tlog.RecordHash(fmt.Append(nil, i))
	}
	return leaves
}

// pathOf returns the path of leaves, whose nodes are those of the definition.
func pathOf(leaves []tlog.Hash, indexes []int64) []tlog.Hash {
	size := int64(len(leaves))
	return merkle.Path(indexes, size, func(level int, at int64) tlog.Hash {
		return naiveRoot(leaves[at<<level : min((at+1)<<level, size)])
	})
}

// at returns the leaves at indexes.
func at(leaves []tlog.Hash, indexes []int64) (some []tlog.Hash) {
	for _, i := range indexes {
		some = append(some, leaves[i])
	}
	return some
}

// TestKnownTrees uses the leaves and roots of the tests of Certificate Transparency.
func TestKnownTrees(t *testing.T) {
	var leaves []tlog.Hash
	for i, known := range []struct{ leaf, root string }{
		{"", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},
		{"00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"},
		{"10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"},
		{"2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"},
		{"3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"},
		{"40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"},
		{"5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"},
		{"606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"},
	} {
		data, err := hex.DecodeString(known.leaf)
		require.NoError(t, err)
		leaves = append(leaves, tlog.RecordHash(data))
		for one := range leaves {
			indexes := []int64{int64(one)}
			root, ok := merkle.Root(indexes, at(leaves, indexes), int64(len(leaves)), pathOf(leaves, indexes))
			require.True(t, ok)
			require.Equal(t, known.root, hex.EncodeToString(root[:]), "leaf %d of %d", one, i+1)
		}
	}
}

// TestAllSubsets proves every choice of leaves of every small tree, and random ones of larger
// trees, and compares path and root with the definition. The path of one leaf is that of
// [tlog.ProveRecord].
func TestAllSubsets(t *testing.T) {
	check := func(leaves []tlog.Hash, indexes []int64) {
		size, given := int64(len(leaves)), slices.Clone(indexes)
		path := pathOf(leaves, indexes)
		require.Equal(t, naivePath(leaves, indexes), path, "%v of %d", indexes, size)
		root, ok := merkle.Root(indexes, at(leaves, indexes), size, path)
		require.True(t, ok, "%v of %d", indexes, size)
		require.Equal(t, naiveRoot(leaves), root, "%v of %d", indexes, size)
		require.Equal(t, given, indexes, "the argument was changed")
		if len(indexes) == 1 {
			require.NoError(t, tlog.CheckRecord(path, size, root, indexes[0], leaves[indexes[0]]))
		}
	}
	for n := 1; n <= 11; n++ {
		leaves := sample(n)
		for set := 1; set < 1<<n; set++ {
			var indexes []int64
			for i := range n {
				if set>>i&1 == 1 {
					indexes = append(indexes, int64(i))
				}
			}
			check(leaves, indexes)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + random.IntN(600)
		var indexes []int64
		for _, i := range random.Perm(n)[:1+random.IntN(min(n, 20))] {
			indexes = append(indexes, int64(i))
		}
		slices.Sort(indexes)
		check(sample(n), indexes)
	}
}

// TestHostileProofs changes everything about a proof: none has the root, and none panics.
func TestHostileProofs(t *testing.T) {
	leaves := sample(21)
	want := naiveRoot(leaves)
	indexes := []int64{0, 3, 4, 13, 20}
	some, path := at(leaves, indexes), pathOf(leaves, indexes)
	holds := func(indexes []int64, some []tlog.Hash, size int64, path []tlog.Hash) bool {
		root, ok := merkle.Root(indexes, some, size, path)
		return ok && root == want
	}
	require.True(t, holds(indexes, some, 21, path))

	for i := range path {
		altered := slices.Clone(path)
		altered[i][i] ^= 1
		require.False(t, holds(indexes, some, 21, altered), "hash %d altered", i)
		require.False(t, holds(indexes, some, 21, slices.Delete(slices.Clone(path), i, i+1)), "without hash %d", i)
		require.False(t, holds(indexes, some, 21, slices.Insert(slices.Clone(path), i, path[i])), "hash %d twice", i)
		if i > 0 {
			altered = slices.Clone(path)
			altered[i-1], altered[i] = path[i], path[i-1]
			require.False(t, holds(indexes, some, 21, altered), "hash %d swapped", i)
		}
	}
	for i := range indexes {
		altered := slices.Clone(some)
		altered[i][0] ^= 1
		require.False(t, holds(indexes, altered, 21, path), "leaf %d altered", i)
		for _, other := range []int64{-1, math.MinInt64, indexes[i] - 1, indexes[i] + 1, 21, math.MaxInt64} {
			moved := slices.Clone(indexes)
			moved[i] = other
			require.False(t, holds(moved, some, 21, path), "leaf %d at %d", i, other)
		}
	}
	// A size with other levels makes another proof. One with the same shape around the
	// leaves does not, so the size must come from a trusted source.
	for _, size := range []int64{math.MinInt64, -1, 0, 1, 5, 20, 23, 32, 33, 1000, math.MaxInt64} {
		require.False(t, holds(indexes, some, size, path), "size %d", size)
	}
	require.False(t, holds(indexes[1:], some, 21, path))
	require.False(t, holds(indexes, some[1:], 21, path))
	require.False(t, holds(nil, nil, 21, path))
	require.False(t, holds(nil, nil, 1, []tlog.Hash{want}))
	require.False(t, holds([]int64{3, 0, 4, 13, 20}, some, 21, path), "out of order")
	require.False(t, holds([]int64{0, 0, 4, 13, 20}, some, 21, path), "an index twice")
	require.False(t, holds(indexes, some, 21, nil))
	require.False(t, holds(indexes, some, 21, append(slices.Clone(path), want)), "the root as one more hash")
	// The largest size has as many levels as any other of its length, not one.
	pair := naiveRoot(leaves[:2])
	root, ok := merkle.Root([]int64{0}, leaves[:1], math.MaxInt64, leaves[1:2])
	require.False(t, ok && root == pair)
	// A node of the tree is not a leaf.
	require.False(t, holds([]int64{0}, []tlog.Hash{naiveRoot(leaves[:16])}, 21, []tlog.Hash{naiveRoot(leaves[16:])}))
}
