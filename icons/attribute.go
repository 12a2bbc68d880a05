package icons

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const hintDropped = "no action is needed; to avoid this warning, remove it (Inkscape: save as Plain SVG)"

// attributes checks the attributes of a kept element. The style attribute comes last,
// because CSS overrides the other attributes.
func (s *sanitizer) attributes(n *node, list []tagAttr) {
	var style *tagAttr
	for i := range list {
		switch a := &list[i]; {
		case !a.bound:
		case a.ns != "":
			s.foreignAttribute(n, *a)
		case a.local == "style":
			style = a
		default:
			s.attribute(n, *a)
		}
	}
	if style != nil {
		s.style(n, *style)
	}
}

// attribute checks an attribute without a namespace.
func (s *sanitizer) attribute(n *node, a tagAttr) {
	g, known := attributes[n.name][a.local]
	switch {
	case a.local == "id":
		s.doubled[a.value] = s.ids[a.value] != nil
		s.ids[a.value] = n
	case a.local == "version", a.local == "viewBox" && n.name == "svg": // see sanitizer.viewBox
	case known:
		s.set(n, a, g)
	case s.property(n, a):
	case a.local == "class" && trim(a.value) == "", n.name == "svg" && isDefault(a):
	case isIgnored(n.name, a.local):
		what := a.name
		if slices.Contains([]string{"width", "height", "x", "y"}, a.local) {
			what = fmt.Sprintf("%s=%s of <%s>", a.name, wording.Quote(a.value), n.name)
		}
		s.drop(a.off, what, hintDropped)
	default:
		s.refuse(a.off, codeOf(a.value), "remove the attribute", "Symbols may not use the attribute %s on <%s>.", a.name, n.name)
	}
}

// isDefault reports whether an attribute gives the root the size and place it has
// anyway.
func isDefault(a tagAttr) bool {
	v, ok := userUnits(trim(a.value))
	switch a.local {
	case "width", "height":
		return ok && v == side
	case "x", "y":
		return ok && v == 0
	}
	return false
}

// foreignAttribute handles an attribute with a namespace. Only xlink:href, the old name
// of href, has an effect.
func (s *sanitizer) foreignAttribute(n *node, a tagAttr) {
	g, takesHref := attributes[n.name]["href"]
	switch {
	case a.ns == xlinkNamespace && a.local == "href" && takesHref:
		if n.find("href") == nil { // href has precedence
			s.set(n, a, g)
		}
	case a.local == "href" && takesHref && !editorNamespace(a.ns):
		// It was meant as a reference; dropping it would change the drawing.
		s.refuse(a.off, codes.SymbolNotAllowed, `write href without a prefix, or declare the prefix as xmlns:xlink="`+xlinkNamespace+`"`,
			"The attribute %s of <%s> is in the namespace %s instead of XLink, so it refers to nothing.", a.name, n.name, wording.Quote(a.ns))
	case a.ns == xmlNamespace && a.local == "space":
	default:
		s.drop(a.off, a.name, hintDropped)
	}
}

// style turns the declarations of a style attribute into attributes. It splits at every
// semicolon, also in strings and parentheses where CSS would not; the pieces of those
// are not valid and are refused.
func (s *sanitizer) style(n *node, a tagAttr) {
	for declaration := range strings.SplitSeq(a.value, ";") {
		if trim(declaration) == "" {
			continue
		}
		name, text, ok := strings.Cut(declaration, ":")
		name = strings.ToLower(trim(name))
		if ok && s.property(n, tagAttr{local: name, name: name, value: trim(text), off: a.off}) {
			continue
		}
		s.refuse(a.off, codeOf(declaration), `remove it from the style; write colours and strokes as attributes, such as fill="#000000"`,
			"The style of <%s> has %s, which symbols may not use.", n.name, wording.Quote(trim(declaration)))
	}
}

