package icons

import (
	"slices"
	"strings"
)

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

// number returns a numeric attribute, 0 if it is missing.
func (n *node) number(name string) float64 {
	v, _, _ := parseNumber(n.get(name))
	return v
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

// linked returns what href refers to, or nil: what is drawn instead of a <use>, or the gradient
// that a gradient inherits from.
func (n *node) linked() *node {
	if a := n.find("href"); a != nil {
		return a.target
	}
	return nil
}

// hasExtent reports whether a shape has the geometry that it needs to be drawn.
func hasExtent(n *node) bool {
	given := func(name string) bool { v := n.get(name); return v != "" && v != "0" }
	switch n.name {
	case "path":
		return given("d")
	case "polyline", "polygon":
		return given("points")
	case "rect":
		return given("width") && given("height")
	case "circle":
		return given("r")
	case "ellipse":
		return (given("rx") || given("ry")) && n.get("rx") != "0" && n.get("ry") != "0"
	}
	return true
}
