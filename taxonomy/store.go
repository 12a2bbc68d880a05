package taxonomy

import (
	"context"
	"errors"
)

// ErrNotFound is wrapped by the errors of a store that does not have a version or
// an icon.
var ErrNotFound = errors.New("not found")

// ErrHashMismatch is wrapped by the errors of a store if the content of a release
// does not have the expected hash.
var ErrHashMismatch = errors.New("content does not match its hash")

// ErrStableChanged is wrapped by the errors of a store that would give a stable version
// different content. Publish changes as a new version.
var ErrStableChanged = errors.New("stable versions can't change")

// ErrRefused is wrapped by the errors of stores about data that they have read and refuse to serve.
// Unlike after a failed read, trying again does not help until the store has other data. Each reason
// to refuse, such as [ErrRollback] or an index that a [Verifier] can't prove, is an error of its own.
var ErrRefused = errors.New("refused")

// ErrRollback is wrapped by the Err methods of stores that serve the last good index because
// the current one is older, or drops or changes stable versions. It is an [ErrRefused].
var ErrRollback error = &refusal{"the index was rolled back"}

// refusal is a reason to refuse.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func (r *refusal) Is(target error) bool { return target == ErrRefused }

// Store provides schema versions. Implementations are safe for concurrent use.
// Package storetest tests them:
//
//   - Index lists the versions that can be read now, with their states, the versions that were
//     retired, and the loaded evolutions of their types. A store of texts keeps unknown fields, as
//     [DecodeIndex] does;
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

// Notifier is a [Store] that reports changes.
type Notifier interface {
	Store
	// Changes returns a channel that receives a value after one or more changes.
	// It is closed when ctx ends.
	Changes(ctx context.Context) <-chan struct{}
}

// Open reads the release of a reference, which is a canonical id or an alias. If
// the reference is unknown, the error wraps [ErrNotFound] and names similar ones.
func Open(ctx context.Context, s Store, ref Ref) (*Release, error) {
	index, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	e, err := index.Find(ref)
	if err != nil {
		return nil, err
	}
	return s.Release(ctx, e.ID)
}
