package resolve

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy"
)

// appendCanonical appends the canonical JSON of a value. It does what
// [taxonomy.Value.AppendCanonical] does, but goes by the tree that is there
// already, and copies what is canonical as it stands, as nearly all is. The
// depth of strict documents bounds the recursion.
func appendCanonical(dst []byte, v taxonomy.Value) []byte {
	raw := v.Raw()
	switch kind := v.Kind(); {
	case kind == '{':
		return appendObject(dst, v)
	case kind == '[':
		return appendArray(dst, v)
	case kind == '"' && escaped(raw), kind == '0' && !plainInteger(raw):
		return v.AppendCanonical(dst)
	}
	return append(dst, raw...)
}

func appendArray(dst []byte, array taxonomy.Value) []byte {
	dst = append(dst, '[')
	first := true
	for item := range array.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendCanonical(dst, item)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, object taxonomy.Value) []byte {
	var room [16]taxonomy.Value
	members := room[:0]
	for m := range object.All() {
		if escaped(m.RawKey()) {
			return object.AppendCanonical(dst)
		}
		members = append(members, m)
	}
	slices.SortFunc(members, func(a, b taxonomy.Value) int { return compareKeys(inner(a.RawKey()), inner(b.RawKey())) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, m.RawKey()...), ':')
		dst = appendCanonical(dst, m)
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

// compareKeys orders keys by their UTF-16 code units, as canonical JSON does.
func compareKeys(a, b []byte) int {
	for {
		if len(a) == 0 || len(b) == 0 {
			return len(a) - len(b)
		}
		x, n := utf8.DecodeRune(a)
		y, m := utf8.DecodeRune(b)
		if x != y {
			return rank(x) - rank(y)
		}
		a, b = a[n:], b[m:]
	}
}

// rank maps characters to numbers that are in the order of UTF-16: characters
// beyond its first plane are pairs of surrogates, which stand before U+E000.
func rank(r rune) int {
	switch {
	case r > 0xFFFF:
		return int(r) + 1<<21
	case r >= 0xE000:
		return int(r) + 1<<22
	}
	return int(r)
}
