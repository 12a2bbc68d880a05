// Package ratelimit says whether a client may make one more request now. A
// [Limiter] answers; [Memory] is the one in memory, for one process. Others (one
// that several servers share, say) implement the same small interface.
//
// A request is charged to one [Bucket], on behalf of a [Key]: the bucket, the
// client's address and the name that it gave itself in the Service-Client
// field. [ClientAddr] and [ClientName] find both in a request, and believe
// forwarded fields from trusted proxies alone.
//
// # What is promised
//
// As long as memory lasts (see below), of all requests of one key in any 60
// seconds at most N pass, N being the limit of its bucket. They are counted in slots of one second: a request is
// refused when the current slot and the 60 before it hold N, so a request
// occupies its place for 60 to 61 seconds. A refused request is not counted,
// so whoever hammers on is not kept out for longer, and waiting as long as
// [Decision.RetryAfter] says is always enough if nobody else uses the key.
//
// IPv6 clients are told apart by /64, which is what one subscriber gets at
// least. A name has its own count, and one address has at most [MaxNames]
// names at a time: a name counts from its first request until nothing of it is
// left in the window, in any bucket. While all places are taken, a further
// name is charged to what the address has without a name. So an address gets
// at most 33 times N past a bucket in any 60 seconds, whatever names it makes
// up, and takes at most 132 keys of the memory, 33 in each of four buckets.
//
// # What happens when memory is full
//
// [Memory] holds a fixed number of keys, each in less than 192 bytes. A new
// key takes the place of the one least recently seen, refused requests being
// seen, too. That is done in each of up to 64 shards for itself, so keys may
// begin to go when the whole is not quite full. A key that goes is forgotten:
// its client begins again with a full limit. So a flood of addresses can make
// the limiter lenient, never unjust: nobody is refused for what others do,
// other than those behind the same address. One address alone never holds more
// than its 132 places, however long it goes on. [Stats] counts keys that went
// while they still mattered; if there are any, more memory is due
// ([Options.MaxKeys]).
//
// # Time
//
// Only time that passes counts. A clock that is set back stands still for a
// moment and goes on from there, so it neither frees nor locks anybody; one that
// is set forward by a minute frees everybody, once.
package ratelimit
