package jcs

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest.
const MaxDepth = 64

// Scanner reads text that is canonical JSON already, as published releases
// are, in a fraction of the time that a general decoder takes. Its methods
// report false for what is not canonical, and for what is so rare that it is
// left to the general decoder: keys that are not plain ASCII, numbers that are
// not short integers, escapes by number. They never report true wrongly, as
// long as the text is UTF-8.
type Scanner struct {
	text string
	at   int
}

// NewScanner returns a scanner at the beginning of a text.
func NewScanner(text string) *Scanner { return &Scanner{text: text} }

// Offset returns how many bytes have been read.
func (s *Scanner) Offset() int { return s.at }

// IsCanonical reports whether a text is strict JSON in canonical form. Where
// it says no the text may still be.
func IsCanonical(text string) bool {
	s := Scanner{text: text}
	return utf8.ValidString(text) && s.Value(0) && s.at == len(text)
}

// Value reads a value that stands in depth objects and arrays.
func (s *Scanner) Value(depth int) bool {
	switch s.Peek() {
	case '"':
		_, _, ok := s.Quoted()
		return ok
	case '{':
		return s.Object(depth, func(string) bool { return s.Value(depth + 1) })
	case '[':
		return s.Array(depth, func() bool { return s.Value(depth + 1) })
	case 't':
		return s.Literal("true")
	case 'f':
		return s.Literal("false")
	case 'n':
		return s.Literal("null")
	}
	_, ok := s.Integer()
	return ok
}

// Object reads an object that stands in depth others; member reads the value
// of a key.
func (s *Scanner) Object(depth int, member func(key string) bool) bool {
	if depth == MaxDepth || !s.Next('{') {
		return false
	}
	if s.Next('}') {
		return true
	}
	for last, first := "", true; ; first = false {
		// Keys that rise are in order, and none is there twice.
		key, ok := s.Key()
		if !ok || !first && key <= last || !s.Next(':') || !member(key) {
			return false
		}
		if s.Next('}') {
			return true
		}
		if !s.Next(',') {
			return false
		}
		last = key
	}
}

// Array reads an array that stands in depth others; item reads an item.
func (s *Scanner) Array(depth int, item func() bool) bool {
	if depth == MaxDepth || !s.Next('[') {
		return false
	}
	if s.Next(']') {
		return true
	}
	for item() {
		if s.Next(']') {
			return true
		}
		if !s.Next(',') {
			return false
		}
	}
	return false
}

// Key reads a key of plain ASCII: UTF-16, by which canonical JSON sorts,
// sorts others differently from bytes.
func (s *Scanner) Key() (string, bool) {
	key, escaped, ok := s.Quoted()
	if !ok || escaped {
		return "", false
	}
	for i := range len(key) {
		if key[i] >= utf8.RuneSelf {
			return "", false
		}
	}
	return key, true
}

// Quoted reads a string and returns what stands between the quotes.
func (s *Scanner) Quoted() (inner string, escaped, ok bool) {
	if !s.Next('"') {
		return "", false, false
	}
	for i := s.at; i < len(s.text); i++ {
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
		}
	}
	return "", false, false
}

// Integer reads an integer of at most 15 digits, which a float64 holds.
func (s *Scanner) Integer() (int, bool) {
	start := s.at
	s.Next('-')
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

// Literal reads a literal if it comes next.
func (s *Scanner) Literal(word string) bool {
	if !strings.HasPrefix(s.text[s.at:], word) {
		return false
	}
	s.at += len(word)
	return true
}

// Peek returns the next byte, or 0 at the end.
func (s *Scanner) Peek() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// Next reads the byte c if it comes next.
func (s *Scanner) Next(c byte) bool {
	if s.Peek() != c || s.at == len(s.text) {
		return false
	}
	s.at++
	return true
}

// Raw reads the value of a field and returns its text.
func (s *Scanner) Raw() (string, bool) {
	start := s.at
	ok := s.Value(1)
	return s.text[start:s.at], ok
}

// Unquoted reads a string and returns its value.
func (s *Scanner) Unquoted() (string, bool) {
	start := s.at
	inner, escaped, ok := s.Quoted()
	if escaped {
		inner = Unquote([]byte(s.text[start:s.at]))
	}
	return inner, ok
}
