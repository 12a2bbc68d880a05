package tolerant

import (
	"math"

	"github.com/datachain-go/datachain/internal/jcs"
)

// Parse returns the tree of any text. It never fails; a text of more than 2 GiB is
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
// Parsing takes linear time. Objects and arrays that nest deeper than 64 levels have no
// children in the tree.
func Parse(text []byte) *Tree {
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

// skip reads an object or array that nests too deeply, without its children.
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

// close takes a closing bracket. If it does not match the frame on top, it closes an outer
// frame with everything inside, or is skipped if that would close the root too early.
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
