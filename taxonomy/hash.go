package taxonomy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
)

// contentHash computes the root of the content tree. The leaves are in the order of their names,
// and each is the canonical JSON of {"body": body, "name": name}.
func (r *Release) contentHash() Hash {
	hashes := make([]tlog.Hash, 0, len(r.elements)+len(r.categories)+len(r.symbolIDs)+2)
	var leaf []byte
	add := func(name, body string) {
		leaf = append(leaf[:0], "\x00"+`{"body":`...) // the byte is that of RFC 6962, section 2.1
		leaf = append(append(leaf, body...), `,"name":`...)
		hashes = append(hashes, sha256.Sum256(append(jcs.AppendQuote(leaf, name), '}')))
	}
	for _, id := range slices.Sorted(slices.Values(r.typ.Categories)) {
		add("category/"+id, r.CategoryJSON(id))
	}
	add("datachain_type", r.typeJSON)
	for _, id := range slices.Sorted(slices.Values(r.elementIDs)) {
		add("element/"+id, r.ElementJSON(id))
	}
	add("manifest", manifestLeafJSON(r.manifestJSON))
	for _, id := range r.symbolIDs {
		add("symbol/"+id, string(jcs.AppendQuote(nil, r.symbols[id])))
	}
	for len(hashes) > 1 { // level by level; a node without a sibling moves up
		above := hashes[:0]
		for pair := range slices.Chunk(hashes, 2) {
			if len(pair) == 2 {
				pair[0] = tlog.NodeHash(pair[0], pair[1])
			}
			above = append(above, pair[0])
		}
		hashes = above
	}
	return Hash(hashes[0])
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
