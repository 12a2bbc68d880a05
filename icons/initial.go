package icons

// initialsOf returns attributes for the group of a symbol that reset inherited
// properties to their initial values. A page may set these on its svg elements, as icon
// libraries recommend, which would change the drawing. Properties that the root sets,
// or that cannot affect the symbol, are omitted. A page may still fade or hide an icon.
func initialsOf(root *node) string {
	crosses, clips, strokes := false, false, false
	root.walk(func(n *node) {
		crosses = crosses || n.name == "path" || n.name == "polyline" || n.name == "polygon"
		clips = clips || n.name == "clipPath"
		a := n.find("stroke")
		strokes = strokes || a != nil && a.text != "none"
	})
	var buffer [256]byte
	text := buffer[:0]
	for _, p := range []struct {
		name, initial string
		needed        bool
	}{
		{"fill", "#000000", true},
		{"fill-rule", "nonzero", crosses},
		{"clip-rule", "nonzero", clips},
		{"stroke", "none", true},
		{"stroke-dasharray", "none", strokes},
		{"stroke-linecap", "butt", strokes},
		{"stroke-linejoin", "miter", strokes},
		{"stroke-miterlimit", "4", strokes},
		{"stroke-width", "1", strokes},
	} {
		if p.needed && root.find(p.name) == nil {
			text = append(text, " "+p.name+`="`+p.initial+`"`...)
		}
	}
	return string(text)
}
