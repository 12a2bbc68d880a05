package taxonomy

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
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
	return unquote(v.doc.text[n.keyStart:n.keyEnd])
}

// Text returns the string that a string value holds, and otherwise "".
func (v Value) Text() string {
	if v.Kind() != '"' {
		return ""
	}
	return unquote(v.Raw())
}

// Len returns how many members or items an object or array has.
func (v Value) Len() int { return int(v.node().len) }

// All yields the members of an object or the items of an array, in order.
func (v Value) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for at := v.node().child; at != 0; at = v.doc.nodes[at].next {
			if !yield(Value{v.doc, at}) {
				return
			}
		}
	}
}

// Get returns the member of an object.
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

// At returns the i-th item of an array.
func (v Value) At(i int) (Value, bool) {
	if v.Kind() == '[' {
		for item := range v.All() {
			if i == 0 {
				return item, true
			}
			i--
		}
	}
	return Value{}, false
}

// Path returns the place of the value in its document.
func (v Value) Path() Path {
	path := Root
	if parent := v.node().parent; parent >= 0 {
		up := Value{v.doc, parent}
		if path = up.Path(); up.Kind() == '{' {
			return path.Key(v.Key())
		}
		i := 0
		for item := range up.All() {
			if item.at == v.at {
				break
			}
			i++
		}
		return path.Index(i)
	}
	return path
}

// unquote returns what a JSON string says; the decoder has checked it.
func unquote(quoted []byte) string {
	if len(quoted) < 2 {
		return ""
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	b, _ := jsontext.AppendUnquote(nil, quoted)
	return string(b)
}
