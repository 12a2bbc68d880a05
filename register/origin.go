package register

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/internal/wording"
)

// Origin is where documents come from, such as a directory ([Directory], [OpenDirectory]), a store
// that they were published into ([Stored]) or a database. If several origins have the same document,
// that of the first one is shown. A [Register] closes origins that are an [io.Closer].
type Origin interface {
	// String names the origin in messages.
	String() string
	// List returns what the origin has now. It is called again and again, but not concurrently. If
	// it returns an error without a listing, what was read last is kept. With a listing, the error
	// is about documents that are missing in it.
	List(ctx context.Context) (*Listing, error)
}

// Listing is what an [Origin] has at one moment. It must not be changed.
type Listing struct {
	// Files are the documents, in any order.
	Files []File
	// Read returns the text of a file. It is called concurrently, before List is called again, and
	// only for files that are new or changed. A file that it can't read is refused with the error.
	Read func(ctx context.Context, name string) ([]byte, error)

	settings  *Settings // nil for none
	refused   []Refusal
	published *publishedIndex // of a store, which has no files
}

// File is a document of a [Listing], thin or resolved. An invalid one is refused, and its last good
// text is kept. If several files have the same id, the one that was updated last is shown, and the
// others are its earlier editions.
type File struct {
	// Name names the file in messages and is not that of another one.
	Name string
	// Tag changes with the text, such as a hash, a revision or a time of modification. A file without
	// one is read each time.
	Tag string
}

// check returns an error if the listing of an origin is not what it must be.
func (l *Listing) check() error {
	if l.Read == nil && len(l.Files) > 0 {
		return errors.New("the listing has no Read")
	}
	names := make(map[string]bool, len(l.Files))
	for _, f := range l.Files {
		if names[f.Name] {
			return fmt.Errorf("the listing has two files with the name %s", wording.Quote(f.Name))
		}
		names[f.Name] = true
	}
	return nil
}

// originReader keeps what was read and validated of an origin.
type originReader struct {
	origin Origin
	last   *collection
	files  liveFiles
	store  storedEditions
}

// load returns what the origin has, which is the last collection if nothing has changed. If only some
// documents can't be read, it returns the others and an error.
func (r *originReader) load(ctx context.Context, v *validator) (*collection, error) {
	versions, err := v.service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	listing, incomplete := r.origin.List(ctx)
	switch {
	case listing == nil && incomplete == nil:
		return nil, fmt.Errorf("%s: List returned neither a listing nor an error", r.origin)
	case listing == nil:
		return nil, incomplete
	}
	if err := listing.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.origin, err)
	}
	var c *collection
	if listing.published != nil {
		if c, err = r.store.load(ctx, v, listing, versions, r.last); err != nil {
			err = fmt.Errorf("%s: %w", r.origin, err)
		}
	} else {
		c, err = r.files.load(ctx, v, listing, versions, r.last)
	}
	if err != nil {
		return nil, err
	}
	return c, incomplete
}
