// Package lru provides a cache that is bounded by the cost of its values and computes each value
// once for concurrent callers.
package lru

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// Cache is a bounded map from keys to values that never change. It evicts the least recently
// used values. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu           sync.Mutex
	entries      map[K]*list.Element // of used
	recency      list.List           // of entry[K, V], the most recently used one first
	computations map[K]*computation[V]
	cost         int64
	max          int64
}

type entry[K comparable, V any] struct {
	key   K
	value V
	cost  int64
}

// computation is a value that is being computed.
type computation[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// New returns a cache for values of a total cost of at most maxCost.
func New[K comparable, V any](maxCost int64) *Cache[K, V] {
	return &Cache[K, V]{entries: make(map[K]*list.Element), computations: make(map[K]*computation[V]), max: maxCost}
}

// Get returns the value of a key, if it is cached.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get(key)
}

// Delete removes a value.
func (c *Cache[K, V]) Delete(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		c.remove(e)
	}
}

// Clear removes all values.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
	c.recency.Init()
	c.cost = 0
}

// Do returns the value of a key, and computes it if it is not cached. Concurrent callers
// wait for it, each until its own context ends. They all get an error of create, too, but it
// is not cached: the next caller tries again. If the context of the caller that computes the
// value ends, another one takes over. A value that costs more than half of the bound is not
// cached.
func (c *Cache[K, V]) Do(ctx context.Context, key K, create func() (value V, cost int64, err error)) (V, error) {
	c.mu.Lock()
	for {
		if v, ok := c.get(key); ok {
			c.mu.Unlock()
			return v, nil
		}
		m, ok := c.computations[key]
		if !ok {
			break
		}
		c.mu.Unlock()
		if v, err := m.wait(ctx); !ended(err) || ctx.Err() != nil {
			return v, err
		}
		c.mu.Lock()
	}
	m := &computation[V]{done: make(chan struct{}), err: errPanicked}
	c.computations[key] = m
	c.mu.Unlock()

	var cost int64
	// Deferred, so that callers don't wait forever if create panics.
	defer func() {
		c.mu.Lock()
		delete(c.computations, key)
		if m.err == nil && cost <= c.max/2 {
			c.add(key, m.value, cost)
		}
		c.mu.Unlock()
		close(m.done)
	}()
	m.value, cost, m.err = create()
	return m.value, m.err
}

// ended reports whether an error is that of a context.
func ended(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// wait returns the value once it is computed.
func (m *computation[V]) wait(ctx context.Context) (V, error) {
	select {
	case <-m.done:
		return m.value, m.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

var errPanicked = errors.New("computing a cached value panicked")

func (c *Cache[K, V]) get(key K) (V, bool) {
	at, ok := c.entries[key]
	if !ok {
		var none V
		return none, false
	}
	c.recency.MoveToFront(at)
	return entryOf[K, V](at).value, true
}

func (c *Cache[K, V]) add(key K, value V, cost int64) {
	c.entries[key] = c.recency.PushFront(entry[K, V]{key, value, cost})
	for c.cost += cost; c.cost > c.max; {
		c.remove(c.recency.Back())
	}
}

func (c *Cache[K, V]) remove(at *list.Element) {
	c.recency.Remove(at)
	e := entryOf[K, V](at)
	delete(c.entries, e.key)
	c.cost -= e.cost
}

func entryOf[K comparable, V any](at *list.Element) entry[K, V] {
	e, _ := at.Value.(entry[K, V]) // nothing else is in the list
	return e
}
