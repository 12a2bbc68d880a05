package resolve

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"
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

// ErrVersionMismatch is wrapped by the error for a document that pins another version
// than that of the release.
var ErrVersionMismatch = errors.New("the document pins another schema version")

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
// The error wraps [ErrVersionMismatch] if the document pins another version, and
// [taxonomy.ErrNotFound] if it places an element that the release does not have. It
// is a [*TooLargeError] if the bundle is too large. Resolve also fails if it can't
// read the placements; it does not validate anything else.
func Resolve(release *taxonomy.Release, doc *document.Document, o *Options) (*Bundle, error) {
	if o == nil {
		o = new(Options)
	}
	pinned, _ := doc.Root().Get("schema_version")
	if version := release.Version().String(); pinned.Text() != version {
		return nil, fmt.Errorf("resolve: %w: %s, not %s", ErrVersionMismatch, prose.Quote(pinned.Text()), version)
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
