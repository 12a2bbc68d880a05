package document

import (
	"iter"
	"sort"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Role is what belongs at an offset of a text.
type Role int

const (
	// RoleOutside is before or after the root.
	RoleOutside Role = iota
	// RoleKey is where a key is, or where one could be typed.
	RoleKey
	// RoleValue is where a value is, or where one could be typed.
	RoleValue
	// RoleComment is inside a comment.
	RoleComment
)

// String returns the name of the role in lower case.
func (r Role) String() string {
	switch r {
	case RoleKey:
		return "key"
	case RoleValue:
		return "value"
	case RoleComment:
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
	// Container is the object or array around the offset, or the zero Value at
	// the top level.
	Container Value
	// Value is the member or item that the offset is in, or the zero Value. In
	// role RoleValue after a key, it is the member with that key; its kind is 0 if
	// no value was typed yet.
	Value Value
	// Path is that of the value in role RoleValue, else that of Container.
	Path issue.Path
	// Replace is what a completion replaces: the key or value around the offset
	// with its quotes, or an empty range.
	Replace Range
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
	// ColonBefore is set in role RoleValue if the key before has no colon.
	ColonBefore bool
	// ColonAfter is set in role RoleKey if no colon follows.
	ColonAfter bool
	// CommaAfter is set if there is no comma between here and the key or value
	// after. In role RoleKey before the colon of a member it is not set.
	CommaAfter bool
}

// Siblings yields the other members or items of the container.
func (c Cursor) Siblings() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for n := range c.Container.All() {
			if n != c.Value && !yield(n) {
				return
			}
		}
	}
}

// At returns what is at an offset.
func (d *Document) At(offset int) Cursor {
	offset = min(max(offset, 0), len(d.text))
	for offset > 0 && offset < len(d.text) && !utf8.RuneStart(d.text[offset]) {
		offset--
	}
	c := Cursor{Offset: offset, Replace: Range{Start: offset, End: offset}, Path: issue.Root}
	root := d.Root()
	if !root.contains(offset) {
		d.topLevel(&c, root)
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
func (v Value) contains(offset int) bool {
	n := v.node()
	if n.kind != '{' && n.kind != '[' || offset <= int(n.start) {
		return false
	}
	return offset < int(n.end) || offset == int(n.end) && !v.Closed()
}

// before returns the last child that starts before an offset, or -1.
func (v Value) before(offset int) int {
	items := v.items()
	return sort.Search(len(items), func(i int) bool { return v.doc.nodes[items[i]].from() >= offset }) - 1
}

// child returns child i, or the zero Value.
func (v Value) child(i int) Value {
	items := v.items()
	if i < 0 || i >= len(items) {
		return Value{}
	}
	return Value{v.doc, items[i]}
}

// topLevel fills in a cursor that is not inside an object or array.
func (d *Document) topLevel(c *Cursor, root Value) {
	r := root.Range()
	switch {
	case root.Kind() == '{' || root.Kind() == '[':
		lex := lexer{text: d.text[:r.Start]}
		if c.Offset >= r.End {
			lex = lexer{text: d.text, at: r.End}
		}
		if c.walk(&lex, nil) {
			c.Role = RoleComment
		}
	case root.Exists() && r.Start <= c.Offset && c.Offset <= r.End:
		c.Role, c.Value = RoleValue, root
		c.token(r)
	case c.walk(&lexer{text: d.text}, nil):
		c.Role = RoleComment
	case !root.Exists():
		c.Role = RoleValue
	}
}

// touch fills in a cursor in a key or a scalar value.
func (c *Cursor) touch() bool {
	i := c.Container.before(c.Offset)
	for _, n := range []Value{c.Container.child(i), c.Container.child(i + 1)} {
		if !n.Exists() {
			continue
		}
		v := n.node()
		switch key, value := n.KeyRange(), n.Range(); {
		case key.Start < key.End && key.Start <= c.Offset && c.Offset <= key.End:
			c.Role, c.Value = RoleKey, n
			c.token(key)
		case v.kind != 0 && v.kind != '{' && v.kind != '[' && value.Start <= c.Offset && c.Offset <= value.End:
			c.Role, c.Value = RoleValue, n
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
func (c *Cursor) token(r Range) {
	c.Replace = r
	c.Prefix = unquote(c.Value.doc.text[r.Start:c.Offset])
}

// punctuation says what is missing around a key or value.
func (c *Cursor) punctuation(n Value) {
	c.Missing.CommaBefore = c.noCommaBefore(n)
	lex := lexer{text: n.doc.text, at: c.Replace.End}
	next := lex.significant()
	switch {
	case c.Role == RoleKey:
		c.Missing.ColonAfter = next.kind != ':'
		c.Missing.CommaAfter = c.Missing.ColonAfter && n.Kind() == 0 && next.startsValue()
	default:
		c.Missing.CommaAfter = next.startsValue()
		if n.IsMember() {
			lex = lexer{text: n.doc.text[:n.Range().Start], at: n.KeyRange().End}
			c.Missing.ColonBefore = lex.significant().kind != ':'
		}
	}
}

// noCommaBefore reports whether there is no comma between a child of the container
// and the one before it.
func (c *Cursor) noCommaBefore(n Value) bool {
	from := n.node().from()
	i := c.Container.before(from)
	if i < 0 {
		return false
	}
	prev := c.Container.child(i)
	lex := lexer{text: n.doc.text[:from], at: prev.Range().End}
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
	doc, i := c.Container.doc, c.Container.before(c.Offset)
	prev := c.Container.child(i)
	from := c.Container.Range().Start + 1
	afterKey := prev.Exists() && prev.IsMember() && (prev.Kind() == 0 || c.Offset <= prev.Range().Start)
	if afterKey {
		from = prev.KeyRange().End
	} else if prev.Exists() {
		from = prev.Range().End
	}
	commas, colon := 0, false
	lex := lexer{text: doc.text, at: from}
	if c.walk(&lex, func(kind byte) {
		switch kind {
		case ',':
			commas++
		case ':':
			colon = true
		}
	}) {
		c.Role = RoleComment
		return
	}
	next := lexer{text: doc.text, at: c.Offset}
	c.Missing.CommaAfter = next.significant().startsValue()
	switch {
	case afterKey && commas == 0:
		c.Role, c.Value, c.Path = RoleValue, prev, prev.Path()
		c.Missing.ColonBefore = !colon
		c.Missing.CommaAfter = c.Missing.CommaAfter && prev.Kind() == 0
	case c.Container.Kind() == '{':
		c.Role = RoleKey
		c.Missing.ColonAfter = true
		c.Missing.CommaBefore = prev.Exists() && commas == 0
	default:
		index := commas
		if prev.Exists() {
			c.Missing.CommaBefore = commas == 0
			index = i + max(commas, 1)
		}
		c.Role, c.Path = RoleValue, c.Path.Index(index)
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
