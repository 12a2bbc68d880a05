package jcs

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
	s.next('-')
	digits := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	switch n := s.at - digits; {
	case n == 0 || n > 15, s.text[digits] == '0' && s.at-start > 1:
		return 0, false
	}
	i, err := strconv.Atoi(s.text[start:s.at])
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

// quoted reads a string and returns the text between the quotes.
func (s *Scanner) quoted() (inner string, escaped, ok bool) {
	if !s.next('"') {
		return "", false, false
	}
	for i := s.at + plain(s.text[s.at:]); i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			inner, s.at = s.text[s.at:i], i+1
			return inner, escaped, true
		case c < ' ':
			return "", false, false
		case c == '\\':
			escaped = true
			if i++; i == len(s.text) || strings.IndexByte(`"\bfnrt`, s.text[i]) < 0 {
				return "", false, false
			}
			i += plain(s.text[i+1:])
		}
	}
	return "", false, false
}

// plain returns how many bytes text certainly has before the first quote, backslash or
// control character. It looks at eight at a time, and leaves the last ones to the caller:
// most of a release is plain text.
func plain(text string) int {
	const each, high = 0x0101010101010101, 0x8080808080808080 // in every byte
	for i := 0; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		word := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		// To subtract n from a byte below n sets its highest bit. Of the bytes that are
		// found, the first one is right; a borrow may add others after it.
		quote, backslash := word^'"'*each, word^'\\'*each
		found := ((word - ' '*each) &^ word) | ((quote - each) &^ quote) | ((backslash - each) &^ backslash)
		if found &= high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	return len(text) &^ 7
}

func (s *Scanner) literal(word string) bool {
	if !strings.HasPrefix(s.text[s.at:], word) {
		return false
	}
	s.at += len(word)
	return true
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
