package taxonomy

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Location is where a path leads in the text of a document.
type Location struct {
	// Value is the text of the value.
	Value Span
	// Key is the key of the value with its quotes, or the zero Span where the
	// value is in no object.
	Key Span
	// Exact is false where the document has no such value, as for a field
	// that is missing; the location is then that of the nearest value on the
	// way there.
	Exact bool
}

// Span is a part of a text: from Start up to, not including, End.
type Span struct{ Start, End Point }

// Point is a place in a text, in the units that editors and tools count in.
type Point struct {
	// Offset counts bytes from 0.
	Offset int
	// Line counts from 1.
	Line int
	// Column counts code points of the line from 1, as in [Position].
	Column int
	// UTF8 and UTF16 are the column from 1 in bytes and in UTF-16 units.
	UTF8, UTF16 int
}

// Locate returns where a path leads.
func (d *Document) Locate(path Path) Location {
	v, exact := d.Root(), true
	for _, step := range path {
		next, ok := v.step(step)
		if !ok {
			exact = false
			break
		}
		v = next
	}
	l := Location{Value: d.span(v.Range()), Exact: exact}
	if key := v.KeyRange(); key != (Range{}) {
		l.Key = d.span(key)
	}
	return l
}

func (d *Document) span(r Range) Span { return Span{d.Point(r.Start), d.Point(r.End)} }

// Point returns the place of an offset in bytes.
func (d *Document) Point(offset int) Point {
	pos := d.Position(offset)
	start := d.lineStarts[pos.Line-1]
	offset = min(max(offset, 0), len(d.text))
	p := Point{Offset: offset, Line: pos.Line, Column: pos.Column, UTF8: offset - start + 1, UTF16: 1}
	for before := d.text[start:offset]; len(before) > 0; {
		r, size := utf8.DecodeRune(before)
		p.UTF16 += max(utf16.RuneLen(r), 1)
		before = before[size:]
	}
	return p
}
