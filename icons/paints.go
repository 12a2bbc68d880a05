package icons

import (
	"cmp"
	"maps"
	"slices"
)

// paintsOf returns the visible paints of a tree, sorted. The fill of the icon is not among
// them.
func paintsOf(root *node) []string {
	p := painter{colors: map[string]bool{}, done: map[*node]bool{}}
	p.draw(root, visibility{fill: &attr{value: value{text: "#000000"}}})
	return slices.Sorted(maps.Keys(p.colors))
}

// painter collects the paints of what is drawn. Its work is bounded by the limits,
// because cycles have been refused.
type painter struct {
	colors map[string]bool
	done   map[*node]bool // gradients that are in colors
}

// visibility is the inherited properties that decide what is visible.
type visibility struct {
	fill, stroke           *attr // a nil stroke is none
	hidden                 bool
	clearFill, clearStroke bool // fully transparent
	noWidth                bool // of the stroke
}

// draw adds the visible paints of a node.
func (p painter) draw(n *node, v visibility) {
	if n == nil || n.get("display") == "none" || n.get("opacity") == "0" {
		return
	}
	v = v.inherit(n)
	switch {
	case n.name == "svg" || n.name == "g":
		for _, c := range n.children {
			p.draw(c, v)
		}
	case n.name == "use":
		p.draw(n.linked(), v)
	case isShape(n.name) && !v.hidden && hasExtent(n):
		if !v.clearFill && n.name != "line" {
			p.add(v.fill)
		}
		if !v.clearStroke && !v.noWidth && v.stroke != nil {
			p.add(v.stroke)
		}
	}
}

// inherit returns the properties that the children of a node inherit.
func (v visibility) inherit(n *node) visibility {
	for i := range n.attrs {
		a := &n.attrs[i]
		switch a.name {
		case "fill":
			v.fill = a
		case "stroke":
			v.stroke = a
		case "visibility":
			v.hidden = a.text == "hidden"
		case "fill-opacity":
			v.clearFill = a.text == "0"
		case "stroke-opacity":
			v.clearStroke = a.text == "0"
		case "stroke-width":
			v.noWidth = a.text == "0"
		}
	}
	return v
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

// Contrast returns how visible the symbol is in a pair of colours: the highest contrast ratio of
// any of its paints with the fill. It is 1 for an invisible symbol, and at least 4.58
// for a symbol that uses currentColor in colours of this package.
func (s *Symbol) Contrast(c Colors) float64 {
	best := 1.0
	for _, paint := range s.paints {
		color, ok := ParseColor(paint)
		if !ok { // currentColor
			color = c.Ink
		}
		best = max(best, color.Contrast(c.Fill))
	}
	return best
}
