package icons

import (
	"encoding/xml"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
)

func (s *sanitizer) startElement(off int, t xml.StartElement, text []byte) {
	s.elements++
	switch {
	case len(s.stack) == maxSymbolDepth:
		s.halt(off, codes.SymbolMalformed, "ungroup the drawing", "Elements are nested deeper than %d.", maxSymbolDepth)
		return
	case s.elements > s.limits.elements:
		s.halt(off, codes.SymbolMalformed, "simplify the drawing and combine its paths", "The symbol has more than %d elements.", s.limits.elements)
		return
	case len(s.stack) == 0 && s.root != nil:
		s.halt(off, codes.SymbolMalformed, "keep one <svg> per file", "There is a second root element <%s>.", rawName(t.Name))
		return
	}
	offsets, spaced := attrOffsets(text, len(t.Attr))
	for i := range offsets {
		offsets[i] += off
	}
	if !spaced {
		s.refuse(off, codes.SymbolMalformed, "put a space between them", "There is no space between two attributes of <%s>.", rawName(t.Name))
	}
	s.stack = append(s.stack, frame{name: t.Name, ns: s.declarations(t.Attr, offsets)})
	e := s.resolveTag(off, t, offsets)
	top := len(s.stack) - 1
	f := &s.stack[top]
	if top == 0 {
		f.node, f.mode = s.placeRoot(e)
	} else {
		f.node, f.mode = s.place(&s.stack[top-1], e)
	}
	f.style = f.mode == refused && e.local == "style" && e.ns == svgNamespace
}

// place adds an element to its parent if it is allowed there.
func (s *sanitizer) place(parent *frame, e tag) (*node, mode) {
	hint, unsafe := unsafeElement(e.ns, e.local)
	if unsafe {
		s.refuse(e.off, codes.SymbolUnsafe, hint, "The element <%s> could run or load something.", e.name)
	}
	s.unsafeAttributes(&e)
	switch {
	case unsafe, parent.mode == refused, parent.mode == kept && !e.bound:
	case parent.mode == dropped:
		return nil, dropped
	case e.ns == svgNamespace && (e.local == "title" || e.local == "desc"):
		s.drop(e.off, "<"+e.name+">", "no action is needed; an icon gets its title from its element")
		return nil, dropped
	case e.ns == svgNamespace && e.local == "metadata", editorNamespace(e.ns):
		s.drop(e.off, "<"+e.name+">", hintDropped)
		return nil, dropped
	case e.ns != svgNamespace:
		s.refuse(e.off, codes.SymbolNotAllowed, "remove it", "The element <%s> is in the namespace %s, not in SVG.", e.name, wording.Quote(e.ns))
	case !mayHold(parent.node.name, e.local):
		s.refuse(e.off, codes.SymbolNotAllowed, insteadOf(parent.node.name, e.local), "Symbols may not use <%s> in <%s>.", e.name, parent.node.name)
	default:
		n := &node{name: e.local, off: e.off}
		parent.node.children = append(parent.node.children, n)
		s.attributes(n, e.attrs)
		return n, kept
	}
	// References to it are not reported in addition.
	for _, a := range e.attrs {
		if a.ns == "" && a.local == "id" {
			s.refused[a.value] = true
		}
	}
	return nil, refused
}

// placeRoot checks the root element. A wrong root ends the check, but after a missing xmlns it
// goes on as if it were there.
func (s *sanitizer) placeRoot(e tag) (*node, mode) {
	s.unsafeAttributes(&e)
	if !e.bound {
		s.halted = true
		return nil, refused
	}
	if e.local != "svg" || e.ns != svgNamespace && e.ns != "" {
		s.halt(e.off, codes.SymbolRoot, `start the symbol with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">`,
			"The root of the symbol is <%s>, not <svg> in the SVG namespace.", e.name)
		return nil, refused
	}
	if e.ns == "" {
		s.stack[0].ns[""] = svgNamespace
		if !s.drawing {
			s.refuse(e.off, codes.SymbolRoot, `add xmlns="http://www.w3.org/2000/svg" to <svg>`, "The root <svg> is not in the SVG namespace.")
		}
	}
	s.root = &node{name: "svg", off: e.off}
	s.viewBox(e)
	s.attributes(s.root, e.attrs)
	return s.root, kept
}

// viewBox checks that the viewBox is 0 0 36 36. That of a [Drawing] can be any; without one, it has
// the size of an SVG image.
func (s *sanitizer) viewBox(e tag) {
	const hint = `scale the drawing to 36 by 36 and write viewBox="0 0 36 36" (Inkscape: File > Document Properties; Illustrator: an artboard of 36 px; Figma: a frame of 36)`
	s.box = [4]float64{2: 300, 3: 150}
	for _, a := range e.attrs {
		v, unit, ok := parseNumber(trim(a.value))
		switch {
		case a.ns != "":
		case a.local == "viewBox":
			p := scanner{s: trim(a.value)}
			v, ok := p.numbers()
			switch {
			case !s.drawing && (!ok || len(v) != 4 || [4]float64(v) != [4]float64{2: side, 3: side}):
				s.refuse(a.off, codes.SymbolViewBox, hint, "The viewBox of the symbol is %s, not 0 0 36 36.", wording.Quote(a.value))
			case !ok || len(v) != 4 || v[2] <= 0 || v[3] <= 0:
				s.refuse(a.off, codes.SymbolViewBox, "write it as viewBox=\"0 0 200 100\"", "The viewBox of <svg> is %s.", wording.Quote(a.value))
			default:
				s.box = [4]float64(v)
			}
			return
		case a.local == "width" && ok && unit != "%" && v > 0:
			s.box[2] = v
		case a.local == "height" && ok && unit != "%" && v > 0:
			s.box[3] = v
		}
	}
	if !s.drawing {
		s.refuse(e.off, codes.SymbolViewBox, hint, "The symbol has no viewBox.")
	}
}

// unsafeAttributes reports and removes the attributes that could run or load something.
func (s *sanitizer) unsafeAttributes(e *tag) {
	safe := e.attrs[:0]
	for _, a := range e.attrs {
		hint, unsafe := unsafeAttribute(a.ns, a.local, a.value)
		if !unsafe {
			safe = append(safe, a)
			continue
		}
		s.refuse(a.off, codes.SymbolUnsafe, hint, "The attribute %s=%s of <%s> could run or load something.", a.name, wording.Quote(a.value), e.name)
	}
	e.attrs = safe
}