// property handles an attribute or declaration if it is a property, and reports whether
// it is one.
func (s *sanitizer) property(n *node, a tagAttr) bool {
	text := trim(a.value)
	p, known := properties[a.local]
	group := ineffective(a.local)
	harmless, isNeutral := neutral[a.local]
	switch {
	case known && !p.affects(n.name):
		s.dropProperty(n, a, fmt.Sprintf("%s on <%s>", a.local, n.name))
	case known && p.inherited && strings.EqualFold(text, "inherit"):
		n.set(attr{name: a.local})
	case known:
		s.set(n, a, p.grammar)
	case a.local == "color":
		s.color(n, a)
	case isNeutral:
		if !slices.Contains(harmless, strings.ToLower(text)) {
			s.badValue(n, a, strings.Join(harmless, " or ")+", or remove it; symbols may not use "+a.local)
		}
	case group != "":
		s.dropProperty(n, a, group)
	default:
		return false
	}
	return true
}

// dropProperty drops a property that has no effect. Its value must be harmless: words,
// numbers and complete strings of these.
func (s *sanitizer) dropProperty(n *node, a tagAttr, what string) {
	harmless := !strings.ContainsFunc(a.value, func(r rune) bool {
		return r > 0x7F || !isLetter(byte(r)) && !isDigit(byte(r)) && !isSpace(byte(r)) && !strings.ContainsRune("#%.,+-_'\"", r)
	})
	if !harmless || strings.Count(a.value, `"`)%2 != 0 || strings.Count(a.value, `'`)%2 != 0 {
		s.badValue(n, a, "plain words or numbers, or remove it; it has no effect on a symbol")
		return
	}
	s.drop(a.off, what, hintDropped)
}

// color handles the property color, which changes the meaning of currentColor. In a
// symbol that is the ink of the icon, so color is dropped, or refused if the symbol uses
// currentColor.
func (s *sanitizer) color(n *node, a tagAttr) {
	text := trim(a.value)
	if strings.EqualFold(text, currentColor) || strings.EqualFold(text, "inherit") {
		return
	}
	c, ok := anyColor(text)
	switch {
	case !ok:
		s.badValue(n, a, "a colour as #RRGGBB, or remove it")
		return
	case s.drawing:
		n.set(attr{name: a.local, value: value{text: c.String()}, off: a.off})
		return
	}
	s.colors = append(s.colors, a.off)
}

// set sets an attribute of a node if its value is valid.
func (s *sanitizer) set(n *node, a tagAttr, g grammar) {
	text := s.userUnits(n, a)
	var v value
	ok := false
	if len(text) <= s.limits.path {
		v, ok = g.parse(text)
	}
	switch {
	case len(text) > s.limits.path, len(v.text) > s.limits.path:
		s.refuse(a.off, codes.SymbolMalformed, "simplify the path (Inkscape: Path > Simplify; Illustrator: Object > Path > Simplify)",
			"The attribute %s of <%s> has %d bytes; at most %d are allowed.", a.local, n.name, max(len(text), len(v.text)), s.limits.path)
	case !ok:
		s.badValue(n, a, g.want)
	default:
		n.set(attr{name: a.local, value: v, off: a.off})
	}
}

// userUnits returns the text of a value. In a drawing with another viewBox than that of symbols, a
// percentage is converted.
func (s *sanitizer) userUnits(n *node, a tagAttr) string {
	text := trim(a.value)
	v, unit, ok := parseNumber(text)
	if !s.drawing || !ok || unit != "%" || isGradient(n.name) || n.name == "mask" || n.name == "stop" || strings.HasSuffix(a.local, "opacity") {
		return text
	}
	of := math.Hypot(s.box[2], s.box[3]) / math.Sqrt2
	switch a.local {
	case "x", "x1", "x2", "cx", "rx", "width":
		of = s.box[2]
	case "y", "y1", "y2", "cy", "ry", "height":
		of = s.box[3]
	}
	return formatNumber(v * of / 100)
}

// badValue reports a value that the grammar of its attribute does not have.
func (s *sanitizer) badValue(n *node, a tagAttr, want string) {
	s.refuse(a.off, codeOf(a.value), "write "+want, "The %s of <%s> is %s, which symbols may not use.", a.local, n.name, wording.Quote(trim(a.value)))
}

// codeOf returns the code for a value that symbols may not use.
func codeOf(text string) issue.Code {
	if reachesOut(text) {
		return codes.SymbolUnsafe
	}
	return codes.SymbolNotAllowed
}
