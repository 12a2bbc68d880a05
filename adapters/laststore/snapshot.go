package laststore

import (
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// snapshot is an index with the releases that were read of it.
type snapshot struct {
	index   *taxonomy.Index
	entries map[taxonomy.Version]*entry
}

// entry is the content that an index names for a version.
type entry struct {
	id   taxonomy.Version
	hash taxonomy.Hash
	// release is the last good one of the version, or nil. It may have other
	// content.
	release atomic.Pointer[taxonomy.Release]
	pause   pause
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
	next := &snapshot{index, make(map[taxonomy.Version]*entry, index.Len())}
	for _, listed := range index.Entries() {
		e := last.entry(listed.ID)
		if e == nil || e.hash != listed.ContentHash {
			old := e
			e = &entry{id: listed.ID, hash: listed.ContentHash}
			if old != nil {
				e.release.Store(old.release.Load())
			}
		}
		next.entries[e.id] = e
	}
	return next
}

// entry returns the entry of a version, or nil.
func (s *snapshot) entry(v taxonomy.Version) *entry {
	if s == nil {
		return nil
	}
	return s.entries[v]
}

// lists reports whether the index lists the same as another. Some stores make a
// new index for each call.
func (s *snapshot) lists(index *taxonomy.Index) bool {
	return s != nil && (s.index == index ||
		reflect.DeepEqual(s.index.Entries(), index.Entries()) && slices.Equal(s.index.Retired(), index.Retired()))
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
