package document

import (
	"bytes"
	"iter"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Value is one value of a [Document]. The zero Value is none.
type Value struct {
	doc *Document
	at  int32
}

// Range is a part of a text: the bytes from Start up to End.
type Range struct{ Start, End int }

func (v Value) node() *node { return &v.doc.nodes[v.at] }

// Kind is 'n' null, 't' true, 'f' false, '"' string, '0' number, '{' object or
// '[' array.
func (v Value) Kind() byte { return byte(v.node().kind) }

// Range returns where the value stands in the text.
func (v Value) Range() Range { n := v.node(); return Range{int(n.start), int(n.end)} }

// KeyRange returns where the key of the value stands, quotes included, or the
// zero Range where the value is in no object.
func (v Value) KeyRange() Range { n := v.node(); return Range{int(n.keyStart), int(n.keyEnd)} }

// Raw returns the text of the value. It must not be changed.
func (v Value) Raw() []byte { n := v.node(); return v.doc.text[n.start:n.end:n.end] }

// Key returns the key that the value has in its object, or "".
func (v Value) Key() string {
	n := v.node()
	return jcs.Unquote(v.doc.text[n.keyStart:n.keyEnd])
}

// RawKey returns the text of the key that the value has in its object, quotes
// included; it is empty where the value is in no object. It must not be changed.
func (v Value) RawKey() []byte { n := v.node(); return v.doc.text[n.keyStart:n.keyEnd:n.keyEnd] }

// Text returns the string that a string value holds, and otherwise "".
func (v Value) Text() string {
	if v.Kind() != '"' {
		return ""
	}
	return jcs.Unquote(v.Raw())
}

// Len returns how many members or items an object or array has.
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
	return v.doc.items[n.first : n.first+n.len]
}

// Get returns the member of an object. It looks at one member after the other.
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

// hasKey compares keys without unquoting those that need none.
func (v Value) hasKey(key string) bool {
	n := v.node()
	inner := v.doc.text[n.keyStart+1 : n.keyEnd-1]
	if bytes.IndexByte(inner, '\\') >= 0 {
		return v.Key() == key
	}
	return string(inner) == key
}

// At returns the i-th item of an array, in constant time.
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

// Path returns the place of the value in its document.
func (v Value) Path() issue.Path {
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
