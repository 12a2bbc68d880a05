package jcs

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions for tokens serve the readers of package document. Each reads one token at an offset and returns its end or, if it is
// malformed, the offset of the first wrong byte. The text need not be UTF-8.

// Unquote returns the value of a well-formed JSON string, given with its quotes.
func Unquote(quoted []byte) string {
	if len(quoted) < 2 {
		return ""
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	inner := quoted[1 : len(quoted)-1]
	return string(AppendUnescaped(make([]byte, 0, len(inner)), inner))
}

// Text is the text of JSON.
type Text interface{ ~string | ~[]byte }

// Space returns the end of the white space at an offset.
func Space[T Text](text T, at int) int {
	for at < len(text) && text[at] <= ' ' && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

// String reads a string, whose opening quote is at an offset. Surrogates must be in pairs.
func String[T Text](text T, at int) (end int, escaped, ok bool) {
	for at++; ; {
		at += plain(text[at:])
		switch {
		case at == len(text) || text[at] < ' ':
			return at, false, false
		case text[at] == '"':
			return at + 1, escaped, true
		}
		n := Escape(text[at:])
		if n == 0 {
			return at, false, false
		}
		at += n
		escaped = true
	}
}

// plain returns the number of bytes before the first quote, backslash or control character of
// a string. It looks at eight bytes at a time, since most of a document is text. Subtracting n
// from a byte below n sets its highest bit. The borrow can set that of later bytes, too, so
// only the first byte that is found is certain.
func plain[T Text](text T) int {
	const each, highest = 0x0101010101010101, 0x8080808080808080 // in every byte
	i := 0
	for ; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		word := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		quote, backslash := word^'"'*each, word^'\\'*each
		found := ((word-' '*each)&^word | (quote-each)&^quote | (backslash-each)&^backslash) & highest
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
		i++
	}
	return i
}

// escapes are the characters after a backslash, and escaped what they stand for.
const escapes, escaped = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// Escape returns the length of the escape at the start of a text, or 0 if it is invalid, such
// as half of a pair of surrogates.
func Escape[T Text](text T) int {
	if len(text) < 2 {
		return 0
	}
	if text[1] != 'u' {
		if strings.IndexByte(escapes, text[1]) < 0 {
			return 0
		}
		return 2
	}
	switch r, ok := CodeUnit(text); {
	case !ok || 0xDC00 <= r && r <= 0xDFFF:
		return 0
	case 0xD800 <= r && r <= 0xDBFF:
		if low, ok := CodeUnit(text[6:]); !ok || low < 0xDC00 || low > 0xDFFF {
			return 0
		}
		return 12
	}
	return 6
}

// CodeUnit parses \u and four hexadecimal digits.
func CodeUnit[T Text](text T) (u rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for i := 2; i < 6; i++ {
		c := text[i]
		switch {
		case Digit(c):
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

// Number reads a number.
func Number[T Text](text T, at int) (end int, integer, ok bool) {
	if at < len(text) && text[at] == '-' {
		at++
	}
	if at < len(text) && text[at] == '0' {
		at++
	} else if at, ok = digits(text, at); !ok {
		return at, false, false
	}
	integer = true
	if at < len(text) && text[at] == '.' {
		integer = false
		if at, ok = digits(text, at+1); !ok {
			return at, false, false
		}
	}
	if at < len(text) && text[at]|0x20 == 'e' {
		integer = false
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if at, ok = digits(text, at); !ok {
			return at, false, false
		}
	}
	return at, integer, true
}

// digits reads digits and reports whether there are any.
func digits[T Text](text T, at int) (end int, ok bool) {
	start := at
	for at < len(text) && Digit(text[at]) {
		at++
	}
	return at, at > start
}

// Digit reports whether a byte is a decimal digit.
func Digit(c byte) bool { return '0' <= c && c <= '9' }

// Literal reads a literal, such as true.
func Literal[T Text](text T, at int, word string) (end int, ok bool) {
	for i := range len(word) {
		if at == len(text) || text[at] != word[i] {
			return at, false
		}
		at++
	}
	return at, true
}

// End returns the end of the value at an offset of valid JSON. It does not check what it
// skips.
func End(text string, at int) int {
	for depth := 0; ; {
		switch text[at] {
		case '"':
			at = endOfString(text, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\t', '\r', '\n':
			at++
		default:
			for at++; at < len(text) && strings.IndexByte("\"{}[],: \t\r\n", text[at]) < 0; {
				at++ // a number or a literal
			}
		}
		if depth == 0 {
			return at
		}
	}
}

// endOfString returns the end of the string whose opening quote is at an offset. It looks for
// the closing one, which no odd number of backslashes precedes.
func endOfString(text string, at int) int {
	for at++; ; at++ {
		at += strings.IndexByte(text[at:], '"')
		start := at
		for text[start-1] == '\\' { // ends at the opening quote
			start--
		}
		if (at-start)%2 == 0 {
			return at + 1
		}
	}
}

// AppendUnescaped appends the value of a string, given without its quotes. An invalid escape
// stays as it is, and half of a pair of surrogates becomes U+FFFD.
func AppendUnescaped[T Text](b []byte, text T) []byte {
	for len(text) > 0 {
		n := plain(text)
		b = append(b, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			break
		}
		n = 1
		if text[0] == '\\' && len(text) > 1 {
			if i := strings.IndexByte(escapes, text[1]); i >= 0 {
				b, text = append(b, escaped[i]), text[2:]
				continue
			}
			n = 2
			if r, ok := CodeUnit(text); ok {
				n = 6
				if low, ok := CodeUnit(text[6:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
					r, n = utf16.DecodeRune(r, low), 12
				}
				b, text = utf8.AppendRune(b, r), text[n:]
				continue
			}
		}
		b, text = append(b, text[:n]...), text[n:]
	}
	return b
}

// MaxDepth is how deep objects and arrays may nest.
const MaxDepth = 64
