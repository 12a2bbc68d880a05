package httpstore

import (
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

// keepStable returns an index in which every stable release that the store
// holds, in memory or in its folder, has the hash that it is held with. The
// error says where that is not the hash that the server lists.
//
// Only what is held counts: a version that was listed and never read has no
// reader who could be surprised.
func (s *Store) keepStable(x *taxonomy.Index) (*taxonomy.Index, error) {
	entries := x.Entries()
	stored := s.cache.contents()
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
			"httpstore: %s: version %s: %w: it has %s, and the server lists %s: what was read first is served on; %s",
			s.base.Redacted(), e.ID, taxonomy.ErrStableChanged, held, e.ContentHash, s.cache.howToForget()))
		e.ContentHash = held
	}
	if len(changed) == 0 {
		return x, nil
	}
	kept, err := taxonomy.NewIndex(entries)
	if err != nil {
		return x, err // can't be: ids and aliases are those of an index
	}
	return kept, errors.Join(changed...)
}

// held returns the hash of the content that is held of a stable version.
func (s *Store) held(e taxonomy.Entry, stored []taxonomy.Hash) (h taxonomy.Hash, ok bool) {
	s.mu.Lock()
	if l := s.loads[e.ID]; l != nil && l.lastGood != nil {
		h, ok = l.lastGood.ContentHash(), true
	}
	s.mu.Unlock()
	if ok {
		return h, true
	}
	// Reading the files again is slow, but there is nearly always just the
	// one that the index lists.
	for _, h := range stored {
		if h == e.ContentHash {
			return h, true
		}
	}
	for _, h := range stored {
		if r, err := s.cache.release(e.ID, h); err == nil && r != nil {
			return h, true
		}
	}
	return h, false
}
