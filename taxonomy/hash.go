package taxonomy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
)

// The kinds of leaves of the content tree. A leaf is named <kind>/<id>, or <kind> if
// there is only one.
const (
	leafCategory = "category"
	leafType     = "datachain_type"
	leafElement  = "element"
	leafManifest = "manifest"
	leafSymbol   = "symbol"
)

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

// leaves returns the hashes of all leaves of the content tree, in the order of their names.
func (r *Release) leaves() []tlog.Hash {
	var hasher leafHasher
	hashes := make([]tlog.Hash, 0, len(r.elements)+len(r.categories)+len(r.symbolIDs)+2)
	add := func(kind, id string) {
		text, _ := r.leafJSON(leafName(kind, id))
		hashes = append(hashes, hasher.hash(kind, id, text))
	}
	for _, id := range slices.Sorted(slices.Values(r.typ.Categories)) {
		add(leafCategory, id)
	}
	add(leafType, "")
	for _, id := range slices.Sorted(slices.Values(r.elementIDs)) {
		add(leafElement, id)
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
	if ident.IsElementID(id) { // the usual case, which needs no escapes
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
