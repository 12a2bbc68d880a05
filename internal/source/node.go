package source

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// kind is the type of a node.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// String names the kind in messages.
func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[k]
}

// place is a position in a file. Lines and columns count from 1.
type place struct{ line, col int }

func (p place) in(file string) issue.Position {
	return issue.Position{File: file, Line: p.line, Column: p.col}
}

// node is a value of a source file. It has a JSON type, whether the file is
// YAML or JSON.
type node struct {
	kind  kind
	value string // of a scalar, without quotes
	place
	// target is the place of the value that an alias of YAML stands for. It is
	// zero for other values.
	target place

	parent *node
	key    string // in an object
	keyAt  place
	index  int // in parent.items

	items []node // of a list or an object

	// blank means that nothing is written after the key, unlike a null that is
	// spelled out, and comment is the comment that follows it, or one that follows a
	// text without quotes and may belong to it.
	blank   bool
	comment string
}

// inObject reports whether n has a key.
func (n *node) inObject() bool { return n.parent != nil && n.parent.kind == object }

// path returns the path of n in its file.
func (n *node) path() issue.Path {
	switch {
	case n.parent == nil:
		return issue.Root
	case n.inObject():
		return n.parent.path().Key(n.key)
	}
	return n.parent.path().Index(n.index)
}

// get returns the value of a key of an object, or nil.
func (n *node) get(key string) *node {
	if n.kind != object {
		return nil
	}
	for i := range n.items {
		if n.items[i].key == key {
			return &n.items[i]
		}
	}
	return nil
}

// all yields the members of an object or the items of a list. Other values have none.
func (n *node) all() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		if n == nil {
			return
		}
		for i := range n.items {
			if !yield(&n.items[i]) {
				return
			}
		}
	}
}

// problem is the reason why a file cannot be read into nodes.
type problem struct {
	code          issue.Code
	message, hint string
	place
}

// invalid returns a problem with the syntax of a file.
func invalid(at place, hint, format string, args ...any) *problem {
	return &problem{codes.SourceSyntax, fmt.Sprintf(format, args...), hint, at}
}

// parseJSON reads a JSON file into nodes.
func parseJSON(data []byte) (*node, *problem) {
	doc, err := document.Parse(data)
	if e, ok := errors.AsType[*document.SyntaxError](err); ok {
		p := invalid(place{max(e.Point.Line, 1), max(e.Point.Column, 1)}, "fix the JSON syntax", "Invalid JSON: %s.", e.Reason)
		if e.DuplicateKey {
			p.code, p.hint = codes.SourceDuplicateKey, "remove one of them"
		}
		return nil, p
	}
	root := new(node)
	convert(doc, doc.Root(), root)
	return root, nil
}

// placeIn returns the place of an offset.
func placeIn(doc *document.Document, offset int) place {
	p := doc.Point(offset)
	return place{p.Line, p.Column}
}

// convert fills in n. [document.Parse] limits the depth.
func convert(doc *document.Document, v document.Value, n *node) {
	n.place = placeIn(doc, v.Range().Start)
	switch v.Kind() {
	case 'n':
		n.kind = null
	case 't', 'f':
		n.kind, n.value = boolean, string(v.Raw())
	case '0':
		n.kind, n.value = number, string(v.Raw())
	case '"':
		n.kind, n.value = text, v.Text()
	case '[':
		n.kind = list
	case '{':
		n.kind = object
	}
	n.items = make([]node, v.Len())
	i := 0
	for item := range v.All() {
		child := &n.items[i]
		child.parent, child.index = n, i
		if n.kind == object {
			child.key, child.keyAt = item.Key(), placeIn(doc, item.KeyRange().Start)
		}
		convert(doc, item, child)
		i++
	}
}

// Value is a value of a YAML or JSON file with its position, for formats that are
// imported. It has only the types of JSON, as in authoring source. The zero Value is a
// missing one: its methods return nothing.
type Value struct {
	node *node
	file string
}

// ParseValue reads the content of a file within the limits of authoring source on
// nesting and aliases. The content is JSON if the name ends with .json, and otherwise
// YAML. The issue says why it can't be read; it is nil if it can.
func ParseValue(name string, content []byte) (Value, *issue.Issue) {
	f := file{name: name}
	root, p := f.parse(content)
	if p != nil {
		return Value{}, &issue.Issue{
			Code: p.code, Severity: issue.SeverityError, Message: p.message, FixHint: p.hint, Position: p.in(name),
		}
	}
	return Value{root, name}, nil
}

// kind returns the kind of the value. A missing one is null.
func (v Value) kind() kind {
	if v.node == nil {
		return null
	}
	return v.node.kind
}

// Exists reports whether there is a value. A null is none.
func (v Value) Exists() bool { return v.kind() != null }

// IsObject reports whether the value is an object.
func (v Value) IsObject() bool { return v.kind() == object }

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v.kind() == list }

// Text returns the value of a string.
func (v Value) Text() (string, bool) {
	if v.kind() != text {
		return "", false
	}
	return v.node.value, true
}

// Scalar returns a string, a number or a boolean as it is written, without quotes.
func (v Value) Scalar() (string, bool) {
	if k := v.kind(); k != text && k != number && k != boolean {
		return "", false
	}
	return v.node.value, true
}

// Bool returns the value of a boolean.
func (v Value) Bool() (value, ok bool) {
	if v.kind() != boolean {
		return false, false
	}
	return v.node.value[0] == 't' || v.node.value[0] == 'T', true
}

// Key returns the key of a member of an object, and "" for other values.
func (v Value) Key() string {
	if v.node == nil {
		return ""
	}
	return v.node.key
}

// Get returns a member of an object.
func (v Value) Get(key string) Value {
	if v.node == nil {
		return Value{}
	}
	return Value{v.node.get(key), v.file}
}

// Items iterates over the items of a list or the members of an object, in order.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for item := range v.node.all() {
			if !yield(Value{item, v.file}) {
				return
			}
		}
	}
}

// Path returns the path of the value in its file.
func (v Value) Path() issue.Path {
	if v.node == nil {
		return nil
	}
	return v.node.path()
}

// Position returns where the value is, or its key if it is a member of an object.
func (v Value) Position() issue.Position {
	if v.node == nil {
		return issue.Position{File: v.file}
	}
	if v.node.inObject() {
		return v.node.keyAt.in(v.file)
	}
	return v.node.in(v.file)
}

// SuggestID turns a string into an id that is valid according to a function such as
// [ident.IsID]: without accents, and with _ for what an id can't have. A long
// string is cut. It returns "" if nothing is left.
func SuggestID(s string, valid func(string) bool) string {
	if len(s) > ident.MaxIDLength/2 {
		s = strings.ToValidUTF8(s[:ident.MaxIDLength/2], "")
	}
	return toID(s, valid)
}
