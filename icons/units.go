package icons

import (
	"maps"
	"slices"
	"strings"
)

// unitsOf returns the attribute that says whether the coordinates of an element
// are of the viewport or of the shape, and the coordinates with their defaults.
// The units are "" for elements that have no such choice.
func unitsOf(element string) (units string, defaults map[string]string) {
	switch element {
	case "linearGradient":
		return "gradientUnits", map[string]string{"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}
	case "radialGradient":
		return "gradientUnits", map[string]string{"cx": "50%", "cy": "50%", "r": "50%", "fx": "", "fy": "", "fr": ""}
	case "mask":
		return "maskUnits", map[string]string{"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}
	}
	return "", nil
}

// resolveUnits writes percentages out as numbers, and so the defaults that are
// percentages of the viewport. In an icon the viewport is another, so that a
// percentage would come to mean something else.
func resolveUnits(root *node) {
	type change struct {
		n *node
		a attr
	}
	var changes []change // made at the end, since gradients inherit what is written
	root.walk(func(n *node) {
		units, defaults := unitsOf(n.name)
		if units == "" {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(defaults)) {
			if text := writtenOut(n, units, name, defaults[name]); text != "" {
				changes = append(changes, change{n, attr{name: name, value: value{text: text}, off: n.off}})
			}
		}
	})
	for _, c := range changes {
		c.n.set(c.a)
	}
}

// writtenOut returns the number to write for a coordinate, or "" where it can
// stay as it is.
func writtenOut(n *node, units, name, byDefault string) string {
	text, space, anyUser := "", "", false
	for template := n; template != nil; template = template.template() {
		if text == "" {
			text = template.get(name)
		}
		if space == "" {
			space = template.get(units)
		}
		anyUser = anyUser || template.get(units) == "userSpaceOnUse"
	}
	if text == "" && anyUser {
		text = byDefault
	}
	percent, ok := strings.CutSuffix(text, "%")
	if !ok {
		return ""
	}
	v, _, _ := parseNumber(percent)
	if space == "userSpaceOnUse" {
		v *= side
	}
	return formatNumber(v / 100)
}

// template returns the gradient that a gradient takes after, or nil.
func (n *node) template() *node {
	if a := n.find("href"); a != nil {
		return a.target
	}
	return nil
}
