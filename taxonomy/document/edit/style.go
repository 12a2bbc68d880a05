package edit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// spreads reports whether the items of a value are on lines of their own.
func spreads(text []byte, v document.Value) bool {
	for item := range v.All() {
		return isBreak(spaceBefore(text, itemStart(item)))
	}
	return false
}

// spaceBefore returns the white space before an offset.
func spaceBefore(text []byte, offset int) string {
	return string(text[len(bytes.TrimRight(text[:offset], " \t\r\n")):offset])
}

// style is how a document is formatted.
type style struct {
	colon   string // with the white space around it
	newline string // "" if the document is on a single line
	unit    string // one level of indentation
	// expanded means that every item of an array or object is on a line of its own,
	// as JSON encoders with indentation write them.
	expanded bool
}

// layout is how a new value is written.
type layout struct {
	expanded bool
	indent   string // of the line on which the value begins
}

func styleOf(doc *document.Document) style {
	s := style{colon: ": "}
	if doc.Root().Kind() != '{' {
		return s
	}
	for first := range doc.Root().All() {
		text := doc.Text()
		s.colon = string(text[first.KeyRange().End:first.Range().Start])
		space := spaceBefore(text, first.KeyRange().Start)
		if isBreak(space) {
			s.newline, s.unit = "\n", indentOf(space)
			if strings.Contains(space, "\r\n") {
				s.newline = "\r\n"
			}
			s.expanded = expands(text, doc.Root())
		}
		break
	}
	return s
}

// expands reports whether all items in a value are on lines of their own.
func expands(text []byte, v document.Value) bool {
	for item := range v.All() {
		if !isBreak(spaceBefore(text, itemStart(item))) || !expands(text, item) {
			return false
		}
	}
	return true
}

// space returns the white space between two items on the same line.
func (s *style) space() string {
	if strings.HasSuffix(s.colon, ":") {
		return ""
	}
	return " "
}

// lineIndent returns the indentation of the line of an offset.
func (s *style) lineIndent(text []byte, offset int) string {
	line := text[bytes.LastIndexByte(text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// append appends a JSON value in the style of the document.
func (s *style) append(dst, json []byte, l layout) []byte {
	doc, err := document.Parse(json)
	if err != nil {
		panic("edit: " + err.Error()) // programs made it
	}
	return s.appendValue(slices.Grow(dst, 2*len(json)), doc.Root(), l)
}

func (s *style) appendValue(dst []byte, v document.Value, l layout) []byte {
	kind := v.Kind()
	if kind != '{' && kind != '[' || v.Len() == 0 {
		return append(dst, v.Raw()...)
	}
	inner := layout{l.expanded, l.indent + s.unit}
	dst = append(dst, kind)
	i := 0
	for item := range v.All() {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case l.expanded:
			dst = append(append(dst, s.newline...), inner.indent...)
		case i > 0:
			dst = append(dst, s.space()...)
		}
		if kind == '{' {
			dst = append(append(dst, item.RawKey()...), s.colon...)
		}
		dst = s.appendValue(dst, item, inner)
		i++
	}
	if l.expanded {
		dst = append(append(dst, s.newline...), l.indent...)
	}
	return append(dst, kind+2) // ] follows [ by two, and } follows {
}

// isBreak reports whether white space has a line break.
func isBreak(space string) bool { return strings.Contains(space, "\n") }

// indentOf returns the white space after the last line break.
func indentOf(space string) string { return space[strings.LastIndexByte(space, '\n')+1:] }
