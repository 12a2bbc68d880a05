package document

import (
	"bytes"
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/issue"
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
func (d *Document) Locate(path issue.Path) Location {
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
	d.findMarks.Do(func() { d.marks = mark(d.text) })
	offset = min(max(offset, 0), len(d.text))
	i := sort.Search(len(d.marks), func(i int) bool { return d.marks[i].Offset > offset }) - 1
	p := d.marks[i]
	p.advance(d.text[p.Offset:offset])
	return p
}

// stride is how far marks are apart at most, but for the rest of a character.
const stride = 1024

// mark returns places all over a text: at the beginning of each line, and
// within long ones. From the nearest one the way to any place is short, also in
// a document that is all on one line, as programs write them.
func mark(text []byte) []Point {
	at := Point{Line: 1, Column: 1, UTF8: 1, UTF16: 1}
	marks := []Point{at}
	for at.Offset < len(text) {
		rest := text[at.Offset:min(at.Offset+stride, len(text))]
		for n := 0; n < utf8.UTFMax-1 && at.Offset+len(rest) < len(text) && !utf8.RuneStart(text[at.Offset+len(rest)]); n++ {
			rest = text[at.Offset : at.Offset+len(rest)+1]
		}
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			at = Point{Offset: at.Offset + i + 1, Line: at.Line + 1, Column: 1, UTF8: 1, UTF16: 1}
		} else {
			at.advance(rest)
		}
		marks = append(marks, at)
	}
	return marks
}

// advance moves a point over a text that stands after it in its line. Bytes
// that are no UTF-8 count as a character each.
func (p *Point) advance(text []byte) {
	p.Offset += len(text)
	p.UTF8 += len(text)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		p.Column++
		p.UTF16 += utf16.RuneLen(r)
		text = text[size:]
	}
}
