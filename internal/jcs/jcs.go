// Package jcs is the order of keys in canonical JSON (RFC 8785).
package jcs

import "unicode/utf8"

// Compare orders keys by their UTF-16 code units, as canonical JSON does.
func Compare(a, b []byte) int {
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
	if 0xE000 <= r && r <= 0xFFFF {
		return int(r) + utf8.MaxRune
	}
	return int(r)
}
