package icons

import (
	"encoding/xml"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
)

// tag is a start tag with resolved names.
type tag struct {
	ns, local string
	name      string // as written
	off       int
	attrs     []tagAttr
	bound     bool // the prefix is declared
}

// tagAttr is an attribute of a tag. Namespace declarations are not among them.
type tagAttr struct {
	ns, local string
	name      string // as written
	value     string
	off       int
	bound     bool // the prefix is declared
}

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
	f.style = f.mode == denied && e.local == "style" && e.ns == svgNamespace
}

// place adds an element to its parent if it is allowed there.
func (s *sanitizer) place(parent *frame, e tag) (*node, mode) {
	hint, unsafe := unsafeElement(e.ns, e.local)
	if unsafe {
		s.refuse(e.off, codes.SymbolUnsafe, hint, "The element <%s> could run or load something.", e.name)
	}
	s.unsafeAttributes(&e)
	switch {
	case unsafe, parent.mode == denied, parent.mode == kept && !e.bound:
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
	return nil, denied
}

// placeRoot checks the root element. A wrong root ends the check; only a missing xmlns
// is assumed to go on.
func (s *sanitizer) placeRoot(e tag) (*node, mode) {
	s.unsafeAttributes(&e)
	if !e.bound {
		s.halted = true
		return nil, denied
	}
	if e.local != "svg" || e.ns != svgNamespace && e.ns != "" {
		s.halt(e.off, codes.SymbolRoot, `start the symbol with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">`,
			"The root of the symbol is <%s>, not <svg> in the SVG namespace.", e.name)
		return nil, denied
	}
	if e.ns == "" {
		s.stack[0].ns[""] = svgNamespace
		if !s.free {
			s.refuse(e.off, codes.SymbolRoot, `add xmlns="http://www.w3.org/2000/svg" to <svg>`, "The root <svg> is not in the SVG namespace.")
		}
	}
	s.root = &node{name: "svg", off: e.off}
	s.viewBox(e)
	s.attributes(s.root, e.attrs)
	return s.root, kept
}

// viewBox checks that the viewBox is 0 0 36 36, unless the drawing is free: then the size is that
// of SVG images if there is none.
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
			case !s.free && (!ok || len(v) != 4 || [4]float64(v) != [4]float64{2: side, 3: side}):
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
	if !s.free {
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

const (
	svgNamespace   = "http://www.w3.org/2000/svg"
	xlinkNamespace = "http://www.w3.org/1999/xlink"
	xmlNamespace   = "http://www.w3.org/XML/1998/namespace"
)

// declarations returns the prefixes that a tag declares; "" is the default namespace.
func (s *sanitizer) declarations(attrs []xml.Attr, offsets []int) map[string]string {
	ns := map[string]string{}
	for i, a := range attrs {
		switch {
		case a.Name.Space == "" && a.Name.Local == "xmlns":
			ns[""] = a.Value
		case a.Name.Space != "xmlns":
		case a.Value == "", a.Name.Local == "xmlns", a.Name.Local == "xml" && a.Value != xmlNamespace:
			s.refuse(offsets[i], codes.SymbolMalformed, "remove the declaration",
				"The prefix %s cannot be declared as %s.", wording.Quote(a.Name.Local), wording.Quote(a.Value))
		default:
			ns[a.Name.Local] = a.Value
		}
	}
	return ns
}

// namespace returns the namespace of a prefix in the innermost open element.
func (s *sanitizer) namespace(prefix string) (string, bool) {
	if prefix == "xml" {
		return xmlNamespace, true
	}
	for _, frame := range slices.Backward(s.stack) {
		if ns, ok := frame.ns[prefix]; ok {
			return ns, true
		}
	}
	return "", prefix == ""
}

// resolveTag resolves the prefixes of a tag and reports duplicate attributes, also those
// with two prefixes of one namespace.
func (s *sanitizer) resolveTag(off int, t xml.StartElement, offsets []int) tag {
	e := tag{local: t.Name.Local, name: rawName(t.Name), off: off}
	e.ns, e.bound = s.namespace(t.Name.Space)
	if !e.bound {
		s.undeclared(off, t.Name)
	}
	seen := make(map[xml.Name]bool, len(t.Attr))
	for i, a := range t.Attr {
		r := tagAttr{local: a.Name.Local, name: rawName(a.Name), value: a.Value, off: offsets[i], bound: true}
		declares := a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns"
		if a.Name.Space != "" && !declares {
			if r.ns, r.bound = s.namespace(a.Name.Space); !r.bound {
				s.undeclared(r.off, a.Name)
			}
		}
		key := xml.Name{Space: r.ns, Local: r.local}
		if declares || !r.bound {
			key.Space = a.Name.Space + ":" // distinct from every namespace in use
		}
		if seen[key] {
			s.refuse(r.off, codes.SymbolMalformed, "keep one of them", "The attribute %s of <%s> is given twice.", r.name, e.name)
			continue
		}
		seen[key] = true
		if !declares {
			e.attrs = append(e.attrs, r)
		}
	}
	return e
}

func (s *sanitizer) undeclared(off int, name xml.Name) {
	hint := "remove it, or declare the prefix on <svg>"
	if name.Space == "xlink" {
		hint = `write href without xlink:, or add xmlns:xlink="` + xlinkNamespace + `" to <svg>`
	}
	s.refuse(off, codes.SymbolMalformed, hint, "The prefix of %s is not declared.", wording.Quote(rawName(name)))
}

// attrOffsets returns the offsets of the n attributes in a start tag that the decoder
// has accepted, and reports whether each has white space before it, which XML requires
// and the decoder does not check.
func attrOffsets(text []byte, n int) (offsets []int, spaced bool) {
	i := 1
	skip := func(until func(byte) bool) {
		for i < len(text) && !until(text[i]) {
			i++
		}
	}
	offsets, spaced = make([]int, n), true
	skip(func(c byte) bool { return isSpace(c) || c == '/' || c == '>' })
	for k := range offsets {
		before := i
		skip(func(c byte) bool { return !isSpace(c) })
		offsets[k] = i
		spaced = spaced && i > before
		skip(func(c byte) bool { return c == '"' || c == '\'' })
		if i < len(text) {
			mark := text[i]
			i++
			skip(func(c byte) bool { return c == mark })
			i++
		}
	}
	return offsets, spaced
}

// editorNamespaces start the namespaces of drawing programs and metadata, whose elements
// are dropped.
var editorNamespaces = []string{
	"http://www.inkscape.org/namespaces/",
	"http://inkscape.sourceforge.net/",
	"http://sodipodi.sourceforge.net/",
	"http://www.w3.org/1999/02/22-rdf-syntax-ns#",
	"http://creativecommons.org/ns#",
	"http://web.resource.org/cc/",
	"http://purl.org/dc/",
	"http://ns.adobe.com/",
	"http://www.bohemiancoding.com/sketch/ns",
	"http://www.serif.com/",
	"https://boxy-svg.com",
	"http://www.figma.com/",
	"http://vectornator.io",
}

// activeNamespaces start the namespaces whose elements can run or load something.
var activeNamespaces = []string{
	"http://www.w3.org/1999/xhtml",
	"http://www.w3.org/1998/Math/MathML",
	"http://www.w3.org/1999/XSL/",
	"http://www.w3.org/2001/XInclude",
	"http://www.w3.org/2003/XInclude",
	"http://www.w3.org/2001/SMIL20",
	"http://www.w3.org/2005/SMIL21",
	"http://www.w3.org/ns/SMIL",
	"http://www.w3.org/2002/xforms",
	"http://www.w3.org/ns/xbl",
	"http://www.mozilla.org/",
	"http://ns.adobe.com/AdobeSVGViewerExtensions/",
	eventsNamespace,
}

// eventsNamespace is that of XML Events, which attach scripts to elements.
const eventsNamespace = "http://www.w3.org/2001/xml-events"

func editorNamespace(ns string) bool { return hasPrefix(ns, editorNamespaces) }

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

const (
	hintScript    = "remove it; a symbol is a static drawing"
	hintAnimation = "remove the animation and keep the static drawing"
	hintEmbed     = "remove it, or convert it to paths (Inkscape: Path > Trace Bitmap; Illustrator: Image Trace)"
	hintLink      = "remove the link and keep its content (Inkscape: Object > Ungroup; Illustrator and Figma: delete the link)"
)

// unsafeElements can run, load or change something. The names are in lower case, because
// HTML ignores case and symbols may be put into HTML.
var unsafeElements = map[string]string{
	"script": hintScript, "handler": hintScript, "listener": hintScript, "foreignobject": hintScript,
	"iframe": hintScript, "frame": hintScript, "object": hintScript, "embed": hintScript, "applet": hintScript,
	"link": hintScript, "meta": hintScript, "base": hintScript, "form": hintScript, "html": hintScript,
	"prefetch": hintScript, "include": hintScript, "input": hintScript, "template": hintScript,

	"animate": hintAnimation, "animatecolor": hintAnimation, "animatemotion": hintAnimation,
	"animatetransform": hintAnimation, "animation": hintAnimation, "set": hintAnimation,
	"mpath": hintAnimation, "discard": hintAnimation,

	"image": hintEmbed, "img": hintEmbed, "picture": hintEmbed, "feimage": hintEmbed, "audio": hintEmbed,
	"video": hintEmbed, "source": hintEmbed, "track": hintEmbed, "canvas": hintEmbed, "cursor": hintEmbed,
	"color-profile": hintEmbed, "font-face-uri": hintEmbed, "font-face-src": hintEmbed,
	"tref": hintEmbed, "altglyph": hintEmbed, "glyphref": hintEmbed,

	"a": hintLink,
}

// unsafeElement reports whether an element could run or load something, and how to fix
// it.
func unsafeElement(ns, local string) (hint string, unsafe bool) {
	if hasPrefix(ns, activeNamespaces) {
		return "remove it and its content; a symbol contains only SVG shapes", true
	}
	if editorNamespace(ns) {
		return "", false
	}
	hint, unsafe = unsafeElements[strings.ToLower(local)]
	return hint, unsafe
}

// unsafeAttribute reports whether an attribute could run or load something, and how to
// fix it.
func unsafeAttribute(ns, local, value string) (hint string, unsafe bool) {
	lower := strings.ToLower(local)
	switch {
	case len(lower) > 2 && strings.HasPrefix(lower, "on"), ns == eventsNamespace:
		return "remove the attribute; a symbol cannot have scripts", true
	case ns == xmlNamespace && lower == "base":
		return "remove the attribute; references are to ids of the same symbol", true
	case lower == "href":
		if _, local := localFragment(value); !local {
			return "remove it, or refer to an element of this symbol as #id", true
		}
	}
	return "", false
}

// insteadOf returns the hint for an element that symbols may not use in its parent.
func insteadOf(parent, local string) string {
	switch local {
	case "text", "tspan", "textPath", "flowRoot":
		return "convert the text to paths (Inkscape: Path > Object to Path; Illustrator: Type > Create Outlines; Figma: Flatten)"
	case "style":
		return `write the colours as attributes of the shapes, such as fill="#000000" (Illustrator: Export As > SVG > Styling: Presentation Attributes; Inkscape: save as Optimized SVG)`
	case "svg":
		return "ungroup it, or replace it by <g>; only the root may be <svg>"
	case "symbol", "marker", "pattern":
		return "replace it by the shapes that it draws (Inkscape: Path > Object to Path, Edit > Clone > Unlink Clone; Illustrator: Object > Expand)"
	case "switch":
		return `keep only its content (Illustrator: export without "Preserve Illustrator Editing Capabilities")`
	case "filter":
		return "remove the filter (blur, shadow); symbols are flat shapes"
	case "stop":
		return "move it into a gradient or remove it"
	}
	switch {
	case attributes[local] == nil:
		return "remove it, or draw it with paths and basic shapes"
	case parent == "clipPath":
		return "ungroup the content of <clipPath>; it may contain only shapes and <use>"
	}
	return "move it out of <" + parent + ">"
}

// reachesOut distinguishes an unsafe value from one that is only not allowed. It decides
// nothing but the code: the value has already been refused.
func reachesOut(value string) bool {
	value = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, strings.ToLower(value))
	signs := []string{"url(", "src(", "image(", "image-set(", "expression(", "script:", "data:", "//", "@", `\`}
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(value, sign) })
}
