// Package yaml reads YAML and JSON files into one kind of tree, and writes YAML that people can
// edit. It is the only package of authoring that depends on a YAML library.
//
// [Parse] returns the tree of a file. A [Node] knows the line and column where it begins; a [Text]
// finds the bytes that it is written with. A [Mapping] is an object to write.
package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"path"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Kind is the type of a node: one of those that JSON has.
type Kind uint8

// The kinds of nodes.
const (
	Null Kind = iota
	Boolean
	Number
	String
	List
	Object
)

// String names the kind in messages.
func (k Kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[k]
}

// Place is a position in a file. Lines and columns count from 1.
type Place struct{ Line, Column int }

// In returns the place as a position in a file.
func (p Place) In(file string) issue.Position {
	return issue.Position{File: file, Line: p.Line, Column: p.Column}
}

// Node is a value of a source file. It has a JSON type, whether the file is
// YAML or JSON.
type Node struct {
	Kind  Kind
	Value string // of a scalar, without quotes
	Place
	// Target is the place of the value that an alias of YAML stands for. It is
	// zero for other values.
	Target Place

	Parent *Node
	Key    string // in an object
	KeyAt  Place
	Index  int // in Parent.Items

	Items []Node // of a list or an object

	// Blank means that nothing is written after the key, unlike a null that is
	// spelled out, and comment is the comment that follows it, or one that follows a
	// text without quotes and may belong to it.
	Blank   bool
	Comment string
}

// InObject reports whether n has a key.
func (n *Node) InObject() bool { return n.Parent != nil && n.Parent.Kind == Object }

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
	if n.Kind != Object {
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

// String describes the value in messages.
func (n *Node) String() string {
	switch n.Kind {
	case Boolean:
		return n.Value
	case Number:
		return "the number " + wording.Plain(n.Value)
	case String:
		return "the string " + wording.Quote(n.Value)
	}
	return n.Kind.String()
}

// Begin returns where a member of an object begins, with its key, or an item of a list.
func (n *Node) Begin() Place {
	if n.InObject() {
		return n.KeyAt
	}
	return n.Place
}

// Next returns the member of an object after n, or nil.
func (n *Node) Next() *Node {
	if siblings := n.Parent.Items; n.Index+1 < len(siblings) {
		return &siblings[n.Index+1]
	}
	return nil
}

// Find returns the value at a path, or nil.
func (n *Node) Find(at issue.Path) *Node {
	for _, step := range at {
		if n == nil {
			return nil
		}
		i, isIndex := step.IsIndex()
		switch {
		case !isIndex:
			n = n.Get(step.Name())
		case n.Kind == List && i < len(n.Items):
			n = &n.Items[i]
		default:
			return nil
		}
	}
	return n
}

// EqualExcept reports whether m equals n without a key of the root.
func (n *Node) EqualExcept(m *Node, key string) bool {
	if n.Kind != m.Kind || n.Value != m.Value {
		return false
	}
	k := 0
	for i := range n.Items {
		item := &n.Items[i]
		if n.Kind == Object && n.Parent == nil && item.Key == key {
			continue
		}
		if k == len(m.Items) || m.Items[k].Key != item.Key || !item.EqualExcept(&m.Items[k], key) {
			return false
		}
		k++
	}
	return k == len(m.Items)
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

// Parse reads a file into nodes: JSON if its name ends with .json, and otherwise YAML.
func Parse(name string, data []byte) (*Node, *Problem) {
	data = trimBOM(data)
	isJSON := path.Ext(name) == ".json"
	if !utf8.Valid(data) {
		lines := yamlLines(data)
		if isJSON {
			lines = bytes.SplitAfter(data, []byte("\n"))
		}
		return nil, invalid(invalidUTF8(lines), "save the file as UTF-8", "The file is not valid UTF-8.")
	}
	if isJSON {
		return parseJSON(data)
	}
	return parseYAML(data)
}

// trimBOM removes the byte order mark that some editors write.
func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\uFEFF")) }

// invalidUTF8 returns the place of the first byte that is not UTF-8.
func invalidUTF8(lines [][]byte) Place {
	for i, line := range lines {
		for col := 1; len(line) > 0; col++ {
			r, size := utf8.DecodeRune(line)
			if r == utf8.RuneError && size == 1 {
				return Place{i + 1, col}
			}
			line = line[size:]
		}
	}
	return Place{1, 1}
}

// parseJSON reads a JSON file into nodes.
func parseJSON(data []byte) (*Node, *Problem) {
	doc, err := document.Parse(data)
	if e, ok := errors.AsType[*document.SyntaxError](err); ok {
		p := invalid(Place{max(e.Point.Line, 1), max(e.Point.Column, 1)}, "fix the JSON syntax", "The file %s: %s.", e.Problem(), e.Reason)
		switch {
		case e.DuplicateKey:
			p.Code, p.Hint = codes.SourceDuplicateKey, "remove one of them"
		case e.Number:
			p.Hint = "write the number as a string"
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
		n.Kind = Null
	case 't', 'f':
		n.Kind, n.Value = Boolean, string(v.Raw())
	case '0':
		n.Kind, n.Value = Number, string(v.Raw())
	case '"':
		n.Kind, n.Value = String, v.Text()
	case '[':
		n.Kind = List
	case '{':
		n.Kind = Object
	}
	n.Items = make([]Node, v.Len())
	i := 0
	for item := range v.All() {
		child := &n.Items[i]
		child.Parent, child.Index = n, i
		if n.Kind == Object {
			child.Key, child.KeyAt = item.Key(), placeIn(doc, item.KeyRange().Start)
		}
		convert(doc, item, child)
		i++
	}
}
