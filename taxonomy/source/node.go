package source

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// kind is what a node is.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// String is how messages call a kind.
func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a text", "a list", "an object"}[k]
}

// place is where something begins in its file. Both count from 1.
type place struct{ line, col int }

// node is a value of a source file: the JSON types, whether they were written
// as YAML or as JSON, with the place where they stand.
type node struct {
	kind  kind
	value string // of a scalar, as written but unquoted
	place

	// The way to the root: the key in an object, or the index in a list.
	parent *node
	key    string
	keyAt  place
	index  int

	items []node // of a list or an object; those of an object have keys
}

// inObject reports whether n has a key.
func (n *node) inObject() bool { return n.parent != nil && n.parent.kind == object }

// path returns the place of n in its file.
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

// syntaxError is why a file could not be read into nodes.
type syntaxError struct {
	code    issue.Code
	message string
	hint    string
	place
}

func (e *syntaxError) Error() string {
	if e.line == 0 {
		return e.message
	}
	return fmt.Sprintf("line %d, column %d: %s", e.line, e.col, e.message)
}
