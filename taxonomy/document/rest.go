package document

import (
	"github.com/datachain-go/datachain/internal/jcs"
)

// stop is where the scanner of an object or array has failed.
type stop int

const (
	atStart    stop = iota // at the bracket of an empty one, which does not close it
	atKey                  // at a key, or between a key and its value
	atValue                // in a value
	afterValue             // after a value
)

// recover reads the rest of an object or array after a failure. Child is the place of the child
// that was read last. It begins with the token before the failure, which may mean something else
// than the scanner thought.
func (s *scanner) recover(where stop, child place, depth, base int) bool {
	r := s.recovery
	if r == nil || s.interrupted != nil {
		return false
	}
	c := rest{scanner: s, recovery: r, self: r.frames[depth].self, kind: r.frames[depth].kind, depth: depth, base: base}
	if r.leave != here {
		if r.leave < depth {
			return false
		}
		r.leave, c.filled = here, true
		return c.read()
	}
	s.mark(depth)
	switch where {
	case atKey:
		s.at = s.start
		if child.keyEnd > 0 {
			s.at = int(child.keyStart)
		}
	case atValue:
		c.reread(child, s.start)
	case afterValue:
		n := &s.nodes[s.open[len(s.open)-1]]
		if n.kind == '{' || n.kind == '[' {
			c.filled = true
		} else {
			c.reread(child, int(n.start))
		}
	}
	return c.read()
}

// rest is the rest of an object or array that is read token by token.
type rest struct {
	*scanner
	*recovery
	self        int32
	kind        byte
	depth, base int

	child  place // of the key that has no value yet
	keyed  bool  // there is such a key
	colon  bool  // and its colon
	filled bool  // there is a child since the last comma
	// valueAt is where the value of the key would be.
	valueAt int
	// keys are the places of the keys in nodes, or nil before one was read.
	keys map[string]int32
}

// reread forgets the last child, whose value begins at an offset, and keeps its key.
func (c *rest) reread(child place, at int) {
	last := len(c.open) - 1
	c.nodes, c.open = c.nodes[:c.open[last]], c.open[:last]
	c.at = at
	if child.keyEnd > 0 {
		c.child, c.keyed, c.colon, c.valueAt = child, true, true, at
	}
}

// read reads up to the closing bracket. It returns false, with the bracket or the key still to be
// read, if that belongs to an object or array further out.
func (c *rest) read() bool {
	for {
		t := c.next()
		goOn := true
		switch t.kind {
		case endToken:
			c.endOfText()
			return false
		case ',':
			c.comma(t)
		case ':':
			c.colonAt(t)
		case '}', ']':
			if done, closed := c.bracket(t); done {
				return closed
			}
		case '{', '[':
			goOn = c.container(t)
		default:
			goOn = c.scalar(t)
		}
		if !goOn {
			return false
		}
	}
}

// next returns the next token after comments, which it reports. An interrupted text ends here.
func (c *rest) next() token {
	for {
		if c.stopped() {
			return token{start: c.at, end: c.at}
		}
		c.lex.at, c.lex.afterColon = c.at, c.colon
		t := c.lex.next()
		c.at = t.end
		if t.kind != commentToken {
			return t
		}
		c.wrong(t.start)
	}
}

// wrong reports that what is at an offset does not belong there.
func (c *rest) wrong(at int) {
	end := c.at
	c.at = at
	c.fail(at, c.self, c.child.keyEnd)
	c.report()
	c.at = end
}

// endOfText ends all objects and arrays. What was read before is certain.
func (c *rest) endOfText() {
	c.missing()
	c.wrong(len(c.text))
	for i := 1; i <= c.depth; i++ {
		c.nodes[c.frames[i].self].marks |= isOpen | isUnsound
	}
	c.leave = 0
}

func (c *rest) comma(t token) {
	switch {
	case c.keyed:
		c.wrong(t.start)
		c.missing()
	case !c.filled:
		c.wrong(t.start)
		if c.holes++; c.kind == '[' && c.holes <= maxHoles {
			c.hole(t.start)
		}
	}
	c.filled = false
}

func (c *rest) colonAt(t token) {
	switch {
	case c.keyed && !c.colon:
		c.colon, c.valueAt = true, t.end
		return
	case c.kind == '{' && !c.keyed:
		c.wrong(t.start)
		c.noKey(t.start)
		c.colon, c.valueAt = true, t.end
		return
	}
	c.wrong(t.start)
}

