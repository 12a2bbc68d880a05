package ratelimit

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"time"
)

// An entry is a key with its window, in a shard's table. Entries refer to one
// another by index, so the garbage collector has nothing to look at here.
type entry struct {
	identity
	window
	place        uint8  // which of its client's names this is, from 1; 0 without a name
	next         uint32 // in its chain, or in the list of free entries
	older, newer uint32 // by when they were last seen
}

// A shard is a part of the memory, with a lock of its own. All keys of a
// client are in the same shard and in the same chain of its hash table, so that
// the client's names can be counted. Entry 0 is nobody's: it closes the ring of
// entries by age (newer is the oldest of them, older the newest) and ends
// chains.
type shard struct {
	mu      sync.Mutex
	now     func() time.Time
	clock   clock
	seed    maphash.Seed
	max     int
	held    int
	entries []entry
	free    uint32   // the first of the entries to use again
	chains  []uint32 // the first entry of each; their number is a power of two
	rings   rings
	allowed [bucketCount]uint64
	refused [bucketCount]uint64
	evicted uint64
}

// open makes an empty shard of the zero value.
func (s *shard) open(maxKeys int, seed maphash.Seed, now func() time.Time, start time.Time) {
	s.max, s.seed, s.now, s.clock = maxKeys, seed, now, clock{at: start}
	s.entries, s.chains = make([]entry, 1), make([]uint32, 1)
	s.rings.max = maxKeys
}

// allow decides on a request and counts it.
func (s *shard) allow(id identity, hash uint32, limit int) Decision {
	s.mu.Lock()
	defer s.mu.Unlock()
	if limit < 0 {
		s.allowed[id.bucket]++
		return Decision{Allowed: true, Bucket: id.bucket}
	}
	// The clock is read under the lock, so it can't seem to go back.
	now := s.clock.advance(s.now())
	s.sweep(now)
	i := s.find(id, hash)
	if i == 0 {
		i = s.add(id, hash, now)
	}
	s.touch(i)

	w := &s.entries[i].window
	w.advance(now, &s.rings)
	d := Decision{Allowed: int(w.total) < limit, Bucket: id.bucket, Limit: limit, Window: Window}
	if d.Allowed {
		w.add(&s.rings)
		s.allowed[id.bucket]++
	} else {
		s.refused[id.bucket]++
	}
	d.Remaining = limit - int(w.total)
	d.Reset = time.Duration(w.expires(&s.rings)) * time.Second
	if !d.Allowed {
		d.RetryAfter = d.Reset
	}
	return d
}

// find returns the entry of a key, or 0.
func (s *shard) find(id identity, hash uint32) uint32 {
	i := *s.chain(hash)
	for i != 0 && s.entries[i].identity != id {
		i = s.entries[i].next
	}
	return i
}

// add makes an entry for a key that has none, unless it has a name too many
// and the client's entry without a name is there to be used.
func (s *shard) add(id identity, hash, now uint32) uint32 {
	place := s.settle(id, hash, now)
	if id.named && place == 0 {
		id.named, id.name = false, 0
		if i := s.find(id, hash); i != 0 {
			return i
		}
	}
	if s.held == s.max {
		s.remove(s.entries[0].newer)
		s.evicted++ // it is alive, or sweep would have made room
	}
	i := s.take()
	first := s.chain(hash)
	s.entries[i] = entry{identity: id, window: window{now: now}, place: place, next: *first}
	*first = i
	s.link(i)
	return i
}

// settle removes the client's entries that have nothing left in their window,
// and returns the place for a key's name: the one that it has, or one that no
// name has, or 0 if there is none.
func (s *shard) settle(id identity, hash, now uint32) uint8 {
	var has uint8
	taken := uint64(1) // by place; 0 is no place
	for i := *s.chain(hash); i != 0; {
		e := &s.entries[i]
		next := e.next
		switch {
		case e.client != id.client || e.family != id.family:
		case !s.alive(i, now):
			s.remove(i)
		default:
			taken |= 1 << e.place
			if e.named && e.name == id.name {
				has = e.place
			}
		}
		i = next
	}
	if !id.named || has != 0 {
		return has
	}
	if free := bits.TrailingZeros64(^taken); free <= MaxNames {
		return uint8(free)
	}
	return 0
}

// alive reports whether an entry has requests in its window.
func (s *shard) alive(i, now uint32) bool {
	w := &s.entries[i].window
	w.advance(now, &s.rings)
	return w.total > 0
}

// sweep removes the oldest entries if they have nothing left, two at most: so
// every request pays a little, and memory empties faster than it fills.
func (s *shard) sweep(now uint32) {
	for range 2 {
		oldest := s.entries[0].newer
		if oldest == 0 || s.alive(oldest, now) {
			return
		}
		s.remove(oldest)
	}
}

// addTo adds what the shard knows to the statistics of all.
func (s *shard) addTo(st *Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for b := range s.allowed {
		st.Buckets[b].Allowed += s.allowed[b]
		st.Buckets[b].Refused += s.refused[b]
	}
	st.Keys += s.held
	st.Evicted += s.evicted
	st.Bytes += s.bytes()
}
