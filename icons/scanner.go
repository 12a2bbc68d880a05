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

func (p *scanner) done() bool { return p.i >= len(p.s) }

// peek returns the next byte, or 0 at the end.
func (p *scanner) peek() byte {
	if p.done() {
		return 0
	}
	return p.s[p.i]
}

// accept skips the next byte if it is c, which is not 0.
func (p *scanner) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.i++
	return true
}

// skip skips the bytes that satisfy is, and returns them.
func (p *scanner) skip(is func(byte) bool) string {
	start := p.i
	for !p.done() && is(p.s[p.i]) {
		p.i++
	}
	return p.s[start:p.i]
}

func (p *scanner) space() { p.skip(isSpace) }

// comma skips a separator between two numbers and reports whether it has a comma, which
// must be followed by a number.
func (p *scanner) comma() bool {
	p.space()
	found := p.accept(',')
	p.space()
	return found
}

// sign skips a sign.
func (p *scanner) sign() {
	if !p.accept('+') {
		p.accept('-')
	}
}

// number reads a number of at most maxNumber.
func (p *scanner) number() (float64, bool) {
	start := p.i
	p.sign()
	digits := len(p.skip(isDigit))
	if p.accept('.') {
		digits += len(p.skip(isDigit))
	}
	// An e without digits, as in em, is not an exponent.
	end := p.i
	if digits > 0 && (p.accept('e') || p.accept('E')) {
		if p.sign(); p.skip(isDigit) == "" {
			p.i = end
		}
	}
	v, err := strconv.ParseFloat(p.s[start:p.i], 64)
	if digits == 0 || err != nil || math.Abs(v) > maxNumber {
		p.i = start
		return 0, false
	}
	return v, true
}

// flag reads a flag of an arc, which needs no separator after it.
func (p *scanner) flag() (float64, bool) {
	if p.accept('0') {
		return 0, true
	}
	return 1, p.accept('1')
}

// unit reads the letters or the % that follow a number, in lower case.
func (p *scanner) unit() string {
	if p.accept('%') {
		return "%"
	}
	return strings.ToLower(p.word())
}

// word reads a run of ASCII letters.
func (p *scanner) word() string { return p.skip(isLetter) }

// numbers reads the rest of the text as a list of numbers.
func (p *scanner) numbers() ([]float64, bool) {
	var list []float64
	p.space()
	for !p.done() {
		v, ok := p.number()
		if !ok {
			return nil, false
		}
		list = append(list, v)
		if p.comma() && p.done() {
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
