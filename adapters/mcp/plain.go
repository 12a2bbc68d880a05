package mcp

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text of documents reaches people and models. What can't be seen in it, and what
// changes the order in which the rest is seen, is shown for what it is.

// hidden reports whether a character is a control, or one that reorders or hides
// text.
func hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return unicode.IsControl(r)
	case r == '\u061C', r == '\u00AD', r == '\u180E', r == '\uFEFF', r == '\u200B',
		'\u200E' <= r && r <= '\u200F', '\u2028' <= r && r <= '\u202E', '\u2060' <= r && r <= '\u206F',
		'\uFFF9' <= r && r <= '\uFFFB', 0xE0000 <= r && r <= 0xE0FFF:
		return true
	}
	return unicode.IsControl(r)
}

// plain writes hidden characters as \u and their number, for people to read.
func plain(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			b.WriteString(escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeJSON writes hidden characters of a JSON text as escapes by number: for
// whoever parses it, it is the same text.
func escapeJSON(text []byte) []byte {
	var b []byte // nil as long as there is nothing to escape
	done := 0
	for at := 0; at < len(text); {
		if !suspect[text[at]] {
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

// suspect are the bytes that hidden characters begin with in UTF-8. Controls below
// the space can't stand in a JSON text, or are its white space.
var suspect = [256]bool{0x7F: true, 0xC2: true, 0xD8: true, 0xE1: true, 0xE2: true, 0xEF: true, 0xF3: true}

func escape(r rune) string {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
