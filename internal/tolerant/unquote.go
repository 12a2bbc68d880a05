package tolerant

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote returns the text of a string or a word, or of the first part of one. An
// escape that is not valid stands for itself, and bytes that are not UTF-8 become
// U+FFFD.
func unquote(raw []byte) string {
	if len(raw) > 0 && (raw[0] == '"' || raw[0] == '\'') {
		quote := raw[0]
		raw = raw[1:]
		if n := len(raw); n > 0 && raw[n-1] == quote && !escapedAt(raw, n-1) {
			raw = raw[:n-1]
		}
	} else {
		raw = bytes.TrimSuffix(raw, []byte(`"`)) // the opening quote is missing
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	b := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		if raw[0] != '\\' || len(raw) == 1 {
			b, raw = append(b, raw[0]), raw[1:]
			continue
		}
		var n int
		b, n = appendEscape(b, raw)
		raw = raw[n:]
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// escapedAt reports whether the byte at i has an odd number of backslashes before it.
func escapedAt(raw []byte, i int) bool {
	n := 0
	for i--; i >= 0 && raw[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// appendEscape appends the character of the escape at the start of raw and returns
// the length of the escape.
func appendEscape(b, raw []byte) (decoded []byte, n int) {
	const letters, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(letters, raw[1]); i >= 0 {
		return append(b, values[i]), 2
	}
	r, ok := codeUnit(raw)
	if !ok {
		return append(b, raw[:2]...), 2
	}
	if low, ok := codeUnit(raw[6:]); ok && utf16.IsSurrogate(r) {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return utf8.AppendRune(b, pair), 12
		}
	}
	return utf8.AppendRune(b, r), 6 // half of a pair becomes U+FFFD
}

// codeUnit parses \u and four hexadecimal digits.
func codeUnit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	u, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(u), err == nil
}
