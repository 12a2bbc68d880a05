package taxonomy

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNotFound is what a store wraps where it has no such version, an [IconStore]
// where it has no such icon, and a [SearchStore] where it has no such index.
var ErrNotFound = errors.New("not found")

// ErrHashMismatch is what a store wraps where the content of a release is not
// what its hash says.
var ErrHashMismatch = errors.New("content does not match its hash")

// ErrStableChanged is what a store that can be written wraps where a stable
// version would get other content. Stable versions never change: what is new
// needs a new version.
var ErrStableChanged = errors.New("a stable version never changes")

// Store is where schema versions are read from. Implementations are safe for
// concurrent use. Package storetest proves them:
//
//   - Index lists what can be read now;
//   - Release returns the release of an indexed version, with the version and
//     the content hash of its entry, and wraps [ErrNotFound] for every other;
//   - a release that can't be had whole is an error, never a partial release;
//   - a canceled context ends a call with its error.
type Store interface {
	Index(ctx context.Context) (*Index, error)
	Release(ctx context.Context, v Version) (*Release, error)
}

// IconStore is a [Store] that may hold pre-baked icons.
type IconStore interface {
	Store
	// Icon returns the pre-baked SVG of an element in a variant, for the
	// content that r holds, or wraps [ErrNotFound].
	Icon(ctx context.Context, r *Release, elementID, variant string) ([]byte, error)
}

// SearchStore is a [Store] that may hold search indexes that were made when a
// release was published.
type SearchStore interface {
	Store
	// SearchIndex returns the serialised index of the content that r holds in
	// one of its locales, for package search to load, or wraps [ErrNotFound].
	SearchIndex(ctx context.Context, r *Release, locale string) ([]byte, error)
}

// Notifier is a [Store] that can tell when what it serves has changed.
type Notifier interface {
	Store
	// Changes returns a channel that receives after each change, several
	// changes perhaps at once, until ctx ends and the channel is closed.
	Changes(ctx context.Context) <-chan struct{}
}

// Open reads the release that a reference, a canonical id or an alias,
// addresses. An unknown one wraps [ErrNotFound] and names the nearest known.
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
	if near := x.Nearest(r, 3); len(near) > 0 {
		return fmt.Errorf("schema version %s: %w (known: %s)", r, ErrNotFound, strings.Join(near, ", "))
	}
	return fmt.Errorf("schema version %s: %w", r, ErrNotFound)
}
