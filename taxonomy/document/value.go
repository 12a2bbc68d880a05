package document

import (
	"bytes"
	"iter"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Value is one value of a [Document]. The zero Value is no value: its Kind is 0,
// and its texts and ranges are empty.
type Value struct {
	doc *Document
	at  int32
}

// Range is the bytes of a text from Start up to, not including, End.
type Range struct{ Start, End int }

var noNode = node{parent: -1}

func (v Value) node() *node {
	if v.doc == nil {
		return &noNode
	}
	return &v.doc.nodes[v.at]
}

// cut returns a part of the text.
func (v Value) cut(start, end int32) []byte {
	if v.doc == nil {
		return nil
	}
	return v.doc.text[start:end:end]
}

// Kind returns 'n' for null, 't' for true, 'f' for false, '"' for a string, '0'
// for a number, '{' for an object and '[' for an array.
func (v Value) Kind() byte { return v.node().kind }

// Range returns the place of the value in the text.
func (v Value) Range() Range { n := v.node(); return Range{int(n.start), int(n.end)} }

// KeyRange returns the place of the value's key with its quotes, or the zero Range
// if the value is not a member of an object.
func (v Value) KeyRange() Range { n := v.node(); return Range{int(n.keyStart), int(n.keyEnd)} }

// Raw returns the text of the value. It must not be changed.
func (v Value) Raw() []byte { n := v.node(); return v.cut(n.start, n.end) }

// RawKey returns the text of the value's key with its quotes, or nothing if the
// value is not a member of an object. It must not be changed.
func (v Value) RawKey() []byte { n := v.node(); return v.cut(n.keyStart, n.keyEnd) }

// Key returns the value's key in its object, or "".
func (v Value) Key() string { return jcs.Unquote(v.RawKey()) }

// Text returns the string of a string value, and "" for other kinds.
func (v Value) Text() string {
	if v.Kind() != '"' {
		return ""
	}
	return jcs.Unquote(v.Raw())
}

// Len returns the number of members of an object or items of an array.
func (v Value) Len() int { return int(v.node().len) }

// All yields the members of an object or the items of an array, in order.
func (v Value) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, at := range v.items() {
			if !yield(Value{v.doc, at}) {
				return
			}
		}
	}
}

func (v Value) items() []int32 {
	n := v.node()
	if n.len == 0 {
		return nil
	}
	return v.doc.items[n.first : n.first+n.len]
}

// Get returns the member of an object with the key. It takes time proportional to
// the number of members.
func (v Value) Get(key string) (Value, bool) {
	if v.Kind() == '{' {
		for m := range v.All() {
			if m.hasKey(key) {
				return m, true
			}
		}
	}
	return Value{}, false
}

// hasKey compares keys, and unquotes only those with escapes.
func (v Value) hasKey(key string) bool {
	quoted := v.RawKey()
	if escaped(quoted) {
		return v.Key() == key
	}
	return string(inner(quoted)) == key
}

// At returns item i of an array, in constant time.
func (v Value) At(i int) (Value, bool) {
	if v.Kind() != '[' || i < 0 || i >= v.Len() {
		return Value{}, false
	}
	return Value{v.doc, v.items()[i]}, true
}

// step goes one step down.
func (v Value) step(s issue.Step) (Value, bool) {
	if i, ok := s.IsIndex(); ok {
		return v.At(i)
	}
	return v.Get(s.Name())
}

// Path returns the path of the value, or nil for the zero Value.
func (v Value) Path() issue.Path {
	if v.doc == nil {
		return nil
	}
	depth := 0
	for n := v.node(); n.parent >= 0; n = &v.doc.nodes[n.parent] {
		depth++
	}
	path := make(issue.Path, depth)
	for at := v; depth > 0; at.at = at.node().parent {
		depth--
		if n := at.node(); n.keyEnd > 0 {
			path[depth] = issue.KeyStep(at.Key())
		} else {
			path[depth] = issue.IndexStep(int(n.index))
		}
	}
	return path
}

// escaped reports whether a JSON string contains an escape.
func escaped(quoted []byte) bool { return bytes.IndexByte(quoted, '\\') >= 0 }

// inner returns a JSON string without its quotes.
func inner(quoted []byte) []byte { return quoted[1 : len(quoted)-1] }
