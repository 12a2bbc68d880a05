package source

import (
	"bytes"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Text is the text of a YAML or JSON file, to find the bytes of its nodes. The
// library gives only the line and column where a node starts.
type Text struct {
	Data  []byte // without a byte order mark
	bom   int    // the length of that mark
	lines *textpos.Lines
}

func NewText(f Entry, data []byte) *Text {
	body := trimBOM(data)
	breaks := textpos.YAMLBreaks
	if f.Ext() == ".json" {
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
	if n.Kind != null || n.Value != "" { // after an anchor without a value is the next key
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
	if n.Kind != object && n.Kind != list || at < len(t.Data) && t.Data[at] == '*' {
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
		if n.Kind == object && !flow {
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

// Locator finds the places in the files of a schema version that the parts of its
// release come from, for findings about a release, such as a change since the last
// version.
type Locator struct {
	objects   objects
	symbols   map[string]string // files by id
	directory string
}

// objects are the elements, the categories and the schema of a version.
type objects map[objectID]located

// objectID identifies an object. It is zero for the schema.
type objectID struct {
	kind Kind
	id   string
}

// located is an object of a file.
type located struct {
	file string
	node *Node
}

// define notes where the objects of a file are, in place of those that it had before. The
// first with an id counts.
func (o objects) define(k fileKind, file string, root *Node) {
	note := func(kind Kind, n *Node) {
		if id := n.Get("id"); id != nil {
			at := objectID{kind, id.Value}
			if known, taken := o[at]; !taken || known.file == file {
				o[at] = located{file, n}
			}
		}
	}
	switch {
	case k == schemaFiles:
		o[objectID{}] = located{file, root}
	case k == categoryFiles:
		note(KindCategory, root)
	case root.Kind == list:
		for i := range slices.Backward(root.Items) {
			note(KindElement, &root.Items[i])
		}
	default:
		note(KindElement, root)
	}
}

// NewLocator reads the files of a schema version. It needs no valid source: what can be
// read can be found. If there is no such directory, the error wraps [fs.ErrNotExist].
func NewLocator(fsys fs.FS, v taxonomy.Version, o *Options) (*Locator, error) {
	c := newCompiler(fsys, v, o)
	if err := c.list(); err != nil {
		return nil, err
	}
	l := &Locator{objects: make(objects), symbols: make(map[string]string), directory: Directory(v)}
	for _, k := range []fileKind{schemaFiles, categoryFiles, elementFiles} {
		for i, root := range readAll(c, k, (*decoder).parse) {
			if root != nil {
				l.objects.define(k, c.files[k][i].Name, root)
			}
		}
	}
	for _, f := range c.files[symbolFiles] {
		l.symbols[f.Stem()] = f.Name
	}
	return l, nil
}

// Find returns the place of a field of a category, an element or a symbol or, if kind
// is empty, of the schema file. The path names items of lists by their id, their
// locale or their value, as in variables.contact.label.fr; [issue.Root] is the whole
// part. If the source does not have the field, such as a variable that an element
// inherits, the place is that of the innermost object that it has, and if it does not
// have the part, that of the schema file.
func (l *Locator) Find(kind Kind, id string, path issue.Path) issue.Position {
	if file, ok := l.symbols[id]; ok && kind == KindSymbol {
		return issue.Position{File: file}
	}
	part, found := l.objects[objectID{kind, id}]
	if !found && kind != "" {
		path = nil
	}
	if !found {
		if part, found = l.objects[objectID{}]; !found {
			return issue.Position{File: l.directory}
		}
	}
	n := part.node
	for _, step := range path {
		next := n.item(step.Name())
		if next == nil {
			break
		}
		n = next
	}
	return n.anchor().In(part.file)
}

// item returns the value of a key of an object, or the item of a list that a key
// names.
func (n *Node) item(key string) *Node {
	if n.Kind != list {
		return n.Get(key)
	}
	for item := range n.All() {
		if item.Kind == text && item.Value == key {
			return item
		}
		for _, by := range []string{"id", "locale"} {
			if named := item.Get(by); named != nil && named.Value == key {
				if value := item.Get("value"); value != nil && by == "locale" {
					return value
				}
				return item
			}
		}
	}
	return nil
}

// anchor returns the place to show for a node: a list or an object begins at its key.
func (n *Node) anchor() Place {
	if n.InObject() && (n.Kind == list || n.Kind == object) {
		return n.KeyAt
	}
	return n.Place
}
