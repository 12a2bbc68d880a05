package ratelimit

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
)

const (
	maxShards = 64
	// shardKeys is how many keys a shard has at least if there are several:
	// many times what one address may hold.
	shardKeys = 1024
)

// Memory is a [Limiter] in the memory of one process. The package comment says
// what it promises. It starts no goroutine and needs no closing. Make one with
// [NewMemory].
type Memory struct {
	limits [bucketCount]int
	seed   maphash.Seed // keeps strangers from choosing their shard
	shards []shard
}

var _ Limiter = (*Memory)(nil)

// NewMemory returns a limiter that has seen nobody yet. It fails if an option
// is out of its range.
func NewMemory(o *Options) (*Memory, error) {
	d, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	limits, err := d.Limits.byBucket()
	if err != nil {
		return nil, err
	}
	n := 1 << (bits.Len(uint(min(max(d.MaxKeys/shardKeys, 1), maxShards))) - 1)
	m := &Memory{limits: limits, seed: maphash.MakeSeed(), shards: make([]shard, n)}
	start := d.Now()
	for i := range m.shards {
		m.shards[i].open(d.MaxKeys/n, m.seed, d.Now, start)
	}
	return m, nil
}

// Allow decides on a request. It fails for a bucket that does not exist, and
// for no other reason; it does not wait, and does not look at ctx.
func (m *Memory) Allow(_ context.Context, key Key) (Decision, error) {
	if key.Bucket >= bucketCount {
		return Decision{}, fmt.Errorf("ratelimit: there is no bucket %d: use one of %v", uint8(key.Bucket), Buckets())
	}
	id := identify(key)
	if key.Name != "" {
		id.named, id.name = true, uint32(maphash.String(m.seed, key.Name))
	}
	hash := maphash.Comparable(m.seed, id.client)
	// The upper half picks the shard, the lower the place within it.
	return m.shards[(hash>>32)%uint64(len(m.shards))].allow(id, uint32(hash), m.limits[key.Bucket]), nil
}

// An identity is a key in 16 bytes. A name is there as its hash, with a secret
// seed: two names of one address share a count once in four billion times.
type identity struct {
	client uint64
	name   uint32
	named  bool
	family uint8
	bucket Bucket
}

// identify writes an address in 64 bits. Even a key that was not made with
// [NewKey] goes by its /64.
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

// Stats are counts since the limiter was made, and what it holds now.
type Stats struct {
	Buckets []BucketStats // in the order of [Buckets]
	// Keys is how many keys are held. Some of them may have nothing left in
	// their window; they make room as others come.
	Keys int
	// Evicted is how many keys were forgotten for want of room while they
	// still had requests in their window.
	Evicted uint64
	// Bytes is the memory that keys take, or took and is kept for others.
	Bytes int64
}

// BucketStats are the counts of one bucket.
type BucketStats struct {
	Bucket           Bucket
	Allowed, Refused uint64
}

// Stats returns a snapshot for metrics. Each shard is looked at on its own
// while others go on.
func (m *Memory) Stats() Stats {
	s := Stats{Buckets: make([]BucketStats, bucketCount)}
	for _, b := range Buckets() {
		s.Buckets[b].Bucket = b
	}
	for i := range m.shards {
		m.shards[i].addTo(&s)
	}
	return s
}
