package document

import (
	"iter"
	"slices"

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

var noNode node

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
func (v Value) Key() string {
	n := v.node()
	switch {
	case n.keyEscaped:
		return jcs.Unquote(v.RawKey())
	case n.keyEnd == 0:
		return ""
	}
	return v.doc.copied[n.keyStart+1 : n.keyEnd-1]
}

// Text returns the string of a string value, and "" for other kinds.
func (v Value) Text() string {
	n := v.node()
	switch {
	case n.kind != '"':
		return ""
	case n.escaped:
		return jcs.Unquote(v.Raw())
	}
	return v.doc.copied[n.start+1 : n.end-1]
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
			if m.Key() == key {
				return m, true
			}
		}
	}
	return Value{}, false
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
	path := issue.Path{}
	for at := v.doc.Root(); at != v; {
		// The child with the value is the last one that does not come after it.
		i, found := slices.BinarySearch(at.items(), v.at)
		if !found {
			i--
		}
		at.at = at.items()[i]
		if at.node().keyEnd > 0 {
			path = append(path, issue.KeyStep(at.Key()))
		} else {
			path = append(path, issue.IndexStep(i))
		}
	}
	return path
}

// inner returns a JSON string without its quotes.
func inner(quoted []byte) []byte { return quoted[1 : len(quoted)-1] }
