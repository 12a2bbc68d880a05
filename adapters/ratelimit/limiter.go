// Package ratelimit limits the requests of clients: it decides whether one more may pass now.
// [Limiter] is the interface, [Memory] the implementation for one process.
// Servers that share their limits need another implementation. It only has to count the requests
// of each key: package httpapi limits the names of a client, whatever the limiter. Package
// ratelimittest tests it.
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
// 800 bytes, and in about 270 if it has few requests. At the bound, a new key evicts the least recently seen one, which
// starts again with a full limit. A flood of addresses can therefore make the
// limiter lenient, but never refuses anyone who is within the limit. One address
// holds at most 33 keys in each bucket. [Stats.Evicted] counts the
// evicted keys that still had requests in their window; if it grows, raise
// MaxKeys.
package ratelimit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
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

// A Bucket is what a request is charged to.
type Bucket uint8

// The buckets and their default limits.
const (
	Read     Bucket = iota // RL_READ, 300: every route without a bucket of its own
	Icons                  // RL_ICONS, 1200: shapes, symbols and composed icons
	Validate               // RL_VALIDATE, 30: validating a document
	Resolve                // RL_RESOLVE, 15: resolving or rendering a document, or validating a resolved one
	Pages                  // 1200: pages for people, and their data
	Forms                  // 120: forms with a document, and what is drawn for one request

	bucketCount = 6
)

// Free stands for no bucket: what is charged to it is not counted. Limiters do not know it.
const Free Bucket = math.MaxUint8

// Buckets returns all buckets. A bucket's value is its index.
func Buckets() []Bucket { return []Bucket{Read, Icons, Validate, Resolve, Pages, Forms} }

// String returns the name of a bucket as clients see it, such as "read".
func (b Bucket) String() string {
	switch {
	case b == Free:
		return "free"
	case b >= bucketCount:
		return "unknown"
	}
	return [bucketCount]string{"read", "icons", "validate", "resolve", "pages", "forms"}[b]
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

const (
	maxLimit = math.MaxUint16 // what the counters of a window hold
	maxKeys  = 1 << 26        // about 12 GiB
)

// Limits are the numbers of requests of a key that pass in 60 seconds: 0 is the
// default, a negative number means no limit, and 65535 the maximum.
type Limits struct {
	Read     int // 300
	Icons    int // 1200
	Validate int // 30
	Resolve  int // 15
	Pages    int // 1200
	Forms    int // 120
}

// Options configure a [Memory]. Nil and the zero value mean the defaults.
type Options struct {
	Limits Limits
	// MaxKeys limits the number of keys and with it the memory; 0 means 262,144, and a
	// negative number no limit below the maximum, 67,108,864. A key with a few requests
	// takes about 270 bytes, at worst 800.
	MaxKeys int
	// Now is the clock, which must not go back; nil means [time.Now], which
	// does not, even if the system clock is set. It is called with a lock
	// held, so it must not call the limiter.
	Now func() time.Time
}

// withDefaults returns the effective options.
func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	if d.MaxKeys > maxKeys {
		return d, fmt.Errorf("ratelimit: MaxKeys is %d: it must be at most %d, or 0 for the default", d.MaxKeys, maxKeys)
	}
	if d.MaxKeys < 0 {
		d.MaxKeys = maxKeys
	}
	d.MaxKeys = cmp.Or(d.MaxKeys, 1<<18)
	if d.Now == nil {
		d.Now = time.Now
	}
	return d, nil
}

// Effective returns the limits in the order of [Buckets], with the defaults
// filled in, and -1 for none. It fails if one is out of range.
func (l Limits) Effective() ([]int, error) {
	limits := []int{Read: l.Read, Icons: l.Icons, Validate: l.Validate, Resolve: l.Resolve, Pages: l.Pages, Forms: l.Forms}
	for b, defaultLimit := range []int{Read: 300, Icons: 1200, Validate: 30, Resolve: 15, Pages: 1200, Forms: 120} {
		if n := limits[b]; n > maxLimit {
			return nil, fmt.Errorf("ratelimit: the limit of %s is %d: it must be from 1 to %d, 0 for the default (%d), or negative for no limit",
				Bucket(b), n, maxLimit, defaultLimit)
		}
		limits[b] = max(cmp.Or(limits[b], defaultLimit), -1)
	}
	return limits, nil
}

// SetHeader sets the headers RateLimit and RateLimit-Policy
// (draft-ietf-httpapi-ratelimit-headers-11) and, if the request was refused,
// Retry-After:
//
//	RateLimit-Policy: "read";q=300;w=60
//	RateLimit: "read";r=12;t=31
//
// It sets nothing if there is no limit and the request passes. Retry-After is at least
// one second, even if the limiter does not say when to try again.
func (d Decision) SetHeader(h http.Header) {
	if !d.Allowed {
		h.Set("Retry-After", strconv.FormatInt(max(1, seconds(d.RetryAfter)), 10))
	}
	if d.Limit <= 0 {
		return
	}
	// One allocation for the text and one for the slice: every response pays.
	buf := make([]byte, 0, 80)
	buf = appendItem(buf, d.Bucket, ";q=", d.Limit, ";w=", d.Window)
	n := len(buf)
	buf = appendItem(buf, d.Bucket, ";r=", d.Remaining, ";t=", d.Reset)
	text := string(buf)
	values := []string{text[:n], text[n:]}
	h["Ratelimit-Policy"], h["Ratelimit"] = values[:1:1], values[1:]
}

