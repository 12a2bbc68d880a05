package tolerant

import (
	"iter"
	"sort"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Role is what belongs at an offset of a text.
type Role int

const (
	// Outside is before or after the root.
	Outside Role = iota
	// Key is where a key is, or where one could be typed.
	Key
	// Value is where a value is, or where one could be typed.
	Value
	// Comment is inside a comment.
	Comment
)

// String returns the name of the role in lower case.
func (r Role) String() string {
	switch r {
	case Key:
		return "key"
	case Value:
		return "value"
	case Comment:
		return "comment"
	}
	return "outside"
}

// Cursor is what is at an offset of a text. An offset that touches a key or a
// scalar value, even at its end, is in it.
type Cursor struct {
	// Offset is the offset, moved into the text.
	Offset int
	// Role is what belongs here.
	Role Role
	// Container is the object or array around the offset, or the zero Node at
	// the top level.
	Container Node
	// Node is the member or item that the offset is in, or the zero Node. In
	// role Value after a key, it is the member with that key; its kind is 0 if
	// no value was typed yet.
	Node Node
	// Path is that of the value in role Value, else that of Container.
	Path issue.Path
	// Replace is what a completion replaces: the key or value around the offset
	// with its quotes, or an empty range.
	Replace document.Range
	// Prefix is the part of Replace before the offset, without quotes and
	// escapes.
	Prefix string
	// Missing is the punctuation that a completion has to add.
	Missing Missing
}

// Missing says which punctuation is missing around a [Cursor].
type Missing struct {
	// CommaBefore is set if there is no comma between the key or value here and
	// the one before it.
	CommaBefore bool
	// ColonBefore is set in role Value if the key before has no colon.
	ColonBefore bool
	// ColonAfter is set in role Key if no colon follows.
	ColonAfter bool
	// CommaAfter is set if there is no comma between here and the key or value
	// after. In role Key before the colon of a member it is not set.
	CommaAfter bool
}

// Siblings yields the other members or items of the container.
func (c Cursor) Siblings() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for n := range c.Container.All() {
			if n != c.Node && !yield(n) {
				return
			}
		}
	}
}

// At returns what is at an offset.
func (t *Tree) At(offset int) Cursor {
	offset = min(max(offset, 0), len(t.text))
	for offset > 0 && offset < len(t.text) && !utf8.RuneStart(t.text[offset]) {
		offset--
	}
	c := Cursor{Offset: offset, Replace: document.Range{Start: offset, End: offset}, Path: issue.Root}
	root := t.Root()
	if !root.contains(offset) {
		t.topLevel(&c, root)
		return c
	}
	c.Container = root
	for {
		i := c.Container.before(offset)
		if i < 0 {
			break
		}
		child := c.Container.child(i)
		if !child.contains(offset) {
			break
		}
		c.Container = child
	}
	c.Path = c.Container.Path()
	if !c.touch() {
		c.gap()
	}
	return c
}

// contains reports whether an offset is between the brackets of an object or array.
func (n Node) contains(offset int) bool {
	v := n.node()
	if v.kind != '{' && v.kind != '[' || offset <= int(v.start) {
		return false
	}
	return offset < int(v.end) || offset == int(v.end) && !v.closed
}

// before returns the last child that starts before an offset, or -1.
func (n Node) before(offset int) int {
	items := n.children()
	return sort.Search(len(items), func(i int) bool { return n.tree.nodes[items[i]].from() >= offset }) - 1
}

// child returns child i, or the zero Node.
func (n Node) child(i int) Node {
	items := n.children()
	if i < 0 || i >= len(items) {
		return Node{}
	}
	return Node{n.tree, items[i]}
}

// topLevel fills in a cursor that is not inside an object or array.
func (t *Tree) topLevel(c *Cursor, root Node) {
	r := root.Range()
	switch {
	case root.Kind() == '{' || root.Kind() == '[':
		lex := lexer{text: t.text[:r.Start]}
		if c.Offset >= r.End {
			lex = lexer{text: t.text, at: r.End}
		}
		if c.walk(&lex, nil) {
			c.Role = Comment
		}
	case root.Exists() && r.Start <= c.Offset && c.Offset <= r.End:
		c.Role, c.Node = Value, root
		c.token(r)
	case c.walk(&lexer{text: t.text}, nil):
		c.Role = Comment
	case !root.Exists():
		c.Role = Value
	}
}

