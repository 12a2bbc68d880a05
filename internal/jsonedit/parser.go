package jsonedit

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
)

// ParseTolerant returns the tree of any text. It never fails; a text of more than 2 GiB is
// read up to there. The tree keeps text, which must not be changed afterwards.
//
// For strict JSON the tree is that of [document.Parse]. In other texts errors stay
// local, and keys and values next to them keep their path:
//
//   - a missing comma or colon is inferred, an extra one is skipped;
//   - a string without a closing quote ends at the end of its line, before the
//     comma and brackets that follow it;
//   - a key without a value is a member of kind 0;
//   - a bracket that closes an outer object or array closes the inner ones too, and
//     a bracket that closes nothing is skipped;
//   - an object that starts where a key is expected is the next item of the array
//     around, because the brace before it is likely missing;
//   - bare words are values and keys, comments and a byte order mark are skipped.
//
// Parsing takes linear time. Objects and arrays that nest deeper than
// [jcs.MaxDepth] have no children in the tree.
func ParseTolerant(text []byte) *Tree {
	if len(text) > math.MaxInt32 {
		text = text[:math.MaxInt32]
	}
	likely := len(text)/12 + 4 // values
	p := parser{lex: lexer{text: text}, nodes: make([]node, 0, likely), items: make([]int32, 0, likely)}
	p.frames = append(p.frames, frame{self: -1, kind: topLevel, member: -1})
	p.ahead = p.lex.significant()
	for {
		t := p.advance()
		if t.kind == endToken {
			break
		}
		p.take(t)
	}
	for len(p.frames) > 1 {
		p.pop(len(text), false)
	}
	return &Tree{text: text, nodes: p.nodes, items: p.items, root: p.root()}
}

// topLevel is the kind of the frame around the root.
const topLevel = 0

// frame is an object or array that is not closed yet.
type frame struct {
	self int32
	kind byte
	// indent is that of the line with the opening bracket.
	indent int
	base   int // the children so far: open[base:]
	index  int32
	filled bool // there is an item since the last comma
	// member is the member of an object that has no value yet, or -1.
	member int32
	colon  bool // that member has its colon
}

// parser builds a tree from tokens.
type parser struct {
	lex    lexer
	ahead  token
	indent int // of the line of the current token
	nodes  []node
	items  []int32
	open   []int32 // the children of the open frames
	frames []frame
}

// advance returns the current token and reads the one after it.
func (p *parser) advance() token {
	t := p.ahead
	if t.indent >= 0 {
		p.indent = t.indent
	}
	if t.kind != endToken {
		p.ahead = p.lex.significant()
	}
	return t
}

func (p *parser) top() *frame { return &p.frames[len(p.frames)-1] }

// take adds a token to the tree.
func (p *parser) take(t token) {
	switch t.kind {
	case ',':
		f := p.top()
		f.member, f.colon = -1, false
		f.index, f.filled = f.index+1, false
	case ':':
		p.colon(t)
	case '{', '[':
		p.container(t)
	case '}', ']':
		p.close(t)
	default:
		p.scalar(t)
	}
}

// colon takes a colon. One without a key before it starts a member without a key;
// outside objects it means nothing.
func (p *parser) colon(t token) {
	f := p.top()
	if f.kind != '{' {
		return
	}
	if f.member < 0 {
		p.key(t.start, t.start)
		f = p.top()
	}
	if !f.colon {
		f.colon = true
		n := &p.nodes[f.member]
		n.start, n.end = int32(t.end), int32(t.end)
	}
}

// key starts a member of the object on top.
func (p *parser) key(start, end int) {
	at := p.child(node{hasKey: true, keyStart: int32(start), keyEnd: int32(end), start: int32(end), end: int32(end)})
	f := p.top()
	f.member, f.colon = at, false
}

// child adds a node to the frame on top.
func (p *parser) child(n node) int32 {
	f := p.top()
	if f.filled {
		f.index++ // a comma is missing
	}
	n.parent, n.index = f.self, f.index
	if f.kind == '{' {
		n.index = int32(len(p.open) - f.base)
	}
	f.filled = true
	at := int32(len(p.nodes))
	p.nodes = append(p.nodes, n)
	p.open = append(p.open, at)
	return at
}

// value adds a value to the frame on top: for its member that has none, or as an
// item.
func (p *parser) value(n node) int32 {
	f := p.top()
	if f.kind != '{' {
		return p.child(n)
	}
	if f.member < 0 {
		p.key(int(n.start), int(n.start))
		f = p.top()
	}
	at := f.member
	m := &p.nodes[at]
	m.kind, m.closed, m.start, m.end = n.kind, n.closed, n.start, n.end
	f.member, f.colon = -1, false
	return at
}

