// Package resolve makes a datachain self-contained: it embeds the part of the schema
// version that the document uses, so that the document can be read without a store,
// even when the version is no longer published.
//
// [Resolve] returns a [Bundle], which is canonical JSON (RFC 8785). It consists of
// texts that the document and the release have already, so resolving encodes nothing.
//
// Validate a document with package validate before resolving it.
package resolve

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// DefaultMaxBytes is the default limit on the size of a bundle: 512 KiB.
const DefaultMaxBytes = 524288

// Options configure resolving. The zero value and nil are the defaults.
type Options struct {
	// MaxBytes limits the size of a bundle; 0 means [DefaultMaxBytes], and a
	// negative value no limit.
	MaxBytes int
	// Interrupt is called from time to time. If it returns an error, resolving
	// ends with that error.
	Interrupt func() error
}

// TooLargeError is the error for a bundle that exceeds [Options.MaxBytes].
type TooLargeError struct{ Size, Max int }

// Error returns both sizes.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("resolve: the resolved document has %d bytes; at most %d are allowed", e.Size, e.Max)
}

// Resolve embeds the part of the release that the document uses. The bundle has all
// fields of the document, known or not; title and description are added if they are
// missing, and schema_snapshot and suggested_elements are replaced.
//
// It is an error if the document pins another version. The error wraps
// [taxonomy.ErrNotFound] if it places an element that the release does not have. It
// is a [*TooLargeError] if the bundle is too large. Resolve also fails if it can't
// read the placements; it does not validate anything else.
func Resolve(release *taxonomy.Release, doc *document.Document, o *Options) (*Bundle, error) {
	switch {
	case release == nil:
		return nil, errors.New("resolve: the release is nil")
	case doc == nil:
		return nil, errors.New("resolve: the document is nil")
	case !doc.Strict():
		return nil, fmt.Errorf("resolve: the document is not strict JSON: %w", doc.SyntaxErrors()[0])
	}
	if o == nil {
		o = new(Options)
	}
	pinned, _ := doc.Root().Get("schema_version")
	if version := release.Version().String(); pinned.Text() != version {
		return nil, fmt.Errorf("resolve: the document pins another schema version: %s, not %s", wording.Quote(pinned.Text()), version)
	}
	ids, err := placedIDs(doc)
	if err != nil {
		return nil, errname.Add("resolve", err)
	}
	ids, err = release.SortIDs(ids)
	if err != nil {
		return nil, errname.Add("resolve", err)
	}
	if o.Interrupt != nil {
		if err := o.Interrupt(); err != nil {
			return nil, err
		}
	}
	b := newBundle(doc.Root(), release, ids)
	if limit := cmp.Or(o.MaxBytes, DefaultMaxBytes); limit > 0 && b.Len() > limit {
		return nil, &TooLargeError{Size: b.Len(), Max: limit}
	}
	return b, nil
}

// placedIDs returns the ids of the placed elements.
func placedIDs(doc *document.Document) ([]string, error) {
	elements, _ := doc.Root().Get("elements")
	if elements.Kind() != '[' {
		return nil, errors.New("elements: must be an array of placements")
	}
	ids := make([]string, 0, elements.Len())
	for placement := range elements.All() {
		id, _ := placement.Get("element_id")
		if id.Kind() != '"' {
			return nil, fmt.Errorf("%s: must be the id of an element", placement.Path().Key("element_id"))
		}
		ids = append(ids, id.Text())
	}
	return ids, nil
}

// Bundle is a resolved document. [Resolve] returns one.
type Bundle struct {
	text     []byte   // canonical JSON without the snapshot
	at       int      // where that belongs
	snapshot []string // the parts of its text, which the release has already
	size     int      // of the bundle
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

// newBundle returns the bundle of a document and the elements of the release that it places.
func newBundle(doc document.Value, release *taxonomy.Release, elements []string) *Bundle {
	b := &Bundle{text: append(make([]byte, 0, len(doc.Raw())+128), '{')}
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
	b.snapshot = snapshot(release, elements)
	b.size = len(b.text)
	for _, part := range b.snapshot {
		b.size += len(part)
	}
	return b
}

// snapshot returns the canonical JSON of a snapshot with some elements, in parts.
func snapshot(r *taxonomy.Release, elements []string) []string {
	parts := append(make([]string, 0, 4*len(elements)+5), `{"categories":[`)
	last := ""
	for _, id := range elements { // which are in the order of their categories
		if e, _ := r.Element(id); e.CategoryID != last {
			if last != "" {
				parts = append(parts, ",")
			}
			last = e.CategoryID
			parts = append(parts, r.CategoryJSON(last))
		}
	}
	parts = append(parts, `],"datachain_type":`, r.TypeJSON(), `,"elements":[`)
	for i, id := range elements {
		if i > 0 {
			parts = append(parts, ",")
		}
		parts = append(parts, r.ElementJSON(id))
	}
	return append(parts, `]}`)
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
func (b *Bundle) Len() int { return b.size }

// MarshalJSON returns the bundle as canonical JSON.
func (b *Bundle) MarshalJSON() ([]byte, error) { return b.AppendJSON(nil), nil }

// AppendJSON appends the bundle as canonical JSON.
func (b *Bundle) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, b.Len()), b.text[:b.at]...)
	for _, part := range b.snapshot {
		dst = append(dst, part...)
	}
	return append(dst, b.text[b.at:]...)
}
