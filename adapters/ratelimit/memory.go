package ratelimit

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
	"reflect"
	"sync"
	"time"
)

const (
	maxShards = 64
	// shardKeys is the minimum number of keys of a shard if there are several:
	// many times what one address may hold.
	shardKeys = 1024
)

// Memory is a [Limiter] in the memory of this process. It starts no goroutine and
// needs no closing. Create one with [NewMemory]; the zero value fails every call.
type Memory struct {
	settings
	shards []shard
}

var _ Limiter = (*Memory)(nil)

// settings are what the shards have in common.
type settings struct {
	limits []int        // by bucket
	seed   maphash.Seed // keeps clients from choosing their shard
	now    func() time.Time
	start  time.Time
}

// NewMemory returns an empty Memory. It fails if an option is out of range.
func NewMemory(o *Options) (*Memory, error) {
	d, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	limits, err := d.Limits.Effective()
	if err != nil {
		return nil, err
	}
	n := 1 << (bits.Len(uint(min(max(d.MaxKeys/shardKeys, 1), maxShards))) - 1)
	m := &Memory{settings{limits, maphash.MakeSeed(), d.Now, d.Now()}, make([]shard, n)}
	for i := range m.shards {
		m.shards[i].open(&m.settings, d.MaxKeys/n)
	}
	return m, nil
}

// Allow decides on a request. It fails only if the bucket does not exist. It does
// not wait, so it ignores ctx.
func (m *Memory) Allow(_ context.Context, key Key) (Decision, error) {
	if key.Bucket >= bucketCount {
		return Decision{}, fmt.Errorf("ratelimit: unknown bucket %d: use one of %v", uint8(key.Bucket), Buckets())
	}
	if len(m.shards) == 0 {
		return Decision{}, errors.New("ratelimit: this Memory is a zero value: use NewMemory")
	}
	id := identify(key)
	if key.Name != "" {
		id.name = uint32(maphash.String(m.seed, key.Name)) | 1
	}
	hash := maphash.Comparable(m.seed, id.client)
	// The upper half selects the shard, the lower half the chain in it.
	return m.shards[(hash>>32)%uint64(len(m.shards))].allow(id, uint32(hash)), nil
}

// An identity is a key in 16 bytes. It has the hash of the name, with a secret
// seed: two names of one address share a count once in two billion times.
type identity struct {
	client uint64
	name   uint32 // 0 without a name
	family uint8
	bucket Bucket
}

// identify returns the identity of a key without its name. Keys that were not
// made with [NewKey] are truncated to their /64, too.
func identify(key Key) identity {
	id := identity{bucket: key.Bucket}
	switch a := key.Client.Unmap(); {
	case a.Is4():
		b := a.As4()
		id.client, id.family = uint64(binary.BigEndian.Uint32(b[:])), 4
	case a.Is6():
		b := a.As16()
		id.client, id.family = binary.BigEndian.Uint64(b[:8]), 6
	}
	return id
}

// Stats are counts since the limiter was created, and what it holds now.
type Stats struct {
	// Allowed and Refused are requests, in the order of [Buckets].
	Allowed, Refused []uint64
	// Keys is the number of keys held, including keys whose requests have
	// expired and that have not been removed yet.
	Keys int
	// Evicted is the number of keys that were evicted while they still had
	// requests in their window.
	Evicted uint64
	// Bytes is the memory allocated for keys.
	Bytes int64
}

// Stats returns a snapshot for metrics. It locks one shard at a time.
func (m *Memory) Stats() Stats {
	s := Stats{Allowed: make([]uint64, bucketCount), Refused: make([]uint64, bucketCount)}
	for i := range m.shards {
		m.shards[i].addTo(&s)
	}
	return s
}

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
		st.Allowed[b] += s.allowed[b]
		st.Refused[b] += s.refused[b]
	}
	st.Keys += s.held
	st.Evicted += s.evicted
	st.Bytes += s.bytes()
}

// chain returns the beginning of the chain of a hash.
func (s *shard) chain(hash uint32) *uint32 { return &s.chains[hash&uint32(len(s.chains)-1)] }

// hash returns the hash of an entry's client.
func (s *shard) hash(i uint32) uint32 { return uint32(maphash.Comparable(s.seed, s.entries[i].client)) }

// take returns an entry that is in no chain and not in the ring by age.
func (s *shard) take() uint32 {
	s.held++
	if i := s.free; i != 0 {
		s.free = s.entries[i].next
		return i
	}
	if len(s.entries) == cap(s.entries) {
		s.grow()
	}
	s.entries = append(s.entries, entry{})
	return uint32(len(s.entries) - 1)
}

// grow doubles the table, up to its bound. There are at least as many chains as
// entries.
func (s *shard) grow() {
	s.entries = doubled(s.entries, s.max+1)
	s.chains = make([]uint32, 1<<bits.Len(uint(cap(s.entries)-2)))
	for i := s.entries[0].newer; i != 0; i = s.entries[i].newer {
		first := s.chain(s.hash(i))
		s.entries[i].next, *first = *first, i
	}
}

