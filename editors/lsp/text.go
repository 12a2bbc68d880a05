package lsp

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// text is the text of a document at one version. It does not change.
type text struct {
	uri     string
	at      address
	open    bool // in the editor
	version int
	content []byte
	// tooLarge is the limit if the content was not read because of its size,
	// else 0.
	tooLarge int64
	// lines and tree are made when they are needed, once.
	lines func() *lines
	tree  func() *document.Document
}

func newText(uri string, version int, content string, e encoding) *text {
	t := &text{uri: uri, at: newAddress(uri), version: version, content: []byte(content)}
	t.lines = sync.OnceValue(func() *lines { return newLines(t.content, e) })
	t.tree = sync.OnceValue(func() *document.Document {
		doc, err := document.ParseWith(t.content, &document.Options{Recover: true})
		if err != nil { // it has more than 2 GiB
			return new(document.Document)
		}
		return doc
	})
	return t
}

// extension is that of files that always are datachain documents.
const extension = ".datachain.json"

// recognized reports whether a text is a datachain document, by its name or its
// content. A document that was recognized before may lack one of the two keys, since
// it may be about to be typed again.
func (t *text) recognized(before bool) bool {
	if t.tooLarge > 0 {
		return before
	}
	path, _, _ := strings.Cut(t.uri, "?")
	if strings.HasSuffix(path, extension) {
		return true
	}
	// Other JSON files can be large, and need not be parsed.
	if !bytes.Contains(t.content, []byte("schema_version")) && !bytes.Contains(t.content, []byte("elements")) {
		return false
	}
	_, pinned := t.tree().Root().Get("schema_version")
	_, places := t.tree().Root().Get("elements")
	return pinned && places || before && (pinned || places)
}

// location returns the place of a range.
func (t *text) location(at document.Range) location {
	return location{t.uri, t.lines().span(at.Start, at.End)}
}

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
	*textpos.Lines
	text     []byte
	encoding encoding
}

func newLines(text []byte, e encoding) *lines {
	return &lines{textpos.New(text, textpos.EditorBreaks), text, e}
}

// at returns the position of an offset. One within a character or a line break is that of
// its start, one outside the text is that of the nearest place in it.
func (l *lines) at(offset int) position {
	p := l.Point(offset)
	if o := p.Offset; o > 0 && o < len(l.text) && (!utf8.RuneStart(l.text[o]) || l.text[o] == '\n' && l.text[o-1] == '\r') {
		p = l.Point(l.Offset(textpos.Point{Line: p.Line, UTF8: p.UTF8}))
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
		return l.Offset(textpos.Point{Line: p.Line + 1, UTF8: p.Character + 1})
	}
	return l.Offset(textpos.Point{Line: p.Line + 1, UTF16: p.Character + 1})
}

// content returns a line, counted from 0, without its end.
func (l *lines) content(line int) []byte {
	start, end := l.Line(line + 1)
	return l.text[start:end]
}
