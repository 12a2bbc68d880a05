package icons

import (
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// extent is the size of a node with every reference followed. It bounds the work of
// rendering the symbol.
type extent struct {
	size, bytes, depth int
	reach              float64 // the length of the outlines, see node.reach
	open               bool    // it is being measured, so a reference to it is a cycle
}

// measure checks that references have no cycles and stay within the limits.
func (s *sanitizer) measure() {
	whole := s.extent(s.root, map[*node]*extent{})
	for _, limit := range []struct {
		value, max   int
		hint, format string
	}{
		{whole.size, MaxSymbolDrawn, "use <use> less, or draw the shapes once", "the symbol draws more than %d elements"},
		{whole.bytes, MaxSymbolDrawnBytes, "use <use> less, or simplify the shapes that it refers to", "the symbol has more than %d bytes"},
		{whole.depth, MaxSymbolDepth, "ungroup the drawing, and refer to shapes directly", "elements are nested deeper than %d"},
	} {
		if limit.value > limit.max {
			s.refuse(s.root.off, issue.CodeSymbolMalformed, limit.hint, "With every reference followed, "+limit.format+".", limit.max)
		}
	}
	if dashes, step := finestDashes(s.root); dashes != nil && whole.reach/step > MaxSymbolDashes {
		s.refuse(dashes.off, issue.CodeSymbolMalformed, "write longer ones, or a shorter pathLength",
			"The dashes %s are so fine that the symbol could have more than %d.", prose.Quote(dashes.text), MaxSymbolDashes)
	}
}

// extent measures a node. Each node is visited once, sizes saturate above the limits, and
// references that close a cycle are cut.
func (s *sanitizer) extent(n *node, known map[*node]*extent) *extent {
	if e := known[n]; e != nil {
		return e
	}
	e := &extent{size: 1, bytes: n.bytes(), reach: n.reach(), open: true}
	known[n] = e
	add := func(part *extent) {
		e.size = min(e.size+part.size, MaxSymbolDrawn+1)
		e.bytes = min(e.bytes+part.bytes, MaxSymbolDrawnBytes+1)
		e.reach += part.reach
		e.depth = max(e.depth, part.depth)
	}
	for i := range n.attrs {
		a := &n.attrs[i]
		if a.target == nil {
			continue
		}
		part := s.extent(a.target, known)
		if part.open {
			s.refuse(a.off, issue.CodeSymbolNotAllowed, "remove the reference, or refer to something else",
				"The %s of <%s> refers to %s, which contains or refers to this element.", a.name, n.name, prose.Quote(a.fragment))
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

// bytes returns the approximate length of the tag of a shape. Other elements have no long
// attributes and are only counted.
func (n *node) bytes() int {
	if !isShape(n.name) {
		return 0
	}
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
