package laststore

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// snapshot is an index with the releases that were read of it.
type snapshot struct {
	// listed is what the store has returned, and index the same with aliases
	// that are held.
	listed, index *taxonomy.Index
	entries       map[taxonomy.Version]*entry
	// held are the aliases that stay at a version until another one was read.
	held map[string]move
}

// move is the change of an alias that waits for a release.
type move struct{ from, to taxonomy.Version }

// entry is the content that an index names for a version.
type entry struct {
	id   taxonomy.Version
	hash taxonomy.Hash
	// release is the last good one of the version, or nil. It may have other
	// content.
	release atomic.Pointer[taxonomy.Release]
	pause   pause
	since   time.Time // when an index first named the content
}

// good returns the release with the hash, or nil if it was not read yet.
func (e *entry) good() *taxonomy.Release {
	if r := e.release.Load(); r != nil && r.ContentHash() == e.hash {
		return r
	}
	return nil
}

// newSnapshot returns the snapshot of an index. It keeps what the index still
// lists of the last one, which may be nil.
func newSnapshot(index *taxonomy.Index, last *snapshot) *snapshot {
	next := &snapshot{listed: index, index: index, entries: make(map[taxonomy.Version]*entry, index.Len())}
	entries := index.Entries()
	for _, listed := range entries {
		e := last.entry(listed.ID)
		if e == nil || e.hash != listed.ContentHash {
			old := e
			e = &entry{id: listed.ID, hash: listed.ContentHash, since: time.Now()}
			if old != nil {
				e.release.Store(old.release.Load())
			}
		}
		next.entries[e.id] = e
	}
	if last != nil {
		next.hold(last, entries)
	}
	return next
}

// hold lets aliases stay where they were in the last snapshot if the version that the
// index moves them to was never read, and the other one was.
func (s *snapshot) hold(last *snapshot, entries []taxonomy.Entry) {
	stay := make(map[string]taxonomy.Version)
	for _, to := range entries {
		if s.entries[to.ID].release.Load() != nil {
			continue
		}
		for _, alias := range to.Aliases {
			ref, err := taxonomy.ParseRef(alias)
			if err != nil {
				continue // impossible in an index
			}
			from, ok := last.index.Lookup(ref)
			if e := s.entries[from.ID]; ok && from.ID != to.ID && e != nil && e.release.Load() != nil {
				if s.held == nil {
					s.held = make(map[string]move)
				}
				s.held[alias], stay[alias] = move{from.ID, to.ID}, from.ID
			}
		}
	}
	if len(stay) > 0 {
		s.index = s.index.WithHeld(stay)
	}
}

// waiting says which aliases wait for an entry, and where they stay, in order.
func (s *snapshot) waiting(e *entry) (all []string) {
	for alias, m := range s.held {
		if m.to == e.id {
			all = append(all, alias+" stays at "+m.from.String())
		}
	}
	slices.Sort(all)
	return all
}

// entry returns the entry of a version, or nil.
func (s *snapshot) entry(v taxonomy.Version) *entry {
	if s == nil {
		return nil
	}
	return s.entries[v]
}

// pause is the time for which a read that failed is not repeated. Its zero value
// is over.
type pause struct{ until atomic.Pointer[time.Time] }

// begin starts a pause. A negative one is over at once.
func (p *pause) begin(d time.Duration) {
	if d >= 0 {
		until := time.Now().Add(d)
		p.until.Store(&until)
	}
}

func (p *pause) end() { p.until.Store(nil) }

// over reports whether to read. When the time is over it is true for one caller,
// and the pause continues for the others.
func (p *pause) over(retryAfter time.Duration) bool {
	until := p.until.Load()
	if until == nil {
		return true
	}
	now := time.Now()
	next := now.Add(retryAfter)
	return !now.Before(*until) && p.until.CompareAndSwap(until, &next)
}
