package document

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
)

// recovery is how a scanner reads on after a syntax error. Nil stops at the first one.
//
// What is sound is read as in a strict text. Each place where that fails calls recover, which
// reads the rest of the object or array token by token, as it was probably meant:
//
//   - a missing comma or colon is inferred, an extra one is skipped;
//   - a string without a closing quote ends at the end of its line, before the comma and the
//     brackets that follow it;
//   - a value that is missing is a child of kind 0;
//   - of brackets that do not match, indentation tells which one is missing: the first in its
//     line closes what was opened on a line with the same indentation, another one only what
//     was opened on its own line, and one that closes nothing is skipped;
//   - an object in place of a key is the next item of the array around: the brace before it is
//     missing;
//   - bare words are values and keys; comments and a byte order mark are skipped.
//
// It takes linear time: a guess looks at tokens once, and at lines by what is known of them.
type recovery struct {
	doc *Document // for the places of errors
	lex lexer

	errors   []*SyntaxError
	inside   []int32 // the object or array of each error, or -1
	reported int     // no error before this offset is reported: the line has one, or there are enough

	// torn is the place of the first error after which a child can be in the wrong object or
	// array.
	torn int
	// resumeDepth is the depth of the object or array that reads on after those inside it have
	// returned false, since a bracket or a key belongs to it. It is 0 at the end of the text, and
	// noDepth while reading goes on where it is.
	resumeDepth int
	holes       int // missing values
	steps       int // tokens

	frames     [jcs.MaxDepth + 1]frame // by depth
	line       line                    // of the last offset that was asked for
	lineOffset int                     // that offset
}

// frame is an object or array that is not closed yet.
type frame struct {
	self int32
	kind byte
	line line // of its opening bracket
	// inner is the indentation of its members, or -1 before one was on a line of its own.
	inner int
}

// line is a line of the text: where it starts, and the white space with which it begins.
type line struct{ start, indent int }

const (
	noDepth = math.MaxInt // for resumeDepth
	nowhere = math.MaxInt // for torn

	// maxSyntaxErrors is how many syntax errors are reported.
	maxSyntaxErrors = 100
	// maxHoles is how many missing values are added to a tree. Others are skipped.
	maxHoles = 1000
)

// recover reads the text of a document again, after the strict scan has found the first error.
func (d *Document) recover(first *SyntaxError, valid bool, o *Options) error {
	text := d.text
	r := &recovery{doc: d, torn: nowhere, resumeDepth: noDepth, errors: []*SyntaxError{first}, inside: []int32{-1}}
	if valid {
		r.reported = r.endOfLine(first.Point.Offset)
	} else {
		text = replaceInvalid(text)
		r.reported = len(text) + 1 // in another encoding, much is wrong for the same reason
	}
	r.lex, r.line = lexer{text: text}, newLine(text, 0)
	s := scanner{whole: text, text: text, copied: d.copied, nodes: d.nodes[:0], items: d.items[:0], interrupt: o.Interrupt, recovery: r}
	s.scan()
	if s.interrupted != nil {
		return s.interrupted
	}
	d.nodes, d.items, d.errors = s.nodes, s.items, r.errors
	for i, self := range r.inside {
		if self >= 0 {
			r.errors[i].Path = Value{d, self}.Path()
		}
	}
	return nil
}

// replaceInvalid replaces bytes that are not UTF-8 by a control character, which no string and no
// key may contain.
func replaceInvalid(text []byte) []byte {
	text = bytes.Clone(text)
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			text[at] = 0x1A
		}
		at += size
	}
	return text
}

