package icons

import (
	"slices"
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

// parsePoints reads the points of a polyline or polygon.
func parsePoints(s string) (string, bool) {
	p := &scanner{s: s}
	list, ok := p.numbers()
	var out joiner
	out.numbers(list...)
	return out.String(), ok && len(list)%2 == 0
}
