package icons

import (
	"math/cmplx"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
)

// extent is the size of a node with every reference followed. It bounds the work of
// rendering the symbol.
type extent struct {
	elements, layers, bytes, depth int
	length                         float64 // of the outlines, in the units of their dashes
	open                           bool    // it is being measured, so a reference to it is a cycle
}

// measure checks that references have no cycles and stay within the limits.
func (s *sanitizer) measure() {
	whole := s.extent(s.root, map[*node]*extent{})
	if whole.depth > maxSymbolDepth {
		s.refuse(s.root.off, codes.SymbolMalformed, "ungroup the drawing, and refer to shapes directly",
			"With every reference followed, elements are nested deeper than %d.", maxSymbolDepth)
	}
	switch {
	case whole.elements > s.limits.drawn:
		s.refuse(s.root.off, codes.SymbolTooComplex, "combine shapes, and use fewer <use>",
			"With every reference followed, the symbol has more than %d elements.", s.limits.drawn)
	case whole.layers > s.limits.layers:
		s.refuse(s.root.off, codes.SymbolTooComplex, "use fewer masks, clip paths and opacities, or apply them to a group",
			"With every reference followed, the symbol has more than %d masks, clip paths and opacities.", s.limits.layers)
	case whole.bytes > s.limits.outlines:
		s.refuse(s.root.off, codes.SymbolTooComplex, "simplify paths, and use fewer <use>",
			"With every reference followed, the outlines of the symbol have more than %d bytes.", s.limits.outlines)
	}
	if dashes, step := finestDashes(s.root); dashes != nil && whole.length/step > float64(s.limits.dashes) {
		s.refuse(dashes.off, codes.SymbolTooComplex, "write longer ones, or a shorter pathLength",
			"The dashes %s are so fine that the symbol could have more than %d.", wording.Quote(dashes.text), s.limits.dashes)
	}
}

// extent measures a node. Each node is visited once, counts saturate, and references that close a
// cycle are cut.
func (s *sanitizer) extent(n *node, known map[*node]*extent) *extent {
	if e := known[n]; e != nil {
		return e
	}
	e := &extent{elements: 1, open: true}
	for _, name := range []string{"clip-path", "mask", "opacity"} {
		if n.find(name) != nil {
			e.layers++
		}
	}
	if isShape(n.name) {
		e.bytes, e.length = len(n.get("d"))+len(n.get("points")), n.length()
	}
	known[n] = e
	add := func(part *extent) {
		const enough = 1 << 21
		e.elements = min(e.elements+part.elements, enough)
		e.layers = min(e.layers+part.layers, enough)
		e.bytes = min(e.bytes+part.bytes, enough)
		e.length += part.length
		e.depth = max(e.depth, part.depth)
	}
	for i := range n.attrs {
		a := &n.attrs[i]
		if a.target == nil {
			continue
		}
		part := s.extent(a.target, known)
		if part.open {
			s.refuse(a.off, codes.SymbolNotAllowed, "remove the reference, or refer to something else",
				"The %s of <%s> refers to %s, which contains or refers to this element.", a.name, n.name, wording.Quote(a.fragment))
			a.target = nil
			continue
		}
		add(part)
	}
	for _, c := range n.children {
		add(s.extent(c, known))
	}
	e.depth++
	e.open = false
	return e
}

// length returns the length of a shape's outline, in the units of its dashes.
func (n *node) length() float64 {
	if own := n.number("pathLength"); own > 0 {
		return own
	}
	return n.traced()
}

// traced returns the length of a shape's outline in user units.
func (n *node) traced() float64 {
	if !hasExtent(n) {
		return 0
	}
	var lines polylines
	n.trace(&lines)
	sum := 0.0
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			sum += cmplx.Abs(line[i] - line[i-1])
		}
	}
	return sum
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