// doubled copies a full slice to one of twice the capacity, but at most limit.
func doubled[T any](full []T, limit int) []T {
	return append(make([]T, 0, min(max(2*len(full), 8), limit)), full...)
}

// link makes an entry the newest.
func (s *shard) link(i uint32) {
	newest := s.entries[0].older
	s.entries[i].older, s.entries[i].newer = newest, 0
	s.entries[newest].newer, s.entries[0].older = i, i
}

// unlink takes an entry out of the ring by age.
func (s *shard) unlink(i uint32) {
	older, newer := s.entries[i].older, s.entries[i].newer
	s.entries[older].newer, s.entries[newer].older = newer, older
}

// touch makes a linked entry the newest.
func (s *shard) touch(i uint32) {
	if s.entries[0].older != i {
		s.unlink(i)
		s.link(i)
	}
}

// remove frees an entry.
func (s *shard) remove(i uint32) {
	s.unlink(i)
	at := s.chain(s.hash(i))
	for *at != i {
		at = &s.entries[*at].next
	}
	*at = s.entries[i].next
	s.rings.release(s.entries[i].ring)
	s.entries[i] = entry{next: s.free}
	s.free = i
	s.held--
}

// bytes returns the size of the table.
func (s *shard) bytes() int64 {
	return int64(cap(s.entries))*int64(reflect.TypeFor[entry]().Size()) + int64(cap(s.chains))*4 +
		int64(cap(s.rings.all))*int64(reflect.TypeFor[ring]().Size()) + int64(cap(s.rings.free))*4
}

// slots is the number of slots in a window: the current one and 60 before it.
const slots = int(Window/time.Second) + 1

// inline is how many slots a window counts without a ring. Most clients send all
// their requests of a minute in a few seconds.
const inline = 4

// A ring counts the requests of each slot, at the slot's number modulo slots.
type ring [slots]uint16

// A window counts requests by slot: in pairs of age and count, the oldest first,
// or in a ring if there are more than inline of them.
type window struct {
	now   uint32         // the slot that ages refer to
	ring  uint32         // index of the ring; 0 is none
	total uint16         // requests in all slots
	used  uint8          // pairs in use
	ago   [inline]uint8  // age in slots
	n     [inline]uint16 // requests of that age
}

// advance moves the window to a slot and drops what has expired.
func (w *window) advance(now uint32, r *rings) {
	d := now - w.now
	switch {
	case d == 0:
		return
	case d >= uint32(slots):
		r.release(w.ring)
		*w = window{now: now}
		return
	case w.ring != 0:
		for counts := &r.all[w.ring]; w.now != now; {
			w.now++
			i := w.now % uint32(slots)
			w.total -= counts[i]
			counts[i] = 0
		}
		return
	}
	w.now = now
	kept := uint8(0)
	for i := range w.used {
		ago := uint32(w.ago[i]) + d
		if ago >= uint32(slots) {
			w.total -= w.n[i]
			continue
		}
		w.ago[kept], w.n[kept] = uint8(ago), w.n[i]
		kept++
	}
	w.used = kept
}

// add counts a request in the current slot.
func (w *window) add(r *rings) {
	w.total++
	switch {
	case w.ring != 0:
		r.all[w.ring][w.now%uint32(slots)]++
	case w.used > 0 && w.ago[w.used-1] == 0:
		w.n[w.used-1]++
	case w.used < inline:
		w.ago[w.used], w.n[w.used] = 0, 1
		w.used++
	default:
		w.ring = r.take()
		counts := &r.all[w.ring]
		for i := range w.used {
			counts[(w.now-uint32(w.ago[i]))%uint32(slots)] = w.n[i]
		}
		w.used = 0
		counts[w.now%uint32(slots)] = 1
	}
}

// expires returns in how many slots the oldest request expires. The window must
// not be empty.
func (w *window) expires(r *rings) int {
	if w.ring == 0 {
		return slots - int(w.ago[0])
	}
	counts := &r.all[w.ring]
	left := 1 // the oldest slot is at the place after the current one
	for left < slots && counts[(w.now+uint32(left))%uint32(slots)] == 0 {
		left++
	}
	return left
}

// rings is a pool of at most max rings. Index 0 is not used.
type rings struct {
	max  int
	all  []ring
	free []uint32
}

// take returns the index of an empty ring.
func (r *rings) take() uint32 {
	if n := len(r.free); n > 0 {
		i := r.free[n-1]
		r.free = r.free[:n-1]
		r.all[i] = ring{}
		return i
	}
	if len(r.all) == cap(r.all) {
		r.all = doubled(r.all, r.max+1)
	}
	r.all = append(r.all, ring{})
	return uint32(len(r.all) - 1)
}

// release returns a ring to the pool; i may be 0.
func (r *rings) release(i uint32) {
	if i == 0 {
		return
	}
	if len(r.free) == cap(r.free) {
		r.free = doubled(r.free, r.max)
	}
	r.free = append(r.free, i)
}
