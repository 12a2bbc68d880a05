package icons

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// grammar is the syntax of an attribute value.
type grammar struct {
	want  string // describes valid values, for hints
	parse func(string) (value, bool)
}

// textGrammar returns a grammar without references.
func textGrammar(want string, parse func(string) (string, bool)) grammar {
	return grammar{want, func(s string) (value, bool) {
		text, ok := parse(s)
		return value{text: text}, ok
	}}
}

// keywords returns a grammar of words, ignoring case.
func keywords(words ...string) grammar {
	return textGrammar(strings.Join(words, " or "), func(s string) (string, bool) {
		i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(w, s) })
		if i < 0 {
			return "", false
		}
		return words[i], true
	})
}

// except makes words the default of a grammar, which is not written. They are valid even
// if the grammar does not have them.
func (g grammar) except(words ...string) grammar {
	return grammar{g.want, func(s string) (value, bool) {
		v, ok := g.parse(s)
		if slices.Contains(words, strings.ToLower(s)) || ok && slices.Contains(words, v.text) {
			return value{}, true
		}
		return v, ok
	}}
}

const (
	wantNumber = "a plain number such as 1.5, at most 1000000"
	wantColor  = "a colour as #RRGGBB, a colour name or currentColor; for transparency use an opacity"
)

var (
	length      = textGrammar(wantNumber, parseLength)
	positive    = textGrammar(wantNumber+" and not negative", parsePositive)
	plain       = textGrammar(wantNumber+" and not negative", parsePlain)
	coordinate  = textGrammar("a number such as 1.5 or a percentage such as 50%", parseCoordinate)
	opacity     = textGrammar("a number from 0 to 1", parseOpacity)
	dashes      = textGrammar("none or lengths such as 2 1", parseDashes)
	paintOrder  = textGrammar("normal, or fill, stroke and markers in the desired order", parsePaintOrder)
	pathData    = textGrammar("path data that begins with M, such as M2 2h32v32z, with numbers of at most 1000000", parsePath)
	points      = textGrammar("pairs of numbers such as 2,2 34,2 18,34", parsePoints)
	transforms  = textGrammar("translate(), rotate(), scale(), skewX(), skewY() or matrix() with plain numbers", parseTransform)
	stopColor   = textGrammar(wantColor, parseColor)
	paint       = grammar{"none, url(#id of a gradient), " + iconFill + " for the icon's fill, or " + wantColor, parsePaint}
	urlOrNone   = grammar{"none or url(#id) with the id of an element in this symbol", parseURL}.except("none")
	hrefLocal   = grammar{"#id with the id of an element in this symbol", parseHref}
	unitsOfUser = keywords("objectBoundingBox", "userSpaceOnUse")
)

// parseNumber reads a number and its unit.
func parseNumber(s string) (v float64, unit string, ok bool) {
	p := scanner{s: s}
	v, ok = p.number()
	unit = p.unit()
	return v, unit, ok && p.done()
}

// userUnits reads a length. A percentage is converted, so that it means the same wherever
// the symbol is placed. It is relative to the viewBox, which is a square.
func userUnits(s string) (float64, bool) {
	v, unit, ok := parseNumber(s)
	if unit == "%" {
		return v * side / 100, ok
	}
	return v, ok && (unit == "" || unit == "px")
}

func parseLength(s string) (string, bool) {
	v, ok := userUnits(s)
	return formatNumber(v), ok
}

func parsePositive(s string) (string, bool) {
	v, ok := userUnits(s)
	return formatNumber(v), ok && v >= 0
}

// parsePlain reads a number without unit or sign.
func parsePlain(s string) (string, bool) {
	v, unit, ok := parseNumber(s)
	return formatNumber(v), ok && unit == "" && v >= 0
}

// parseCoordinate reads a coordinate of a gradient or mask. The meaning of a percentage
// depends on the units of the element, see resolveUnits.
func parseCoordinate(s string) (string, bool) {
	v, unit, ok := parseNumber(s)
	if unit == "px" {
		unit = ""
	}
	return formatNumber(v) + unit, ok && (unit == "" || unit == "%")
}

