package icons

// initials are properties that a page may set on its svg elements, as icon
// libraries advise, and that a symbol would inherit from there. The group of a
// symbol sets each as SVG has it without a page, unless the root of the symbol
// says otherwise. A page may still fade or hide an icon: opacities and
// visibility are its own affair.
var initials = [...]struct {
	name, text string
	matters    func(n *node) bool // whether it shows in a symbol with this node; nil is in all
}{
	{name: "fill", text: ` fill="#000000"`},
	{name: "fill-rule", text: ` fill-rule="nonzero"`, matters: crossesItself},
	{name: "clip-rule", text: ` clip-rule="nonzero"`, matters: func(n *node) bool { return n.name == "clipPath" }},
	{name: "stroke", text: ` stroke="none"`},
	{name: "stroke-dasharray", text: ` stroke-dasharray="none"`, matters: hasStroke},
	{name: "stroke-linecap", text: ` stroke-linecap="butt"`, matters: hasStroke},
	{name: "stroke-linejoin", text: ` stroke-linejoin="miter"`, matters: hasStroke},
	{name: "stroke-miterlimit", text: ` stroke-miterlimit="4"`, matters: hasStroke},
	{name: "stroke-width", text: ` stroke-width="1"`, matters: hasStroke},
}

func crossesItself(n *node) bool {
	return n.name == "path" || n.name == "polyline" || n.name == "polygon"
}

func hasStroke(n *node) bool {
	a := n.find("stroke")
	return a != nil && a.text != "none"
}

// initialsOf returns the places of those that a symbol needs, as bits.
func initialsOf(root *node) uint16 {
	var needed uint16
	root.walk(func(n *node) {
		for i, p := range initials {
			if p.matters == nil || p.matters(n) {
				needed |= 1 << i
			}
		}
	})
	for i, p := range initials {
		if root.find(p.name) != nil {
			needed &^= 1 << i
		}
	}
	return needed
}

// appendInitials appends them as attributes.
func (s *Symbol) appendInitials(dst []byte) []byte {
	for i := range initials {
		if s.initials&(1<<i) != 0 {
			dst = append(dst, initials[i].text...)
		}
	}
	return dst
}

// initialsSize is how many bytes they take.
func (s *Symbol) initialsSize() int {
	size := 0
	for i := range initials {
		if s.initials&(1<<i) != 0 {
			size += len(initials[i].text)
		}
	}
	return size
}
