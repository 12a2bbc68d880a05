package document

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/jcs"
)

// Canonical returns the canonical form (RFC 8785) of a JSON text. The text
// must be strict JSON as [ParseDocument] defines it, since canonical JSON has
// no other; a failure is a [*SyntaxError].
func Canonical(text []byte) ([]byte, error) {
	canonical, err := CanonicalString(string(text))
	return []byte(canonical), err
}

// CanonicalString is [Canonical] for strings: it returns a canonical text
// itself, not a copy.
func CanonicalString(text string) (string, error) {
	if jcs.IsCanonical(text) {
		return text, nil
	}
	raw := []byte(text)
	if _, err := Parse(raw); err != nil {
		return "", err
	}
	return string(appendCanonical(nil, raw)), nil
}

// appendCanonical appends the canonical form of a text that has passed the
// strict decoder, so that there is one.
func appendCanonical(dst, text []byte) []byte {
	out, err := jsontext.AppendFormat(dst, text,
		jsontext.CanonicalizeRawInts(true),
		jsontext.CanonicalizeRawFloats(true),
		jsontext.ReorderRawObjects(true))
	if err != nil {
		panic("taxonomy: strict JSON without a canonical form: " + err.Error())
	}
	return out
}

// MarshalCanonical returns the canonical JSON of a Go value.
func MarshalCanonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Canonical(text)
}
