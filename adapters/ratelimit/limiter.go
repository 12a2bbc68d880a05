package ratelimit

import (
	"context"
	"net/netip"
	"time"
)

const (
	// Window is the time that the limits of all buckets refer to.
	Window = 60 * time.Second
	// MaxNames is how many names one address may use at a time.
	MaxNames = 32
)

// A Limiter counts requests and refuses those over the limit, as the package
// comment says. It is safe for concurrent use and returns when the context ends.
type Limiter interface {
	// Allow decides on one request and counts it if it passes. It fails if the
	// bucket does not exist or the limiter cannot decide; the caller then
	// chooses whether the request passes.
	Allow(ctx context.Context, key Key) (Decision, error)
}

// A Local limiter decides without waiting for anything outside the process, so
// callers need not guard against one that hangs.
type Local interface {
	Limiter
	Local()
}

// A Bucket is what a request is charged to.
type Bucket uint8

// The buckets and their default limits.
const (
	Read     Bucket = iota // RL_READ, 300: every route without a bucket of its own
	Icons                  // RL_ICONS, 1200: shapes, symbols and composed icons
	Validate               // RL_VALIDATE, 30: validating a document
	Resolve                // RL_RESOLVE, 15: resolving or rendering a document, or validating a resolved one

	bucketCount = 4
)

// Buckets returns all buckets. A bucket's value is its index.
func Buckets() []Bucket { return []Bucket{Read, Icons, Validate, Resolve} }

// String returns the name of a bucket as clients see it, such as "read".
func (b Bucket) String() string {
	if b >= bucketCount {
		return "unknown"
	}
	return [bucketCount]string{"read", "icons", "validate", "resolve"}[b]
}

// A Key is what requests are counted under. Create one with [NewKey].
type Key struct {
	Bucket Bucket
	// Client is the address as [NewKey] truncates it. The zero address stands
	// for all clients whose address is unknown.
	Client netip.Addr
	// Name is the result of [ClientName]; requests without a name share "".
	Name string
}

// NewKey returns the key of a request. It turns an IPv4-mapped IPv6 address into
// IPv4, truncates an IPv6 address to its /64, and drops the zone.
func NewKey(b Bucket, client netip.Addr, name string) Key {
	client = plain(client)
	if client.Is6() {
		p, _ := client.Prefix(64) // fails only for invalid lengths
		client = p.Addr()
	}
	return Key{Bucket: b, Client: client, Name: name}
}

// plain returns an address without a zone, and an IPv4-mapped one as IPv4.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// A Decision is the answer of a [Limiter]. Times are whole seconds, rounded up.
type Decision struct {
	Allowed bool
	Bucket  Bucket
	// Limit is the number of requests that pass in a Window; 0 means that the
	// bucket has no limit, and then the fields below are zero.
	Limit  int
	Window time.Duration
	// Remaining is how many more requests would pass now.
	Remaining int
	// Reset is the time until the oldest counted request expires. Remaining
	// does not grow before that.
	Reset time.Duration
	// RetryAfter is how long to wait before the next request: at least a
	// second if this one was refused, else 0.
	RetryAfter time.Duration
}
