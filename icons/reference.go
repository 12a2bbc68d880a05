package icons

import (
	"fmt"
	"strconv"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
)

// resolve connects references to their targets. The ids of targets become i1, i2 and so
// on in document order; other ids are dropped.
func (s *sanitizer) resolve() {
	used := map[*node]bool{}
	s.root.walk(func(n *node) {
		for i := range n.attrs {
			if a := &n.attrs[i]; a.fragment != "" {
				a.target = s.target(n, a)
				used[a.target] = true
			}
		}
	})
	count := 0
	s.root.walk(func(n *node) {
		if used[n] {
			count++
			n.id = "i" + strconv.Itoa(count)
		}
	})
}

// target returns the target of a reference, or reports why it has none.
func (s *sanitizer) target(n *node, a *attr) *node {
	target := s.ids[a.fragment]
	wanted, fits := targets(n.name, a.name)
	refuse := func(hint, problem string) {
		s.refuse(a.off, codes.SymbolNotAllowed, hint, "The %s of <%s> refers to the id %s%s.", a.name, n.name, wording.Quote(a.fragment), problem)
	}
	switch {
	case target == nil && s.refused[a.fragment]:
	case target == nil:
		refuse("give "+wanted+" that id, or remove the reference", ", which no element of the symbol has")
	case s.doubled[a.fragment]:
		refuse("give each element its own id", ", which several elements have")
	case !fits(target.name):
		refuse("refer to "+wanted, fmt.Sprintf(" of a <%s>", target.name))
	default:
		return target
	}
	return nil
}

// targets describes and checks what an attribute may refer to.
func targets(element, attribute string) (wanted string, fits func(string) bool) {
	switch {
	case attribute == "clip-path":
		return "a <clipPath>", func(name string) bool { return name == "clipPath" }
	case attribute == "mask":
		return "a <mask>", func(name string) bool { return name == "mask" }
	case element == "use" && attribute == "href":
		return "a shape, a <g> or a <use>", func(name string) bool { return isShape(name) || name == "g" || name == "use" }
	}
	return "a gradient", isGradient // fill, stroke, and href of gradients
}
