package yaml

import (
	"bytes"
	"path"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Text is the text of a YAML or JSON file, to find the bytes of its nodes. The
// library gives only the line and column where a node starts.
type Text struct {
	Data  []byte // without a byte order mark
	bom   int    // the length of that mark
	lines *textpos.Lines
}

// NewText returns the text of a file. Its name says whether it is JSON, as for [Parse].
func NewText(name string, data []byte) *Text {
	body := trimBOM(data)
	breaks := textpos.YAMLBreaks
	if path.Ext(name) == ".json" {
		breaks = textpos.LineFeeds
	}
	return &Text{Data: body, bom: len(data) - len(body), lines: textpos.New(body, breaks)}
}

// Offset returns the byte offset of a place.
func (t *Text) Offset(p Place) int {
	if p.Line < 1 {
		return len(t.Data)
	}
	return t.lines.Offset(textpos.Point{Line: p.Line, Column: p.Column})
}

// Range returns a range of the file, byte order mark included.
func (t *Text) Range(start, end int) document.Range {
	return document.Range{Start: start + t.bom, End: end + t.bom}
}

// Scalar is a scalar as it is written.
type Scalar struct {
	// Style is the quote, | or > of a block, * of an alias, or 0 for a plain one.
	Style      byte
	Start, End int // with quotes
	First      int // the first character that is not white space
	// Offsets are those of the characters of the value that are not white space,
	// by their offset in the value; others are -1. They are nil unless asked for.
	Offsets []int
}

// Content returns the range of the value without quotes.
func (s *Scalar) Content() (start, end int) {
	switch s.Style {
	case '"', '\'':
		return s.Start + 1, s.End - 1
	case '|', '>':
		return s.First, s.End
	}
	return s.Start, s.End
}

// Scalar reads the scalar of a node, with the offsets of its characters if they are
// needed. It reports false if the text is not what the node says, which happens for no
// file that the tests know.
func (t *Text) Scalar(n *Node, offsets bool) (s Scalar, ok bool) {
	at := t.Offset(n.Place)
	if n.Kind != Null || n.Value != "" { // after an anchor without a value is the next key
		at = t.SkipProperties(at)
	}
	s = Scalar{Start: at, End: at, First: -1}
	if offsets {
		s.Offsets = make([]int, len(n.Value))
		for i := range s.Offsets {
			s.Offsets[i] = -1
		}
	}
	if at == len(t.Data) {
		return s, n.Value == ""
	}
	switch c := t.Data[at]; c {
	case '*':
		s.Style, s.End = c, t.word(at)
		return s, true
	case '"', '\'':
		s.Style = c
		at++
	case '|', '>':
		s.Style = c
		for at < len(t.Data) && t.Data[at] != '\n' && t.Data[at] != '\r' {
			at++
		}
	}
	at, ok = t.match(&s, at, n.Value)
	if s.Style == '"' || s.Style == '\'' {
		at = t.closingQuote(at, s.Style)
	}
	if n.Value != "" || s.Style != 0 {
		s.End = at
	}
	return s, ok
}

// SkipProperties skips the anchor and tag before a value.
func (t *Text) SkipProperties(at int) int {
	for at < len(t.Data) && (t.Data[at] == '&' || t.Data[at] == '!') {
		at = t.skipSpace(t.word(at))
	}
	return at
}

// word returns the end of an anchor, tag or alias.
func (t *Text) word(at int) int {
	for at < len(t.Data) && !strings.ContainsRune(" \t\r\n,[]{}", rune(t.Data[at])) {
		at++
	}
	return at
}

// skipSpace skips white space and comments.
func (t *Text) skipSpace(at int) int {
	for at < len(t.Data) {
		if r, n := utf8.DecodeRune(t.Data[at:]); IsFolded(r) {
			at += n
		} else if r == '#' {
			for at < len(t.Data) && t.Data[at] != '\n' && t.Data[at] != '\r' {
				at++
			}
		} else {
			break
		}
	}
	return at
}

// IsFolded reports whether a character is white space that YAML may fold.
func IsFolded(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}

// match finds the characters of a value in the text from at on. White space is
// skipped on both sides, since YAML folds it.
func (t *Text) match(s *Scalar, at int, value string) (end int, ok bool) {
	for i, want := range value {
		if IsFolded(want) {
			continue
		}
		got, n := t.character(at, s.Style)
		for n > 0 && IsFolded(got) {
			at += n
			got, n = t.character(at, s.Style)
		}
		if n == 0 || got != want {
			return at, false
		}
		if s.First < 0 {
			s.First = at
		}
		if s.Offsets != nil {
			s.Offsets[i] = at
		}
		at += n
	}
	return at, true
}

// character returns the character at an offset and how many bytes it is written with.
// The end of a line after a backslash is a space.
func (t *Text) character(at int, style byte) (rune, int) {
	rest := t.Data[min(at, len(t.Data)):]
	if len(rest) == 0 {
		return 0, 0
	}
	switch {
	case style == '\'' && bytes.HasPrefix(rest, []byte("''")):
		return '\'', 2
	case style == '"' && rest[0] == '\\' && len(rest) > 1:
		return escaped(rest)
	}
	return utf8.DecodeRune(rest)
}

// escaped returns the character of an escape of YAML or JSON, and its length.
func escaped(text []byte) (rune, int) {
	const letters, values = "0abtnvfre\"/\\N_LP \t", "\x00\a\b\t\n\v\f\r\x1b\"/\\\u0085\u00a0\u2028\u2029 \t"
	var digits int
	switch text[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		if i := strings.IndexByte(letters, text[1]); i >= 0 {
			return []rune(values)[i], 2
		}
		return ' ', 2 // the end of the line
	}
	r, n := hex(text, digits)
	if utf16.IsSurrogate(r) {
		if low, m := hex(text[min(n, len(text)):], 4); m > 0 {
			return utf16.DecodeRune(r, low), n + m
		}
	}
	return r, n
}

// hex parses the digits of an escape.
func hex(text []byte, digits int) (rune, int) {
	if len(text) < 2+digits {
		return utf8.RuneError, len(text)
	}
	r, err := strconv.ParseUint(string(text[2:2+digits]), 16, 32)
	if err != nil {
		return utf8.RuneError, 0
	}
	return rune(r), 2 + digits
}

// closingQuote returns the offset after the closing quote: only white space that the
// value does not have can be before it.
func (t *Text) closingQuote(at int, quote byte) int {
	for at < len(t.Data) {
		r, n := t.character(at, quote)
		at += n
		if n == 1 && r == rune(quote) || n == 0 {
			break
		}
	}
	return at
}

// Span returns the range of a node with all it contains. An alias is what it is written
// as.
func (t *Text) Span(n *Node) (start, end int) {
	start = t.Offset(n.Place)
	at := t.SkipProperties(start)
	if n.Kind != Object && n.Kind != List || at < len(t.Data) && t.Data[at] == '*' {
		s, _ := t.Scalar(n, false)
		return start, max(start, s.End)
	}
	end = at
	if at == len(t.Data) {
		return start, at
	}
	opening := t.Data[at]
	flow := opening == '{' || opening == '['
	if flow {
		end = at + 1
	}
	for i := range n.Items {
		if n.Kind == Object && !flow {
			end = max(end, t.Offset(n.Items[i].KeyAt))
		}
		_, e := t.Span(&n.Items[i])
		end = max(end, e)
	}
	if flow {
		end = t.closingBracket(end, opening+2) // in ASCII
	}
	return start, end
}

// closingBracket returns the offset after a bracket: only a comma can be before it.
func (t *Text) closingBracket(at int, bracket byte) int {
	next := t.skipSpace(at)
	if next < len(t.Data) && t.Data[next] == ',' {
		next = t.skipSpace(next + 1)
	}
	if next < len(t.Data) && t.Data[next] == bracket {
		return next + 1
	}
	return at
}