// scalar takes a string or a word: a key, the value of a key, or an item.
func (p *parser) scalar(t token) {
	if p.top().kind == '[' && p.ahead.kind == ':' && t.indent >= 0 {
		p.leaveArray(t)
	}
	f := p.top()
	if f.kind == '{' {
		newLine := t.indent >= 0 && !f.colon
		if f.member < 0 || newLine || p.ahead.kind == ':' {
			p.key(t.start, t.end)
			return
		}
	}
	p.value(node{kind: kindOf(p.lex.text, t), start: int32(t.start), end: int32(t.end), closed: t.closed || t.kind == wordToken})
}

// leaveArray closes the array on top before a key of an object further out, if the
// key is not indented more than the line that opened the array.
func (p *parser) leaveArray(t token) {
	i := len(p.frames) - 1
	for i > 0 && p.frames[i].kind == '[' {
		if t.indent > p.frames[i].indent {
			return
		}
		i--
	}
	if p.frames[i].kind == '{' {
		p.popTo(i, t.start)
	}
}

// container takes the opening bracket of an object or array.
func (p *parser) container(t token) {
	f := p.top()
	if n := len(p.frames); t.kind == '{' && f.kind == '{' && f.member < 0 && p.frames[n-2].kind == '[' {
		p.pop(t.start, false) // its closing brace is missing
	}
	at := p.value(node{kind: t.kind, start: int32(t.start), end: int32(t.end)})
	if len(p.frames) > jcs.MaxDepth {
		p.skip(at)
		return
	}
	p.frames = append(p.frames, frame{self: at, kind: t.kind, indent: p.indent, base: len(p.open), member: -1})
}

// skip reads an object or array that nests too deep, without its children.
func (p *parser) skip(at int32) {
	end, closed := len(p.lex.text), false
	for depth := 1; depth > 0 && p.ahead.kind != endToken; {
		switch t := p.advance(); t.kind {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				end, closed = t.end, true
			}
		}
	}
	p.nodes[at].end, p.nodes[at].closed = int32(end), closed
}

// close takes a closing bracket. If it does not match the frame on top, it closes
// an outer frame with all inside, or is skipped if that would end the root too
// early.
func (p *parser) close(t token) {
	opening := byte('{')
	if t.kind == ']' {
		opening = '['
	}
	top := len(p.frames) - 1
	i := top
	if p.frames[i].kind != opening {
		i = p.counterpart(opening, t.indent)
	}
	more := p.ahead.kind != endToken
	if i < 1 || i == 1 && (p.ahead.kind == ',' || i < top && more) {
		return
	}
	p.popTo(i, t.start)
	p.pop(t.end, true)
}

// counterpart returns the frame that a closing bracket belongs to: the innermost of
// its kind, or the one that starts on a line with the same indentation.
func (p *parser) counterpart(opening byte, indent int) int {
	nearest := 0
	for i := len(p.frames) - 1; i > 0; i-- {
		if f := &p.frames[i]; f.kind == opening {
			if indent < 0 || f.indent == indent {
				return i
			}
			nearest = max(nearest, i)
		}
	}
	return nearest
}

// popTo closes the frames inside frame i, which have no closing bracket.
func (p *parser) popTo(i, end int) {
	for len(p.frames)-1 > i {
		p.pop(end, false)
	}
}

// pop closes the frame on top.
func (p *parser) pop(end int, closed bool) {
	f := p.top()
	n := &p.nodes[f.self]
	n.end, n.closed = int32(end), closed
	n.first, n.len = int32(len(p.items)), int32(len(p.open)-f.base)
	p.items = append(p.items, p.open[f.base:]...)
	p.open = p.open[:f.base]
	p.frames = p.frames[:len(p.frames)-1]
}

// root returns the first object or array of the text, else the first value.
func (p *parser) root() int32 {
	for _, at := range p.open {
		if k := p.nodes[at].kind; k == '{' || k == '[' {
			return at
		}
	}
	if len(p.open) > 0 {
		return p.open[0]
	}
	return -1
}

// kindOf returns the kind of a string or word.
func kindOf(text []byte, t token) byte {
	if t.kind == stringToken {
		return '"'
	}
	return kindOfWord(text[t.start:t.end])
}