// noKey begins a member without a key.
func (c *rest) noKey(at int) {
	c.child = place{parent: c.self, keyStart: int32(at), keyEnd: int32(at), marks: hasBrokenKey}
	c.keyed, c.colon, c.valueAt = true, false, at
}

// missing ends a member that has no value.
func (c *rest) missing() {
	if c.keyed {
		c.hole(max(c.valueAt, int(c.child.keyEnd)))
	}
}

// hole adds a missing value.
func (c *rest) hole(at int) {
	c.child.marks |= isBroken
	c.open = append(c.open, int32(len(c.nodes)))
	c.add(c.child, 0, at, at)
	c.child, c.keyed, c.colon = place{}, false, false
}

// bracket takes a closing bracket. Done reports whether nothing more is read, and closed whether
// it was that of this object or array.
func (c *rest) bracket(t token) (done, closed bool) {
	depth := c.closed(c.depth, t.kind-2, t.start)
	skip := depth == 0
	if depth == 1 {
		skip = c.goesOn(t.end) || c.depth > 1 && c.lex.peek(t.end) < len(c.text)
	}
	switch {
	case skip:
		c.wrong(t.start)
		c.tearAfter(t.start)
		return false, false
	case depth < c.depth:
		c.wrong(t.start)
		c.missing()
		c.tear(c.depth, t.start)
		c.leave, c.at = depth, t.start
		return true, false
	case c.keyed, !c.filled && len(c.open) > c.base:
		c.wrong(t.start)
		c.missing()
	}
	return true, true
}

// container takes the opening bracket of an object or array.
func (c *rest) container(t token) bool {
	if t.kind == '{' && c.kind == '{' && !c.keyed && c.depth > 1 && c.frames[c.depth-1].kind == '[' {
		c.wrong(t.start)
		c.tearAfter(t.start)
		c.leave, c.at = c.depth-1, t.start
		return false
	}
	if c.kind == '{' && !c.keyed {
		c.tearAfter(t.start)
	}
	p := c.begin(t)
	c.at = t.start
	if c.depth == jcs.MaxDepth {
		if t.start >= c.reported {
			c.value(p, c.depth)
			c.report()
		}
		c.skip(p, t)
		return true
	}
	if c.value(p, c.depth) || c.interrupted == nil && c.leave == c.depth {
		c.leave = here
		return true
	}
	return false
}

// begin begins a value: with the key before it, if it is a member.
func (c *rest) begin(t token) place {
	switch {
	case c.kind == '[' && c.filled:
		c.noComma(t)
	case c.kind == '{' && !c.keyed:
		if c.filled {
			c.noComma(t)
		}
		c.wrong(t.start)
		c.noKey(t.start)
	case c.kind == '{' && !c.colon:
		c.wrong(t.start)
	}
	p := c.child
	p.parent = c.self
	c.open = append(c.open, int32(len(c.nodes)))
	c.child, c.keyed, c.colon, c.filled = place{}, false, false, true
	return p
}

// noComma reports that there is no comma before a key or an item. If that is on the line of the
// value before it, or in an array, the value is not all that was meant.
func (c *rest) noComma(t token) {
	c.wrong(t.start)
	if len(c.open) == c.base {
		return
	}
	n := &c.nodes[c.open[len(c.open)-1]]
	container, sameLine := n.kind == '{' || n.kind == '[', c.lineOf(t.start).start <= int(n.end)
	switch {
	case container && sameLine:
		c.tearAfter(t.start)
	case !container && (sameLine || c.kind == '['):
		n.marks |= isBroken
	}
}

// tearAfter is tear after the last child, which may have been closed too early.
func (c *rest) tearAfter(at int) {
	c.tear(c.depth, at)
	if len(c.open) > c.base {
		if n := &c.nodes[c.open[len(c.open)-1]]; n.kind == '{' || n.kind == '[' {
			n.marks |= isOpen | isUnsound
		}
	}
}

