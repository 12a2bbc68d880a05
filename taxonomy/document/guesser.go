package document

import (
	"github.com/datachain-go/datachain/internal/jcs"
)

// stage is where the scanner of an object or array has failed.
type stage int

const (
	atStart    stage = iota // at the bracket of an empty one, which does not close it
	atKey                   // at a key, or between a key and its value
	atValue                 // in a value
	afterValue              // after a value
)

// recover reads the rest of an object or array after a failure. Child is the place of the child
// that was read last. It begins with the token before the failure, which may mean something else
// than the scanner thought.
func (s *scanner) recover(where stage, child place, depth, base int) bool {
	r := s.recovery
	if r == nil || s.interrupted != nil {
		return false
	}
	g := guesser{scanner: s, recovery: r, self: r.frames[depth].self, kind: r.frames[depth].kind, depth: depth, base: base}
	if r.resumeDepth != noDepth {
		if r.resumeDepth < depth {
			return false
		}
		r.resumeDepth, g.filled = noDepth, true
		return g.read()
	}
	s.mark(depth)
	switch where {
	case atKey:
		s.at = s.start
		if child.keyEnd > 0 {
			s.at = int(child.keyStart)
		}
	case atValue:
		g.reread(child, s.start)
	case afterValue:
		n := &s.nodes[s.open[len(s.open)-1]]
		if n.kind == '{' || n.kind == '[' {
			g.filled = true
		} else {
			g.reread(child, int(n.start))
		}
	}
	return g.read()
}

// guesser reads the rest of an object or array token by token, as it was probably meant.
type guesser struct {
	*scanner
	*recovery
	self        int32
	kind        byte
	depth, base int

	child    place // of the key that has no value yet
	hasKey   bool  // there is such a key
	hasColon bool  // and its colon
	filled   bool  // there is a child since the last comma
	// valueAt is where the value of the key would be.
	valueAt int
	// keys are the places of the keys in nodes, or nil before one was read.
	keys map[string]int32
}

// reread forgets the last child, whose value begins at an offset, and keeps its key.
func (g *guesser) reread(child place, at int) {
	last := len(g.open) - 1
	g.nodes, g.open = g.nodes[:g.open[last]], g.open[:last]
	g.at = at
	if child.keyEnd > 0 {
		g.child, g.hasKey, g.hasColon, g.valueAt = child, true, true, at
	}
}

// read reads up to the closing bracket. It returns false, with the bracket or the key still to be
// read, if that belongs to an object or array further out.
func (g *guesser) read() bool {
	for {
		t := g.next()
		goOn := true
		switch t.kind {
		case endToken:
			g.endOfText()
			return false
		case ',':
			g.comma(t)
		case ':':
			g.colonAt(t)
		case '}', ']':
			if done, closed := g.bracket(t); done {
				return closed
			}
		case '{', '[':
			goOn = g.container(t)
		default:
			goOn = g.scalar(t)
		}
		if !goOn {
			return false
		}
	}
}

// next returns the next token after comments, which it reports. If the scanner is interrupted, it
// returns the end of the text.
func (g *guesser) next() token {
	for {
		if g.stopped() {
			return token{start: g.at, end: g.at}
		}
		g.lex.at, g.lex.afterColon = g.at, g.hasColon
		t := g.lex.next()
		g.at = t.end
		if t.kind != commentToken {
			return t
		}
		g.wrong(t.start)
	}
}

// wrong reports that what is at an offset does not belong there.
func (g *guesser) wrong(at int) {
	end := g.at
	g.at = at
	g.fail(at, g.self, g.child.keyEnd)
	g.report()
	g.at = end
}

// endOfText ends all objects and arrays. What was read before is certain.
func (g *guesser) endOfText() {
	g.missing()
	g.wrong(len(g.text))
	for i := 1; i <= g.depth; i++ {
		g.nodes[g.frames[i].self].marks |= isOpen | isUnsound
	}
	g.resumeDepth = 0
}

func (g *guesser) comma(t token) {
	switch {
	case g.hasKey:
		g.wrong(t.start)
		g.missing()
	case !g.filled:
		g.wrong(t.start)
		if g.holes++; g.kind == '[' && g.holes <= maxHoles {
			g.hole(t.start)
		}
	}
	g.filled = false
}

func (g *guesser) colonAt(t token) {
	switch {
	case g.hasKey && !g.hasColon:
		g.hasColon, g.valueAt = true, t.end
		return
	case g.kind == '{' && !g.hasKey:
		g.wrong(t.start)
		g.noKey(t.start)
		g.hasColon, g.valueAt = true, t.end
		return
	}
	g.wrong(t.start)
}

