package taxonomy

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner reads text that is canonical JSON already, as published releases
// are, in a fraction of the time that a general decoder takes. Its methods
// report false for what is not canonical, and for what is so rare that it is
// left to the general decoder: keys that are not plain ASCII, numbers that are
// not short integers, escapes by number. They never report true wrongly, as
// long as the text is UTF-8.
type scanner struct {
	text string
	at   int
}

// scanCanonical reports whether a text is strict JSON in canonical form. Where
// it says no the text may still be; [Canonical] knows.
func scanCanonical(text string) bool {
	s := scanner{text: text}
	return utf8.ValidString(text) && s.value(0) && s.at == len(text)
}

// value reads a value that stands in depth objects and arrays.
func (s *scanner) value(depth int) bool {
	switch s.peek() {
	case '"':
		_, _, ok := s.quoted()
		return ok
	case '{':
		return s.object(depth, func(string) bool { return s.value(depth + 1) })
	case '[':
		return s.array(depth, func() bool { return s.value(depth + 1) })
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	_, ok := s.integer()
	return ok
}

// object reads an object that stands in depth others; member reads the value
// of a key.
func (s *scanner) object(depth int, member func(key string) bool) bool {
	if depth == MaxDepth || !s.next('{') {
		return false
	}
	if s.next('}') {
		return true
	}
	for last, first := "", true; ; first = false {
		// Keys that rise are in order, and none is there twice.
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

// array reads an array that stands in depth others; item reads an item.
func (s *scanner) array(depth int, item func() bool) bool {
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

// key reads a key of plain ASCII: UTF-16, by which canonical JSON sorts,
// sorts others differently from bytes.
func (s *scanner) key() (string, bool) {
	key, escaped, ok := s.quoted()
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

// quoted reads a string and returns what stands between the quotes.
func (s *scanner) quoted() (inner string, escaped, ok bool) {
	if !s.next('"') {
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

// integer reads an integer of at most 15 digits, which a float64 holds.
func (s *scanner) integer() (int, bool) {
	start := s.at
	s.next('-')
	digits := s.at
	for s.at < len(s.text) && digit(s.text[s.at]) {
		s.at++
	}
	switch n := s.at - digits; {
	case n == 0 || n > 15, s.text[digits] == '0' && s.at-start > 1:
		return 0, false
	}
	i, err := strconv.Atoi(s.text[start:s.at])
	return i, err == nil
}

func (s *scanner) literal(word string) bool {
	if !strings.HasPrefix(s.text[s.at:], word) {
		return false
	}
	s.at += len(word)
	return true
}

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// next reads the byte c if it comes next.
func (s *scanner) next(c byte) bool {
	if s.peek() != c || s.at == len(s.text) {
		return false
	}
	s.at++
	return true
}
