package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

// shelf is a store of the releases that the host has fetched.
type shelf struct {
	index  *taxonomy.Index
	loaded map[taxonomy.Version]*taxonomy.Release
}

// notLoadedError says that a release is published, and has not been fetched yet.
type notLoadedError struct{ entry taxonomy.Entry }

func (e *notLoadedError) Error() string { return fmt.Sprintf("release %s: not loaded", e.entry.ID) }

// set sets the index, and drops releases that it no longer names.
func (s *shelf) set(index *taxonomy.Index) {
	kept := make(map[taxonomy.Version]*taxonomy.Release)
	for _, e := range index.Entries() {
		if r := s.loaded[e.ID]; r != nil && r.ContentHash() == e.ContentHash {
			kept[e.ID] = r
		}
	}
	s.index, s.loaded = index, kept
}

var errNoIndex = errors.New("no index: open a store first")

// entry returns the entry of a version id.
func (s *shelf) entry(id string) (taxonomy.Entry, error) {
	ref, err := taxonomy.ParseRef(id)
	if err != nil {
		return taxonomy.Entry{}, err
	}
	if s.index == nil {
		return taxonomy.Entry{}, errNoIndex
	}
	entry, ok := s.index.Lookup(ref)
	if !ok {
		return entry, fmt.Errorf("release %s: %w", id, taxonomy.ErrNotFound)
	}
	return entry, nil
}

// Index returns the index of the host.
func (s *shelf) Index(context.Context) (*taxonomy.Index, error) {
	if s.index == nil {
		return nil, errNoIndex
	}
	return s.index, nil
}

// Release returns a release that was fetched.
func (s *shelf) Release(_ context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	entry, err := s.entry(v.String())
	if err != nil {
		return nil, err
	}
	if r := s.loaded[v]; r != nil {
		return r, nil
	}
	return nil, &notLoadedError{entry}
}