// kindOfWord returns the kind of a number or a literal, and 'w' for other words.
func kindOfWord(word []byte) byte {
	if string(word) == "true" || string(word) == "false" || string(word) == "null" {
		return word[0]
	}
	if end, _, ok := jcs.Number(word, 0); ok && end == len(word) {
		return '0'
	}
	return 'w'
}

// The kinds of tokens besides the punctuation of JSON, which is its own kind.
const (
	endToken     = 0
	stringToken  = '"'
	wordToken    = 'w' // a number, a literal or a bare word
	commentToken = '/'
)

// token is a part of the text that has a meaning of its own.
type token struct {
	kind       byte
	start, end int
	closed     bool // a string or block comment with its end
	// indent is the distance from the start of the line, or -1 if another token
	// of the line comes before.
	indent int
}

// startsValue reports whether a token is or begins a key or a value.
func (t token) startsValue() bool {
	return t.kind == stringToken || t.kind == wordToken || t.kind == '{' || t.kind == '['
}

// lexer splits any text into tokens. Well-formed strings and numbers are those of package
// jcs, as in strict JSON; what else can be in a text is decided here.
type lexer struct {
	text []byte
	at   int
	line int  // where the current line starts
	used bool // a token of the current line was returned
	last byte // the kind of the token before
}

// next returns the next token, comments included, or one of kind endToken.
func (l *lexer) next() token {
	l.space()
	t := token{start: l.at, end: l.at, indent: -1}
	if !l.used {
		t.indent = l.at - l.line
	}
	if l.at == len(l.text) {
		return t
	}
	l.used = true
	switch c := l.text[l.at]; c {
	case '{', '}', '[', ']', ',', ':':
		t.kind = c
		l.at++
	case '"':
		t.kind = stringToken
		t.closed = l.quoted()
	case '#':
		t.kind = commentToken
		l.restOfLine()
	case '/':
		t.kind, t.closed = l.slash()
	case '\'':
		t.kind = wordToken
		if l.singleQuoted() {
			t.kind, t.closed = stringToken, true
		} else {
			l.word()
		}
	default:
		t.kind = wordToken
		l.word()
	}
	t.end, l.last = l.at, t.kind
	return t
}

// significant returns the next token that is not a comment.
func (l *lexer) significant() token {
	for {
		if t := l.next(); t.kind != commentToken {
			return t
		}
	}
}

// space skips white space, the white space of other languages and control
// characters.
func (l *lexer) space() {
	for l.at < len(l.text) {
		n := spaceAt(l.text[l.at:])
		if n == 0 {
			return
		}
		if l.text[l.at] == '\n' || l.text[l.at] == '\r' {
			l.line, l.used = l.at+1, false
		}
		l.at += n
	}
}

// spaceAt returns the length of the white space character at the start of text,
// or 0.
func spaceAt(text []byte) int {
	if c := text[0]; c < utf8.RuneSelf {
		if c <= ' ' || c == 0x7F {
			return 1
		}
		return 0
	}
	if r, n := utf8.DecodeRune(text); unicode.IsSpace(r) || r == byteOrderMark {
		return n
	}
	return 0
}

const byteOrderMark = '\uFEFF'

// quoted reads a string, and reports whether it is closed.
func (l *lexer) quoted() bool {
	start := l.at
	end, closed := endOfString(l.text, start)
	l.at = end
	if !closed {
		if end < len(l.text) {
			l.at = l.cutLine(start+1, end)
		}
		return false
	}
	// A word right after the closing quote means that this is the opening quote
	// of the next string: the one that closes this string is missing.
	if end < len(l.text) && wordByte(l.text[end]) {
		if cut := beforePunctuation(l.text, start+1, end-1); cut < end-1 {
			l.at = cut
			return false
		}
	}
	return true
}

// endOfString returns the end of the string that starts with the quote at start,
// and whether it is closed. A string ends at the end of its line.
func endOfString(text []byte, start int) (end int, closed bool) {
	quote := text[start]
	if quote == '"' {
		if end, _, ok := jcs.String(text, start); ok {
			return end, true
		}
	}
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case quote:
			return i + 1, true
		case '\n', '\r':
			return i, false
		case '\\':
			if i+1 < len(text) && text[i+1] != '\n' && text[i+1] != '\r' {
				i++
			}
		}
	}
	return len(text), false
}

