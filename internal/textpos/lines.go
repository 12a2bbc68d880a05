// Package textpos converts between offsets and positions of lines and columns.
package textpos

import (
	"bytes"
	"slices"
	"sort"
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
	// YAMLBreaks ends lines like EditorBreaks, and at the other line breaks of
	// YAML: U+0085, U+2028 and U+2029.
	YAMLBreaks
)

// Point is a place in a text, in the units of editors and tools; see document.Point.
type Point struct {
	Offset, Line, Column, UTF8, UTF16 int
}

// Lines converts between byte offsets and lines and columns of a text, which can be
// any bytes. A conversion takes logarithmic time, even in a text on a single line. Lines
// is immutable and safe for concurrent use.
type Lines struct {
	text   []byte
	breaks Breaks
	starts []int // of each line
	// marks are the points at each multiple of stride, or at the start of the
	// character there.
	marks []Point
}

// stride is the distance between marks. A conversion looks at no more bytes than that.
const stride = 128

// New returns the lines of a text, which must not be changed afterwards.
func New(text []byte, breaks Breaks) *Lines {
	l := &Lines{text: text, breaks: breaks, starts: make([]int, 1, bytes.Count(text, []byte{'\n'})+1), marks: make([]Point, 1, len(text)/stride+1)}
	for i, c := range text {
		if c > '\r' && c < utf8.RuneSelf {
			continue // most bytes
		}
		switch rest := text[i:]; {
		case c == '\n', c == '\r' && breaks != LineFeeds && (len(rest) == 1 || rest[1] != '\n'):
			l.starts = append(l.starts, i+1)
		case c < utf8.RuneSelf || breaks != YAMLBreaks:
		case bytes.HasPrefix(rest, []byte("\u0085")):
			l.starts = append(l.starts, i+2)
		case bytes.HasPrefix(rest, []byte("\u2028")) || bytes.HasPrefix(rest, []byte("\u2029")):
			l.starts = append(l.starts, i+3)
		}
	}
	l.marks[0] = Point{Line: 1, Column: 1, UTF8: 1, UTF16: 1}
	for at := stride; at < len(text); at += stride {
		l.marks = append(l.marks, l.Point(runeStart(text, at)))
	}
	return l
}

// runeStart returns the start of the character at an offset.
func runeStart(text []byte, at int) int {
	for n := 0; n < utf8.UTFMax && at-n >= 0 && at < len(text); n++ {
		if utf8.RuneStart(text[at-n]) {
			return at - n
		}
	}
	return at
}

// Point returns the place of a byte offset. An offset outside the text is moved
// into it.
func (l *Lines) Point(offset int) Point {
	offset = min(max(offset, 0), len(l.text))
	line, found := slices.BinarySearch(l.starts, offset)
	if !found {
		line--
	}
	p := Point{Offset: l.starts[line], Line: line + 1, Column: 1, UTF8: 1, UTF16: 1}
	if mark := &l.marks[min(offset/stride, len(l.marks)-1)]; mark.Line == p.Line {
		p = *mark
	}
	p.advance(l.text[p.Offset:offset])
	return p
}

// Len returns the number of lines. It is at least 1.
func (l *Lines) Len() int { return len(l.starts) }

// Line returns where a line, counted from 1, begins and ends, without its line break. A
// line after the last is empty, at the end of the text.
func (l *Lines) Line(line int) (start, end int) {
	line = max(line, 1)
	if line > len(l.starts) {
		return len(l.text), len(l.text)
	}
	start = l.starts[line-1]
	if line == len(l.starts) {
		return start, len(l.text)
	}
	end = l.starts[line]
	_, size := utf8.DecodeLastRune(l.text[start:end])
	if end -= size; end > start && l.text[end] == '\n' && l.text[end-1] == '\r' {
		end--
	}
	return start, end
}

// Offset returns the byte offset of a point with a line and one of Column, UTF8 and UTF16; the
// others are 0. A column after the end of the line means the end of the line, one within a
// character its start, and a line after the last one the end of the text.
func (l *Lines) Offset(p Point) int {
	start, end := l.Line(p.Line)
	after := func(at *Point) bool {
		return p.Column > 0 && at.Column > p.Column || p.UTF8 > 0 && at.UTF8 > p.UTF8 || p.UTF16 > 0 && at.UTF16 > p.UTF16
	}
	at := Point{Offset: start, Column: 1, UTF8: 1, UTF16: 1}
	if p.Column <= 0 && p.UTF8 <= 0 && p.UTF16 <= 0 {
		return at.Offset
	}
	marks := l.marks[min(start/stride+1, len(l.marks)):min(end/stride+1, len(l.marks))]
	if i := sort.Search(len(marks), func(i int) bool { return after(&marks[i]) }); i > 0 && marks[i-1].Offset > start {
		at = marks[i-1]
	}
	for at.Offset < end {
		next := at
		_, n := utf8.DecodeRune(l.text[at.Offset:end])
		next.advance(l.text[at.Offset : at.Offset+n])
		if after(&next) {
			break
		}
		at = next
	}
	return at.Offset
}

// advance moves a point over the text that follows it in its line. A byte that is
// not UTF-8 counts as a character.
func (p *Point) advance(text []byte) {
	chars, pairs := 0, 0 // pairs of surrogates
	for i := 0; i < len(text); chars++ {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		if r > 0xFFFF {
			pairs++
		}
	}
	p.Offset += len(text)
	p.Column += chars
	p.UTF8 += len(text)
	p.UTF16 += chars + pairs
}
