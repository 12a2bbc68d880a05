package document

import (
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

// Point returns the place of a byte offset. Lines end with a line feed, as
// compilers and other tools count them.
func (d *Document) Point(offset int) Point {
	d.findLines.Do(func() { d.lines = NewLines(d.text, LineFeeds) })
	return d.lines.Point(offset)
}
