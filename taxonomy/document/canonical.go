package document

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/jcs"
)

// inner returns a JSON string without its quotes.
func inner(quoted []byte) []byte { return quoted[1 : len(quoted)-1] }

// Canonical returns the canonical form (RFC 8785) of a strict JSON text; see
// [Parse]. Every failure is a [*SyntaxError].
func Canonical(text []byte) ([]byte, error) {
	doc, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return doc.Root().AppendCanonical(nil), nil
}

// MarshalCanonical returns the canonical JSON of a Go value.
func MarshalCanonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Canonical(text)
}

// AppendCanonical appends the canonical form of the value. A value with a syntax error has none,
// and is appended as it is.
func (v Value) AppendCanonical(dst []byte) []byte {
	raw, n := v.Raw(), v.node()
	switch {
	case n.marks != 0:
		return append(dst, raw...)
	case n.kind == '{':
		return v.appendObject(dst)
	case n.kind == '[':
		return v.appendArray(dst)
	case n.escaped, n.kind == '0' && !plainInteger(raw):
		return reformat(dst, raw)
	}
	return append(dst, raw...)
}

// reformat appends the canonical form of a strict JSON text, which always exists.
func reformat(dst, text []byte) []byte {
	out, err := jsontext.AppendFormat(dst, text,
		jsontext.CanonicalizeRawInts(true),
		jsontext.CanonicalizeRawFloats(true),
		jsontext.ReorderRawObjects(true))
	if err != nil {
		panic("document: strict JSON without a canonical form: " + err.Error())
	}
	return out
}

func (v Value) appendArray(dst []byte) []byte {
	dst = append(dst, '[')
	for i, at := range v.items() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = Value{v.doc, at}.AppendCanonical(dst)
	}
	return append(dst, ']')
}

func (v Value) appendObject(dst []byte) []byte {
	var buf [16]Value
	members := buf[:0]
	for m := range v.All() {
		if m.node().keyEscaped {
			return reformat(dst, v.Raw())
		}
		members = append(members, m)
	}
	slices.SortFunc(members, func(a, b Value) int { return jcs.Compare(inner(a.RawKey()), inner(b.RawKey())) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, m.RawKey()...), ':')
		dst = m.AppendCanonical(dst)
	}
	return append(dst, '}')
}

// plainInteger reports whether a number is an integer in canonical form, as nearly
// all numbers are.
func plainInteger(number []byte) bool {
	digits := bytes.TrimPrefix(number, []byte("-"))
	for _, c := range digits {
		if !jcs.Digit(c) {
			return false
		}
	}
	return len(digits) == len(number) || digits[0] != '0' // -0 is not canonical
}
