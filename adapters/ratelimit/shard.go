package ratelimit

import (
	"math/bits"
	"sync"
	"time"
)

// An entry is a key with its window. Entries refer to one another by index, so
// the garbage collector has nothing to scan.
type entry struct {
	identity
	window
	place        uint8  // which of its client's names this is, from 1; 0 without a name
	next         uint32 // in its chain, or in the list of free entries
	older, newer uint32 // by when they were last seen
}

// A shard holds a part of the keys, with a lock of its own. All keys of a client
// are in the same chain of the same shard, so that the client's names can be
// counted. Entry 0 is a sentinel: it ends chains and closes the ring of entries by
// age (its newer is the oldest entry, its older the newest).
type shard struct {
	*settings
	mu      sync.Mutex
	max     int
	held    int
	entries []entry
	free    uint32   // the first free entry
	chains  []uint32 // the first entry of each chain; their number is a power of two
	rings   rings
	allowed [bucketCount]uint64
	refused [bucketCount]uint64
	evicted uint64
}

// open initializes a zero shard.
func (s *shard) open(common *settings, maxKeys int) {
	s.settings, s.max, s.rings.max = common, maxKeys, maxKeys
	s.entries, s.chains, s.rings.all = make([]entry, 1), make([]uint32, 1), make([]ring, 1)
}

// allow decides on a request and counts it.
func (s *shard) allow(id identity, hash uint32) Decision {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.limits[id.bucket]
	if limit < 0 {
		s.allowed[id.bucket]++
		return Decision{Allowed: true, Bucket: id.bucket}
	}
	// The clock is read with the lock held, so slots never seem to go back.
	now := uint32(s.now().Sub(s.start) / time.Second)
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

// add returns an entry for a key that has none: a new one or, if the client has
// used up its names, the one of its requests without a name.
func (s *shard) add(id identity, hash, now uint32) uint32 {
	place := s.settle(id, hash, now)
	if id.name != 0 && place == 0 {
		id.name = 0
		if i := s.find(id, hash); i != 0 {
			return i
		}
	}
	if s.held == s.max {
		s.remove(s.entries[0].newer)
		s.evicted++ // it is alive, else sweep would have removed it
	}
	i := s.take()
	first := s.chain(hash)
	s.entries[i] = entry{identity: id, window: window{now: now}, place: place, next: *first}
	*first = i
	s.link(i)
	return i
}

// settle removes the client's entries whose requests have all expired. It returns
// the place of a key's name: the one it has, or a free one, or 0 if all are taken.
func (s *shard) settle(id identity, hash, now uint32) uint8 {
	var has uint8
	taken := uint64(1) // bit 0 stands for no name
	for i := *s.chain(hash); i != 0; {
		e := &s.entries[i]
		next := e.next
		switch {
		case e.client != id.client || e.family != id.family:
		case !s.alive(i, now):
			s.remove(i)
		default:
			taken |= 1 << e.place
			if e.name == id.name {
				has = e.place // 0 without a name
			}
		}
		i = next
	}
	if id.name == 0 || has != 0 {
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

// sweep removes at most two of the oldest entries if their requests have expired:
// every request pays a little, and entries expire faster than they are added.
func (s *shard) sweep(now uint32) {
	for range 2 {
		oldest := s.entries[0].newer
		if oldest == 0 || s.alive(oldest, now) {
			return
		}
		s.remove(oldest)
	}
}

// addTo adds the shard's statistics to those of all.
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
