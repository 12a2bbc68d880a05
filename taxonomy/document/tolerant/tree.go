package tolerant

import (
	"iter"
	"sort"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Tree is the keys and values of a text that may not be JSON yet. It is immutable
// and safe for concurrent use.
type Tree struct {
	text  []byte
	nodes []node
	items []int32 // the children of each node as consecutive indexes of nodes
	root  int32   // -1 if the text has no value
}

// node is a value in the flat tree.
type node struct {
	kind             byte
	hasKey, closed   bool
	start, end       int32
	keyStart, keyEnd int32
	parent, index    int32
	first, len       int32 // the children: items[first:first+len]
}

// from returns where the node starts, its key included.
func (n *node) from() int {
	if n.hasKey {
		return int(n.keyStart)
	}
	return int(n.start)
}

// Text returns the text of the tree. It must not be changed.
func (t *Tree) Text() []byte { return t.text }

// Root returns the first object or array of the text, or its first value if it has
// neither, or the zero Node.
func (t *Tree) Root() Node {
	if t.root < 0 {
		return Node{}
	}
	return Node{t, t.root}
}

// Find returns the node at a path. If an object has a key several times, the
// first one counts.
func (t *Tree) Find(path issue.Path) (Node, bool) {
	n := t.Root()
	for _, step := range path {
		var ok bool
		if i, isIndex := step.IsIndex(); isIndex {
			n, ok = n.At(i)
		} else {
			n, ok = n.Get(step.Name())
		}
		if !ok {
			return Node{}, false
		}
	}
	return n, n.Exists()
}

// Node is a value of a [Tree], with its key if it is a member of an object. The zero
// Node is no value.
type Node struct {
	tree *Tree
	at   int32
}

var noNode = node{parent: -1}

func (n Node) node() *node {
	if n.tree == nil {
		return &noNode
	}
	return &n.tree.nodes[n.at]
}

// Exists reports whether n is a node, and not the zero Node.
func (n Node) Exists() bool { return n.tree != nil }

// Kind returns '{' for an object, '[' for an array, '"' for a string, '0' for a
// number, 't', 'f' and 'n' for true, false and null, 'w' for any other word, and 0
// for a member whose value is missing.
func (n Node) Kind() byte { return n.node().kind }

// Range returns the place of the value. The range of a missing value is empty, and
// the range of an object or array that is not closed ends where the next token after
// it starts, or at the end of the text.
func (n Node) Range() document.Range {
	v := n.node()
	return document.Range{Start: int(v.start), End: int(v.end)}
}

// KeyRange returns the place of the key with its quotes, or the zero Range if the
// node is not a member of an object. The range of a missing key is empty.
func (n Node) KeyRange() document.Range {
	v := n.node()
	return document.Range{Start: int(v.keyStart), End: int(v.keyEnd)}
}

// Whole returns the place of the value with its key.
func (n Node) Whole() document.Range {
	return document.Range{Start: n.node().from(), End: int(n.node().end)}
}

// Raw returns the text of the value. It must not be changed.
func (n Node) Raw() []byte { return n.cut(n.Range()) }

func (n Node) cut(r document.Range) []byte {
	if n.tree == nil {
		return nil
	}
	return n.tree.text[r.Start:r.End:r.End]
}

// Key returns the key, or "".
func (n Node) Key() string { return unquote(n.cut(n.KeyRange())) }

// IsMember reports whether the node is a member of an object.
func (n Node) IsMember() bool { return n.node().hasKey }

// Text returns the value of a string or the text of a bare word, and "" for other
// kinds.
func (n Node) Text() string {
	if k := n.Kind(); k != '"' && k != 'w' {
		return ""
	}
	return unquote(n.Raw())
}

// Closed reports whether an object, array or string has its closing bracket or
// quote. It is true for other values, and false for a missing one.
func (n Node) Closed() bool { return n.node().closed }

// Index returns the position of the node in its object or array.
func (n Node) Index() int { return int(n.node().index) }

// Parent returns the object or array that contains the node, or the zero Node.
func (n Node) Parent() Node {
	if p := n.node().parent; p >= 0 {
		return Node{n.tree, p}
	}
	return Node{}
}

// Len returns the number of members of an object or items of an array.
func (n Node) Len() int { return int(n.node().len) }

// All yields the members of an object or the items of an array, in order.
func (n Node) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for _, at := range n.children() {
			if !yield(Node{n.tree, at}) {
				return
			}
		}
	}
}

func (n Node) children() []int32 {
	v := n.node()
	if v.len == 0 {
		return nil
	}
	return n.tree.items[v.first : v.first+v.len]
}

// Get returns the first member of an object with the key.
func (n Node) Get(key string) (Node, bool) {
	if n.Kind() == '{' {
		for m := range n.All() {
			if m.Key() == key {
				return m, true
			}
		}
	}
	return Node{}, false
}

// At returns item i of an array. An index without a value, as between two commas,
// has no item.
func (n Node) At(i int) (Node, bool) {
	if n.Kind() != '[' {
		return Node{}, false
	}
	items := n.children()
	k := sort.Search(len(items), func(k int) bool { return int(n.tree.nodes[items[k]].index) >= i })
	if k == len(items) || int(n.tree.nodes[items[k]].index) != i {
		return Node{}, false
	}
	return Node{n.tree, items[k]}, true
}

// Path returns the path of the node, or nil for the zero Node.
func (n Node) Path() issue.Path {
	if n.tree == nil {
		return nil
	}
	var path issue.Path
	if p := n.Parent(); p.Exists() {
		path = p.Path()
		if n.IsMember() {
			return path.Key(n.Key())
		}
		return path.Index(n.Index())
	}
	return issue.Root
}