// cutLine returns where a string ends that is not closed on its line.
func (l *lexer) cutLine(start, end int) int {
	if n := bytes.IndexByte(l.text[start:end], ':'); n > 0 && l.last != ':' {
		if value := bytes.Trim(l.text[start+n+1:end], " \t,]}"); len(value) > 0 {
			if c := value[0]; c == '{' || c == '[' || kindOfWord(value) != 'w' {
				return start + len(bytes.TrimRight(l.text[start:start+n], " \t")) // a key
			}
		}
	}
	return beforeBrackets(l.text, start, end)
}

// beforeBrackets returns where a string ends that is not closed on its line: before
// the comma and the brackets at the end of the line, if the string does not contain
// their counterparts.
func beforeBrackets(text []byte, start, end int) int {
	run := end
	for run > start && bytes.IndexByte([]byte(" \t,]}"), text[run-1]) >= 0 {
		run--
	}
	inner := text[start:run]
	opened := bytes.Count(inner, []byte("{")) + bytes.Count(inner, []byte("[")) -
		bytes.Count(inner, []byte("}")) - bytes.Count(inner, []byte("]"))
	for i := run; i < end; i++ {
		switch c := text[i]; {
		case (c == ']' || c == '}') && opened > 0:
			opened--
			run = i + 1
		case c == ',' || c == ']' || c == '}':
			return run
		}
	}
	return end
}

// beforePunctuation returns where a string ends that runs into the next one: before
// a comma, colon or opening bracket and the space after it, or at end if there is
// none.
func beforePunctuation(text []byte, start, end int) int {
	run, found := end, false
	for run > start {
		c := text[run-1]
		if bytes.IndexByte([]byte(",:{["), c) >= 0 {
			found = true
		} else if c != ' ' && c != '\t' && (!found || c != ']' && c != '}') {
			break
		}
		run--
	}
	if !found {
		return end
	}
	return run
}

// singleQuoted reads a string in single quotes if it is closed on its line.
func (l *lexer) singleQuoted() bool {
	end, closed := endOfString(l.text, l.at)
	if closed {
		l.at = end
	}
	return closed
}

// slash reads a comment, or a word that starts with a slash.
func (l *lexer) slash() (kind byte, closed bool) {
	rest := l.text[l.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		l.restOfLine()
		return commentToken, false
	case bytes.HasPrefix(rest, []byte("/*")):
		i := bytes.Index(rest[2:], []byte("*/"))
		if i < 0 {
			l.at = len(l.text)
			return commentToken, false
		}
		l.at += i + 4
		return commentToken, true
	}
	l.word()
	return wordToken, false
}

// restOfLine skips a comment up to the end of the line.
func (l *lexer) restOfLine() {
	i := bytes.IndexAny(l.text[l.at:], "\n\r")
	if i < 0 {
		i = len(l.text) - l.at
	}
	l.at += i
}

// word reads up to white space or punctuation. A quote right after a word belongs
// to it if it ends the word: the opening quote is missing.
func (l *lexer) word() {
	for l.at < len(l.text) {
		if bytes.IndexByte([]byte(`{}[],:"`), l.text[l.at]) >= 0 || spaceAt(l.text[l.at:]) > 0 {
			break
		}
		_, n := utf8.DecodeRune(l.text[l.at:])
		l.at += n
	}
	if l.at == len(l.text) || l.text[l.at] != '"' {
		return
	}
	after := l.at + 1
	for after < len(l.text) && (l.text[after] == ' ' || l.text[after] == '\t') {
		after++
	}
	if after == len(l.text) || bytes.IndexByte([]byte(",:}]\n\r"), l.text[after]) >= 0 {
		l.at++
	}
}

// wordByte reports whether a byte can be part of a word.
func wordByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// unquote returns the text of a string or a word, or of the first part of one. An
// escape that is not valid stands for itself, and bytes that are not UTF-8 become
// U+FFFD.
func unquote(raw []byte) string {
	if len(raw) > 0 && (raw[0] == '"' || raw[0] == '\'') {
		quote := raw[0]
		raw = raw[1:]
		if n := len(raw); n > 0 && raw[n-1] == quote && !escapedAt(raw, n-1) {
			raw = raw[:n-1]
		}
	} else {
		raw = bytes.TrimSuffix(raw, []byte(`"`)) // the opening quote is missing
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	return strings.ToValidUTF8(string(jcs.AppendUnescaped(nil, raw)), "\uFFFD")
}

// escapedAt reports whether the byte at i has an odd number of backslashes before it.
func escapedAt(raw []byte, i int) bool {
	n := 0
	for i--; i >= 0 && raw[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