// parseOpacity reads an opacity or the offset of a stop; SVG clamps both.
func parseOpacity(s string) (string, bool) {
	v, unit, ok := parseNumber(s)
	if unit == "%" {
		v /= 100
	}
	return formatNumber(min(max(v, 0), 1)), ok && (unit == "" || unit == "%")
}

func parseDashes(s string) (string, bool) {
	if strings.EqualFold(s, "none") {
		return "none", true
	}
	var out joiner
	p := scanner{s: s}
	for comma := false; !p.done() || comma; comma = p.comma() {
		start := p.i
		if _, ok := p.number(); !ok {
			return "", false
		}
		p.unit()
		v, ok := userUnits(s[start:p.i])
		if !ok || v < 0 {
			return "", false
		}
		out.numbers(v)
	}
	return out.String(), out.Len() > 0
}

func parsePaintOrder(s string) (string, bool) {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		switch w {
		case "fill", "stroke", "markers":
			if slices.Contains(words[:i], w) {
				return "", false
			}
		case "normal":
			if len(words) > 1 {
				return "", false
			}
		default:
			return "", false
		}
	}
	return strings.Join(words, " "), len(words) > 0
}

const currentColor = "currentColor"

// iconFill is the paint of symbols for the fill of the icon. It cuts a shape out of
// another one, on any background: [Append] replaces it by the fill of the icon. A symbol
// that is shown alone uses the colour at its end, the default fill.
const iconFill = "var(" + iconFillName + ", #fff)"

const iconFillName = "--icon-fill"

// isIconFill reports whether a paint is [iconFill], with any colour at its end or none. It
// is published in one form, because that colour has no effect in an icon. The name is case
// sensitive, as in CSS. No other variable is allowed: the page around the symbol would
// choose its value.
func isIconFill(s string) bool {
	const open = "var("
	if len(s) < len(open) || !strings.EqualFold(s[:len(open)], open) {
		return false
	}
	inner, closed := strings.CutSuffix(s[len(open):], ")")
	name, fallback, given := strings.Cut(inner, ",")
	if !closed || trim(name) != iconFillName {
		return false
	}
	_, isColor := anyColor(trim(fallback))
	return isColor || !given
}

func parseColor(s string) (string, bool) {
	if strings.EqualFold(s, currentColor) {
		return currentColor, true
	}
	c, ok := anyColor(s)
	return c.String(), ok
}

// parsePaint reads a fill or stroke. A colour after a reference is dropped: it is the
// fallback for broken references, which are refused.
func parsePaint(s string) (value, bool) {
	if fragment, rest, ok := cutURL(s); ok {
		if rest = trim(rest); rest != "" {
			_, ok = plainPaint(rest)
		}
		return value{fragment: fragment}, ok
	}
	return plainPaint(s)
}

// plainPaint reads a paint without a reference.
func plainPaint(s string) (value, bool) {
	if strings.EqualFold(s, "none") || strings.EqualFold(s, "transparent") {
		return value{text: "none"}, true
	}
	if isIconFill(s) {
		return value{text: iconFill}, true
	}
	text, ok := parseColor(s)
	return value{text: text}, ok
}

func parseURL(s string) (value, bool) {
	fragment, rest, ok := cutURL(s)
	return value{fragment: fragment}, ok && rest == ""
}

func parseHref(s string) (value, bool) {
	fragment, ok := localFragment(s)
	return value{fragment: fragment}, ok
}

// cutURL reads url(#id), with or without quotes, and returns the id and the rest.
func cutURL(s string) (fragment, rest string, ok bool) {
	const open = "url("
	if len(s) < len(open) || !strings.EqualFold(s[:len(open)], open) {
		return "", "", false
	}
	inner, rest, ok := strings.Cut(s[len(open):], ")")
	inner = trim(inner)
	if n := len(inner); n >= 2 && (inner[0] == '"' || inner[0] == '\'') && inner[n-1] == inner[0] {
		inner = inner[1 : n-1]
	}
	fragment, local := localFragment(inner)
	return fragment, rest, ok && local
}

