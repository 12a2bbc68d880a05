package taxonomy

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
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
		level := r.leaves(r.elementLeaves())
		for t.levels = append(t.levels, level); len(level) > 1; t.levels = append(t.levels, level) {
			level = parents(level)
		}
	})
	return t
}

// parents returns the level above a level of a tree.
func parents(level []tlog.Hash) []tlog.Hash {
	above := make([]tlog.Hash, (len(level)+1)/2)
	inChunks(0, len(above), func(_, begin, end int) {
		for i := begin; i < end; i++ {
			if above[i] = level[2*i]; 2*i+1 < len(level) {
				above[i] = tlog.NodeHash(level[2*i], level[2*i+1])
			}
		}
	})
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
		canonical, err := canonicalText(bodies[name])
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrProof, wording.Clip(name), err)
		}
		hashes[i] = hasher.hash(name, "", canonical)
	}
	switch root, ok := merkle.Root(p.Indexes, hashes, leaves, p.Path); {
	case !ok:
		return fmt.Errorf("%w: its path has the wrong number of hashes, %d", ErrProof, len(p.Path))
	case Hash(root) != contentHash:
		return fmt.Errorf("%w: the parts are not those of the release %s", ErrProof, contentHash)
	}
	return nil
}

// The kinds of leaves of the content tree. A leaf is named <kind>/<id>, or <kind> if
// there is only one.
const (
	leafCategory = "category"
	leafType     = "datachain_type"
	leafElement  = "element"
	leafManifest = "manifest"
	leafSymbol   = "symbol"
)

// ErrProof is wrapped by the errors of [Proof.Verify].
var ErrProof = errors.New("proof does not hold")

// leafJSON returns the canonical JSON of a part.
func (r *Release) leafJSON(leafName string) (string, bool) {
	kind, id, _ := strings.Cut(leafName, "/")
	switch {
	case kind == leafCategory:
		text := r.CategoryJSON(id)
		return text, text != ""
	case kind == leafElement:
		text := r.ElementJSON(id)
		return text, text != ""
	case kind == leafSymbol:
		if svg, ok := r.symbols[id]; ok {
			return string(jcs.AppendQuote(nil, svg)), true
		}
	case leafName == leafManifest && r.manifestJSON != "":
		return manifestLeafJSON(r.manifestJSON), true
	case leafName == leafType:
		return r.typeJSON, r.typeJSON != ""
	}
	return "", false
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

// elementLeaves hashes the elements.
func (r *Release) elementLeaves() []tlog.Hash {
	hashes := make([]tlog.Hash, len(r.elements))
	inChunks(0, len(hashes), func(_, begin, end int) {
		var hasher leafHasher
		for i := begin; i < end; i++ {
			hashes[i] = hasher.hash(leafElement, r.elementIDs[i], r.elementJSON[i])
		}
	})
	return hashes
}

// leaves returns the hashes of all leaves of the content tree, in the order of their
// names, given those of the elements.
func (r *Release) leaves(elements []tlog.Hash) []tlog.Hash {
	var hasher leafHasher
	hashes := make([]tlog.Hash, 0, len(elements)+len(r.categories)+len(r.symbolIDs)+2)
	add := func(kind, id string) {
		text, _ := r.leafJSON(leafName(kind, id))
		hashes = append(hashes, hasher.hash(kind, id, text))
	}
	for _, id := range slices.Sorted(slices.Values(r.typ.Categories)) {
		add(leafCategory, id)
	}
	add(leafType, "")
	for _, i := range r.elementsByID() {
		hashes = append(hashes, elements[i])
	}
	add(leafManifest, "")
	for _, id := range r.symbolIDs {
		add(leafSymbol, id)
	}
	return hashes
}

// manifestLeafJSON returns a canonical manifest without its version, status and
// hash.
func manifestLeafJSON(manifest string) string {
	text, err := editManifest(manifest, map[string]any{"id": nil, "status": nil, "content_hash": nil})
	if err != nil {
		panic(err) // the manifest of a release is canonical
	}
	return text
}

// editManifest sets fields of a canonical manifest, or removes them if the value is
// nil. It keeps the other fields, known or not, since the content hash covers them.
func editManifest(manifest string, set map[string]any) (string, error) {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal([]byte(manifest), &fields); err != nil {
		return "", err
	}
	for key, value := range set {
		if value == nil {
			delete(fields, key)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return "", err
		}
		fields[key] = text
	}
	text, err := document.MarshalCanonical(fields)
	return string(text), err
}

// Hash is the content hash of a release: the root of the Merkle tree (RFC 6962,
// SHA-256) over its parts. It is written as sha256-<hex>.
type Hash [sha256.Size]byte

const hashPrefix = "sha256-"

// IsZero reports whether h is the zero Hash.
func (h Hash) IsZero() bool { return h == Hash{} }

// String returns the hash as text.
func (h Hash) String() string { return hashPrefix + hex.EncodeToString(h[:]) }

// MarshalText returns [Hash.String].
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText parses sha256- and 64 lower-case hex digits. On error h stays the same.
func (h *Hash) UnmarshalText(text []byte) error {
	digits, found := strings.CutPrefix(string(text), hashPrefix)
	raw, err := hex.DecodeString(digits)
	if !found || err != nil || len(raw) != len(h) || strings.ToLower(digits) != digits {
		return fmt.Errorf("malformed content hash %q: must be sha256- and 64 lower-case hex digits", wording.Clip(string(text)))
	}
	copy(h[:], raw)
	return nil
}

// leafHasher hashes leaves of the content tree in its buffer.
type leafHasher struct{ buf []byte }

// hash returns the hash of the leaf <kind>/<id>, or <kind> if the id is "": that of the
// canonical JSON of {"body": body, "name": name}. The body is canonical JSON.
func (h *leafHasher) hash(kind, id, body string) tlog.Hash {
	const recordPrefix = "\x00" // RFC 6962, section 2.1
	h.buf = append(append(h.buf[:0], recordPrefix+`{"body":`...), body...)
	h.buf = append(h.buf, `,"name":`...)
	if ident.IsElementID(id) { // as all are that get far, and it needs no escapes
		h.buf = append(append(append(append(append(h.buf, '"'), kind...), '/'), id...), '"')
	} else {
		h.buf = jcs.AppendQuote(h.buf, leafName(kind, id))
	}
	return sha256.Sum256(append(h.buf, '}'))
}

// leafName returns the name of a leaf.
func leafName(kind, id string) string {
	if id == "" {
		return kind
	}
	return kind + "/" + id
}
