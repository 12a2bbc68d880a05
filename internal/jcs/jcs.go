// Package jcs provides parts of readers and writers of JSON and canonical JSON (RFC 8785): the
// tokens, the order of keys, quoting, and a scanner for text that is already canonical.
package jcs

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Compare orders keys by their UTF-16 code units, as canonical JSON does.
func Compare(a, b []byte) int {
	// ASCII is in the same order everywhere.
	for len(a) > 0 && len(b) > 0 && a[0]|b[0] < utf8.RuneSelf {
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
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

// rank maps characters to numbers in UTF-16 order: characters above U+FFFF are
// pairs of surrogates, which sort before U+E000.
func rank(r rune) int {
	if 0xE000 <= r && r <= 0xFFFF {
		return int(r) + utf8.MaxRune
	}
	return int(r)
}

// AppendQuote appends s as a JSON string with the escapes of RFC 8785. Invalid
// UTF-8 becomes U+FFFD; strict documents have none.
func AppendQuote(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		panic(err) // valid UTF-8 can always be quoted
	}
	return quoted
}

// AppendObject appends an object of canonical values by their names.
func AppendObject(b []byte, members map[string][]byte) []byte {
	b = append(b, '{')
	keys := slices.SortedFunc(maps.Keys(members), func(x, y string) int { return Compare([]byte(x), []byte(y)) })
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendQuote(b, key), ':')
		b = append(b, members[key]...)
	}
	return append(b, '}')
}
