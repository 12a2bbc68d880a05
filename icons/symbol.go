package icons

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
)

// limits are those of a symbol or another drawing. [Sanitize] refuses a symbol beyond them with
// the code symbol_malformed, or with symbol_too_complex if it would take too long to draw.
type limits struct {
	bytes    int // of the text, as drawn and as published
	elements int // in the source, dropped ones included
	path     int // bytes of path data and of lists of points
	// drawn limits the elements that are drawn, once every reference is replaced by its target:
	// nested <use> elements grow exponentially. layers limits those with a mask, a clip path or an
	// opacity, which are drawn on a layer of their own, outlines the bytes of path data and points,
	// and dashes those of strokes, and their gaps, assuming that every outline is dashed as finely
	// as the finest one.
	drawn, layers, outlines, dashes int
}

var (
	symbolLimits = limits{bytes: 256 << 10, elements: 2_000, path: 16 << 10, drawn: 400, layers: 10, outlines: 32 << 10, dashes: 1_000}
	// Logos are on signs once.
	drawnLimits = limits{bytes: 1 << 20, elements: 10_000, path: 512 << 10, drawn: 10_000, layers: 100, outlines: 1 << 20, dashes: 10_000}
)

const (
	// maxSymbolDepth limits the nesting of elements, including the root, as written
	// and with every reference followed.
	maxSymbolDepth = 32
	// maxNumber limits the magnitude of every number. Numbers are published with at
	// most six decimals.
	maxNumber = 1e6
)

// side is the width and height of a symbol's viewBox.
const side = 36

// Symbol is a drawing that [Sanitize] has checked and rewritten. It is immutable and
// safe for concurrent use. The zero Symbol draws nothing.
type Symbol struct {
	text   string
	paints []string
	// slots are the parts of the text that differ between icons, in order.
	slots []slot
	// initials are the attributes that the group of the symbol needs, see initialsOf.
	initials string
	sum      [sha256.Size]byte // of the text, if there are slots
}

// slot is a part of a symbol's text that depends on the icon.
type slot struct {
	at   int32 // its offset
	fill bool  // it is [iconFill], and not an id that needs a prefix
}

// SVG returns the published text: one svg element in the SVG namespace with the
// viewBox 0 0 36 36, attributes in a fixed order, without prolog, comments or white
// space between elements. Sanitizing a published text returns it unchanged; equal
// drawings may have different texts. The bytes are a copy.
func (s *Symbol) SVG() []byte { return []byte(s.text) }

// Paints returns the visible paints of the symbol, sorted: "currentColor" and colours
// as #RRGGBB. It includes inherited paints, the black of a shape without a fill and
// the stops of gradients, and excludes everything that is hidden, fully transparent or
// only used to clip or mask. It also excludes [iconFill], which is invisible by itself.
func (s *Symbol) Paints() []string { return slices.Clone(s.paints) }

// node is an element of a symbol. References point to nodes, so the ids can be chosen
// when the tree is written.
type node struct {
	name     string
	id       string // "" if nothing refers to the node
	attrs    []attr // sorted by name
	children []*node
	off      int // of the tag in the source
}

// attr is an attribute with a valid value.
type attr struct {
	name string
	value
	target *node // of a reference
	off    int   // in the source
}

// value is a parsed attribute value: a canonical text or a reference. The zero value
// is the default of the attribute and is not written.
type value struct {
	text     string
	fragment string // the id that is referred to
}

func (n *node) search(name string) (int, bool) {
	return slices.BinarySearchFunc(n.attrs, name, func(a attr, name string) int { return strings.Compare(a.name, name) })
}

// find returns an attribute, or nil.
func (n *node) find(name string) *attr {
	i, ok := n.search(name)
	if !ok {
		return nil
	}
	return &n.attrs[i]
}

// get returns the text of an attribute, or "".
func (n *node) get(name string) string {
	if a := n.find(name); a != nil {
		return a.text
	}
	return ""
}

// set adds or replaces an attribute, or removes it if the value is zero.
func (n *node) set(a attr) {
	i, found := n.search(a.name)
	if found {
		n.attrs = slices.Delete(n.attrs, i, i+1)
	}
	if a.value != (value{}) {
		n.attrs = slices.Insert(n.attrs, i, a)
	}
}

// walk calls visit for the node and its descendants, in document order.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, c := range n.children {
		c.walk(visit)
	}
}

// Every published text begins with symbolOpen, followed by the attributes of the root,
// and ends with symbolClose unless it is empty.
const (
	symbolOpen  = `<svg xmlns="` + svgNamespace + `" viewBox="0 0 36 36"`
	symbolClose = "</svg>"
)

// printer writes a tree and records its slots.
type printer struct {
	strings.Builder
	slots []slot
}

// node writes a node and its descendants. The grammars allow no character that needs
// escaping.
func (p *printer) node(n *node) {
	if n.name == "svg" {
		p.WriteString(symbolOpen)
	} else {
		p.WriteString("<" + n.name)
	}
	if n.id != "" {
		p.WriteString(` id="`)
		p.id(n)
		p.WriteString(`"`)
	}
	for i := range n.attrs {
		a := &n.attrs[i]
		p.WriteString(" " + a.name + `="`)
		switch {
		case a.target == nil:
			if a.text == iconFill {
				p.slot(true)
			}
			p.WriteString(a.text)
		case a.name == "href":
			p.WriteString("#")
			p.id(a.target)
		default:
			p.WriteString("url(#")
			p.id(a.target)
			p.WriteString(")")
		}
		p.WriteString(`"`)
	}
	if len(n.children) == 0 {
		p.WriteString("/>")
		return
	}
	p.WriteString(">")
	for _, c := range n.children {
		p.node(c)
	}
	p.WriteString("</" + n.name + ">")
}