// endOfLine returns the end of the line of an offset.
func (r *recovery) endOfLine(at int) int {
	if i := bytes.IndexByte(r.doc.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(r.doc.text) + 1
}

// stopped calls interrupt from time to time, and reports whether it has returned an error.
func (s *scanner) stopped() bool {
	r := s.recovery
	if r.steps++; r.steps%interruptEvery == 0 && s.interrupt != nil && s.interrupted == nil {
		s.interrupted = s.interrupt()
	}
	return s.interrupted != nil
}

// report reports the failure of a scanner, unless its line has one.
func (s *scanner) report() {
	r, at := s.recovery, s.at
	if at >= r.reported {
		inside := s.inside
		if e := s.syntaxError(r.doc); e.Point.Offset >= r.reported { // an extra comma can be on the line before
			r.errors, r.inside = append(r.errors, e), append(r.inside, inside)
		}
		r.reported = r.endOfLine(at)
		if len(r.errors) == maxSyntaxErrors {
			r.reported = len(s.text) + 1
		}
	}
	s.at, s.failure = at, failure{}
}

// lineOf returns the line of an offset. Offsets grow, apart from a token that is read again, so
// that all calls together take linear time.
func (r *recovery) lineOf(at int) line {
	text := r.lex.text
	if at < r.line.start {
		const far = 512
		from := max(0, at-far)
		return newLine(text, from+bytes.LastIndexByte(text[from:at], '\n')+1)
	}
	if at > r.lineOffset {
		if i := bytes.LastIndexByte(text[r.lineOffset:at], '\n'); i >= 0 {
			r.line = newLine(text, r.lineOffset+i+1)
		}
		r.lineOffset = at
	}
	return r.line
}

// newLine returns the line that starts at an offset.
func newLine(text []byte, start int) line {
	n := 0
	for start+n < len(text) && (text[start+n] == ' ' || text[start+n] == '\t') {
		n++
	}
	return line{start, n}
}

// isFirst reports whether only white space is before an offset on its line.
func (l line) isFirst(at int) bool { return at == l.start+l.indent }

// push begins an object or array.
func (s *scanner) push(self int32, depth int) {
	r := s.recovery
	r.frames[depth] = frame{self, s.text[s.at], r.lineOf(s.at), -1}
	if depth == 1 && r.torn < s.at { // the brackets around are missing
		s.tear(1, r.torn)
	}
}

// pop ends an object or array. If a child can be in the wrong place, it is doubtful.
func (s *scanner) pop(n *node, children []int32, closed bool) {
	r := s.recovery
	if !closed {
		n.marks |= isUnclosed
	}
	if !n.marks.hasAny(isOpen) {
		return
	}
	foreign := !closed && s.at < len(s.text) // another's bracket ended it
	if !foreign && r.torn >= s.at {
		return
	}
	for _, at := range children {
		if c := &s.nodes[at]; foreign || c.from() >= r.torn {
			c.marks |= isDoubtful
		}
	}
}

// mark marks the object or array at a depth as open because of an error in it, and those around it
// as unsound.
func (s *scanner) mark(depth int) {
	r := s.recovery
	s.nodes[r.frames[depth].self].marks |= isOpen
	for ; depth > 0; depth-- {
		n := &s.nodes[r.frames[depth].self]
		if n.marks.hasAny(isUnsound) {
			return
		}
		n.marks |= isUnsound
	}
}

// tear notes an error after which children can be in the wrong object or array, and marks the one at
// a depth and all around it as open.
func (s *scanner) tear(depth, at int) {
	r := s.recovery
	r.torn = min(r.torn, at)
	for ; depth > 0; depth-- {
		n := &s.nodes[r.frames[depth].self]
		if n.marks.hasAny(isTorn) {
			return
		}
		n.marks |= isOpen | isTorn | isUnsound
	}
}

// closes reports whether a bracket that matches the object or array at a depth closes it. It does
// not if the indentation is that of another one, or if the root goes on after it.
func (r *recovery) closes(depth int, opening byte, at int) bool {
	return r.closedDepth(depth, opening, at) == depth && (depth > 1 || !r.goesOn(at+1))
}

// goesOn reports whether a comma follows the root.
func (r *recovery) goesOn(at int) bool {
	next := r.lex.peek(at)
	return next < len(r.lex.text) && r.lex.text[next] == ','
}

// closedDepth returns the depth of the object or array that a bracket closes, or 0.
func (r *recovery) closedDepth(depth int, opening byte, at int) int {
	l, matching := r.lineOf(at), 0
	if r.frames[depth].kind == opening {
		matching = depth
		if !l.isFirst(at) {
			return matching
		}
	}
	for i := depth; i > 0; i-- {
		f := &r.frames[i]
		if f.kind == opening && (l.isFirst(at) && f.line.indent == l.indent || !l.isFirst(at) && f.line.start == l.start) {
			if matching == 0 || r.outside(at+1, l.indent) {
				return i
			}
			break
		}
	}
	return matching
}

// objectOf returns the depth of the object that a key in an object belongs to. It is one further out
// if the key is indented like the members of that one, and less than those before it.
func (r *recovery) objectOf(depth, at int) int {
	l, f := r.lineOf(at), &r.frames[depth]
	switch {
	case at == len(r.lex.text) || r.lex.text[at] != '"' || !l.isFirst(at):
		return depth
	case f.inner < 0:
		f.inner = l.indent
	}
	for i := depth - 1; i > 0 && l.indent < f.inner && l.indent <= f.line.indent; i-- {
		if outer := &r.frames[i]; outer.kind == '{' && outer.inner == l.indent {
			return i
		}
	}
	return depth
}

// outside reports whether what comes after a bracket is on another line, and not indented more
// than the bracket: it can't be inside of what has this indentation.
func (r *recovery) outside(at, indent int) bool {
	text := r.lex.text
	next := r.lex.peek(at)
	if next < len(text) && text[next] == ',' {
		next = r.lex.peek(next + 1)
	}
	i := bytes.LastIndexByte(text[at:next], '\n')
	return next == len(text) || i >= 0 && next-at-i-1 <= indent
}

// recoverRoot looks for the root of a text that does not consist of one: the first object or array
// or, without one, the first string or word.
func (s *scanner) recoverRoot() bool {
	r := s.recovery
	if r == nil || s.interrupted != nil {
		return false
	}
	if len(s.nodes) > 0 && (s.nodes[0].kind == '{' || s.nodes[0].kind == '[') {
		s.nodes[0].marks |= isOpen | isUnsound
		return false
	}
	s.nodes, r.lex.at = s.nodes[:0], 0
	var scalar token
	for t := r.lex.significant(); t.kind != endToken && !s.stopped(); t = r.lex.significant() {
		switch t.kind {
		case '{', '[':
			s.at = t.start
			return s.value(place{parent: -1}, 0)
		case stringToken, wordToken:
			if scalar.kind == 0 {
				scalar = t
			}
		}
		r.torn = min(r.torn, t.start)
	}
	if scalar.kind != 0 {
		n := s.add(place{parent: -1}, kindOf(s.text, scalar), scalar.start, scalar.end)
		if n.marks = isBroken; scalar.kind == stringToken && !scalar.closed {
			n.marks |= isUnclosed
		}
	}
	return false
}

// from returns where a value starts, its key included.
func (n *node) from() int {
	if n.keyEnd > 0 {
		return int(n.keyStart)
	}
	return int(n.start)
}
