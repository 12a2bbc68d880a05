package icons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

const hintDropped = "nothing to do; to silence this, remove it (Inkscape: save as Plain SVG)"

// attributes checks the attributes of an element that is kept. Those in style
// come last, since CSS lets them override the others.
func (s *sanitizer) attributes(n *node, list []tagAttr) {
	for _, a := range list {
		if a.bound && (a.ns != "" || a.local != "style") {
			s.attribute(n, a)
		}
	}
	for _, a := range list {
		if a.bound && a.ns == "" && a.local == "style" {
			s.style(n, a)
		}
	}
}

func (s *sanitizer) attribute(n *node, a tagAttr) {
	if a.ns != "" {
		s.foreignAttribute(n, a)
		return
	}
	switch a.local {
	case "id":
		s.identify(n, a.value)
		return
	case "version":
		return
	case "viewBox":
		if n.name == "svg" {
			return // see sanitizer.viewBox
		}
	}
	if g, ok := attributes[n.name][a.local]; ok {
		s.set(n, a, g)
		return
	}
	switch {
	case s.property(n, a):
	case plainRoot(n, a), a.local == "class" && trim(a.value) == "":
	case leftover(n.name, a.local):
		what := a.name
		if a.local == "width" || a.local == "height" || a.local == "x" || a.local == "y" {
			what = fmt.Sprintf("%s=%s of <%s>", a.name, prose.Quote(a.value), n.name)
		}
		s.drop(a.off, what, hintDropped)
	default:
		s.refuse(a.off, codeOf(a.value),
			fmt.Sprintf("Symbols may not use the attribute %s on <%s>.", a.name, n.name), "remove the attribute")
	}
}

// foreignAttribute handles attributes with a namespace. None but xlink:href,
// the old way to write href, means anything to who draws the symbol.
func (s *sanitizer) foreignAttribute(n *node, a tagAttr) {
	g, takesHref := attributes[n.name]["href"]
	switch {
	case a.ns == xlinkNamespace && a.local == "href" && takesHref:
		if n.find("href") == nil { // href wins where both are given
			a.local = "href"
			s.set(n, a, g)
		}
	case a.local == "href" && takesHref && !editorNamespace(a.ns):
		// Somebody meant a reference; without it the drawing would be another.
		s.refuse(a.off, issue.CodeSymbolNotAllowed,
			fmt.Sprintf("The attribute %s of <%s> is of the namespace %s, not of XLink, so that it refers to nothing.", a.name, n.name, prose.Quote(a.ns)),
			`write href without a prefix, or declare the prefix as xmlns:xlink="`+xlinkNamespace+`"`)
	case a.ns == xmlNamespace && a.local == "space":
	default:
		s.drop(a.off, a.name, hintDropped)
	}
}

// identify notes the id of a node. Whether it is kept depends on whether
// anything refers to it.
func (s *sanitizer) identify(n *node, id string) {
	if s.ids[id] != nil {
		s.doubled[id] = true
		return
	}
	s.ids[id] = n
}

// plainRoot reports whether an attribute of the root says what holds anyway.
func plainRoot(n *node, a tagAttr) bool {
	if n.name != "svg" {
		return false
	}
	v, ok := userUnits(trim(a.value))
	switch a.local {
	case "width", "height":
		return ok && v == side
	case "x", "y":
		return ok && v == 0
	}
	return false
}

// property handles an attribute or declaration that is a property, and reports
// whether it is one.
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

// leaveOut drops a property that has no effect, if its value is harmless too.
func (s *sanitizer) leaveOut(n *node, a tagAttr, what string) {
	if !harmlessText(a.value) {
		s.badValue(n, a, "plain words or numbers, or remove it; it has no effect on a symbol")
		return
	}
	s.drop(a.off, what, hintDropped)
}

// color handles the property color, which changes what currentColor means. In a
// symbol that is the colour of the place it is put in, so color is left out,
// and refused if there is a currentColor that it could have an effect on.
func (s *sanitizer) color(n *node, a tagAttr) {
	text := trim(a.value)
	if strings.EqualFold(text, currentColor) || strings.EqualFold(text, "inherit") {
		return
	}
	if _, ok := anyColor(text); !ok {
		s.badValue(n, a, "a colour as #RRGGBB, or remove it")
		return
	}
	s.colors = append(s.colors, a.off)
}

// set gives the node an attribute if its value has the form it must have.
func (s *sanitizer) set(n *node, a tagAttr, g grammar) {
	text := trim(a.value)
	var v value
	ok := false
	if len(text) <= MaxPathBytes {
		v, ok = g.parse(text)
	}
	switch {
	case len(text) > MaxPathBytes, len(v.text) > MaxPathBytes:
		s.refuse(a.off, issue.CodeSymbolMalformed,
			fmt.Sprintf("The attribute %s of <%s> has %d bytes; at most %d are allowed.", a.local, n.name, max(len(text), len(v.text)), MaxPathBytes),
			"simplify the path (Inkscape: Path > Simplify; Illustrator: Object > Path > Simplify)")
	case !ok:
		s.badValue(n, a, g.want)
	default:
		n.set(attr{name: a.local, value: v, off: a.off})
	}
}

func (s *sanitizer) badValue(n *node, a tagAttr, want string) {
	s.refuse(a.off, codeOf(a.value),
		fmt.Sprintf("The %s of <%s> is %s, which symbols may not use.", a.local, n.name, prose.Quote(trim(a.value))),
		"write "+want)
}

// codeOf tells an unsafe value from one that is merely not allowed.
func codeOf(text string) issue.Code {
	if reachesOut(text) {
		return issue.CodeSymbolUnsafe
	}
	return issue.CodeSymbolNotAllowed
}
