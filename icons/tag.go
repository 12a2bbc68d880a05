package icons

import (
	"encoding/xml"
	"slices"

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

// undeclared reports a name with a prefix that is not declared.
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
