package cache

import (
	"hash/maphash"
	"sync/atomic"
)

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
	hash := maphash.Comparable(r.seed, key)
	mark := uint32(hash) | 1 // 0 is an empty place
	return r.marks[hash>>32%recentKeys].Swap(mark) == mark
}
