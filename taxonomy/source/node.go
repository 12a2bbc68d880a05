package source

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

// kind is what a node is; the zero kind is none of them.
type kind string

const (
	null    kind = "null"
	boolean kind = "true or false"
	number  kind = "a number"
	text    kind = "a text"
	list    kind = "a list"
	object  kind = "an object"
)

// node is a value of a source file: the JSON types, whether they were written
// as YAML or as JSON, with the place where they stand.
type node struct {
	kind  kind
	value string // of a scalar, as written but unquoted
	line  int
	col   int

	// The way to the root: the key in an object, or the index in a list.
	parent *node
	key    *node
	index  int

	items []*node // of a list or an object; those of an object have keys
}

// path returns the place of n in its file.
func (n *node) path() taxonomy.Path {
	switch {
	case n.parent == nil:
		return taxonomy.Root
	case n.key != nil:
		return n.parent.path().Key(n.key.value)
	}
	return n.parent.path().Index(n.index)
}

// get returns the value of a key of an object, or nil.
func (n *node) get(key string) *node {
	for _, item := range n.items {
		if item.key.value == key {
			return item
		}
	}
	return nil
}

// add appends a child. For an object, key is its key.
func (n *node) add(key, child *node) {
	child.parent, child.key, child.index = n, key, len(n.items)
	n.items = append(n.items, child)
}

// syntaxError is why a file could not be read into nodes.
type syntaxError struct {
	code      taxonomy.Code
	message   string
	hint      string
	line, col int
}

func (e *syntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.col, e.message) }

// seenKeys finds keys that stand twice in an object.
type seenKeys map[string]*node

func (s seenKeys) add(key *node) error {
	if first, twice := s[key.value]; twice {
		return &syntaxError{
			code: taxonomy.CodeSourceDuplicateKey, line: key.line, col: key.col,
			message: fmt.Sprintf("the key %q stands twice in one object, first in line %d", key.value, first.line),
			hint:    "remove one of the two",
		}
	}
	s[key.value] = key
	return nil
}
