package taxonomy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrNotFound is wrapped by the errors of a store that does not have a version, an
// icon or a search index.
var ErrNotFound = errors.New("not found")

// ErrHashMismatch is wrapped by the errors of a store if the content of a release
// does not have the expected hash.
var ErrHashMismatch = errors.New("content does not match its hash")

// ErrStableChanged is wrapped by the errors of a store that can be written if a
// stable version would get different content. Publish changes as a new version.
var ErrStableChanged = errors.New("stable versions can't change")

// ErrRollback is wrapped by the Err methods of stores that serve the last good index
// because the present one goes back: it is older, or drops or changes stable versions.
var ErrRollback = errors.New("the index was rolled back")

// Store provides schema versions. Implementations are safe for concurrent use.
// Package storetest tests them:
//
//   - Index lists the versions that can be read now;
//   - Release returns the release of an indexed version, with the version and
//     the content hash of its entry; for other versions the error wraps
//     [ErrNotFound];
//   - a release that can't be read completely is an error;
//   - a canceled context ends a call with its error.
//
// Index may return the same value at each call or decode a new one: users compare
// indexes by content ([Index.Equal]) and read a release again only if its entry has
// changed. It is called for every request, so it should be fast.
type Store interface {
	Index(ctx context.Context) (*Index, error)
	Release(ctx context.Context, v Version) (*Release, error)
}

// IconStore is a [Store] that can have icons, drawn when a release was published.
type IconStore interface {
	Store
	// Icon returns the SVG of an element of r in a variant. The error wraps
	// [ErrNotFound] if there is none.
	Icon(ctx context.Context, r *Release, elementID, variant string) ([]byte, error)
}

// SearchStore is a [Store] that can have search indexes, built when a release was
// published.
type SearchStore interface {
	Store
	// SearchIndex returns the serialised index of r in one of its locales, which
	// package search loads. The error wraps [ErrNotFound] if there is none.
	SearchIndex(ctx context.Context, r *Release, locale string) ([]byte, error)
}

// SearchOpener is a [SearchStore] whose search indexes can be read in parts, which is
// faster if they are large.
type SearchOpener interface {
	SearchStore
	// OpenSearchIndex returns what SearchIndex returns, to be read at any time and
	// concurrently. Its content was verified and does not change: if it is no longer
	// there, reading fails with an error that wraps [ErrNotFound]. So does the error
	// of OpenSearchIndex if there is no index that can be read in parts; SearchIndex
	// may still return it.
	OpenSearchIndex(ctx context.Context, r *Release, locale string) (*io.SectionReader, error)
}

// Notifier is a [Store] that reports changes.
type Notifier interface {
	Store
	// Changes returns a channel that receives a value after one or more changes.
	// It is closed when ctx ends.
	Changes(ctx context.Context) <-chan struct{}
}

// Open reads the release of a reference, which is a canonical id or an alias. If
// the reference is unknown, the error wraps [ErrNotFound] and names similar ones.
func Open(ctx context.Context, s Store, r Ref) (*Release, error) {
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	e, ok := x.Lookup(r)
	if !ok {
		return nil, unknownVersion(x, r)
	}
	return s.Release(ctx, e.ID)
}

func unknownVersion(x *Index, r Ref) error {
	err := ErrNotFound
	if v, canonical := r.Version(); canonical {
		if gone, retired := x.LookupRetired(v); retired {
			err = fmt.Errorf("%w: %s", ErrNotFound, strings.Replace(gone.String(), v.String(), "it", 1))
			if next, known := x.Successor(v); known {
				return fmt.Errorf("schema version %s: %w; upgrade to %s", r, err, next)
			}
		}
	}
	if near := x.Nearest(r, 3); len(near) > 0 {
		return fmt.Errorf("schema version %s: %w (known: %s)", r, err, strings.Join(near, ", "))
	}
	return fmt.Errorf("schema version %s: %w", r, err)
}