func (p *printer) id(n *node) {
	p.slot(false)
	p.WriteString(n.id)
}

func (p *printer) slot(fill bool) { p.slots = append(p.slots, slot{int32(p.Len()), fill}) }

// paintsOf returns the visible paints of a tree, sorted. The fill of the icon is not among
// them.
func paintsOf(root *node) []string {
	p := painter{colors: map[string]bool{}, done: map[*node]bool{}}
	p.draw(root, ink{fill: &attr{value: value{text: "#000000"}}})
	return slices.Sorted(maps.Keys(p.colors))
}

// painter collects the paints of what is drawn. Its work is bounded by the limits,
// because cycles have been refused.
type painter struct {
	colors map[string]bool
	done   map[*node]bool // gradients that are in colors
}

// ink is the inherited properties that decide what is visible.
type ink struct {
	fill, stroke           *attr // a nil stroke is none
	hidden                 bool
	clearFill, clearStroke bool // fully transparent
	widthlessLine          bool
}

// draw adds the visible paints of a node.
func (p painter) draw(n *node, k ink) {
	if n == nil || n.get("display") == "none" || n.get("opacity") == "0" {
		return
	}
	k = k.on(n)
	switch {
	case n.name == "svg" || n.name == "g":
		for _, c := range n.children {
			p.draw(c, k)
		}
	case n.name == "use":
		p.draw(n.linked(), k)
	case isShape(n.name) && !k.hidden && hasExtent(n):
		if !k.clearFill && n.name != "line" {
			p.add(k.fill)
		}
		if !k.clearStroke && !k.widthlessLine && k.stroke != nil {
			p.add(k.stroke)
		}
	}
}

// on returns the properties that the children of a node inherit.
func (k ink) on(n *node) ink {
	for i := range n.attrs {
		a := &n.attrs[i]
		switch a.name {
		case "fill":
			k.fill = a
		case "stroke":
			k.stroke = a
		case "visibility":
			k.hidden = a.text == "hidden"
		case "fill-opacity":
			k.clearFill = a.text == "0"
		case "stroke-opacity":
			k.clearStroke = a.text == "0"
		case "stroke-width":
			k.widthlessLine = a.text == "0"
		}
	}
	return k
}

// hasExtent reports whether a shape has the geometry that it needs to be drawn.
func hasExtent(n *node) bool {
	there := func(name string) bool { v := n.get(name); return v != "" && v != "0" }
	switch n.name {
	case "path":
		return there("d")
	case "polyline", "polygon":
		return there("points")
	case "rect":
		return there("width") && there("height")
	case "circle":
		return there("r")
	case "ellipse":
		return (there("rx") || there("ry")) && n.get("rx") != "0" && n.get("ry") != "0"
	}
	return true
}

// add adds a colour, or the colours of a gradient.
func (p painter) add(paint *attr) {
	gradient := paint.target
	if gradient == nil {
		if paint.text != "none" && paint.text != iconFill {
			p.colors[paint.text] = true
		}
		return
	}
	if p.done[gradient] {
		return
	}
	p.done[gradient] = true
	for len(gradient.children) == 0 && gradient.linked() != nil {
		gradient = gradient.linked()
	}
	for _, stop := range gradient.children {
		if stop.get("stop-opacity") != "0" {
			p.colors[cmp.Or(stop.get("stop-color"), "#000000")] = true
		}
	}
}

// initialsOf returns attributes for the group of a symbol that reset inherited
// properties to their initial values. A page may set these on its svg elements, as icon
// libraries recommend, which would change the drawing. Properties that the root sets,
// or that cannot affect the symbol, are omitted. A page may still fade or hide an icon.
func initialsOf(root *node) string {
	crosses, clips, strokes := false, false, false
	root.walk(func(n *node) {
		crosses = crosses || n.name == "path" || n.name == "polyline" || n.name == "polygon"
		clips = clips || n.name == "clipPath"
		a := n.find("stroke")
		strokes = strokes || a != nil && a.text != "none"
	})
	var buffer [256]byte
	text := buffer[:0]
	for _, p := range []struct {
		name, initial string
		needed        bool
	}{
		{"fill", "#000000", true},
		{"fill-rule", "nonzero", crosses},
		{"clip-rule", "nonzero", clips},
		{"stroke", "none", true},
		{"stroke-dasharray", "none", strokes},
		{"stroke-linecap", "butt", strokes},
		{"stroke-linejoin", "miter", strokes},
		{"stroke-miterlimit", "4", strokes},
		{"stroke-width", "1", strokes},
	} {
		if p.needed && root.find(p.name) == nil {
			text = append(text, " "+p.name+`="`+p.initial+`"`...)
		}
	}
	return string(text)
}

// number returns a numeric attribute, 0 if it is missing.
func (n *node) number(name string) float64 {
	v, _, _ := parseNumber(n.get(name))
	return v
}
