package icons

import (
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/prose"
)

// extent is the size of a node with every reference followed. It bounds the work of
// rendering the symbol.
type extent struct {
	cost, depth int
	reach       float64 // the length of the outlines, see node.reach
	open        bool    // it is being measured, so a reference to it is a cycle
}

// measure checks that references have no cycles and stay within the limits.
func (s *sanitizer) measure() {
	shape := shapeCost(s.root)
	whole := s.extent(s.root, shape, map[*node]*extent{})
	if whole.depth > maxSymbolDepth {
		s.refuse(s.root.off, codes.SymbolMalformed, "ungroup the drawing, and refer to shapes directly",
			"With every reference followed, elements are nested deeper than %d.", maxSymbolDepth)
	}
	if whole.cost > maxSymbolCost {
		s.refuse(s.root.off, codes.SymbolTooComplex,
			"combine shapes and simplify paths; use fewer masks, clip paths, opacities, gradients and <use>",
			"The symbol takes too long to draw: with every reference followed, it is worth more than %d simple shapes.", maxSymbolCost)
	}
	if dashes, step := finestDashes(s.root); dashes != nil && whole.reach/step > maxSymbolDashes {
		s.refuse(dashes.off, codes.SymbolTooComplex, "write longer ones, or a shorter pathLength",
			"The dashes %s are so fine that the symbol could have more than %d.", prose.Quote(dashes.text), maxSymbolDashes)
	}
}

// extent measures a node; shape is the cost of a shape. Each node is visited once, the cost
// saturates above the limit, and references that close a cycle are cut.
func (s *sanitizer) extent(n *node, shape int, known map[*node]*extent) *extent {
	if e := known[n]; e != nil {
		return e
	}
	e := &extent{cost: 1 + layerCost*n.layers(), reach: n.reach(), open: true}
	if isShape(n.name) {
		e.cost += shape - 1 + n.bytes()/bytesCost
	}
	known[n] = e
	add := func(part *extent) {
		e.cost = min(e.cost+part.cost, maxSymbolCost+1)
		e.reach += part.reach
		e.depth = max(e.depth, part.depth)
	}
	for i := range n.attrs {
		a := &n.attrs[i]
		if a.target == nil {
			continue
		}
		part := s.extent(a.target, shape, known)
		if part.open {
			s.refuse(a.off, codes.SymbolNotAllowed, "remove the reference, or refer to something else",
				"The %s of <%s> refers to %s, which contains or refers to this element.", a.name, n.name, prose.Quote(a.fragment))
			a.target = nil
			continue
		}
		add(part)
	}
	for _, c := range n.children {
		add(s.extent(c, shape, known))
	}
	e.depth++
	e.open = false
	return e
}

// The costs of parts of a drawing were measured with resvg at 380 by 380 pixels. The unit
// is that of an opaque rectangle: about 8 ms as WebAssembly, a hundredth of that in browsers.
const (
	gradientCost    = 16
	translucentCost = 5
	layerCost       = 40
	bytesCost       = 60 // bytes of a path for the cost of a shape
)

// shapeCost returns the cost of each shape of a symbol. Paints are inherited, so the most
// expensive one counts for all.
func shapeCost(root *node) int {
	cost := 1
	root.walk(func(n *node) {
		switch {
		case isGradient(n.name):
			cost = gradientCost
		case n.find("fill-opacity") != nil || n.find("stroke-opacity") != nil:
			cost = max(cost, translucentCost)
		}
	})
	return cost
}

// layers counts what is drawn on a layer of its own before it is drawn on others: what has
// a mask, a clip path or an opacity.
func (n *node) layers() int {
	count := 0
	for _, name := range []string{"clip-path", "mask", "opacity"} {
		if n.find(name) != nil {
			count++
		}
	}
	return count
}

// bytes returns the approximate length of the tag of a shape.
func (n *node) bytes() int {
	size := len(n.name) + len("</>")
	for i := range n.attrs {
		size += len(n.attrs[i].name) + len(n.attrs[i].text) + len(` =""`)
	}
	return size
}

// finestDashes returns the dashes of a tree with the shortest mean length, gaps included,
// and that length, or nil if nothing is dashed. Dashes of length 0 are a solid line.
func finestDashes(root *node) (dashes *attr, step float64) {
	root.walk(func(n *node) {
		a := n.find("stroke-dasharray")
		if a == nil {
			return
		}
		p := scanner{s: a.text}
		list, _ := p.numbers() // empty for "none"
		sum := 0.0
		for _, v := range list {
			sum += v
		}
		if mean := sum / float64(len(list)); sum > 0 && (dashes == nil || mean < step) {
			dashes, step = a, mean
		}
	})
	return dashes, step
}