// localFragment returns the id of a reference within the symbol: # and an id of visible
// characters. Nothing else is a local reference.
func localFragment(s string) (string, bool) {
	id, ok := strings.CutPrefix(s, "#")
	invisible := func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }
	if !ok || id == "" || strings.ContainsAny(id, "#\"'()\\%<>&;") || strings.ContainsFunc(id, invisible) {
		return "", false
	}
	return id, true
}

// trim removes the white space of XML.
func trim(s string) string { return strings.Trim(s, " \t\r\n") }

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

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// parsePath reads path data and writes it in canonical form: implicit lines after a move
// are named, repeated commands are not, and numbers are as short as possible. Relative
// commands stay relative.
func parsePath(s string) (string, bool) {
	out := joiner{packed: true}
	var last byte
	ok := readPath(s, func(command byte, args []float64) {
		if command != last || command|0x20 == 'm' || command|0x20 == 'z' {
			out.mark(string(command))
		}
		last = command
		out.numbers(args...)
	})
	return out.String(), ok
}

// readPath reads path data, passes on its segments, each with its command, and reports
// whether the data is valid. The arguments are valid until segment returns.
func readPath(s string, segment func(command byte, args []float64)) bool {
	p := &scanner{s: s}
	var args [7]float64
	first := true
	for p.space(); !p.done(); p.space() {
		command := p.peek()
		n, known := pathArgs[command|0x20]
		if !known || first && command|0x20 != 'm' {
			return false
		}
		first = false
		p.i++
		if n == 0 {
			segment(command, nil)
		} else if !readSegments(p, command, args[:n], segment) {
			return false
		}
	}
	return true
}

// pathArgs is how many numbers each command takes.
var pathArgs = map[byte]int{'m': 2, 'l': 2, 't': 2, 'h': 1, 'v': 1, 'q': 4, 's': 4, 'c': 6, 'a': 7, 'z': 0}

// readSegments reads the segments of one command, which may have several: l1 1 2 2. It
// uses args for the numbers of a segment.
func readSegments(p *scanner, command byte, args []float64, segment func(command byte, args []float64)) bool {
	p.space()
	for more := true; more; {
		for i := range args {
			if i > 0 {
				p.comma()
			}
			read := p.number
			if command|0x20 == 'a' && (i == 3 || i == 4) {
				read = p.flag
			}
			var ok bool
			if args[i], ok = read(); !ok {
				return false
			}
		}
		segment(command, args)
		switch command { // further pairs after a move are lines
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
		comma, c := p.comma(), p.peek()
		if more = isDigit(c) || c == '.' || c == '+' || c == '-'; comma && !more {
			return false
		}
	}
	return true
}

// parsePoints reads the points of a polyline or polygon.
func parsePoints(s string) (string, bool) {
	p := &scanner{s: s}
	list, ok := p.numbers()
	var out joiner
	out.numbers(list...)
	return out.String(), ok && len(list)%2 == 0
}

// transformArgs is how many numbers each transformation may take.
var transformArgs = map[string][]int{
	"matrix": {6}, "translate": {1, 2}, "scale": {1, 2}, "rotate": {1, 3}, "skewX": {1}, "skewY": {1},
}

// parseTransform reads a list of transformations.
func parseTransform(s string) (string, bool) {
	var out joiner
	p := &scanner{s: s}
	for p.space(); !p.done(); {
		name := p.word()
		p.space()
		if !p.accept('(') {
			return "", false
		}
		p.space()
		var args []float64
		comma := false
		for !p.accept(')') {
			v, ok := p.number()
			if !ok || len(args) == 6 {
				return "", false
			}
			args = append(args, v)
			comma = p.comma()
		}
		if comma || !slices.Contains(transformArgs[name], len(args)) {
			return "", false
		}
		if out.Len() > 0 {
			out.mark(" ")
		}
		out.mark(name + "(")
		out.numbers(args...)
		out.mark(")")
		if p.comma() && p.done() {
			return "", false
		}
	}
	return out.String(), true
}
