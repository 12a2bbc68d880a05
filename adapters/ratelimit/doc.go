// Package ratelimit decides whether a client may make one more request now.
// [Limiter] is the interface, [Memory] the implementation for one process.
// Servers that share their limits need an implementation that they share, too;
// package ratelimittest proves one.
//
// A request is charged to one [Bucket] and counted under a [Key]: the bucket, the
// client's address, and the name that the client gave itself in the
// Service-Client header. [ClientAddr] and [ClientName] find both in a request.
//
// # Contract
//
// At most N requests of one key pass in any 60 seconds, where N is the limit of
// the bucket. Requests are counted in slots of one second: a request is refused
// if the current slot and the 60 before it hold N requests, so a request counts
// for 60 to 61 seconds. Refused requests are not counted. Waiting as long as
// [Decision.RetryAfter] says is always enough, unless others use the same key.
//
// IPv6 clients are identified by their /64, the smallest network that a provider
// assigns. A name has a count of its own, and an address has at most [MaxNames]
// names at a time: a name is in use from its first request until none of its
// requests count any more, in any bucket. While all names are in use, a further
// name shares the count of requests without a name. So an address gets at most
// 33 times N requests past a bucket in any 60 seconds, whatever names it invents.
//
// # Memory
//
// [Memory] holds a bounded number of keys ([Options.MaxKeys]), each in less than
// 192 bytes. At the bound, a new key evicts the least recently seen one, which
// starts again with a full limit. A flood of addresses can therefore make the
// limiter lenient, but never refuses anyone who is within the limit. One address
// holds at most 132 keys: 33 in each of four buckets. [Stats.Evicted] counts the
// evicted keys that still had requests in their window; if it grows, raise
// MaxKeys. Keys are spread over up to 64 shards with a lock and a part of the
// bound each, so eviction may begin shortly before MaxKeys is reached.
//
// The keys are in a hash table of this package, in arrays without pointers. With
// 100,000 keys, it takes two thirds of the CPU time of Go maps and pointers per
// request (640 and 950 ns), less than half the memory per key (79 and 173 bytes),
// and an eighth of the time of a garbage collection (5 and 40 ms):
//
//	go test -bench Allow ./adapters/ratelimit
package ratelimit
