package ratelimit

import (
	"context"
	"net/netip"
	"time"
)

const (
	// Window is the time over which the limits of all buckets are meant.
	Window = 60 * time.Second
	// MaxNames is how many names one address may have at a time.
	MaxNames = 32
)

// A Limiter counts requests and says which are too many. It is safe for
// concurrent use.
type Limiter interface {
	// Allow decides on one request, and counts it if it may pass. An error
	// means that the limiter could not tell; whether the request passes then
	// is for the caller to say.
	Allow(ctx context.Context, key Key) (Decision, error)
}

// A Bucket is what a request is charged to: one, the most specific that fits
// its route.
type Bucket uint8

// The buckets, and their default limits in any 60 seconds.
const (
	Read     Bucket = iota // RL_READ, 300: every route that has none of its own
	Icons                  // RL_ICONS, 1200: shapes, symbols and composed icons
	Validate               // RL_VALIDATE, 30: validating a document
	Resolve                // RL_RESOLVE, 15: resolving or rendering a document, or validating a resolved one

	bucketCount = 4
)

// Buckets returns all buckets. A bucket's value is its index.
func Buckets() []Bucket { return []Bucket{Read, Icons, Validate, Resolve} }

// String returns the name of a bucket as clients see it, such as "read".
func (b Bucket) String() string {
	switch b {
	case Read:
		return "read"
	case Icons:
		return "icons"
	case Validate:
		return "validate"
	case Resolve:
		return "resolve"
	default:
		return "unknown"
	}
}

// A Key is on whose behalf a request is counted. Make one with [NewKey].
type Key struct {
	Bucket Bucket
	// Client is the address, as [NewKey] cuts it. The zero address stands
	// for all clients whose address is not known.
	Client netip.Addr
	// Name is what [ClientName] found; "" is the pool of all that have none.
	Name string
}

// NewKey returns the key of a request. An IPv4 address in IPv6 form becomes
// plain IPv4, of an IPv6 address the first 64 bits are kept, and zones are
// dropped.
func NewKey(b Bucket, client netip.Addr, name string) Key {
	client = plain(client)
	if client.Is6() {
		p, _ := client.Prefix(64) // fails for bad lengths alone
		client = p.Addr()
	}
	return Key{Bucket: b, Client: client, Name: name}
}

// plain takes zone and IPv6 clothing off an address.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// A Decision is the answer of a [Limiter], with what a client may be told.
// Times are whole seconds, rounded up.
type Decision struct {
	Allowed bool
	Bucket  Bucket
	// Limit is how many requests pass in a Window; 0 means that the bucket
	// has no limit, and then all that follows is zero.
	Limit  int
	Window time.Duration
	// Remaining is how many more would pass now.
	Remaining int
	// Reset is for how long there will be no more than Remaining: until the
	// oldest request that is counted no longer is.
	Reset time.Duration
	// RetryAfter is how long to wait before the next try: at least a second
	// if the request was refused, else 0.
	RetryAfter time.Duration
}
