package document

import (
	"bytes"
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Location is the place of a path in the text of a document.
type Location struct {
	// Value is the place of the value.
	Value Span
	// Key is the place of the value's key with its quotes, or the zero Span if
	// the value is not a member of an object.
	Key Span
	// Exact is false if the document has no such value, such as a missing
	// field. The location is then that of the nearest value that contains it.
	Exact bool
}

// Span is a part of a text from Start up to, not including, End.
type Span struct{ Start, End Point }

// Point is a place in a text, in the units of editors and tools.
type Point struct {
	// Offset counts bytes from 0.
	Offset int
	// Line counts from 1.
	Line int
	// Column counts the characters (code points) of the line from 1.
	Column int
	// UTF8 and UTF16 are the column in bytes and in UTF-16 code units, from 1.
	UTF8, UTF16 int
}

// Locate returns the location of a path.
func (d *Document) Locate(path issue.Path) Location {
	v, exact := d.walk(path)
	l := Location{Value: d.span(v.Range()), Exact: exact}
	if key := v.KeyRange(); key != (Range{}) {
		l.Key = d.span(key)
	}
	return l
}

func (d *Document) span(r Range) Span { return Span{d.Point(r.Start), d.Point(r.End)} }

// Point returns the place of a byte offset.
func (d *Document) Point(offset int) Point {
	d.findMarks.Do(func() { d.marks = mark(d.text) })
	offset = min(max(offset, 0), len(d.text))
	i := sort.Search(len(d.marks), func(i int) bool { return d.marks[i].Offset > offset }) - 1
	p := d.marks[i]
	p.advance(d.text[p.Offset:offset])
	return p
}

// stride is the distance between marks, plus the rest of a character.
const stride = 1024

// mark returns points at the start of each line and within long lines, so that
// finding a place is fast even in a document on a single line.
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

// advance moves a point over the text that follows it in its line. A byte that is
// not UTF-8 counts as a character.
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
