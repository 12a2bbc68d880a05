package lsp

import (
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// position is a place in a text: a line from 0, and a column from 0 in the units of
// the encoding.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a range of a text.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// encoding is the unit of columns.
type encoding string

const (
	utf8Encoding  encoding = "utf-8"
	utf16Encoding encoding = "utf-16"
)

// lines converts between offsets and positions in a text.
type lines struct {
	*document.Lines
	text     []byte
	encoding encoding
}

func newLines(text []byte, e encoding) *lines {
	return &lines{document.NewLines(text, document.EditorBreaks), text, e}
}

// at returns the position of an offset. One within a character or a line break is that of
// its start, one outside the text is that of the nearest place in it.
func (l *lines) at(offset int) position {
	p := l.Point(offset)
	if o := p.Offset; o > 0 && o < len(l.text) && (!utf8.RuneStart(l.text[o]) || l.text[o] == '\n' && l.text[o-1] == '\r') {
		p = l.Point(l.Offset(document.Point{Line: p.Line, UTF8: p.UTF8}))
	}
	if l.encoding == utf8Encoding {
		return position{p.Line - 1, p.UTF8 - 1}
	}
	return position{p.Line - 1, p.UTF16 - 1}
}

// span returns the range between two offsets.
func (l *lines) span(from, to int) span { return span{l.at(from), l.at(to)} }

// offset returns the offset of a position. A column past the end of its line is the
// end of the line, and a line past the end of the text is the end of the text.
func (l *lines) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case l.encoding == utf8Encoding:
		return l.Offset(document.Point{Line: p.Line + 1, UTF8: p.Character + 1})
	}
	return l.Offset(document.Point{Line: p.Line + 1, UTF16: p.Character + 1})
}

// content returns a line, counted from 0, without its end.
func (l *lines) content(line int) []byte {
	r := l.Line(line + 1)
	return l.text[r.Start:r.End]
}
