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

// nodeKind is the type of a node.
type nodeKind uint8

const (
	null nodeKind = iota
	boolean
	number
	text
	list
	object
)

// String names the kind in messages.
func (k nodeKind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[k]
}

// Place is a position in a file. Lines and columns count from 1.
type Place struct{ Line, Column int }

func (p Place) In(file string) issue.Position {
	return issue.Position{File: file, Line: p.Line, Column: p.Column}
}

// Node is a value of a source file. It has a JSON type, whether the file is
// YAML or JSON.
type Node struct {
	Kind  nodeKind
	Value string // of a scalar, without quotes
	Place
	// Target is the place of the value that an alias of YAML stands for. It is
	// zero for other values.
	Target Place

	Parent *Node
	Key    string // in an object
	KeyAt  Place
	Index  int // in parent.items

	Items []Node // of a list or an object

	// Blank means that nothing is written after the key, unlike a null that is
	// spelled out, and comment is the comment that follows it, or one that follows a
	// text without quotes and may belong to it.
	Blank   bool
	Comment string
}

// InObject reports whether n has a key.
func (n *Node) InObject() bool { return n.Parent != nil && n.Parent.Kind == object }

// Path returns the path of n in its file.
func (n *Node) Path() issue.Path {
	switch {
	case n.Parent == nil:
		return issue.Root
	case n.InObject():
		return n.Parent.Path().Key(n.Key)
	}
	return n.Parent.Path().Index(n.Index)
}

// Get returns the value of a key of an object, or nil.
func (n *Node) Get(key string) *Node {
	if n.Kind != object {
		return nil
	}
	for i := range n.Items {
		if n.Items[i].Key == key {
			return &n.Items[i]
		}
	}
	return nil
}

// All yields the members of an object or the items of a list. Other values have none.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		if n == nil {
			return
		}
		for i := range n.Items {
			if !yield(&n.Items[i]) {
				return
			}
		}
	}
}

// Problem is the reason why a file cannot be read into nodes.
type Problem struct {
	Code          issue.Code
	Message, Hint string
	Place
}

// invalid returns a problem with the syntax of a file.
func invalid(at Place, hint, format string, args ...any) *Problem {
	return &Problem{codes.SourceSyntax, fmt.Sprintf(format, args...), hint, at}
}

// parseJSON reads a JSON file into nodes.
func parseJSON(data []byte) (*Node, *Problem) {
	doc, err := document.Parse(data)
	if e, ok := errors.AsType[*document.SyntaxError](err); ok {
		p := invalid(Place{max(e.Point.Line, 1), max(e.Point.Column, 1)}, "fix the JSON syntax", "Invalid JSON: %s.", e.Reason)
		if e.DuplicateKey {
			p.Code, p.Hint = codes.SourceDuplicateKey, "remove one of them"
		}
		return nil, p
	}
	root := new(Node)
	convert(doc, doc.Root(), root)
	return root, nil
}

// placeIn returns the place of an offset.
func placeIn(doc *document.Document, offset int) Place {
	p := doc.Point(offset)
	return Place{p.Line, p.Column}
}

// convert fills in n. [document.Parse] limits the depth.
func convert(doc *document.Document, v document.Value, n *Node) {
	n.Place = placeIn(doc, v.Range().Start)
	switch v.Kind() {
	case 'n':
		n.Kind = null
	case 't', 'f':
		n.Kind, n.Value = boolean, string(v.Raw())
	case '0':
		n.Kind, n.Value = number, string(v.Raw())
	case '"':
		n.Kind, n.Value = text, v.Text()
	case '[':
		n.Kind = list
	case '{':
		n.Kind = object
	}
	n.Items = make([]Node, v.Len())
	i := 0
	for item := range v.All() {
		child := &n.Items[i]
		child.Parent, child.Index = n, i
		if n.Kind == object {
			child.Key, child.KeyAt = item.Key(), placeIn(doc, item.KeyRange().Start)
		}
		convert(doc, item, child)
		i++
	}
}

// Value is a value of a YAML or JSON file with its position, for formats that are
// imported. It has only the types of JSON, as in authoring source. The zero Value is a
// missing one: its methods return nothing.
type Value struct {
	node *Node
	file string
}

// ParseValue reads the content of a file within the limits of authoring source on
// nesting and aliases. The content is JSON if the name ends with .json, and otherwise
// YAML. The issue says why it can't be read; it is nil if it can.
func ParseValue(name string, content []byte) (Value, *issue.Issue) {
	f := Entry{Name: name}
	root, p := f.parse(content)
	if p != nil {
		return Value{}, &issue.Issue{
			Code: p.Code, Severity: issue.SeverityError, Message: p.Message, FixHint: p.Hint, Position: p.In(name),
		}
	}
	return Value{root, name}, nil
}

// kind returns the kind of the value. A missing one is null.
func (v Value) kind() nodeKind {
	if v.node == nil {
		return null
	}
	return v.node.Kind
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
	return v.node.Value, true
}

// Scalar returns a string, a number or a boolean as it is written, without quotes.
func (v Value) Scalar() (string, bool) {
	if k := v.kind(); k != text && k != number && k != boolean {
		return "", false
	}
	return v.node.Value, true
}

// Bool returns the value of a boolean.
func (v Value) Bool() (value, ok bool) {
	if v.kind() != boolean {
		return false, false
	}
	return v.node.Value[0] == 't' || v.node.Value[0] == 'T', true
}

// Key returns the key of a member of an object, and "" for other values.
func (v Value) Key() string {
	if v.node == nil {
		return ""
	}
	return v.node.Key
}

// Get returns a member of an object.
func (v Value) Get(key string) Value {
	if v.node == nil {
		return Value{}
	}
	return Value{v.node.Get(key), v.file}
}

// Items iterates over the items of a list or the members of an object, in order.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for item := range v.node.All() {
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
	return v.node.Path()
}

// Position returns where the value is, or its key if it is a member of an object.
func (v Value) Position() issue.Position {
	if v.node == nil {
		return issue.Position{File: v.file}
	}
	if v.node.InObject() {
		return v.node.KeyAt.In(v.file)
	}
	return v.node.In(v.file)
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
