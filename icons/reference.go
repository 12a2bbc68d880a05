package icons

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// finish does what needs the whole tree, and makes the symbol of it.
func (s *sanitizer) finish() *Symbol {
	if s.root == nil || s.halted {
		return nil
	}
	pruneDefs(s.root)
	s.resolve()
	s.checkColors()
	s.measure()
	if s.errors > 0 {
		return nil
	}
	resolveUnits(s.root)
	var p printer
	p.node(s.root)
	if p.Len() > MaxSymbolBytes {
		s.halt(0, issue.CodeSymbolMalformed,
			fmt.Sprintf("The published symbol would have %d bytes; at most %d are allowed.", p.Len(), MaxSymbolBytes),
			"simplify the paths")
		return nil
	}
	// The tree is not kept: there may be many symbols.
	symbol := &Symbol{text: p.String(), paints: paintsOf(s.root), cuts: slices.Clip(p.cuts), initials: initialsOf(s.root)}
	if len(symbol.cuts) > 0 {
		symbol.sum = sha256.Sum256([]byte(symbol.text))
	}
	return symbol
}

// pruneDefs removes <defs> that hold nothing, such as those whose contents were
// left out.
func pruneDefs(n *node) {
	n.children = slices.DeleteFunc(n.children, func(c *node) bool {
		pruneDefs(c)
		return c.name == "defs" && len(c.children) == 0
	})
}

// resolve ties references to what they refer to. The ids of the source are
// replaced by i1, i2 and so on in document order; those that nothing refers to
// are left out.
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

// target finds what a reference refers to, or reports why it can't.
func (s *sanitizer) target(n *node, a *attr) *node {
	target := s.ids[a.fragment]
	place := fmt.Sprintf("The %s of <%s>", a.name, n.name)
	wanted, fits := targets(n.name, a.name)
	switch {
	case target == nil && s.refused[a.fragment]:
	case target == nil:
		s.refuse(a.off, issue.CodeSymbolNotAllowed,
			place+" refers to the id "+prose.Quote(a.fragment)+", which no element of the symbol has.", "give "+wanted+" that id, or remove the reference")
	case s.doubled[a.fragment]:
		s.refuse(a.off, issue.CodeSymbolNotAllowed,
			place+" refers to the id "+prose.Quote(a.fragment)+", which several elements have.", "give each of them an id of its own")
	case !fits(target.name):
		s.refuse(a.off, issue.CodeSymbolNotAllowed,
			fmt.Sprintf("%s refers to the id %s of a <%s>.", place, prose.Quote(a.fragment), target.name), "refer to "+wanted)
	default:
		return target
	}
	return nil
}

// targets tells what an attribute may refer to.
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

// checkColors decides about the property color, see sanitizer.color.
func (s *sanitizer) checkColors() {
	inks := false
	s.root.walk(func(n *node) {
		for _, name := range []string{"fill", "stroke", "stop-color"} {
			inks = inks || n.get(name) == currentColor
		}
	})
	for _, off := range s.colors {
		if inks {
			s.refuse(off, issue.CodeSymbolNotAllowed,
				"The symbol sets color and uses currentColor.",
				"remove color to have the colour of the icon, or write the colour instead of currentColor")
		} else {
			s.drop(off, "color", hintDropped)
		}
	}
}
