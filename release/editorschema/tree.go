package editorschema

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// object is a JSON object that keeps the order of its members. The other values of a
// tree are list, string, int, bool, and
// [json.RawMessage] for the scalars of a document.
type object []member

type member struct {
	key   string
	value any
}

type list []any

// obj returns an object with one member; with adds more.
func obj(key string, value any) *object { return &object{{key, value}} }

// with sets a member and returns the object.
func (o *object) with(key string, value any) *object {
	for i := range *o {
		if (*o)[i].key == key {
			(*o)[i].value = value
			return o
		}
	}
	*o = append(*o, member{key, value})
	return o
}

// withSome is with, unless the list is empty, which JSON Schema does not allow for most
// keywords.
func (o *object) withSome(key string, items list) *object {
	if len(items) > 0 {
		o.with(key, items)
	}
	return o
}

func (o *object) remove(key string) {
	*o = slices.DeleteFunc(*o, func(m member) bool { return m.key == key })
}

func (o *object) has(key string) bool {
	return slices.ContainsFunc(*o, func(m member) bool { return m.key == key })
}

// at returns the object at the end of a path of keys. It panics if there is none: the
// paths are into the schemas of package validate, which are embedded.
func (o *object) at(keys ...string) *object {
	for _, key := range keys {
		i := slices.IndexFunc(*o, func(m member) bool { return m.key == key })
		if i < 0 {
			panic("editorschema: the schema of instances has no " + key)
		}
		inner, ok := (*o)[i].value.(*object)
		if !ok {
			panic("editorschema: in the schema of instances, " + key + " is not an object")
		}
		o = inner
	}
	return o
}

// tree returns a value of a document as a tree.
func tree(v document.Value) any {
	switch v.Kind() {
	case '{':
		o := &object{}
		for m := range v.All() {
			*o = append(*o, member{m.Key(), tree(m)})
		}
		return o
	case '[':
		items := list{}
		for item := range v.All() {
			items = append(items, tree(item))
		}
		return items
	}
	return json.RawMessage(v.Raw())
}

// appendTree appends a tree as JSON on one line.
func appendTree(dst []byte, value any) []byte {
	dst, _ = appendInline(dst, value, math.MaxInt)
	return dst
}

// appendInline is appendTree, but gives up if the text becomes longer than limit.
func appendInline(dst []byte, value any, limit int) ([]byte, bool) {
	var fits bool
	switch v := value.(type) {
	case *object:
		dst = append(dst, '{')
		for i, m := range *v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(jcs.AppendQuote(dst, m.key), ": "...)
			if dst, fits = appendInline(dst, m.value, limit); !fits {
				return dst, false
			}
		}
		dst = append(dst, '}')
	case list:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if dst, fits = appendInline(dst, item, limit); !fits {
				return dst, false
			}
		}
		dst = append(dst, ']')
	default:
		dst = appendScalar(dst, value)
	}
	return dst, len(dst) <= limit
}

func appendScalar(dst []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return jcs.AppendQuote(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case bool:
		return strconv.AppendBool(dst, v)
	case json.RawMessage:
		return append(dst, v...)
	}
	panic("editorschema: a value that is not JSON")
}

// width is up to how long an object or a list is on one line.
const width = 100

// appendLines appends a tree as JSON for people: what is short is on one line, and
// otherwise each member or item has its own.
func appendLines(dst []byte, value any, indent string) []byte {
	if inline, fits := appendInline(dst, value, len(dst)+width-len(indent)); fits {
		return inline
	}
	inner := indent + "  "
	switch v := value.(type) {
	case *object:
		for i, m := range *v {
			dst = append(append(dst, "{,"[min(i, 1)], '\n'), inner...)
			dst = append(jcs.AppendQuote(dst, m.key), ": "...)
			dst = appendLines(dst, m.value, inner)
		}
		return append(append(append(dst, '\n'), indent...), '}')
	case list:
		for i, item := range v {
			dst = append(append(dst, "[,"[min(i, 1)], '\n'), inner...)
			dst = appendLines(dst, item, inner)
		}
		return append(append(append(dst, '\n'), indent...), ']')
	}
	return appendScalar(dst, value)
}

// texts returns strings as a list.
func texts(all []string) list {
	items := make(list, len(all))
	for i, t := range all {
		items[i] = t
	}
	return items
}
