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
	text  []byte // canonical JSON without the snapshot
	at    int    // where that belongs
	slice *taxonomy.Slice
}

// member is a member of the bundle. Its value is the zero Value if it is not one of the
// document.
type member struct {
	key   string
	value document.Value
}

// The members that a thin document does not have.
const (
	keySnapshot  = "schema_snapshot"
	keySuggested = "suggested_elements"
)

// newBundle returns the bundle of a document and a slice.
func newBundle(doc document.Value, slice *taxonomy.Slice) *Bundle {
	b := &Bundle{slice: slice, text: append(make([]byte, 0, len(doc.Raw())+128), '{')}
	for i, m := range membersOf(doc) {
		if i > 0 {
			b.text = append(b.text, ',')
		}
		b.text = append(jcs.AppendQuote(b.text, m.key), ':')
		switch {
		case m.key == keySnapshot:
			b.at = len(b.text)
		case m.value.Kind() == 0:
			b.text = append(b.text, "[]"...)
		default:
			b.text = m.value.AppendCanonical(b.text)
		}
	}
	b.text = append(b.text, '}')
	return b
}

// membersOf returns the members of the bundle of a document, in canonical order.
func membersOf(doc document.Value) []member {
	list := make([]member, 0, doc.Len()+4)
	added := []string{keySnapshot, keySuggested}
	for v := range doc.All() {
		if key := v.Key(); !slices.Contains(added, key) {
			list = append(list, member{key, v})
		}
	}
	for _, key := range []string{"title", "description"} {
		if _, there := doc.Get(key); !there {
			added = append(added, key)
		}
	}
	for _, key := range added {
		list = append(list, member{key: key})
	}
	slices.SortFunc(list, func(x, y member) int { return jcs.Compare([]byte(x.key), []byte(y.key)) })
	return list
}

// Len returns the size of the bundle in bytes.
func (b *Bundle) Len() int { return len(b.text) + b.slice.Len() }

// AppendJSON appends the bundle as canonical JSON.
func (b *Bundle) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, b.Len()), b.text[:b.at]...)
	dst = b.slice.AppendJSON(dst)
	return append(dst, b.text[b.at:]...)
}

// WriteTo writes the bundle as canonical JSON.
func (b *Bundle) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b.AppendJSON(nil))
	return int64(n), err
}
