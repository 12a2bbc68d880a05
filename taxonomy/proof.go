package taxonomy

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/merkle"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// contentTree is the Merkle tree over the parts of a release. It is built by the first
// proof and kept, so that others cost no hash. It has 64 bytes for each part, and 4 for
// each element. Releases with the same content share it.
type contentTree struct {
	once sync.Once
	// levels[k][i] is the hash of the leaves from i<<k up to (i+1)<<k, or up to the
	// last one. A node without a sibling is the same on the next level.
	levels [][]tlog.Hash
	// ranks are the positions of the elements among the leaves of elements.
	ranks []int32
}

// kept returns the tree of the release.
func (t *contentTree) kept(r *Release) *contentTree {
	t.once.Do(func() {
		t.ranks = make([]int32, len(r.elements))
		for rank, i := range r.elementsByID() {
			t.ranks[i] = int32(rank)
		}
		level := r.leaves()
		for t.levels = append(t.levels, level); len(level) > 1; t.levels = append(t.levels, level) {
			level = parents(level)
		}
	})
	return t
}

// elementsByID returns the positions of the elements in the order of their ids.
func (r *Release) elementsByID() []int32 {
	order := make([]int32, len(r.elements))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(r.elementIDs[a], r.elementIDs[b]) })
	return order
}

// parents returns the level above a level of a tree.
func parents(level []tlog.Hash) []tlog.Hash {
	above := make([]tlog.Hash, (len(level)+1)/2)
	for i := range above {
		if above[i] = level[2*i]; 2*i+1 < len(level) {
			above[i] = tlog.NodeHash(level[2*i], level[2*i+1])
		}
	}
	return above
}

// leafIndex returns the position of a part among the leaves, which are in the order of
// their names.
func (r *Release) leafIndex(leafName string) (at int, ok bool) {
	kind, id, _ := strings.Cut(leafName, "/")
	categories, elements := len(r.categories), len(r.elements)
	switch {
	case kind == leafCategory:
		_, ok = r.byCategory[id]
		for _, c := range r.categories {
			if c.ID < id {
				at++
			}
		}
	case leafName == leafType:
		at, ok = categories, true
	case kind == leafElement:
		if at, ok = r.byElement[id]; ok {
			at = categories + 1 + int(r.tree.kept(r).ranks[at])
		}
	case leafName == leafManifest:
		at, ok = categories+1+elements, true
	case kind == leafSymbol:
		at, ok = slices.BinarySearch(r.symbolIDs, id)
		at += categories + elements + 2
	}
	return at, ok
}

// Leaves returns the number of parts that the content hash covers: categories, elements,
// symbols, the datachain type and the manifest.
func (r *Release) Leaves() int64 {
	return int64(len(r.categories) + len(r.elements) + len(r.symbolIDs) + 2)
}

// Proof proves that parts belong to the release with a content hash and a number of
// parts, without the rest of the release. [Release.Prove] returns one.
type Proof struct {
	// Indexes are the positions of the parts among the leaves of the content tree, in
	// ascending order, which is that of the names of the parts.
	Indexes []int64
	// Path has the hashes that can't be computed from the parts: level by level from
	// the leaves to the root, and in each level from left to right, the sibling of
	// each known node whose sibling is not known.
	Path ProofPath
}

// ProofPath is a list of hashes. In JSON it is one string: base64 of the hashes one after
// another.
type ProofPath []Hash

// MarshalText returns the hashes as base64.
func (p ProofPath) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, len(p)*sha256.Size)
	for i := range p {
		raw = append(raw, p[i][:]...)
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText reads hashes. There is one text for each list.
func (p *ProofPath) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.Strict().DecodeString(string(text))
	// The decoder skips line breaks.
	if err != nil || len(raw)%sha256.Size != 0 || base64.StdEncoding.EncodedLen(len(raw)) != len(text) {
		return fmt.Errorf("malformed path %q: must be the base64 of hashes of %d bytes", wording.Clip(string(text)), sha256.Size)
	}
	*p = make(ProofPath, 0, len(raw)/sha256.Size)
	for hash := range slices.Chunk(raw, sha256.Size) {
		*p = append(*p, Hash(hash))
	}
	return nil
}

// Prove returns the proof that parts, which can be named more than once, belong to the
// release. Their names are category/<id>, datachain_type, element/<id>, manifest and
// symbol/<id>. The error wraps [ErrNotFound] if the release does not have one of them. The
// first proof hashes the whole release; later ones look up hashes.
func (r *Release) Prove(leafNames []string) (*Proof, error) {
	p := &Proof{Indexes: make([]int64, len(leafNames))}
	for i, name := range leafNames {
		at, ok := r.leafIndex(name)
		if !ok {
			return nil, fmt.Errorf("release %s: part %q: %w: parts are category/<id>, datachain_type, element/<id>, manifest and symbol/<id>",
				r.version, wording.Clip(name), ErrNotFound)
		}
		p.Indexes[i] = int64(at)
	}
	slices.Sort(p.Indexes)
	p.Indexes = slices.Compact(p.Indexes)
	levels := r.tree.kept(r).levels
	p.Path = merkle.Path(p.Indexes, int64(len(levels[0])), func(level int, at int64) Hash { return Hash(levels[level][at]) })
	return p, nil
}

// Verify checks that parts belong to the release with the content hash and the number of
// parts. The bodies are the JSON of the parts by their names, in any formatting: a category,
// the datachain type or an element as published, the manifest without id, status and
// content_hash, which are not proven, or the SVG of a symbol as a JSON string. The number of
// parts must come from a trusted source, such as the entry of a log: it is not proven by the
// content hash.
func (p *Proof) Verify(contentHash Hash, leaves int64, bodies map[string]string) error {
	names := slices.Sorted(maps.Keys(bodies))
	if len(names) == 0 || len(names) != len(p.Indexes) {
		return fmt.Errorf("%w: it is for %s, not for %d", ErrProof, wording.Count(len(p.Indexes), "part"), len(names))
	}
	// A release can't have more parts.
	ascending := leaves <= math.MaxInt32 && p.Indexes[0] >= 0 && p.Indexes[len(names)-1] < leaves
	for i := range names[1:] {
		ascending = ascending && p.Indexes[i] < p.Indexes[i+1]
	}
	if !ascending {
		return fmt.Errorf("%w: its indexes must ascend from 0 to less than %d", ErrProof, leaves)
	}
	hashes := make([]tlog.Hash, len(names))
	var hasher leafHasher
	for i, name := range names {
		canonical, err := document.Canonical([]byte(bodies[name]))
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrProof, wording.Clip(name), err)
		}
		hashes[i] = hasher.hash(name, "", string(canonical))
	}
	switch root, ok := merkle.Root(p.Indexes, hashes, leaves, p.Path); {
	case !ok:
		return fmt.Errorf("%w: its path has the wrong number of hashes, %d", ErrProof, len(p.Path))
	case Hash(root) != contentHash:
		return fmt.Errorf("%w: the parts are not those of the release %s", ErrProof, contentHash)
	}
	return nil
}

// ErrProof is wrapped by the errors of [Proof.Verify].
var ErrProof = errors.New("proof does not hold")
