package icons

import (
	"math"
	"strconv"
	"strings"
)

// scanner reads the small languages of SVG attributes: keywords, and numbers separated
// by white space and commas.
type scanner struct {
	s string
	i int
}

func (s *scanner) done() bool { return s.i >= len(s.s) }

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.done() {
		return 0
	}
	return s.s[s.i]
}

// accept skips the next byte if it is c, which is not 0.
func (s *scanner) accept(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.i++
	return true
}

// skip skips the bytes that satisfy is, and returns them.
func (s *scanner) skip(is func(byte) bool) string {
	start := s.i
	for !s.done() && is(s.s[s.i]) {
		s.i++
	}
	return s.s[start:s.i]
}

func (s *scanner) space() { s.skip(isSpace) }

// comma skips a separator between two numbers and reports whether it has a comma, which
// must be followed by a number.
func (s *scanner) comma() bool {
	s.space()
	found := s.accept(',')
	s.space()
	return found
}

// sign skips a sign.
func (s *scanner) sign() {
	if !s.accept('+') {
		s.accept('-')
	}
}

// number reads a number of at most maxNumber.
func (s *scanner) number() (float64, bool) {
	start := s.i
	s.sign()
	digits := len(s.skip(isDigit))
	if s.accept('.') {
		digits += len(s.skip(isDigit))
	}
	// An e without digits, as in em, is not an exponent.
	end := s.i
	if digits > 0 && (s.accept('e') || s.accept('E')) {
		if s.sign(); s.skip(isDigit) == "" {
			s.i = end
		}
	}
	v, err := strconv.ParseFloat(s.s[start:s.i], 64)
	if digits == 0 || err != nil || math.Abs(v) > maxNumber {
		s.i = start
		return 0, false
	}
	return v, true
}

// flag reads a flag of an arc, which needs no separator after it.
func (s *scanner) flag() (float64, bool) {
	if s.accept('0') {
		return 0, true
	}
	return 1, s.accept('1')
}

// unit reads the letters or the % that follow a number, in lower case.
func (s *scanner) unit() string {
	if s.accept('%') {
		return "%"
	}
	return strings.ToLower(s.word())
}

// word reads a run of ASCII letters.
func (s *scanner) word() string { return s.skip(isLetter) }

// numbers reads the rest of the text as a list of numbers.
func (s *scanner) numbers() ([]float64, bool) {
	var list []float64
	s.space()
	for !s.done() {
		v, ok := s.number()
		if !ok {
			return nil, false
		}
		list = append(list, v)
		if s.comma() && s.done() {
			return nil, false
		}
	}
	return list, true
}

// trim removes the white space of XML.
func trim(s string) string { return strings.Trim(s, " \t\r\n") }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// formatNumber returns the shortest form of a number with at most six decimals.
func formatNumber(v float64) string {
	v = math.Round(v*1e6) / 1e6
	if v == 0 {
		return "0" // and not -0
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if rest, ok := strings.CutPrefix(s, "0."); ok {
		return "." + rest
	}
	if rest, ok := strings.CutPrefix(s, "-0."); ok {
		return "-." + rest
	}
	return s
}

// joiner writes lists of numbers.
type joiner struct {
	strings.Builder
	packed bool   // omit separators where path data needs none
	last   string // the previous number, or ""
}

func (j *joiner) numbers(list ...float64) {
	for _, v := range list {
		s := formatNumber(v)
		apart := s[0] == '-' || s[0] == '.' && strings.Contains(j.last, ".")
		if j.last != "" && !(j.packed && apart) {
			j.WriteByte(' ')
		}
		j.WriteString(s)
		j.last = s
	}
}

// mark writes a word or a letter, after which a number needs no separator.
func (j *joiner) mark(s string) {
	j.WriteString(s)
	j.last = ""
}
