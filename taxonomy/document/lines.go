package document

import (
	"bytes"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// Breaks is a choice of what ends a line.
type Breaks int

const (
	// LineFeeds ends lines at each line feed, as compilers and other tools do.
	LineFeeds Breaks = iota
	// EditorBreaks ends lines at line feeds, carriage returns and pairs of the
	// two, as editors and the Language Server Protocol do.
	EditorBreaks
)

// Lines converts between byte offsets and lines and columns of a text, which can be
// any bytes. It is immutable and safe for concurrent use.
type Lines struct {
	text   []byte
	breaks Breaks
	marks  []Point
}

// NewLines returns the lines of a text, which must not be changed afterwards.
func NewLines(text []byte, breaks Breaks) *Lines {
	l := &Lines{text: text, breaks: breaks}
	l.mark()
	return l
}

// Point returns the place of a byte offset. An offset outside the text is moved
// into it.
func (l *Lines) Point(offset int) Point {
	offset = min(max(offset, 0), len(l.text))
	i := sort.Search(len(l.marks), func(i int) bool { return l.marks[i].Offset > offset }) - 1
	p := l.marks[i]
	p.advance(l.text[p.Offset:offset])
	return p
}

// Span returns the place of a range.
func (l *Lines) Span(r Range) Span { return Span{l.Point(r.Start), l.Point(r.End)} }

// Len returns the number of lines. It is at least 1.
func (l *Lines) Len() int { return l.marks[len(l.marks)-1].Line }

// OffsetUTF16 returns the byte offset of a line and a column in UTF-16 code units,
// both counted from 1. A column after the end of the line is the end of the line,
// one within a character is its start, and a line after the last is the end of the
// text.
func (l *Lines) OffsetUTF16(line, column int) int {
	return l.offset(line, column, func(p *Point) int { return p.UTF16 })
}

// OffsetUTF8 is [Lines.OffsetUTF16] for a column in bytes.
func (l *Lines) OffsetUTF8(line, column int) int {
	return l.offset(line, column, func(p *Point) int { return p.UTF8 })
}

// offset finds a place by its line and a column in the unit of a point.
func (l *Lines) offset(line, column int, unit func(*Point) int) int {
	line, column = max(line, 1), max(column, 1)
	if line > l.Len() {
		return len(l.text)
	}
	i := sort.Search(len(l.marks), func(i int) bool {
		p := &l.marks[i]
		return p.Line > line || p.Line == line && unit(p) > column
	}) - 1
	at := l.marks[i]
	for at.Offset < len(l.text) && !l.lineEnds(at.Offset) {
		next := at
		_, n := utf8.DecodeRune(l.text[at.Offset:])
		next.advance(l.text[at.Offset : at.Offset+n])
		if unit(&next) > column {
			break
		}
		at = next
	}
	return at.Offset
}

// lineEnds reports whether a line ends before the byte at an offset.
func (l *Lines) lineEnds(offset int) bool {
	switch l.text[offset] {
	case '\n':
		return true
	case '\r':
		return l.breaks == EditorBreaks || offset+1 < len(l.text) && l.text[offset+1] == '\n'
	}
	return false
}

// stride is the distance between marks, plus the rest of a character.
const stride = 1024

// mark notes points at the start of each line and within long lines, so that
// finding a place is fast even in a text on a single line.
func (l *Lines) mark() {
	at := Point{Line: 1, Column: 1, UTF8: 1, UTF16: 1}
	l.marks = []Point{at}
	for at.Offset < len(l.text) {
		rest := l.text[at.Offset:min(at.Offset+stride, len(l.text))]
		for n := 0; n < utf8.UTFMax-1 && at.Offset+len(rest) < len(l.text) && !utf8.RuneStart(l.text[at.Offset+len(rest)]); n++ {
			rest = l.text[at.Offset : at.Offset+len(rest)+1]
		}
		if n := l.breakIn(at.Offset, rest); n > 0 {
			at = Point{Offset: at.Offset + n, Line: at.Line + 1, Column: 1, UTF8: 1, UTF16: 1}
		} else {
			at.advance(rest)
		}
		l.marks = append(l.marks, at)
	}
}

// breakIn returns the length of a part of the text up to its first line break,
// break included, or 0 if it has none.
func (l *Lines) breakIn(offset int, part []byte) int {
	n := bytes.IndexByte(part, '\n') + 1
	if l.breaks == LineFeeds {
		return n
	}
	if n > 0 {
		part = part[:n]
	}
	i := bytes.IndexByte(part, '\r')
	if i < 0 {
		return n
	}
	if after := offset + i + 1; after < len(l.text) && l.text[after] == '\n' {
		return i + 2
	}
	return i + 1
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