// touch fills in a cursor in a key or a scalar value.
func (c *Cursor) touch() bool {
	i := c.Container.before(c.Offset)
	for _, n := range []Node{c.Container.child(i), c.Container.child(i + 1)} {
		if !n.Exists() {
			continue
		}
		v := n.node()
		switch key, value := n.KeyRange(), n.Range(); {
		case v.hasKey && key.Start < key.End && key.Start <= c.Offset && c.Offset <= key.End:
			c.Role, c.Node = Key, n
			c.token(key)
		case v.kind != 0 && v.kind != '{' && v.kind != '[' && value.Start <= c.Offset && c.Offset <= value.End:
			c.Role, c.Node = Value, n
			c.Path = n.Path()
			c.token(value)
		default:
			continue
		}
		c.punctuation(n)
		return true
	}
	return false
}

// token sets what a completion replaces.
func (c *Cursor) token(r document.Range) {
	c.Replace = r
	c.Prefix = unquote(c.Node.tree.text[r.Start:c.Offset])
}

// punctuation says what is missing around a key or value.
func (c *Cursor) punctuation(n Node) {
	c.Missing.CommaBefore = c.noCommaBefore(n)
	lex := lexer{text: n.tree.text, at: c.Replace.End}
	next := lex.significant()
	switch {
	case c.Role == Key:
		c.Missing.ColonAfter = next.kind != ':'
		c.Missing.CommaAfter = c.Missing.ColonAfter && n.Kind() == 0 && next.startsValue()
	default:
		c.Missing.CommaAfter = next.startsValue()
		if n.IsMember() {
			lex = lexer{text: n.tree.text[:n.Range().Start], at: n.KeyRange().End}
			c.Missing.ColonBefore = lex.significant().kind != ':'
		}
	}
}

// noCommaBefore reports whether there is no comma between a child of the container
// and the one before it.
func (c *Cursor) noCommaBefore(n Node) bool {
	from := n.node().from()
	i := c.Container.before(from)
	if i < 0 {
		return false
	}
	prev := c.Container.child(i)
	lex := lexer{text: n.tree.text[:from], at: prev.Range().End}
	for {
		switch lex.significant().kind {
		case endToken:
			return true
		case ',':
			return false
		}
	}
}

// gap fills in a cursor between keys and values.
func (c *Cursor) gap() {
	tree := c.Container.tree
	prev := c.Container.child(c.Container.before(c.Offset))
	from := c.Container.Range().Start + 1
	afterKey := prev.Exists() && prev.IsMember() && (prev.Kind() == 0 || c.Offset <= prev.Range().Start)
	if afterKey {
		from = prev.KeyRange().End
	} else if prev.Exists() {
		from = prev.Range().End
	}
	commas, colon := 0, false
	lex := lexer{text: tree.text, at: from}
	if c.walk(&lex, func(kind byte) {
		switch kind {
		case ',':
			commas++
		case ':':
			colon = true
		}
	}) {
		c.Role = Comment
		return
	}
	next := lexer{text: tree.text, at: c.Offset}
	c.Missing.CommaAfter = next.significant().startsValue()
	switch {
	case afterKey && commas == 0:
		c.Role, c.Node, c.Path = Value, prev, prev.Path()
		c.Missing.ColonBefore = !colon
		c.Missing.CommaAfter = c.Missing.CommaAfter && prev.Kind() == 0
	case c.Container.Kind() == '{':
		c.Role = Key
		c.Missing.ColonAfter = true
		c.Missing.CommaBefore = prev.Exists() && commas == 0
	default:
		index := commas
		if prev.Exists() {
			c.Missing.CommaBefore = commas == 0
			index = prev.Index() + max(commas, 1)
		}
		c.Role, c.Path = Value, c.Path.Index(index)
	}
}

// walk reads the tokens up to the offset, and reports whether it is in a comment.
func (c *Cursor) walk(lex *lexer, visit func(kind byte)) bool {
	for {
		t := lex.next()
		if t.kind == endToken || t.start >= c.Offset {
			return false
		}
		if t.kind == commentToken && (c.Offset < t.end || c.Offset == t.end && !t.closed) {
			return true
		}
		if visit != nil {
			visit(t.kind)
		}
	}
}
