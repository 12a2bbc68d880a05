package jcs

import (
	"strings"
	"unicode/utf8"
)

// IsCanonical reports whether text is strict JSON in canonical form, the form of published
// releases, in a fraction of the time of a general decoder. It reports false for rare forms of
// canonical JSON, which are left to that one: keys outside ASCII, numbers other than short
// integers, and \u escapes.
func IsCanonical(text string) bool {
	s := scanner{text: text}
	return utf8.ValidString(text) && s.value(0) && s.at == len(text)
}

// scanner reads canonical JSON.
type scanner struct {
	text string
	at   int
}

// value reads a value inside depth objects and arrays.
func (s *scanner) value(depth int) (ok bool) {
	switch s.peek() {
	case '"':
		return s.quoted()
	case '{':
		return s.object(depth)
	case '[':
		return s.array(depth)
	case 't':
		s.at, ok = Literal(s.text, s.at, "true")
	case 'f':
		s.at, ok = Literal(s.text, s.at, "false")
	case 'n':
		s.at, ok = Literal(s.text, s.at, "null")
	default:
		ok = s.integer()
	}
	return ok
}

// object reads an object inside depth others.
func (s *scanner) object(depth int) bool {
	if depth == MaxDepth || !s.next('{') {
		return false
	}
	if s.next('}') {
		return true
	}
	for last, first := "", true; ; first = false {
		// Ascending keys are in order and without duplicates.
		key, ok := s.key()
		if !ok || !first && key <= last || !s.next(':') || !s.value(depth+1) {
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

// array reads an array inside depth others.
func (s *scanner) array(depth int) bool {
	if depth == MaxDepth || !s.next('[') {
		return false
	}
	if s.next(']') {
		return true
	}
	for s.value(depth + 1) {
		if s.next(']') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
	return false
}

// integer reads an integer of at most 15 digits, which a float64 can hold.
func (s *scanner) integer() bool {
	start := s.at
	end, integer, ok := Number(s.text, s.at)
	s.at = end
	digits := strings.TrimPrefix(s.text[start:end], "-")
	return ok && integer && len(digits) <= 15 && (digits != "0" || len(digits) == end-start) // -0 is not canonical
}

// key reads an ASCII key. Canonical JSON sorts by UTF-16, which sorts other keys
// differently from bytes.
func (s *scanner) key() (string, bool) {
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

// quoted reads a string. Canonical JSON escapes few characters by letter.
func (s *scanner) quoted() bool {
	start := s.at
	end, escaped, ok := String(s.text, s.at)
	s.at = end
	if !ok || !escaped {
		return ok
	}
	for rest := s.text[start:end]; ; {
		i := strings.IndexByte(rest, '\\')
		if i < 0 {
			return true
		}
		if rest[i+1] == 'u' || rest[i+1] == '/' {
			return false
		}
		rest = rest[i+2:]
	}
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
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}
