// Package lru provides a cache that is bounded by the cost of its values, and that computes each
// of them once for concurrent callers.
package lru

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// Cache is a bounded map from keys to values that never change. The least
// recently used values are evicted. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	seed   maphash.Seed
	shards []cacheShard[K, V]
}

// cacheShard holds some of the keys, with a part of the bound.
type cacheShard[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]*cacheEntry[K, V]
	// ends is in a ring with the entries: after it comes the most recently
	// used one, before it the least recently used.
	ends   cacheEntry[K, V]
	making map[K]*making[V]
	cost   int64
	max    int64
}

type cacheEntry[K comparable, V any] struct {
	key           K
	value         V
	cost          int64
	before, after *cacheEntry[K, V]
}

// making is a value that is being computed.
type making[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// New returns a cache for values of a total cost of at most maxCost, in a number
// of shards, each with its part of the bound and its own lock.
func New[K comparable, V any](maxCost int64, shards int) *Cache[K, V] {
	c := &Cache[K, V]{seed: maphash.MakeSeed(), shards: make([]cacheShard[K, V], shards)}
	for i := range c.shards {
		s := &c.shards[i]
		s.entries, s.making = map[K]*cacheEntry[K, V]{}, map[K]*making[V]{}
		s.ends.before, s.ends.after = &s.ends, &s.ends
		s.max = maxCost / int64(shards)
	}
	return c
}

func (c *Cache[K, V]) shard(key K) *cacheShard[K, V] {
	if len(c.shards) == 1 {
		return &c.shards[0]
	}
	return &c.shards[maphash.Comparable(c.seed, key)%uint64(len(c.shards))]
}

// Get returns the value of a key, if it is cached.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(key)
}

// Delete removes a value.
func (c *Cache[K, V]) Delete(key K) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.entries[key]; ok {
		s.remove(e)
	}
}

// Do returns the value of a key, and computes it if it is not cached. Other
// callers wait for it meanwhile, each until its context ends. They all get an
// error, too, but it is not cached: the next caller tries again. If the context of the
// caller that computes it ends, another one takes over. A value that
// costs more than half of the bound of a shard is not cached, nor one whose
// cost is negative.
func (c *Cache[K, V]) Do(ctx context.Context, key K, create func() (value V, cost int64, err error)) (V, error) {
	s := c.shard(key)
	s.mu.Lock()
	for {
		if v, ok := s.get(key); ok {
			s.mu.Unlock()
			return v, nil
		}
		m, ok := s.making[key]
		if !ok {
			break
		}
		s.mu.Unlock()
		if v, err := m.wait(ctx); !ended(err) || ctx.Err() != nil {
			return v, err
		}
		s.mu.Lock()
	}
	m := &making[V]{done: make(chan struct{}), err: errPanicked}
	s.making[key] = m
	s.mu.Unlock()

	var cost int64
	// Deferred, so that callers do not wait forever if create panics.
	defer func() {
		s.mu.Lock()
		delete(s.making, key)
		if m.err == nil && cost >= 0 && cost <= s.max/2 {
			s.add(key, m.value, cost)
		}
		s.mu.Unlock()
		close(m.done)
	}()
	m.value, cost, m.err = create()
	return m.value, m.err
}

// ended reports whether an error is that of a context.
func ended(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// wait returns the result.
func (m *making[V]) wait(ctx context.Context) (V, error) {
	select {
	case <-m.done:
		return m.value, m.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

var errPanicked = errors.New("computing a cached value panicked")

func (s *cacheShard[K, V]) get(key K) (V, bool) {
	e, ok := s.entries[key]
	if !ok {
		var none V
		return none, false
	}
	e.leave()
	e.follow(&s.ends)
	return e.value, true
}

func (s *cacheShard[K, V]) add(key K, value V, cost int64) {
	e := &cacheEntry[K, V]{key: key, value: value, cost: cost}
	e.follow(&s.ends)
	s.entries[key] = e
	for s.cost += cost; s.cost > s.max; {
		s.remove(s.ends.before)
	}
}

func (s *cacheShard[K, V]) remove(e *cacheEntry[K, V]) {
	e.leave()
	delete(s.entries, e.key)
	s.cost -= e.cost
}

// follow inserts an entry after another in the ring.
func (e *cacheEntry[K, V]) follow(other *cacheEntry[K, V]) {
	e.before, e.after = other, other.after
	e.before.after, e.after.before = e, e
}

// leave removes an entry from the ring.
func (e *cacheEntry[K, V]) leave() {
	e.before.after, e.after.before = e.after, e.before
}

// recentKeys is how many keys a [Recent] remembers.
const recentKeys = 1 << 14

// Recent remembers about the last 16,000 keys that it was asked about, in 64 KiB. A
// cache whose keys are mostly used once, such as searches, can leave them to it and keep
// the values of those that come again. It is safe for concurrent use.
type Recent[K comparable] struct {
	seed maphash.Seed
	// marks has a part of the hash of a key at the place that another part gives.
	marks [recentKeys]atomic.Uint32
}

// NewRecent returns a Recent that remembers nothing yet.
func NewRecent[K comparable]() *Recent[K] { return &Recent[K]{seed: maphash.MakeSeed()} }

// Seen reports whether it was asked about the key before, and remembers it. It forgets
// keys if there are many others, and takes one key in two billion for another.
func (r *Recent[K]) Seen(key K) bool {
	place, mark := r.place(key)
	return place.Swap(mark) == mark
}

// Has reports whether Seen was asked about the key before.
func (r *Recent[K]) Has(key K) bool {
	place, mark := r.place(key)
	return place.Load() == mark
}

func (r *Recent[K]) place(key K) (place *atomic.Uint32, mark uint32) {
	hash := maphash.Comparable(r.seed, key)
	return &r.marks[hash>>32%recentKeys], uint32(hash) | 1 // 0 is an empty place
}