// appendItem appends a structured field item (RFC 9651) with two parameters.
func appendItem(buf []byte, b Bucket, count string, n int, span string, t time.Duration) []byte {
	buf = append(buf, '"')
	buf = append(buf, b.String()...)
	buf = append(buf, '"')
	buf = append(buf, count...)
	buf = strconv.AppendInt(buf, int64(n), 10)
	buf = append(buf, span...)
	return strconv.AppendInt(buf, seconds(t), 10)
}

// seconds rounds up.
func seconds(t time.Duration) int64 { return int64((t + time.Second - 1) / time.Second) }

const (
	// maxName is the length of the longest client name.
	maxName = 64
	// maxHops is how many addresses of a forwarding header are read. No chain
	// of proxies is that long, but a hostile header may be.
	maxHops = 64
)

// ClientName returns the name that a client gives itself in the Service-Client
// header: 1 to 64 visible ASCII characters. It returns "" for anything else, and
// if the header is repeated.
func ClientName(h http.Header) string {
	values := h["Service-Client"]
	if len(values) != 1 || len(values[0]) > maxName {
		return ""
	}
	for i := range len(values[0]) {
		if c := values[0][i]; c <= ' ' || c > '~' {
			return ""
		}
	}
	return values[0]
}

// ClientAddr returns the address of the client that made a request: the one of
// the connection (remoteAddr, as in [http.Request]) or, if that is a trusted
// proxy, the one that the proxy forwards for.
//
// Proxies append to X-Forwarded-For or Forwarded (RFC 7239), so these are read
// from the end, past trusted proxies, to the first address that is not trusted.
// Everything before it may be forged. If an entry is malformed, the last valid
// address counts. If both headers are present and disagree, one of them came from
// the client, so the address of the connection counts: configure proxies to set
// one and remove the other.
//
// Write trusted IPv4 networks as IPv4. The result has no zone, is never an
// IPv4-mapped address, and is the zero address if remoteAddr is not an address,
// as for a Unix socket.
func ClientAddr(remoteAddr string, h http.Header, trusted []netip.Prefix) netip.Addr {
	remote, ok := parseNode(remoteAddr)
	if !ok || !contains(trusted, remote) {
		return remote
	}
	xff, forwarded := h.Values("X-Forwarded-For"), h.Values("Forwarded")
	switch {
	case len(forwarded) == 0:
		return walk(remote, trusted, xff, lastListed)
	case len(xff) == 0:
		return walk(remote, trusted, forwarded, lastForwarded)
	}
	a := walk(remote, trusted, xff, lastListed)
	if a != walk(remote, trusted, forwarded, lastForwarded) {
		return remote
	}
	return a
}

func contains(trusted []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// walk goes back from the nearest proxy to the client. cut removes the last entry
// of a header line and parses its address.
func walk(last netip.Addr, trusted []netip.Prefix, lines []string, cut func(string) (rest string, a netip.Addr, ok bool)) netip.Addr {
	hops := 0
	for _, line := range slices.Backward(lines) {
		for rest := line; rest != ""; {
			var a netip.Addr
			var ok bool
			rest, a, ok = cut(rest)
			if hops++; !ok || hops > maxHops {
				return last
			}
			if last = a; !contains(trusted, a) {
				return a
			}
		}
	}
	return last
}

// lastListed cuts the last address of an X-Forwarded-For line.
func lastListed(line string) (rest string, a netip.Addr, ok bool) {
	i := strings.LastIndexByte(line, ',')
	a, ok = parseNode(strings.Trim(line[i+1:], " \t"))
	return line[:max(i, 0)], a, ok
}

// parseNode parses an address with or without a port: 192.0.2.1, 192.0.2.1:80,
// 2001:db8::1, [2001:db8::1], [2001:db8::1]:80. A port may be any token, as RFC
// 7239 allows.
func parseNode(s string) (netip.Addr, bool) {
	host, port := s, ""
	if inner, bracketed := strings.CutPrefix(s, "["); bracketed {
		var closed bool
		if host, port, closed = strings.Cut(inner, "]"); !closed || !strings.Contains(host, ":") {
			return netip.Addr{}, false
		}
	} else if i := strings.IndexByte(s, ':'); i >= 0 && i == strings.LastIndexByte(s, ':') {
		host, port = s[:i], s[i:]
	}
	if port != "" && (port[0] != ':' || !isToken(port[1:])) {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(host)
	return plain(a), err == nil
}

func isToken(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return s != ""
}

// lastForwarded cuts the last element of a Forwarded line (RFC 7239) and parses
// its "for". It reads from the end, so that a quotation mark that a client left
// open cannot swallow what a proxy appended.
func lastForwarded(line string) (rest string, a netip.Addr, ok bool) {
	i := lastOutside(line, ',')
	node, ok := forOf(line[i+1:])
	if ok {
		a, ok = parseNode(node)
	}
	return line[:max(i, 0)], a, ok
}

// forOf returns the value of "for" among the pairs of an element, which must have
// it exactly once. Quotation marks are removed; a value with an escape in it is
// not an address anyway.
func forOf(element string) (string, bool) {
	node, found := "", false
	for i := len(element); i >= 0; {
		element = element[:i]
		i = lastOutside(element, ';')
		name, value, _ := strings.Cut(strings.Trim(element[i+1:], " \t"), "=")
		if !strings.EqualFold(name, "for") {
			continue
		}
		if found {
			return "", false
		}
		if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
			value = value[1 : len(value)-1]
		}
		node, found = value, true
	}
	return node, found
}

// lastOutside returns the index of the last sep outside quotation marks, counted
// from the end, or -1.
func lastOutside(s string, sep byte) int {
	quoted := false
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case s[i] == '"':
			if escapes := i - len(strings.TrimRight(s[:i], `\`)); escapes%2 == 0 {
				quoted = !quoted
			}
		case s[i] == sep && !quoted:
			return i
		}
	}
	return -1
}
