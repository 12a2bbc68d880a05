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
		s.leaveOut(n, a, fmt.Sprintf("%s on <%s>", a.local, n.name))
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
		s.leaveOut(n, a, group)
	default:
		return false
	}
	return true
}

// leaveOut drops a property that has no effect. Its value must be harmless: words,
// numbers and complete strings of these.
func (s *sanitizer) leaveOut(n *node, a tagAttr, what string) {
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
	case s.free:
		n.set(attr{name: a.local, value: value{text: c.String()}, off: a.off})
		return
	}
	s.colors = append(s.colors, a.off)
}

// set sets an attribute of a node if its value is valid.
func (s *sanitizer) set(n *node, a tagAttr, g grammar) {
	text := s.inBox(n, a)
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

// inBox returns the text of a value. A percentage of a viewBox that is not that of symbols is
// converted.
func (s *sanitizer) inBox(n *node, a tagAttr) string {
	text := trim(a.value)
	v, unit, ok := parseNumber(text)
	if !s.free || !ok || unit != "%" || isGradient(n.name) || n.name == "mask" || n.name == "stop" || strings.HasSuffix(a.local, "opacity") {
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

// attributes lists the elements that symbols may use and the attributes of each. The
// [properties] are allowed in addition.
var attributes = map[string]map[string]grammar{
	"svg":  {}, // and the viewBox, see sanitizer.viewBox
	"g":    {"transform": transforms},
	"defs": {},
	"use":  {"href": hrefLocal, "x": length, "y": length, "transform": transforms},

	"path": {"d": pathData, "pathLength": plain, "transform": transforms},
	"rect": {
		"x": length, "y": length, "width": positive, "height": positive, "rx": positive, "ry": positive,
		"pathLength": plain, "transform": transforms,
	},
	"circle":   {"cx": length, "cy": length, "r": positive, "pathLength": plain, "transform": transforms},
	"ellipse":  {"cx": length, "cy": length, "rx": positive, "ry": positive, "pathLength": plain, "transform": transforms},
	"line":     {"x1": length, "y1": length, "x2": length, "y2": length, "pathLength": plain, "transform": transforms},
	"polyline": {"points": points, "pathLength": plain, "transform": transforms},
	"polygon":  {"points": points, "pathLength": plain, "transform": transforms},

	"linearGradient": {
		"x1": coordinate, "y1": coordinate, "x2": coordinate, "y2": coordinate,
		"gradientUnits": unitsOfUser, "gradientTransform": transforms, "spreadMethod": keywords("pad", "reflect", "repeat"),
		"href": hrefLocal,
	},
	"radialGradient": {
		"cx": coordinate, "cy": coordinate, "r": coordinate, "fx": coordinate, "fy": coordinate, "fr": coordinate,
		"gradientUnits": unitsOfUser, "gradientTransform": transforms, "spreadMethod": keywords("pad", "reflect", "repeat"),
		"href": hrefLocal,
	},
	"stop": {"offset": opacity},

	"clipPath": {"clipPathUnits": unitsOfUser, "transform": transforms},
	"mask": {
		"maskUnits": unitsOfUser, "maskContentUnits": unitsOfUser,
		"x": coordinate, "y": coordinate, "width": coordinate, "height": coordinate,
	},
}

// property is a CSS property. It may be written as an attribute or in style and is
// published as an attribute.
type property struct {
	grammar
	inherited bool
	only      string // the only element that it affects; "" is everything that is drawn
}

var properties = map[string]property{
	"fill":              {grammar: paint, inherited: true},
	"fill-opacity":      {grammar: opacity, inherited: true},
	"fill-rule":         {grammar: keywords("nonzero", "evenodd"), inherited: true},
	"stroke":            {grammar: paint, inherited: true},
	"stroke-dasharray":  {grammar: dashes, inherited: true},
	"stroke-dashoffset": {grammar: length, inherited: true},
	"stroke-linecap":    {grammar: keywords("butt", "round", "square"), inherited: true},
	"stroke-linejoin":   {grammar: keywords("miter", "round", "bevel"), inherited: true},
	"stroke-miterlimit": {grammar: plain, inherited: true},
	"stroke-opacity":    {grammar: opacity, inherited: true},
	"stroke-width":      {grammar: positive, inherited: true},
	"clip-rule":         {grammar: keywords("nonzero", "evenodd"), inherited: true},
	"paint-order":       {grammar: paintOrder, inherited: true},
	"visibility":        {grammar: keywords("visible", "hidden"), inherited: true},

	"clip-path": {grammar: urlOrNone},
	"display":   {grammar: keywords("none", "inline").except("inline", "block")},
	"mask":      {grammar: urlOrNone},
	"opacity":   {grammar: opacity.except("1")},

	"mask-type":    {grammar: keywords("luminance", "alpha"), only: "mask"},
	"stop-color":   {grammar: stopColor, only: "stop"},
	"stop-opacity": {grammar: opacity, only: "stop"},
}

func (p property) affects(element string) bool {
	if p.only != "" {
		return p.only == element
	}
	return !isGradient(element) && element != "stop"
}

// neutral lists properties that symbols may not use, with the values that have no effect
// and are dropped without a warning.
var neutral = map[string][]string{
	"clip":                {"auto"},
	"color-interpolation": {"srgb", "auto"},
	"filter":              {"none"},
	"isolation":           {"auto", "isolate"},
	"marker":              {"none"},
	"marker-end":          {"none"},
	"marker-mid":          {"none"},
	"marker-start":        {"none"},
	"mix-blend-mode":      {"normal"},
	"vector-effect":       {"none"},
}

// ineffective returns the group of a property that cannot affect a symbol, or "".
// Drawing programs write many of them, so there is one warning per group.
func ineffective(name string) string {
	switch name {
	case "alignment-baseline", "baseline-shift", "block-progression", "direction", "dominant-baseline",
		"inline-size", "kerning", "letter-spacing", "line-height", "line-break", "shape-inside",
		"shape-margin", "shape-padding", "shape-subtract", "tab-size", "unicode-bidi", "white-space",
		"word-spacing", "writing-mode":
		return "properties of text"
	case "buffered-rendering", "color-rendering", "image-rendering", "shape-rendering", "text-rendering", "will-change":
		return "rendering hints"
	case "color-interpolation-filters", "flood-color", "flood-opacity", "lighting-color":
		return "properties of filters"
	case "cursor", "pointer-events":
		return "properties of the pointer"
	case "overflow", "solid-color", "solid-opacity", "enable-background":
		return name
	}
	switch {
	case hasPrefix(name, []string{"font", "text-", "glyph-orientation-"}):
		return "properties of text"
	case strings.HasPrefix(name, "-inkscape-"):
		return "properties of Inkscape"
	}
	return ""
}

// isIgnored reports whether an attribute does not affect the drawing and is dropped.
func isIgnored(element, name string) bool {
	switch name {
	case "role", "lang", "tabindex", "focusable", "class":
		return true
	case "baseProfile", "contentScriptType", "contentStyleType", "preserveAspectRatio", "zoomAndPan":
		return element == "svg"
	case "width", "height":
		return element == "svg" || element == "use"
	case "x", "y":
		return element == "svg"
	}
	return strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-")
}

// mayHold reports whether an element may be a child of another.
func mayHold(parent, child string) bool {
	switch parent {
	case "svg", "g", "defs", "mask":
		return attributes[child] != nil && child != "svg" && child != "stop"
	case "clipPath":
		return isShape(child) || child == "use"
	case "linearGradient", "radialGradient":
		return child == "stop"
	}
	return false
}

func isGradient(name string) bool { return name == "linearGradient" || name == "radialGradient" }

func isShape(name string) bool {
	switch name {
	case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
		return true
	}
	return false
}

// unitsOf has, for each element whose coordinates are relative to the viewport or to a
// shape, the attribute that chooses, and the coordinates with their defaults.
var unitsOf = map[string]struct {
	attribute string
	defaults  map[string]string
}{
	"linearGradient": {"gradientUnits", map[string]string{"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}},
	"radialGradient": {"gradientUnits", map[string]string{"cx": "50%", "cy": "50%", "r": "50%", "fx": "", "fy": "", "fr": ""}},
	"mask":           {"maskUnits", map[string]string{"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}},
}

// resolveUnits converts percentages to numbers, also defaults that are percentages of the
// viewport. The viewport of an icon is another one, so percentages would change their
// meaning.
func resolveUnits(root *node) {
	type change struct {
		n *node
		a attr
	}
	var changes []change // applied at the end, because gradients inherit coordinates
	root.walk(func(n *node) {
		units := unitsOf[n.name]
		for name, byDefault := range units.defaults {
			if text := withoutPercent(n, units.attribute, name, byDefault); text != "" {
				changes = append(changes, change{n, attr{name: name, value: value{text: text}, off: n.off}})
			}
		}
	})
	for _, c := range changes {
		c.n.set(c.a)
	}
}

// withoutPercent returns the number to write for a coordinate, or "" if it is not a
// percentage.
func withoutPercent(n *node, units, name, byDefault string) string {
	text, space, anyUser := "", "", false
	for ; n != nil; n = n.linked() {
		if text == "" {
			text = n.get(name)
		}
		if space == "" {
			space = n.get(units)
		}
		anyUser = anyUser || n.get(units) == "userSpaceOnUse"
	}
	if text == "" && anyUser {
		text = byDefault
	}
	percent, ok := strings.CutSuffix(text, "%")
	if !ok {
		return ""
	}
	v, _, _ := parseNumber(percent)
	if space == "userSpaceOnUse" {
		v *= side
	}
	return formatNumber(v / 100)
}

// linked returns what href refers to, or nil: what is drawn instead of a <use>, or the gradient
// that a gradient inherits from.
func (n *node) linked() *node {
	if a := n.find("href"); a != nil {
		return a.target
	}
	return nil
}