// skip reads an object or array that nests too deeply, and keeps nothing of it.
func (c *rest) skip(p place, t token) {
	c.at = t.end
	n := c.add(p, t.kind, t.start, len(c.text))
	n.marks |= isBroken
	for depth := 1; depth > 0; {
		switch t = c.next(); t.kind {
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
func (c *rest) scalar(t token) bool {
	l := c.lineOf(t.start)
	next := c.lex.peek(t.end)
	colon := next < len(c.text) && c.text[next] == ':'
	if c.kind == '[' && colon {
		c.wrong(t.start)
		c.tearAfter(t.start)
		if l.first(t.start) {
			if depth := c.leaveArray(l); depth > 0 {
				c.leave, c.at = depth, t.start
				return false
			}
		}
	}
	if c.kind == '{' && (!c.keyed || l.first(t.start) && !c.colon || colon) {
		if depth := c.objectOf(c.depth, t.start); depth != c.depth {
			c.wrong(t.start)
			c.missing()
			c.tear(c.depth, t.start)
			c.leave, c.at = depth, t.start
			return false
		}
		if c.keyed {
			c.wrong(t.start)
			c.missing()
			if l.first(t.start) && l.indent > c.frames[c.depth].inner && c.frames[c.depth].inner >= 0 {
				c.tear(c.depth, t.start) // the bracket before it is missing
			}
		}
		c.key(t)
		return true
	}
	return c.scalarValue(t)
}

// leaveArray returns the depth of the object that a key in an array belongs to, or 0: the key is
// not indented more than the lines that opened the arrays between.
func (c *rest) leaveArray(l line) int {
	for i := c.depth; i > 0; i-- {
		if c.frames[i].kind == '{' {
			return i
		}
		if l.indent > c.frames[i].line.indent {
			break
		}
	}
	return 0
}

// key begins a member.
func (c *rest) key(t token) {
	if c.filled {
		c.noComma(t)
		c.filled = false
	}
	c.child = place{parent: c.self, keyStart: int32(t.start), keyEnd: int32(t.end)}
	c.keyed, c.colon, c.valueAt = true, false, t.end
	end, escaped, ok := t.end, false, false
	if t.closed && c.text[t.start] == '"' {
		end, escaped, ok = jcs.String(c.text, t.start)
	}
	if c.child.keyEscaped = escaped; !ok || end != t.end {
		c.child.marks = hasBrokenKey
		c.unreadable(t)
	}
	if c.keys == nil {
		c.keys = make(map[string]int32)
		for _, at := range c.open[c.base:] {
			c.keys[c.nodes[at].key(c.doc)] = at
		}
	}
	name := unquote(c.text[t.start:t.end])
	first, twice := c.keys[name]
	if !twice {
		c.keys[name] = int32(len(c.nodes))
		return
	}
	c.nodes[first].marks |= isBroken
	c.child.marks |= isBroken
	if t.start >= c.reported {
		c.refuse(t.start, c.self, duplicateKey(name))
		c.twice = true
		c.report()
		c.at = t.end
	}
}

// unreadable reports a token that is not what it should be.
func (c *rest) unreadable(t token) {
	if t.kind != stringToken || c.text[t.start] != '"' {
		c.wrong(t.start)
		return
	}
	if t.start >= c.reported {
		end, _, ok := jcs.String(c.text, t.start)
		if c.at = end; ok { // what follows does not belong to it
			c.fail(end, c.self, c.child.keyEnd)
		} else {
			c.fail(t.start, c.self, c.child.keyEnd)
		}
		c.report()
		c.at = t.end
	}
	if !t.closed && c.lex.peek(t.end) < len(c.text) {
		c.tear(c.depth, t.start)
	}
}

// scalarValue takes a string or a word that is the value of a key or an item.
func (c *rest) scalarValue(t token) bool {
	alone := c.kind == '[' && c.filled // without a comma
	p := c.begin(t)
	at := len(c.nodes)
	if t.kind == wordToken || t.closed && c.text[t.start] == '"' {
		c.at = t.start
		ok := c.value(p, c.depth)
		if ok && c.at == t.end || c.interrupted != nil {
			if alone && ok {
				c.nodes[at].marks |= isBroken
			}
			return c.interrupted == nil
		}
		if ok {
			c.fail(c.at, c.self, 0)
		}
		c.report()
	} else {
		c.unreadable(t)
	}
	c.nodes = c.nodes[:at]
	n := c.add(p, kindOf(c.text, t), t.start, t.end)
	n.marks |= isBroken
	if t.kind == stringToken && !t.closed {
		n.marks |= isUnclosed
	}
	c.at = t.end
	return true
}
