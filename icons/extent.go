package icons

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// extent is what a node amounts to once every reference in it is followed. It
// bounds the work of whoever draws the symbol.
type extent struct {
	size, bytes, depth int
	reach              float64 // how long the outlines are, see node.reach
	open               bool    // on the way from the root, so that a reference to it is a cycle
}

// measure checks that references end, and do not make the symbol grow beyond
// its limits.
func (s *sanitizer) measure() {
	whole := s.extent(s.root, map[*node]*extent{})
	if whole.size > MaxSymbolDrawn {
		s.refuse(s.root.off, issue.CodeSymbolMalformed,
			fmt.Sprintf("With every reference followed, the symbol draws more than %d elements.", MaxSymbolDrawn),
			"use <use> less, or draw the shapes once")
	}
	if whole.bytes > MaxSymbolDrawnBytes {
		s.refuse(s.root.off, issue.CodeSymbolMalformed,
			fmt.Sprintf("With every reference followed, the symbol has more than %d bytes.", MaxSymbolDrawnBytes),
			"use <use> less, or simplify the shapes that it refers to")
	}
	if whole.depth > MaxSymbolDepth {
		s.refuse(s.root.off, issue.CodeSymbolMalformed,
			fmt.Sprintf("With every reference followed, elements are nested deeper than %d.", MaxSymbolDepth),
			"ungroup the drawing, and refer to shapes directly")
	}
	if dashes, step := finestDashes(s.root); dashes != nil && whole.reach/step > MaxSymbolDashes {
		s.refuse(dashes.off, issue.CodeSymbolMalformed,
			fmt.Sprintf("The dashes %s are so fine that the symbol could have more than %d.", prose.Quote(dashes.text), MaxSymbolDashes),
			"write longer ones, or a shorter pathLength")
	}
}

// extent returns the extent of a node. Each node is visited once, sizes beyond
// the limit are not told apart, and references in a circle are cut.
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
			s.refuse(a.off, issue.CodeSymbolNotAllowed,
				fmt.Sprintf("The %s of <%s> refers to %s, which holds or refers to this element.", a.name, n.name, prose.Quote(a.fragment)),
				"remove the reference, or refer to something else")
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

// bytes is about how long the tag of a shape is. Other elements have no long
// attributes, and count by their number alone.
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

// finestDashes returns the dashes of a tree that are the shortest on average,
// gaps counted, and how long they are; nil where nothing is dashed. Dashes that
// are all 0 make a solid line.
func finestDashes(root *node) (dashes *attr, step float64) {
	root.walk(func(n *node) {
		a := n.find("stroke-dasharray")
		if a == nil {
			return
		}
		p := scanner{s: a.text}
		list, _ := p.numbers() // none, for the word none
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
