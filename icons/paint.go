package icons

import (
	"maps"
	"slices"
)

// paintsOf returns the colours that a tree is drawn with.
func paintsOf(root *node) []string {
	p := painter{colors: map[string]bool{}, done: map[*node]bool{}}
	p.draw(root, ink{fill: &attr{value: value{text: "#000000"}}})
	return slices.Sorted(maps.Keys(p.colors))
}

// painter collects the colours of what is drawn. Its work is bounded by
// [MaxSymbolDrawn], since references that lead back have been refused.
type painter struct {
	colors map[string]bool
	done   map[*node]bool // gradients whose colours are noted
}

// ink is what an element inherits.
type ink struct {
	fill, stroke  *attr // a nil stroke is none
	hidden        bool
	clearFill     bool // fully transparent
	clearStroke   bool
	widthlessLine bool
}

// draw follows what is seen of a node.
func (p painter) draw(n *node, k ink) {
	if n.get("display") == "none" || n.get("opacity") == "0" {
		return
	}
	k = k.on(n)
	switch {
	case n.name == "svg" || n.name == "g":
		for _, c := range n.children {
			p.draw(c, k)
		}
	case n.name == "use":
		if a := n.find("href"); a != nil {
			p.draw(a.target, k)
		}
	case isShape(n.name) && !k.hidden && hasExtent(n):
		if !k.clearFill && n.name != "line" {
			p.add(k.fill)
		}
		if !k.clearStroke && !k.widthlessLine && k.stroke != nil {
			p.add(k.stroke)
		}
	}
}

// on returns what the children of the node inherit.
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

// hasExtent reports whether a shape has the geometry without which it is not
// drawn.
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

// add notes a paint: a colour, or those of a gradient.
func (p painter) add(paint *attr) {
	if paint.target == nil {
		if paint.text != "none" {
			p.colors[paint.text] = true
		}
		return
	}
	gradient := paint.target
	if p.done[gradient] {
		return
	}
	p.done[gradient] = true
	for len(gradient.children) == 0 && gradient.template() != nil {
		gradient = gradient.template()
	}
	for _, stop := range gradient.children {
		switch color := stop.get("stop-color"); {
		case stop.get("stop-opacity") == "0":
		case color == "":
			p.colors["#000000"] = true
		default:
			p.colors[color] = true
		}
	}
}
