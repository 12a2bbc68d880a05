package mcp

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text of documents reaches people and models. Characters in it that are invisible,
// or that change the order of text, are written as escapes.

// hidden reports whether a character is a control character, or one that reorders
// or hides text.
func hidden(r rune) bool {
	return unicode.IsControl(r) ||
		r == '\u061C' || r == '\u00AD' || r == '\u180E' || r == '\uFEFF' || r == '\u200B' ||
		'\u200E' <= r && r <= '\u200F' || '\u2028' <= r && r <= '\u202E' || '\u2060' <= r && r <= '\u206F' ||
		'\uFFF9' <= r && r <= '\uFFFB' || 0xE0000 <= r && r <= 0xE0FFF
}

// plain writes hidden characters as escapes for people to read.
func plain(s string) string { return string(escapeHidden([]byte(s))) }

// escapeHidden writes hidden characters as \u and their number. A JSON text stays
// the same for its readers.
func escapeHidden(text []byte) []byte {
	var b []byte // nil as long as there is nothing to escape
	done := 0
	for at := 0; at < len(text); {
		if c := text[at]; c >= ' ' && !suspect[c] {
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		if hidden(r) {
			b, done = append(append(b, text[done:at]...), escape(r)...), at+size
		}
		at += size
	}
	if b == nil {
		return text
	}
	return append(b, text[done:]...)
}

// suspect are the bytes that hidden characters begin with in UTF-8, besides control
// characters in ASCII.
var suspect = [256]bool{0x7F: true, 0xC2: true, 0xD8: true, 0xE1: true, 0xE2: true, 0xEF: true, 0xF3: true}

func escape(r rune) string {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
