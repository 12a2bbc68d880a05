package lru

import (
	"hash/maphash"
	"sync/atomic"
)

// recentKeys is how many keys a [Recent] remembers.
const recentKeys = 1 << 14

// Recent remembers about the last 16,000 keys, in 64 KiB. A cache whose keys are mostly used
// once, such as searches, can use it to keep only the values of keys that come again. It is
// safe for concurrent use.
type Recent[K comparable] struct {
	seed maphash.Seed
	// marks has one part of the hash of a key at the position that another part gives.
	marks [recentKeys]atomic.Uint32
}

// NewRecent returns a Recent that remembers nothing yet.
func NewRecent[K comparable]() *Recent[K] { return &Recent[K]{seed: maphash.MakeSeed()} }

// Seen reports whether Seen was called with the key before, and remembers it. Keys are
// forgotten if there are many others, and one in two billion is mistaken for another.
func (r *Recent[K]) Seen(key K) bool {
	place, mark := r.place(key)
	return place.Swap(mark) == mark
}

// Has reports whether Seen was called with the key before.
func (r *Recent[K]) Has(key K) bool {
	place, mark := r.place(key)
	return place.Load() == mark
}

func (r *Recent[K]) place(key K) (place *atomic.Uint32, mark uint32) {
	hash := maphash.Comparable(r.seed, key)
	return &r.marks[hash>>32%recentKeys], uint32(hash) | 1 // 0 is an empty place
}
