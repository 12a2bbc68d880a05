package taxonomy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/prose"
)

// Hash is the content hash of a release: the root of the Merkle tree (RFC 6962,
// SHA-256) over its parts. It is written as sha256-<hex>.
type Hash [sha256.Size]byte

const hashPrefix = "sha256-"

// ParseHash parses sha256- and 64 lower-case hex digits.
func ParseHash(s string) (Hash, error) {
	var h Hash
	digits, found := strings.CutPrefix(s, hashPrefix)
	raw, err := hex.DecodeString(digits)
	if !found || err != nil || len(raw) != len(h) || strings.ToLower(digits) != digits {
		return h, fmt.Errorf("malformed content hash %q: must be sha256- and 64 lower-case hex digits", prose.Clip(s))
	}
	copy(h[:], raw)
	return h, nil
}

// IsZero reports whether h is the zero Hash.
func (h Hash) IsZero() bool { return h == Hash{} }

// String returns the hash as text.
func (h Hash) String() string { return hashPrefix + hex.EncodeToString(h[:]) }

// MarshalText returns [Hash.String].
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText is [ParseHash].
func (h *Hash) UnmarshalText(text []byte) error {
	parsed, err := ParseHash(string(text))
	if err == nil {
		*h = parsed
	}
	return err
}

// leaf is a leaf of the content tree: the hash of the canonical JSON of
// {"body": body, "name": name}.
type leaf struct {
	name string
	hash tlog.Hash
}

// leafHasher hashes leaves in its buffer.
type leafHasher struct{ buf []byte }

// leaf returns a leaf. The body is canonical JSON.
func (h *leafHasher) leaf(name, body string) leaf {
	const recordPrefix = "\x00" // RFC 6962, section 2.1
	h.buf = append(append(h.buf[:0], recordPrefix+`{"body":`...), body...)
	h.buf = jcs.AppendQuote(append(h.buf, `,"name":`...), name)
	h.buf = append(h.buf, '}')
	return leaf{name: name, hash: sha256.Sum256(h.buf)}
}

// tree is the Merkle tree over the leaves of a release, sorted by name, in the
// storage form of package tlog.
type tree struct {
	leaves []leaf
	stored []tlog.Hash
}

func newTree(leaves []leaf) (*tree, error) {
	slices.SortFunc(leaves, func(a, b leaf) int { return strings.Compare(a.name, b.name) })
	t := &tree{leaves: leaves, stored: make([]tlog.Hash, 0, 2*len(leaves))}
	for i, l := range leaves {
		hashes, err := tlog.StoredHashesForRecordHash(int64(i), l.hash, t)
		if err != nil {
			return nil, err
		}
		t.stored = append(t.stored, hashes...)
	}
	return t, nil
}

// ReadHashes implements tlog.HashReader.
func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		if x < 0 || x >= int64(len(t.stored)) {
			return nil, fmt.Errorf("hash %d of %d", x, len(t.stored))
		}
		hashes[i] = t.stored[x]
	}
	return hashes, nil
}

func (t *tree) root() (Hash, error) {
	h, err := tlog.TreeHash(int64(len(t.leaves)), t)
	return Hash(h), err
}

// prove returns the proof of a leaf of the tree.
func (t *tree) prove(name string) (*Proof, error) {
	at := int64(slices.IndexFunc(t.leaves, func(l leaf) bool { return l.name == name }))
	size := int64(len(t.leaves))
	record, err := tlog.ProveRecord(size, at, t)
	if err != nil {
		return nil, err
	}
	p := &Proof{Leaf: name, Index: at, Size: size, Path: make([]Hash, len(record))}
	for i, h := range record {
		p.Path[i] = Hash(h)
	}
	return p, nil
}
