package icons

import (
	"crypto/sha256"
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
// only used to clip or mask. It also excludes
// var(--icon-fill, #fff), which is invisible by itself.
func (s *Symbol) Paints() []string { return slices.Clone(s.paints) }

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
