// Package merkle makes and verifies multi-proofs for Merkle trees (RFC 6962, SHA-256): the hashes
// from which, with several leaves, the root can be computed. Leaves share these hashes, so a
// multi-proof is much smaller than a proof for each leaf.
package merkle

import (
	"crypto/sha256"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is any type of a SHA-256 hash.
type Hash interface{ ~[sha256.Size]byte }

// Path returns the hashes that can't be computed from the leaves at the indexes, in ascending
// order, of a tree with size leaves: level by level from the leaves to the root, and in each
// level from left to right, the sibling of each known node whose sibling is not known. node
// returns a node of a level.
func Path[H Hash](indexes []int64, size int64, node func(level int, at int64) H) []H {
	known := slices.Clone(indexes)
	var path []H
	for level := 0; size > 1; level, size = level+1, size/2+size%2 {
		climb(known, size, func(_ int, sibling int64, given bool) {
			if !given {
				path = append(path, node(level, sibling))
			}
		})
		for i := range known {
			known[i] >>= 1
		}
		known = slices.Compact(known)
	}
	return path
}

// Root computes the root of a tree with size leaves from the leaves at the indexes and what
// [Path] returned. It returns false unless the indexes ascend and are in the tree, and all
// hashes of the path are used.
func Root[H Hash](indexes []int64, leaves []tlog.Hash, size int64, path []H) (root tlog.Hash, ok bool) {
	if len(indexes) == 0 || len(indexes) != len(leaves) {
		return root, false
	}
	last := int64(-1)
	for _, at := range indexes {
		if at <= last || at >= size {
			return root, false
		}
		last = at
	}
	known, hashes := slices.Clone(indexes), slices.Clone(leaves)
	missing := false
	for ; size > 1; size = size/2 + size%2 {
		climb(known, size, func(i int, sibling int64, given bool) {
			var other tlog.Hash
			switch {
			case given:
				other = hashes[i+1]
			case len(path) == 0:
				missing = true
			default:
				other, path = tlog.Hash(path[0]), path[1:]
			}
			left, right := hashes[i], other
			if sibling < known[i] {
				left, right = other, hashes[i]
			}
			hashes[i] = tlog.NodeHash(left, right)
		})
		n := 0
		for i := range known {
			if i > 0 && known[i]>>1 == known[n-1] {
				continue
			}
			known[n], hashes[n] = known[i]>>1, hashes[i]
			n++
		}
		known, hashes = known[:n], hashes[:n]
	}
	return hashes[0], !missing && len(path) == 0
}

// climb calls do for each known node of a level that has a sibling, with the index of the node
// in known. If both of a pair are known, it calls do once, for the left one, with given set.
func climb(known []int64, size int64, do func(i int, sibling int64, given bool)) {
	for i := 0; i < len(known); i++ {
		sibling := known[i] ^ 1
		if sibling >= size {
			continue
		}
		given := i+1 < len(known) && known[i+1] == sibling
		do(i, sibling, given)
		if given {
			i++
		}
	}
}
