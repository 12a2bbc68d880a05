package document

import (
	"bytes"
	"slices"

	"github.com/datachain-go/datachain/internal/jcs"
)

// AppendCanonical appends the canonical JSON of the value. It goes by the tree
// that is there already, and copies what is canonical as it stands, as nearly
// all is. The depth of strict documents bounds the recursion.
func (v Value) AppendCanonical(dst []byte) []byte {
	raw := v.Raw()
	switch kind := v.Kind(); {
	case kind == '{':
		return v.appendObject(dst)
	case kind == '[':
		return v.appendArray(dst)
	case kind == '"' && escaped(raw), kind == '0' && !plainInteger(raw):
		return appendCanonical(dst, raw)
	}
	return append(dst, raw...)
}

func (v Value) appendArray(dst []byte) []byte {
	dst = append(dst, '[')
	first := true
	for item := range v.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = item.AppendCanonical(dst)
	}
	return append(dst, ']')
}

func (v Value) appendObject(dst []byte) []byte {
	var room [16]Value
	members := room[:0]
	for m := range v.All() {
		if escaped(m.RawKey()) {
			return appendCanonical(dst, v.Raw())
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

// escaped reports whether a string of JSON has an escape in it, which canonical
// JSON may write differently.
func escaped(quoted []byte) bool { return bytes.IndexByte(quoted, '\\') >= 0 }

func inner(quoted []byte) []byte { return quoted[1 : len(quoted)-1] }

// plainInteger reports whether a number is written as canonical JSON writes it,
// for the numbers that are nearly all.
func plainInteger(number []byte) bool {
	digits := bytes.TrimPrefix(number, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) == len(number) || digits[0] != '0' // there is no -0
}