// noKey begins a member without a key.
func (g *guesser) noKey(at int) {
	g.child = place{parent: g.self, keyStart: int32(at), keyEnd: int32(at), marks: hasBrokenKey}
	g.hasKey, g.hasColon, g.valueAt = true, false, at
}

// missing ends a member that has no value.
func (g *guesser) missing() {
	if g.hasKey {
		g.hole(max(g.valueAt, int(g.child.keyEnd)))
	}
}

// hole adds a missing value.
func (g *guesser) hole(at int) {
	g.child.marks |= isBroken
	g.open = append(g.open, int32(len(g.nodes)))
	g.add(g.child, 0, at, at)
	g.child, g.hasKey, g.hasColon = place{}, false, false
}

// bracket takes a closing bracket. Done reports whether nothing more is read, and closed whether
// it was that of this object or array.
func (g *guesser) bracket(t token) (done, closed bool) {
	depth := g.closedDepth(g.depth, t.kind-2, t.start)
	skip := depth == 0
	if depth == 1 {
		skip = g.goesOn(t.end) || g.depth > 1 && g.lex.peek(t.end) < len(g.text)
	}
	switch {
	case skip:
		g.wrong(t.start)
		g.tearAfter(t.start)
		return false, false
	case depth < g.depth:
		g.wrong(t.start)
		g.missing()
		g.tear(g.depth, t.start)
		g.resumeDepth, g.at = depth, t.start
		return true, false
	case g.hasKey, !g.filled && len(g.open) > g.base:
		g.wrong(t.start)
		g.missing()
	}
	return true, true
}

// container takes the opening bracket of an object or array.
func (g *guesser) container(t token) bool {
	if t.kind == '{' && g.kind == '{' && !g.hasKey && g.depth > 1 && g.frames[g.depth-1].kind == '[' {
		g.wrong(t.start)
		g.tearAfter(t.start)
		g.resumeDepth, g.at = g.depth-1, t.start
		return false
	}
	if g.kind == '{' && !g.hasKey {
		g.tearAfter(t.start)
	}
	p := g.begin(t)
	g.at = t.start
	if g.depth == jcs.MaxDepth {
		if t.start >= g.reported {
			g.value(p, g.depth)
			g.report()
		}
		g.skip(p, t)
		return true
	}
	if g.value(p, g.depth) || g.interrupted == nil && g.resumeDepth == g.depth {
		g.resumeDepth = noDepth
		return true
	}
	return false
}

// begin begins a value: with the key before it, if it is a member.
func (g *guesser) begin(t token) place {
	switch {
	case g.kind == '[' && g.filled:
		g.noComma(t)
	case g.kind == '{' && !g.hasKey:
		if g.filled {
			g.noComma(t)
		}
		g.wrong(t.start)
		g.noKey(t.start)
	case g.kind == '{' && !g.hasColon:
		g.wrong(t.start)
	}
	p := g.child
	p.parent = g.self
	g.open = append(g.open, int32(len(g.nodes)))
	g.child, g.hasKey, g.hasColon, g.filled = place{}, false, false, true
	return p
}

// noComma reports that there is no comma before a key or an item. If that is on the line of the
// value before it, or in an array, the value is not all that was meant.
func (g *guesser) noComma(t token) {
	g.wrong(t.start)
	if len(g.open) == g.base {
		return
	}
	n := &g.nodes[g.open[len(g.open)-1]]
	container, sameLine := n.kind == '{' || n.kind == '[', g.lineOf(t.start).start <= int(n.end)
	switch {
	case container && sameLine:
		g.tearAfter(t.start)
	case !container && (sameLine || g.kind == '['):
		n.marks |= isBroken
	}
}

// tearAfter is tear after the last child, which may have been closed too early.
func (g *guesser) tearAfter(at int) {
	g.tear(g.depth, at)
	if len(g.open) > g.base {
		if n := &g.nodes[g.open[len(g.open)-1]]; n.kind == '{' || n.kind == '[' {
			n.marks |= isOpen | isUnsound
		}
	}
}

