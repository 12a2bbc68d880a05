package resolve

import (
	"io"
	"slices"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Bundle is a resolved document. [Resolve] returns one.
type Bundle struct {
	members []member // in canonical order
	slice   *taxonomy.Slice
	size    int
}

// member is a member of the bundle. The text of the snapshot ends with the colon; its
// value is that of the slice.
type member struct {
	key  string
	text []byte // "key":value
}

// The members that a thin document does not have.
const (
	keySnapshot  = "schema_snapshot"
	keySuggested = "suggested_elements"
)

// newBundle returns the bundle of a document and a slice.
func newBundle(doc document.Value, slice *taxonomy.Slice) *Bundle {
	b := &Bundle{slice: slice, members: make([]member, 0, doc.Len()+4)}
	text := make([]byte, 0, len(doc.Raw())+128) // of all members
	add := func(key string, appendValue func([]byte) []byte) {
		start := len(text)
		text = append(jcs.AppendQuote(text, key), ':')
		text = appendValue(text)
		b.members = append(b.members, member{key, text[start:len(text):len(text)]})
	}
	for v := range doc.All() {
		if key := v.Key(); key != keySnapshot && key != keySuggested {
			add(key, v.AppendCanonical)
		}
	}
	empty := func(dst []byte) []byte { return append(dst, "[]"...) }
	for _, key := range []string{"title", "description"} {
		if _, there := doc.Get(key); !there {
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

// Len returns the size of the bundle in bytes.
func (b *Bundle) Len() int { return b.size }

// AppendJSON appends the bundle as canonical JSON.
func (b *Bundle) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, b.size), '{')
	for i, m := range b.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst = append(dst, m.text...); m.key == keySnapshot {
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
