package taxonomy

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Canonical returns the canonical form (RFC 8785) of a JSON text. The text
// must be strict JSON as [ParseDocument] defines it, since canonical JSON has
// no other.
func Canonical(text []byte) ([]byte, error) {
	if _, err := ParseDocument(text); err != nil {
		return nil, err
	}
	return appendCanonical(nil, text)
}

// MarshalCanonical returns the canonical JSON of a Go value.
func MarshalCanonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Canonical(text)
}

// appendCanonical appends the canonical form of a text whose numbers are known
// to be in range.
func appendCanonical(dst, text []byte) ([]byte, error) {
	return jsontext.AppendFormat(dst, text,
		jsontext.CanonicalizeRawInts(true),
		jsontext.CanonicalizeRawFloats(true),
		jsontext.ReorderRawObjects(true))
}
