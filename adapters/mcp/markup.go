package mcp

import (
	"bytes"
	"slices"
)

// Results carry texts of others, and some hosts put them into pages. What HTML or a
// script would take for markup is written as escapes, which JSON readers undo.

// appendSafe appends JSON with markup escaped, of which there mostly is none.
func appendSafe(dst, text []byte) []byte {
	if !hasMarkup(text) {
		return append(dst, text...)
	}
	const hex = "0123456789abcdef"
	done := 0
	for i, c := range text {
		switch {
		case c == '<' || c == '>' || c == '&':
			dst = append(append(dst, text[done:i]...), `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&0xF])
			done = i + 1
		case c == lineEnd[0] && bytes.HasPrefix(text[i:], lineEnd[:2]) && text[i+2]&^1 == lineEnd[2]:
			dst = append(append(dst, text[done:i]...), `\u202`...)
			dst = append(dst, hex[text[i+2]&0xF])
			done = i + len(lineEnd)
		}
	}
	return append(dst, text[done:]...)
}

// lineEnd is U+2028, which ends a line in a script, as U+2029 does. They differ in the
// last bit.
var lineEnd = []byte("\u2028")

func hasMarkup(text []byte) bool {
	for _, c := range []byte("<>&") {
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
	return bytes.Contains(text, lineEnd) || bytes.Contains(text, []byte("\u2029"))
}

// appendQuoted appends a JSON string that holds JSON, with markup escaped. The JSON
// must have no control characters, as the envelope of a tool has none.
func appendQuoted(dst, text []byte) []byte {
	if hasMarkup(text) {
		return appendSafe(dst, appendQuote(nil, text)) // the other way round, escapes would be quoted
	}
	return appendQuote(dst, text)
}

func appendQuote(dst, text []byte) []byte {
	begin, size := len(dst), quotedLen(text)
	dst = slices.Grow(dst, size)[:begin+size]
	at := dst[begin:]
	at[0] = '"'
	k := 1
	for _, c := range text {
		if c == '"' || c == '\\' {
			at[k] = '\\'
			k++
		}
		at[k] = c
		k++
	}
	at[k] = '"'
	return dst
}

// quotedLen is the length of what appendQuote appends.
func quotedLen(text []byte) int {
	return len(text) + bytes.Count(text, []byte{'"'}) + bytes.Count(text, []byte{'\\'}) + len(`""`)
}
