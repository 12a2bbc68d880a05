// Package cache keeps what is expensive to make, up to a bound, and makes each
// thing once however many ask for it at the same time.
package cache

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"
)

// Cache is a bounded map from keys to values that never change. What was not
// asked for longest goes first. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	seed   maphash.Seed
	shards []shard[K, V]
}

// shard is a part of the keys, with a part of the bound.
type shard[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]*entry[K, V]
	// ends is a ring of the entries: after it the one used last, before it
	// the one not used longest.
	ends   entry[K, V]
	making map[K]*making[V]
	cost   int64
	max    int64
}

type entry[K comparable, V any] struct {
	key           K
	value         V
	cost          int64
	before, after *entry[K, V]
}

// making is a value that somebody is at work on.
type making[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// New returns a cache that holds values of a total cost of at most max, in a
// number of shards, each of which has its part of the bound and its own lock.
func New[K comparable, V any](maxCost int64, shards int) *Cache[K, V] {
	c := &Cache[K, V]{seed: maphash.MakeSeed(), shards: make([]shard[K, V], shards)}
	for i := range c.shards {
		s := &c.shards[i]
		s.entries, s.making = map[K]*entry[K, V]{}, map[K]*making[V]{}
		s.ends.before, s.ends.after = &s.ends, &s.ends
		s.max = maxCost / int64(shards)
	}
	return c
}

func (c *Cache[K, V]) shard(key K) *shard[K, V] {
	if len(c.shards) == 1 {
		return &c.shards[0]
	}
	return &c.shards[maphash.Comparable(c.seed, key)%uint64(len(c.shards))]
}

// Get returns a value that is there.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(key)
}

// Delete forgets a value.
func (c *Cache[K, V]) Delete(key K) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.entries[key]; ok {
		s.remove(e)
	}
}

// Cost returns the total cost of what is there.
func (c *Cache[K, V]) Cost() int64 {
	total := int64(0)
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		total += s.cost
		s.mu.Unlock()
	}
	return total
}

// Do returns the value of a key, and makes it where it is not there. Callers
// that come meanwhile wait for it, each as long as its context lasts. An error
// is not kept: it goes to whoever waited, and the next caller tries again. A
// value that costs more than half of what a shard may hold is not kept either.
func (c *Cache[K, V]) Do(ctx context.Context, key K, create func() (value V, cost int64, err error)) (V, error) {
	s := c.shard(key)
	s.mu.Lock()
	if v, ok := s.get(key); ok {
		s.mu.Unlock()
		return v, nil
	}
	if m, ok := s.making[key]; ok {
		s.mu.Unlock()
		return m.wait(ctx)
	}
	m := &making[V]{done: make(chan struct{}), err: errPanicked}
	s.making[key] = m
	s.mu.Unlock()

	var cost int64
	// Also where create panics: nobody waits for ever.
	defer func() {
		s.mu.Lock()
		delete(s.making, key)
		if m.err == nil && cost <= s.max/2 {
			s.add(key, m.value, cost)
		}
		s.mu.Unlock()
		close(m.done)
	}()
	m.value, cost, m.err = create()
	return m.value, m.err
}

// wait returns what becomes of the making.
func (m *making[V]) wait(ctx context.Context) (V, error) {
	select {
	case <-m.done:
		return m.value, m.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

var errPanicked = errors.New("making a cached value panicked")

func (s *shard[K, V]) get(key K) (V, bool) {
	e, ok := s.entries[key]
	if !ok {
		var none V
		return none, false
	}
	e.leave()
	e.follow(&s.ends)
	return e.value, true
}

func (s *shard[K, V]) add(key K, value V, cost int64) {
	e := &entry[K, V]{key: key, value: value, cost: cost}
	e.follow(&s.ends)
	s.entries[key] = e
	for s.cost += cost; s.cost > s.max; {
		s.remove(s.ends.before)
	}
}

func (s *shard[K, V]) remove(e *entry[K, V]) {
	e.leave()
	delete(s.entries, e.key)
	s.cost -= e.cost
}

// follow takes the place after another in the ring.
func (e *entry[K, V]) follow(other *entry[K, V]) {
	e.before, e.after = other, other.after
	e.before.after, e.after.before = e, e
}

// leave leaves the ring.
func (e *entry[K, V]) leave() {
	e.before.after, e.after.before = e.after, e.before
}
