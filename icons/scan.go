package icons

import (
	"math"
	"strconv"
	"strings"
)

// scanner reads the small languages of SVG attributes: numbers, separated by
// white space and commas, between keywords.
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

// accept skips the byte if it is next.
func (p *scanner) accept(c byte) bool {
	if p.peek() != c || p.done() {
		return false
	}
	p.i++
	return true
}

// space skips white space.
func (p *scanner) space() {
	for !p.done() && isSpace(p.s[p.i]) {
		p.i++
	}
}

// comma skips what may separate two numbers, and reports whether a comma was
// among it, after which there must be another number.
func (p *scanner) comma() bool {
	p.space()
	found := p.accept(',')
	p.space()
	return found
}

// atNumber reports whether a number seems to follow.
func (p *scanner) atNumber() bool {
	c := p.peek()
	return isDigit(c) || c == '.' || c == '+' || c == '-'
}

// number reads a number of at most [MaxNumber].
func (p *scanner) number() (float64, bool) {
	start := p.i
	if !p.accept('+') {
		p.accept('-')
	}
	digits := p.digits()
	if p.peek() == '.' {
		p.i++
		digits += p.digits()
	}
	if digits == 0 {
		p.i = start
		return 0, false
	}
	p.exponent()
	v, err := strconv.ParseFloat(p.s[start:p.i], 64)
	if err != nil || math.Abs(v) > MaxNumber {
		p.i = start
		return 0, false
	}
	return v, true
}

// exponent skips an exponent; an e that begins none, as in em, stays.
func (p *scanner) exponent() {
	start := p.i
	if p.accept('e') || p.accept('E') {
		if !p.accept('+') {
			p.accept('-')
		}
		if p.digits() > 0 {
			return
		}
	}
	p.i = start
}

func (p *scanner) digits() int {
	start := p.i
	for isDigit(p.peek()) {
		p.i++
	}
	return p.i - start
}

// flag reads one of the flags of an arc, which need no separator after them.
func (p *scanner) flag() (float64, bool) {
	switch {
	case p.accept('0'):
		return 0, true
	case p.accept('1'):
		return 1, true
	}
	return 0, false
}

// unit reads the letters or the % that follow a number, in lower case.
func (p *scanner) unit() string {
	if p.accept('%') {
		return "%"
	}
	return strings.ToLower(p.word())
}

// word reads a run of ASCII letters.
func (p *scanner) word() string {
	start := p.i
	for isLetter(p.peek()) {
		p.i++
	}
	return p.s[start:p.i]
}

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

// formatNumber prints a number as short as it gets, with at most six decimals.
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

// joiner writes numbers one after the other.
type joiner struct {
	b      strings.Builder
	packed bool   // no more separators than are needed, as only path data may have
	last   string // the number before, or ""
}

func (j *joiner) number(v float64) {
	s := formatNumber(v)
	apart := s[0] == '-' || s[0] == '.' && strings.Contains(j.last, ".")
	if j.last != "" && !(j.packed && apart) {
		j.b.WriteByte(' ')
	}
	j.b.WriteString(s)
	j.last = s
}

// mark writes a word or a letter, after which a number needs no separator.
func (j *joiner) mark(s string) {
	j.b.WriteString(s)
	j.last = ""
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
