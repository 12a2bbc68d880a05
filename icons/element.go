package icons

import (
	"encoding/xml"
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// tag is a start tag with its names resolved.
type tag struct {
	ns, local string
	name      string // as written
	off       int
	attrs     []tagAttr
	bound     bool // false where the prefix of the element is not declared
}

// tagAttr is an attribute of a tag, namespace declarations excluded.
type tagAttr struct {
	ns, local string
	name      string // as written
	value     string
	off       int
	bound     bool // false where the prefix is not declared
}

// startElement decides what becomes of an element.
func (s *sanitizer) startElement(off int, t xml.StartElement, text []byte) {
	s.elements++
	switch {
	case len(s.stack) == MaxSymbolDepth:
		s.halt(off, issue.CodeSymbolMalformed, fmt.Sprintf("Elements are nested deeper than %d.", MaxSymbolDepth), "ungroup the drawing")
		return
	case s.elements > MaxSymbolElements:
		s.halt(off, issue.CodeSymbolMalformed, fmt.Sprintf("The symbol has more than %d elements.", MaxSymbolElements), "simplify the drawing and combine its paths")
		return
	case len(s.stack) == 0 && s.root != nil:
		s.halt(off, issue.CodeSymbolMalformed, "There is a second root element <"+rawName(t.Name)+">.", "keep one <svg> in a file")
		return
	}
	offsets, spaced := attrOffsets(text, len(t.Attr))
	for i := range offsets {
		offsets[i] += off
	}
	if !spaced {
		s.refuse(off, issue.CodeSymbolMalformed, "There is no space between two attributes of <"+rawName(t.Name)+">.", "put a space between them")
	}
	parent := s.top()
	s.stack = append(s.stack, frame{name: t.Name, ns: s.declarations(t.Attr, offsets)})
	e := s.resolveTag(off, t, offsets)
	f := &s.stack[len(s.stack)-1]
	f.node, f.mode = s.place(parent, e)
	f.style = f.mode == denied && e.local == "style" && e.ns == svgNamespace
}

// top returns the innermost open element as it is now, or nil.
func (s *sanitizer) top() *frame {
	if len(s.stack) == 0 {
		return nil
	}
	f := s.stack[len(s.stack)-1]
	return &f
}

// place adds the element to the tree if it may be there.
func (s *sanitizer) place(parent *frame, e tag) (*node, mode) {
	hint, unsafe := unsafeElement(e.ns, e.local)
	if unsafe && parent != nil {
		s.refuse(e.off, issue.CodeSymbolUnsafe, "The symbol has the element <"+e.name+">, which could run or load something.", hint)
	}
	s.unsafeAttributes(&e)
	switch {
	case parent == nil:
		return s.placeRoot(e)
	case unsafe:
		s.refuseID(e)
		return nil, denied
	case parent.mode != kept:
		if parent.mode == denied {
			s.refuseID(e)
		}
		return nil, parent.mode
	case !e.bound:
		s.refuseID(e)
		return nil, denied
	case e.ns == svgNamespace && (e.local == "title" || e.local == "desc"):
		s.drop(e.off, "<"+e.name+">", "nothing to do; an icon gets its title from the element that it stands for")
		return nil, left
	case e.ns == svgNamespace && e.local == "metadata", editorNamespace(e.ns):
		s.drop(e.off, "<"+e.name+">", hintDropped)
		return nil, left
	case e.ns != svgNamespace:
		s.refuse(e.off, issue.CodeSymbolNotAllowed,
			fmt.Sprintf("The element <%s> is of the namespace %s, not of SVG.", e.name, prose.Quote(e.ns)), "remove it")
		s.refuseID(e)
		return nil, denied
	case !mayHold(parent.node.name, e.local):
		s.refuse(e.off, issue.CodeSymbolNotAllowed,
			fmt.Sprintf("Symbols may not use <%s> in <%s>.", e.name, parent.node.name), insteadOf(parent.node.name, e.local))
		s.refuseID(e)
		return nil, denied
	}
	n := &node{name: e.local, off: e.off}
	parent.node.children = append(parent.node.children, n)
	s.attributes(n, e.attrs)
	return n, kept
}

// placeRoot checks the root, without which the rest makes no sense. Only a
// missing xmlns can be supplied for the search to go on.
func (s *sanitizer) placeRoot(e tag) (*node, mode) {
	const want = `begin the symbol with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">`
	if !e.bound {
		s.halted = true
		return nil, denied
	}
	if e.local != "svg" || e.ns != svgNamespace && e.ns != "" {
		s.halt(e.off, issue.CodeSymbolRoot, "The root of the symbol is <"+e.name+">, not <svg> in the SVG namespace.", want)
		return nil, denied
	}
	if e.ns == "" {
		s.refuse(e.off, issue.CodeSymbolRoot, "The root <svg> is not in the SVG namespace.", `add xmlns="http://www.w3.org/2000/svg" to <svg>`)
		s.stack[len(s.stack)-1].ns[""] = svgNamespace
	}
	s.root = &node{name: "svg", off: e.off}
	s.viewBox(e)
	s.attributes(s.root, e.attrs)
	return s.root, kept
}

// viewBox checks that the symbol has the one viewBox of symbols.
func (s *sanitizer) viewBox(e tag) {
	const hint = `scale the drawing to 36 by 36 and write viewBox="0 0 36 36" (Inkscape: File > Document Properties; Illustrator: an artboard of 36 px; Figma: a frame of 36)`
	for _, a := range e.attrs {
		if a.ns != "" || a.local != "viewBox" {
			continue
		}
		p := scanner{s: trim(a.value)}
		v, ok := p.numbers()
		if !ok || len(v) != 4 || v[0] != 0 || v[1] != 0 || v[2] != side || v[3] != side {
			s.refuse(a.off, issue.CodeSymbolViewBox, "The viewBox of the symbol is "+prose.Quote(a.value)+", not 0 0 36 36.", hint)
		}
		return
	}
	s.refuse(e.off, issue.CodeSymbolViewBox, "The symbol has no viewBox.", hint)
}

// unsafeAttributes reports and removes the attributes that could run or load
// something.
func (s *sanitizer) unsafeAttributes(e *tag) {
	safe := e.attrs[:0]
	for _, a := range e.attrs {
		hint, unsafe := unsafeAttribute(a.ns, a.local, a.value)
		if !unsafe {
			safe = append(safe, a)
			continue
		}
		s.refuse(a.off, issue.CodeSymbolUnsafe,
			fmt.Sprintf("The attribute %s=%s of <%s> could run or load something.", a.name, prose.Quote(a.value), e.name), hint)
	}
	e.attrs = safe
}

// refuseID remembers the ids of what was refused, so that references to them
// are not reported on top.
func (s *sanitizer) refuseID(e tag) {
	for _, a := range e.attrs {
		if a.ns == "" && a.local == "id" {
			s.refused[a.value] = true
		}
	}
}
