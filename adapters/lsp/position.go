package lsp

import (
	"slices"
	"unicode/utf8"
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

// lines converts between offsets and positions in a text. Lines end with \n, \r\n
// or \r.
type lines struct {
	text     []byte
	starts   []int
	encoding encoding
}

func newLines(text []byte, e encoding) *lines {
	l := &lines{text: text, starts: []int{0}, encoding: e}
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// at returns the position of an offset. One within a character is that of the
// character, one outside the text is that of the nearest place in it.
func (l *lines) at(offset int) position {
	offset = max(0, min(offset, len(l.text)))
	line, found := slices.BinarySearch(l.starts, offset)
	if !found {
		line--
	}
	start := l.starts[line]
	end := min(offset, start+len(l.content(line)))
	for end > start && end < len(l.text) && !utf8.RuneStart(l.text[end]) {
		end--
	}
	if l.encoding == utf8Encoding {
		return position{line, end - start}
	}
	return position{line, utf16Length(l.text[start:end])}
}

// span returns the range between two offsets.
func (l *lines) span(from, to int) span { return span{l.at(from), l.at(to)} }

// offset returns the offset of a position. A column past the end of its line is the
// end of the line, and a line past the end of the text is the end of the text.
func (l *lines) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l.starts) {
		return len(l.text)
	}
	start, content := l.starts[p.Line], l.content(p.Line)
	if l.encoding == utf8Encoding {
		at := max(0, min(p.Character, len(content)))
		for at > 0 && at < len(content) && !utf8.RuneStart(content[at]) {
			at--
		}
		return start + at
	}
	units, at := 0, 0
	for at < len(content) && units < p.Character {
		r, size := utf8.DecodeRune(content[at:])
		if units += width16(r); units > p.Character {
			break // within a surrogate pair
		}
		at += size
	}
	return start + at
}

// content returns a line without its end.
func (l *lines) content(line int) []byte {
	end := len(l.text)
	if line+1 < len(l.starts) {
		end = l.starts[line+1]
	}
	content := l.text[l.starts[line]:end]
	if line+1 == len(l.starts) {
		return content
	}
	if n := len(content); n > 1 && content[n-1] == '\n' && content[n-2] == '\r' {
		return content[:n-2]
	}
	return content[:len(content)-1]
}

// utf16Length returns the length of a text in UTF-16 code units.
func utf16Length(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		n += width16(r)
		text = text[size:]
	}
	return n
}

func width16(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
