package taxonomy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// leafHasher hashes leaves of the content tree in its buffer.
type leafHasher struct{ buf []byte }

// hash returns the hash of the leaf <kind>/<id>, or <kind> if the id is "": that of the
// canonical JSON of {"body": body, "name": name}. The body is canonical JSON.
func (h *leafHasher) hash(kind, id, body string) tlog.Hash {
	const recordPrefix = "\x00" // RFC 6962, section 2.1
	h.buf = append(append(h.buf[:0], recordPrefix+`{"body":`...), body...)
	h.buf = append(h.buf, `,"name":`...)
	if ValidElementID(id) { // as all are that get far, and it needs no escapes
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
