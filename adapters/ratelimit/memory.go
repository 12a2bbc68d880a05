package ratelimit

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
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

var _ Local = (*Memory)(nil)

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

// Local implements [Local].
func (*Memory) Local() {}

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
	Buckets []BucketStats // in the order of [Buckets]
	// Keys is the number of keys held, including keys whose requests have
	// expired and that have not been removed yet.
	Keys int
	// Evicted is the number of keys that were evicted while they still had
	// requests in their window.
	Evicted uint64
	// Bytes is the memory allocated for keys.
	Bytes int64
}

// BucketStats are the counts of one bucket.
type BucketStats struct {
	Bucket           Bucket
	Allowed, Refused uint64
}

// Stats returns a snapshot for metrics. It locks one shard at a time.
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
