package httpstore

import (
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// keepStable returns an index in which every stable release that the store has
// read, and holds in memory or as a copy, keeps its hash. The error says which of
// them have another hash in the index of the server.
//
// A version that was listed and never read may change: no reader can notice.
func (s *Store) keepStable(x *taxonomy.Index) (*taxonomy.Index, error) {
	entries := x.Entries()
	stored := s.copies.Releases()
	var changed []error
	for i := range entries {
		e := &entries[i]
		if e.Status != taxonomy.Stable {
			continue
		}
		held, ok := s.held(*e, stored[e.ID])
		if !ok || held == e.ContentHash {
			continue
		}
		changed = append(changed, fmt.Errorf(
			"httpstore: %s: version %s: %w: it has %s, but the server lists %s; the content that was read first is served; %s",
			s.base.Redacted(), e.ID, taxonomy.ErrStableChanged, held, e.ContentHash, s.howToForget()))
		e.ContentHash = held
	}
	if len(changed) == 0 {
		return x, nil
	}
	kept, err := taxonomy.NewIndex(entries, x.Retired()...)
	if err != nil {
		return x, err // impossible: ids and aliases are those of an index
	}
	return kept, errors.Join(changed...)
}

// held returns the hash of the content that is held of a stable version.
func (s *Store) held(e taxonomy.Entry, stored []taxonomy.Entry) (h taxonomy.Hash, ok bool) {
	if r := s.releases.Loaded(e.ID); r != nil {
		return r.ContentHash(), true
	}
	// Reading the copies again is slow, but usually the only one is that which
	// the index lists.
	if slices.ContainsFunc(stored, func(c taxonomy.Entry) bool { return c.ContentHash == e.ContentHash }) {
		return e.ContentHash, true
	}
	for _, c := range stored {
		if s.copies.Release(c) != nil {
			return c.ContentHash, true
		}
	}
	return h, false
}

// howToForget says how to accept the change of a stable version.
func (s *Store) howToForget() string {
	if s.copies == nil {
		return "if the change is intended, open the store again"
	}
	return "if the change is intended, remove " + s.copies.Path() + " and open the store again"
}