// skip reads an object or array that nests too deeply, and keeps nothing of it.
func (g *guesser) skip(p place, t token) {
	g.at = t.end
	n := g.add(p, t.kind, t.start, len(g.text))
	n.marks |= isBroken
	for depth := 1; depth > 0; {
		switch t = g.next(); t.kind {
		case endToken:
			n.marks |= isUnclosed
			return
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	n.end = int32(t.end)
}

// scalar takes a string or a word: a key, the value of a key, or an item.
func (g *guesser) scalar(t token) bool {
	l := g.lineOf(t.start)
	next := g.lex.peek(t.end)
	colon := next < len(g.text) && g.text[next] == ':'
	if g.kind == '[' && colon {
		g.wrong(t.start)
		g.tearAfter(t.start)
		if l.isFirst(t.start) {
			if depth := g.leaveArray(l); depth > 0 {
				g.resumeDepth, g.at = depth, t.start
				return false
			}
		}
	}
	if g.kind == '{' && (!g.hasKey || l.isFirst(t.start) && !g.hasColon || colon) {
		if depth := g.objectOf(g.depth, t.start); depth != g.depth {
			g.wrong(t.start)
			g.missing()
			g.tear(g.depth, t.start)
			g.resumeDepth, g.at = depth, t.start
			return false
		}
		if g.hasKey {
			g.wrong(t.start)
			g.missing()
			if l.isFirst(t.start) && l.indent > g.frames[g.depth].inner && g.frames[g.depth].inner >= 0 {
				g.tear(g.depth, t.start) // the bracket before it is missing
			}
		}
		g.key(t)
		return true
	}
	return g.scalarValue(t)
}

// leaveArray returns the depth of the object that a key in an array belongs to, or 0: the key is
// not indented more than the lines that opened the arrays between.
func (g *guesser) leaveArray(l line) int {
	for i := g.depth; i > 0; i-- {
		if g.frames[i].kind == '{' {
			return i
		}
		if l.indent > g.frames[i].line.indent {
			break
		}
	}
	return 0
}

// key begins a member.
func (g *guesser) key(t token) {
	if g.filled {
		g.noComma(t)
		g.filled = false
	}
	g.child = place{parent: g.self, keyStart: int32(t.start), keyEnd: int32(t.end)}
	g.hasKey, g.hasColon, g.valueAt = true, false, t.end
	end, escaped, ok := t.end, false, false
	if t.closed && g.text[t.start] == '"' {
		end, escaped, ok = jcs.String(g.text, t.start)
	}
	if g.child.keyEscaped = escaped; !ok || end != t.end {
		g.child.marks = hasBrokenKey
		g.unreadable(t)
	}
	if g.keys == nil {
		g.keys = make(map[string]int32)
		for _, at := range g.open[g.base:] {
			g.keys[g.nodes[at].key(g.doc)] = at
		}
	}
	name := unquote(g.text[t.start:t.end])
	first, twice := g.keys[name]
	if !twice {
		g.keys[name] = int32(len(g.nodes))
		return
	}
	g.nodes[first].marks |= isBroken
	g.child.marks |= isBroken
	if t.start >= g.reported {
		g.refuse(t.start, g.self, duplicateKey(name))
		g.repeatedKey = true
		g.report()
		g.at = t.end
	}
}

// unreadable reports a token that is not what it should be.
func (g *guesser) unreadable(t token) {
	if t.kind != stringToken || g.text[t.start] != '"' {
		g.wrong(t.start)
		return
	}
	if t.start >= g.reported {
		end, _, ok := jcs.String(g.text, t.start)
		if g.at = end; ok { // what follows does not belong to it
			g.fail(end, g.self, g.child.keyEnd)
		} else {
			g.fail(t.start, g.self, g.child.keyEnd)
		}
		g.report()
		g.at = t.end
	}
	if !t.closed && g.lex.peek(t.end) < len(g.text) {
		g.tear(g.depth, t.start)
	}
}

// scalarValue takes a string or a word that is the value of a key or an item.
func (g *guesser) scalarValue(t token) bool {
	missingComma := g.kind == '[' && g.filled // without a comma
	p := g.begin(t)
	at := len(g.nodes)
	if t.kind == wordToken || t.closed && g.text[t.start] == '"' {
		g.at = t.start
		ok := g.value(p, g.depth)
		if ok && g.at == t.end || g.interrupted != nil {
			if missingComma && ok {
				g.nodes[at].marks |= isBroken
			}
			return g.interrupted == nil
		}
		if ok {
			g.fail(g.at, g.self, 0)
		}
		g.report()
	} else {
		g.unreadable(t)
	}
	g.nodes = g.nodes[:at]
	n := g.add(p, kindOf(g.text, t), t.start, t.end)
	n.marks |= isBroken
	if t.kind == stringToken && !t.closed {
		n.marks |= isUnclosed
	}
	g.at = t.end
	return true
}
