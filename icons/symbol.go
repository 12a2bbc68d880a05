package icons

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// Limits of a symbol. One that exceeds them is refused with
// taxonomy.CodeSymbolMalformed.
const (
	// MaxSymbolBytes is the largest text of a symbol, as drawn and as published.
	MaxSymbolBytes = 256 << 10
	// MaxSymbolDepth is how deep elements may nest, the root counted, and how
	// deep they may once every reference is followed.
	MaxSymbolDepth = 32
	// MaxSymbolElements is how many elements the text may hold, those that are
	// left out counted.
	MaxSymbolElements = 2_000
	// MaxSymbolDrawn is how many elements there may be once every reference is
	// replaced by what it refers to. Nested <use> elements grow exponentially.
	MaxSymbolDrawn = 10_000
	// MaxSymbolDrawnBytes is how much text that may be: a long path, drawn a
	// thousand times, would keep a browser busy for minutes.
	MaxSymbolDrawnBytes = 512 << 10
	// MaxSymbolDashes is how many dashes and gaps strokes may have, if all
	// outlines of the symbol were dashed as finely as the finest of them.
	MaxSymbolDashes = 50_000
	// MaxPathBytes is the longest path data or list of points.
	MaxPathBytes = 64 << 10
	// MaxNumber is the largest magnitude of any number. Numbers are published
	// with at most six decimals.
	MaxNumber = 1e6
)

// side is the width and height of a symbol's viewBox.
const side = 36

// Symbol is a drawing that has been parsed, checked against the allow-list and
// written again from what was allowed. It is made by [Sanitize] and never
// changes.
type Symbol struct {
	text   string
	paints []string
	// cuts are the places in the text where an id begins: that of an element,
	// or that of a reference. Whoever puts a symbol in a page writes something
	// before each.
	cuts []int32
	// initials are the bits of [initials] that the group of the symbol sets.
	initials uint16
	// sum is the SHA-256 of the text where there are ids.
	sum [sha256.Size]byte
}

// String returns the published text: one svg element in the SVG namespace with
// the viewBox 0 0 36 36, attributes in a fixed order, without prolog, comments
// or white space between elements. Equal drawings need not have equal texts,
// but a published text is its own published text.
func (s *Symbol) String() string { return s.text }

// Paints returns what the symbol is drawn with: "currentColor", which takes the
// colour of the place it is put in, and colours as #RRGGBB, sorted and without
// repetition. It tells what is seen: inherited paints, the black of a shape
// that nobody gave a fill, and the stops of gradients count; what is hidden,
// fully transparent, or only clips or masks does not.
func (s *Symbol) Paints() []string { return slices.Clone(s.paints) }

// node is an element of a symbol. Ids are kept apart from the attributes, and
// references point to nodes, so that whoever writes the tree is free to choose
// the ids.
type node struct {
	name     string
	id       string // "" where nothing refers to the node
	attrs    []attr // by name, each once
	children []*node
	off      int // where the tag begins in the source
}

// attr is an attribute with a value that passed its grammar.
type attr struct {
	name string
	value
	target *node // what a reference refers to
	off    int   // where the attribute begins in the source
}

// value is what a grammar makes of the text of an attribute: a canonical text,
// or the fragment of a reference. The zero value is the default of the
// attribute, which need not be written.
type value struct {
	text     string
	fragment string // the id that is referred to
}

// find returns the attribute of the name, or nil.
func (n *node) find(name string) *attr {
	i, ok := n.search(name)
	if !ok {
		return nil
	}
	return &n.attrs[i]
}

// get returns the text of an attribute, or "" where there is none.
func (n *node) get(name string) string {
	if a := n.find(name); a != nil {
		return a.text
	}
	return ""
}

// set adds the attribute or replaces the one of that name; one with the zero
// value is removed.
func (n *node) set(a attr) {
	i, found := n.search(a.name)
	switch {
	case a.value == (value{}) && found:
		n.attrs = slices.Delete(n.attrs, i, i+1)
	case a.value == (value{}):
	case found:
		n.attrs[i] = a
	default:
		n.attrs = slices.Insert(n.attrs, i, a)
	}
}

func (n *node) search(name string) (int, bool) {
	return slices.BinarySearchFunc(n.attrs, name, func(a attr, name string) int {
		return strings.Compare(a.name, name)
	})
}

// walk calls visit for the node and all below it, in document order.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, c := range n.children {
		c.walk(visit)
	}
}

// symbolOpen is how every published text begins; attributes of the root follow.
const symbolOpen = `<svg xmlns="` + svgNamespace + `" viewBox="0 0 36 36"`

// symbolClose is how a text ends that holds anything.
const symbolClose = "</svg>"

// printer writes a tree and notes where the ids begin.
type printer struct {
	strings.Builder
	cuts []int32
}

// node appends a node and what it holds. No value needs escaping: the grammars
// let none of the characters through that would.
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
		p.WriteString(" " + n.attrs[i].name + `="`)
		p.value(&n.attrs[i])
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

func (p *printer) value(a *attr) {
	switch {
	case a.target == nil:
		p.WriteString(a.text)
	case a.name == "href":
		p.WriteString("#")
		p.id(a.target)
	default:
		p.WriteString("url(#")
		p.id(a.target)
		p.WriteString(")")
	}
}

func (p *printer) id(n *node) {
	p.cuts = append(p.cuts, int32(p.Len()))
	p.WriteString(n.id)
}
