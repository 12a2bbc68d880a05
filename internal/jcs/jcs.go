// Package jcs provides the tokens of JSON, which every reader of this module uses, and
// pieces of canonical JSON (RFC 8785): the order of keys, quoting, and a scanner for text
// that is canonical already.
package jcs

import (
	"bytes"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
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

// The tokens of JSON, for all readers of this module: the strict one of package document,
// the tolerant one of package tolerant, and [Scanner] for canonical JSON. Each function
// reads one token at an offset and returns where it ends or, if it is not well-formed, the
// offset of the first byte that is wrong. The text need not be UTF-8.

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

// plain returns how many bytes of a string need no attention: those before the first
// quote, backslash or control character. It looks at eight bytes at a time, since most
// of a document is text. To subtract n from a byte below n sets its highest bit; of the
// bytes that are found, the first one is right, and a borrow may add others after it.
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

// escapes are the characters of escapes by letter, and escaped what they mean.
const escapes, escaped = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// Escape returns the length of the escape at the start of a text, or 0 if it is not
// valid. A surrogate needs its other half.
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

// End returns the end of the value at an offset of a text that is known to be JSON. It
// does not look into objects and arrays.
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

// AppendUnescaped appends the text of a string without its quotes. An escape that is not
// valid stands for itself, and half of a pair of surrogates is U+FFFD.
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

// Scanner reads canonical JSON, the form of published releases, in a fraction of
// the time of a general decoder. Its methods report false for text that is not
// canonical, and for rare forms that are left to the general decoder: keys
// outside ASCII, numbers other than short integers, escapes by number. If the
// text is UTF-8, they never report true for text that is not canonical.
type Scanner struct {
	text string
	at   int
}

// NewScanner returns a scanner at the beginning of text.
func NewScanner(text string) *Scanner { return &Scanner{text: text} }

// Offset returns how many bytes have been read.
func (s *Scanner) Offset() int { return s.at }

// IsCanonical reports whether text is strict JSON in canonical form. It may
// report false for text that is, as the methods of [Scanner] do.
func IsCanonical(text string) bool {
	s := Scanner{text: text}
	return utf8.ValidString(text) && s.value(0) && s.at == len(text)
}

// value reads a value inside depth objects and arrays.
func (s *Scanner) value(depth int) bool {
	switch s.peek() {
	case '"':
		_, _, ok := s.quoted()
		return ok
	case '{':
		return s.Object(depth, func(string) bool { return s.value(depth + 1) })
	case '[':
		return s.Array(depth, func() bool { return s.value(depth + 1) })
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	_, ok := s.Integer()
	return ok
}

// Object reads an object inside depth others; member reads the value of a key.
func (s *Scanner) Object(depth int, member func(key string) bool) bool {
	if depth == MaxDepth || !s.next('{') {
		return false
	}
	if s.next('}') {
		return true
	}
	for last, first := "", true; ; first = false {
		// Ascending keys are in order and without duplicates.
		key, ok := s.key()
		if !ok || !first && key <= last || !s.next(':') || !member(key) {
			return false
		}
		if s.next('}') {
			return true
		}
		if !s.next(',') {
			return false
		}
		last = key
	}
}

// Array reads an array inside depth others; item reads an item.
func (s *Scanner) Array(depth int, item func() bool) bool {
	if depth == MaxDepth || !s.next('[') {
		return false
	}
	if s.next(']') {
		return true
	}
	for item() {
		if s.next(']') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
	return false
}

// Integer reads an integer of at most 15 digits, which a float64 can hold.
func (s *Scanner) Integer() (int, bool) {
	start := s.at
	end, integer, ok := Number(s.text, s.at)
	s.at = end
	if !ok || !integer {
		return 0, false
	}
	digits := strings.TrimPrefix(s.text[start:end], "-")
	if len(digits) > 15 || digits == "0" && len(digits) < end-start { // -0 is not canonical
		return 0, false
	}
	i, err := strconv.Atoi(s.text[start:end])
	return i, err == nil
}

// Raw reads the value of a field and returns its text.
func (s *Scanner) Raw() (string, bool) {
	start := s.at
	ok := s.value(1)
	return s.text[start:s.at], ok
}

// Unquoted reads a string and returns its value.
func (s *Scanner) Unquoted() (string, bool) {
	start := s.at
	inner, escaped, ok := s.quoted()
	if escaped {
		inner = Unquote([]byte(s.text[start:s.at]))
	}
	return inner, ok
}

// key reads an ASCII key. Canonical JSON sorts by UTF-16, which sorts other keys
// differently from bytes.
func (s *Scanner) key() (string, bool) {
	if !s.next('"') {
		return "", false
	}
	for i := s.at; i < len(s.text); i++ { // keys are short
		switch c := s.text[i]; {
		case c == '"':
			key := s.text[s.at:i]
			s.at = i + 1
			return key, true
		case c < ' ' || c == '\\' || c >= utf8.RuneSelf:
			return "", false
		}
	}
	return "", false
}

// quoted reads a string and returns the text between the quotes. Canonical JSON escapes
// few characters by letter.
func (s *Scanner) quoted() (inner string, escaped, ok bool) {
	if s.peek() != '"' {
		return "", false, false
	}
	end, escaped, ok := String(s.text, s.at)
	if !ok {
		return "", false, false
	}
	inner, s.at = s.text[s.at+1:end-1], end
	if escaped {
		for rest := inner; ; {
			i := strings.IndexByte(rest, '\\')
			if i < 0 {
				break
			}
			if rest[i+1] == 'u' || rest[i+1] == '/' {
				return "", true, false
			}
			rest = rest[i+2:]
		}
	}
	return inner, escaped, true
}

func (s *Scanner) literal(word string) (ok bool) {
	s.at, ok = Literal(s.text, s.at, word)
	return ok
}

// peek returns the next byte, or 0 at the end.
func (s *Scanner) peek() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// next reads the byte c if it comes next.
func (s *Scanner) next(c byte) bool {
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}
