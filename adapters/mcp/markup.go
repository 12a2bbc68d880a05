package mcp

// Results carry texts of others, and some hosts put them into pages. What HTML or a
// script would take for markup is written as escapes, which JSON readers undo.

// appendSafe appends JSON with markup escaped.
func appendSafe(dst, text []byte) []byte { return appendEscaped(dst, text, false) }

// appendQuoted appends a JSON string that holds JSON, with markup escaped. The JSON
// must have no control characters, as the envelope of a tool has none.
func appendQuoted(dst, text []byte) []byte {
	return append(appendEscaped(append(dst, '"'), text, true), '"')
}

// quotedLen returns about how long appendQuoted makes a text. Markup is rare.
func quotedLen(text []byte) int {
	n := len(text) + len(`""`)
	for _, c := range text {
		if c == '"' || c == '\\' {
			n++
		}
	}
	return n
}

func appendEscaped(dst, text []byte, quoted bool) []byte {
	const hex = "0123456789abcdef"
	done := 0
	for i, c := range text {
		switch escapes[c] {
		case escapeQuote:
			if quoted {
				dst = append(append(dst, text[done:i]...), '\\', c)
				done = i + 1
			}
		case escapeMarkup:
			dst = append(append(dst, text[done:i]...), `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&0xF])
			done = i + 1
		case escapeLine:
			// U+2028 and U+2029, which end a line in a script.
			if i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&^1 == 0xA8 {
				dst = append(append(dst, text[done:i]...), `\u202`...)
				dst = append(dst, hex[text[i+2]&0xF])
				done = i + 3
			}
		}
	}
	return append(dst, text[done:]...)
}

// Why a byte may have to be escaped.
const (
	escapeQuote = iota + 1
	escapeMarkup
	escapeLine
)

var escapes = [256]byte{'"': escapeQuote, '\\': escapeQuote, '<': escapeMarkup, '>': escapeMarkup, '&': escapeMarkup, 0xE2: escapeLine}
