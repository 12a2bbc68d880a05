package source

import (
	"fmt"

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

// problem is the reason why a file cannot be read into nodes.
type problem struct {
	code          issue.Code
	message, hint string
	place
}

// invalid returns a problem with the syntax of a file.
func invalid(at place, hint, format string, args ...any) *problem {
	return &problem{issue.CodeSourceSyntax, fmt.Sprintf(format, args...), hint, at}
}
