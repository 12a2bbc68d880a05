package jcs

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Scanner reads canonical JSON, the form of published releases, in a fraction of the time of a
// general decoder. Its methods report false for text that is not canonical, and for rare forms
// that are left to the general decoder: keys outside ASCII, numbers other than short integers,
// and \u escapes. If the text is UTF-8, they report true only for canonical text.
type Scanner struct {
	text string
	at   int
}

// NewScanner returns a scanner at the beginning of text.
func NewScanner(text string) *Scanner { return &Scanner{text: text} }

// Offset returns how many bytes have been read.
func (s *Scanner) Offset() int { return s.at }

// IsCanonical reports whether text is strict JSON in canonical form. As the methods of
// [Scanner], it reports false for rare forms of canonical JSON.
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
