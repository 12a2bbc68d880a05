package icons

import "strings"

// unitsOf has, for each element whose coordinates are relative to the viewport or to a
// shape, the attribute that chooses, and the coordinates with their defaults.
var unitsOf = map[string]struct {
	attribute string
	defaults  map[string]string
}{
	"linearGradient": {"gradientUnits", map[string]string{"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}},
	"radialGradient": {"gradientUnits", map[string]string{"cx": "50%", "cy": "50%", "r": "50%", "fx": "", "fy": "", "fr": ""}},
	"mask":           {"maskUnits", map[string]string{"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}},
}

// resolveUnits converts percentages to numbers, also defaults that are percentages of the
// viewport. The viewport of an icon is another one, so percentages would change their
// meaning.
func resolveUnits(root *node) {
	type change struct {
		n *node
		a attr
	}
	var changes []change // applied at the end, because gradients inherit coordinates
	root.walk(func(n *node) {
		units := unitsOf[n.name]
		for name, byDefault := range units.defaults {
			if text := withoutPercent(n, units.attribute, name, byDefault); text != "" {
				changes = append(changes, change{n, attr{name: name, value: value{text: text}, off: n.off}})
			}
		}
	})
	for _, c := range changes {
		c.n.set(c.a)
	}
}

// withoutPercent returns the number to write for a coordinate, or "" if it is not a
// percentage.
func withoutPercent(n *node, units, name, byDefault string) string {
	text, space, anyUser := "", "", false
	for ; n != nil; n = n.linked() {
		if text == "" {
			text = n.get(name)
		}
		if space == "" {
			space = n.get(units)
		}
		anyUser = anyUser || n.get(units) == "userSpaceOnUse"
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
