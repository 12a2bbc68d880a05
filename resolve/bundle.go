package resolve

import (
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Bundle is a resolved document. It knows its size before it is written.
type Bundle struct {
	members []member // in the order of canonical JSON
	slice   *taxonomy.Slice
	size    int
}

// member is a field of the bundle, as canonical JSON. The snapshot has no text
// of its own: it is written from the slice.
type member struct {
	key  string
	text []byte // "key":value
}

// The fields that a bundle has beyond those of a thin document.
const (
	keySnapshot  = "schema_snapshot"
	keySuggested = "suggested_elements"
)

// newBundle collects the fields of a bundle and adds up its size.
func newBundle(document document.Value, slice *taxonomy.Slice) *Bundle {
	b := &Bundle{slice: slice, members: make([]member, 0, document.Len()+4)}
	text := make([]byte, 0, len(document.Raw())+128) // of all members
	add := func(key string, appendValue func([]byte) []byte) {
		start := len(text)
		text, _ = jsontext.AppendQuote(text, key) // keys of strict documents are valid UTF-8
		text = appendValue(append(text, ':'))
		b.members = append(b.members, member{key, text[start:len(text):len(text)]})
	}
	for v := range document.All() {
		if key := v.Key(); key != keySnapshot && key != keySuggested {
			add(key, v.AppendCanonical)
		}
	}
	empty := func(dst []byte) []byte { return append(dst, "[]"...) }
	for _, key := range []string{"title", "description"} {
		if _, there := document.Get(key); !there {
			add(key, empty)
		}
	}
	add(keySuggested, empty)
	add(keySnapshot, func(dst []byte) []byte { return dst })
	slices.SortFunc(b.members, func(x, y member) int { return jcs.Compare([]byte(x.key), []byte(y.key)) })

	b.size = len("{}") + len(b.members) - 1 + slice.Len() // with the commas
	for _, m := range b.members {
		b.size += len(m.text)
	}
	return b
}

// Len returns how many bytes the bundle has.
func (b *Bundle) Len() int { return b.size }

// AppendJSON appends the bundle as canonical JSON.
func (b *Bundle) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, b.size), '{')
	for i, m := range b.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, m.text...)
		if m.key == keySnapshot {
			dst = b.slice.AppendJSON(dst)
		}
	}
	return append(dst, '}')
}

// WriteTo writes the bundle as canonical JSON.
func (b *Bundle) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b.AppendJSON(nil))
	return int64(n), err
}
