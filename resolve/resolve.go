package resolve

import (
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// DefaultMaxBytes is the most bytes that a bundle may have: 512 KiB.
const DefaultMaxBytes = 524288

// Options tune resolving. The zero value and nil are the defaults.
type Options struct {
	// MaxBytes is the most bytes of a bundle; 0 means [DefaultMaxBytes], and
	// a negative one any number.
	MaxBytes int
	// Interrupt is asked now and then whether to go on; its error ends the
	// work.
	Interrupt func() error
}

// ErrVersionMismatch is a document that pins another version than that of the
// release: the bundle would contradict its pin.
var ErrVersionMismatch = errors.New("the document pins another schema version")

// TooLargeError is a bundle above the cap.
type TooLargeError struct{ Size, Max int }

// Error prints both sizes.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("resolve: the resolved document is too large: %d bytes, at most %d are allowed", e.Size, e.Max)
}

// Resolve embeds the slice of the release that the document uses. All that the
// document says comes back as it is, unknown fields included; title and
// description are added where they are missing, and a schema_snapshot or
// suggested_elements of the document are replaced.
//
// Resolve reads no more of the document than it needs, and leaves it to package
// validate to say what is wrong with one. It fails where the document has no
// placements that it could read, where it pins another version than that of
// the release ([ErrVersionMismatch]), where it places an element that the
// release does not have ([taxonomy.ErrNotFound]), and where the bundle is above
// the cap ([*TooLargeError]).
func Resolve(release *taxonomy.Release, doc *document.Document, o *Options) (*Bundle, error) {
	if o == nil {
		o = new(Options)
	}
	pinned, _ := doc.Root().Get("schema_version")
	if version := release.Version().String(); textOf(pinned) != version {
		return nil, fmt.Errorf("resolve: %w: %.200q, not %s", ErrVersionMismatch, textOf(pinned), version)
	}
	ids, err := placedIDs(doc)
	if err != nil {
		return nil, fmt.Errorf("resolve: %w", err)
	}
	slice, err := release.Slice(ids)
	if err != nil {
		return nil, fmt.Errorf("resolve: %w", err)
	}
	if o.Interrupt != nil {
		if err := o.Interrupt(); err != nil {
			return nil, err
		}
	}
	b := newBundle(doc.Root(), slice)
	limit := o.MaxBytes
	if limit == 0 {
		limit = DefaultMaxBytes
	}
	if limit > 0 && b.size > limit {
		return nil, &TooLargeError{Size: b.size, Max: limit}
	}
	return b, nil
}

// placedIDs returns the ids of the elements that a document places.
func placedIDs(doc *document.Document) ([]string, error) {
	elements, ok := doc.Root().Get("elements")
	if !ok || elements.Kind() != '[' {
		return nil, errors.New("elements: want a list of placements")
	}
	ids := make([]string, 0, elements.Len())
	for placement := range elements.All() {
		id, ok := placement.Get("element_id")
		if !ok || id.Kind() != '"' {
			return nil, fmt.Errorf("%s: want the id of an element", placement.Path().Key("element_id"))
		}
		ids = append(ids, id.Text())
	}
	return ids, nil
}

// textOf returns the text of a string, and "" for all else, no value included.
func textOf(v document.Value) string {
	if v == (document.Value{}) {
		return ""
	}
	return v.Text()
}
