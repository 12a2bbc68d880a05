package httpapi

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/codes"
)

// inflight bounds the requests that are served at once: all of them, and those of
// one client, so that a client which does not read its responses, or does not
// finish its requests, can't take the places of others.
//
// A request is first prepared and then sent. The bound for all clients is that of the
// former, since the time to send a response is the client's: see backlog. The share of
// a client has both.
type inflight struct {
	most, each int64
	preparing  atomic.Int64
	shards     [inflightShards]inflightShard
}

// inflightShards is the number of locks.
const inflightShards = 64

type inflightShard struct {
	mu   sync.Mutex
	held map[netip.Addr]int64 // only clients with requests
}

// phase is where a request is.
type phase uint8

const (
	outside   phase = iota // it has no place
	preparing              // until the header of the response is written
	sending
)

// admission is whether a request gets a place.
type admission uint8

const (
	admitted   admission = iota
	serverFull           // of requests of all clients
	clientFull           // of those of this client
)

func newInflight(most, each int) *inflight {
	s := &inflight{most: int64(most), each: int64(each)}
	for i := range s.shards {
		s.shards[i].held = make(map[netip.Addr]int64)
	}
	return s
}

// enter takes a place for a request, which the caller returns with leave.
func (s *inflight) enter(client netip.Addr) admission {
	if s.preparing.Add(1) > s.most {
		s.preparing.Add(-1)
		return serverFull
	}
	shard := s.shard(client)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	n := shard.held[client]
	if n >= s.each {
		s.preparing.Add(-1)
		return clientFull
	}
	shard.held[client] = n + 1
	return admitted
}

// send notes that a response is ready: from now on, only its client waits.
func (s *inflight) send() { s.preparing.Add(-1) }

// leave returns the place of a request.
func (s *inflight) leave(client netip.Addr, at phase) {
	if at == preparing {
		s.preparing.Add(-1)
	}
	shard := s.shard(client)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if n := shard.held[client]; n > 1 {
		shard.held[client] = n - 1
	} else {
		delete(shard.held, client)
	}
}

// shard returns the shard of a client. Neighbouring addresses are in different
// shards; it does not matter if a client chooses its shard.
func (s *inflight) shard(client netip.Addr) *inflightShard {
	b := client.As16()
	h := binary.LittleEndian.Uint64(b[:8]) ^ binary.LittleEndian.Uint64(b[8:])
	h *= 0x9e3779b97f4a7c15
	return &s.shards[h>>58]
}

// backlog bounds the bytes of responses that clients have not read yet: all of them, and
// those of one client. Past a bound, the connection that has read nothing for longest is
// closed, so that clients that do not read compete for memory only with one another.
type backlog struct {
	most, each int64
	log        *slog.Logger

	mu      sync.Mutex
	total   int64
	clients map[netip.Addr]int64 // only those that have not read something
	// readers is a ring. After it comes the one that has read nothing for longest.
	readers reader
}

// A reader is a connection with responses that are not read yet.
type reader struct {
	conn           net.Conn // nil if it is not one of [Listener], and has one response
	previous, next *reader  // in the ring of a backlog, nil if it has no responses
	first          *response
}

// has reports whether a reader has such a response.
func (r *reader) has(such func(*response) bool) bool {
	for res := r.first; res != nil; res = res.sibling {
		if such(res) {
			return true
		}
	}
	return false
}

// insert inserts a reader into the ring of another one, before it.
func (r *reader) insert(before *reader) {
	r.previous, r.next = before.previous, before
	r.previous.next, before.previous = r, r
}

// remove removes a reader from its ring.
func (r *reader) remove() {
	r.previous.next, r.next.previous = r.next, r.previous
	r.previous, r.next = nil, nil
}

func newBacklog(most int64, log *slog.Logger) *backlog {
	b := &backlog{most: most, each: max(1, most/8), log: log, clients: make(map[netip.Addr]int64)}
	b.readers.previous, b.readers.next = &b.readers, &b.readers
	return b
}

// add notes bytes of a response that is about to be written. The caller ends with done.
func (b *backlog) add(res *response, n int) {
	if own, ok := res.request.Context().Value(connKey{}).(*conn); ok {
		res.reader = &own.reader
	} else {
		res.reader = new(reader)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	r := res.reader
	if r.next == nil {
		r.insert(&b.readers)
	}
	res.sibling, r.first = r.first, res
	res.unread = int64(n)
	b.total += int64(n)
	b.clients[res.clientKey] += int64(n)
	if b.total <= b.each {
		return
	}
	// A response that is too large by itself is sent: its client reads it, or is late.
	for dropped := true; dropped && b.clients[res.clientKey] > max(b.each, res.unread); {
		dropped = b.drop(func(r *response) bool { return r.clientKey == res.clientKey })
	}
	for dropped := true; dropped && b.total > max(b.most, res.unread); {
		dropped = b.drop(func(*response) bool { return true })
	}
}

// drop closes the first connection with such a response. The caller holds mu.
func (b *backlog) drop(such func(*response) bool) bool {
	for r := b.readers.next; r != &b.readers; r = r.next {
		if !r.has(such) {
			continue
		}
		one, bytes := r.first, int64(0)
		if r.conn != nil {
			_ = r.conn.Close() // it may be closed already
		} else { // its handler waits for mu before it returns
			_ = http.NewResponseController(one.ResponseWriter).SetWriteDeadline(time.Unix(1, 0)) // not all writers support it
		}
		for r.first != nil {
			bytes += r.first.unread
			b.take(r.first, r.first.unread)
		}
		go b.log.Warn("closed a connection whose client does not read", "client", one.client.String(), "unread_bytes", bytes)
		return true
	}
	return false
}

// read notes that n bytes of a response were read.
func (b *backlog) read(res *response, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if res.unread == 0 {
		return // its connection was closed
	}
	res.reader.remove()
	res.reader.insert(&b.readers)
	b.take(res, int64(n))
}

// done notes that nothing of a response is waited for any more.
func (b *backlog) done(res *response) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if res.unread > 0 {
		b.take(res, res.unread)
	}
}

// take removes bytes of a response. The caller holds mu.
func (b *backlog) take(res *response, n int64) {
	res.unread -= n
	b.total -= n
	if b.total == 0 || b.clients[res.clientKey] == n {
		delete(b.clients, res.clientKey)
	} else {
		b.clients[res.clientKey] -= n
	}
	if r := res.reader; res.unread == 0 {
		at := &r.first
		for *at != res {
			at = &(*at).sibling
		}
		if *at = res.sibling; r.first == nil {
			r.remove()
		}
	}
}

// charge charges a request to its bucket. If the limiter fails or takes too long,
// the request passes: too many requests are better than none.
func (a *api) charge(ctx context.Context, res *response, r *http.Request) error {
	if a.Limiter == nil {
		return nil
	}
	bucket := res.route.bucketOf(r, res.file)
	if bucket == ratelimit.Free {
		return nil
	}
	d, err := a.limits.allow(ctx, ratelimit.NewKey(bucket, res.clientKey, ratelimit.ClientName(r.Header)))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err() // the client disconnected, which says nothing about the limiter
		}
		res.unchecked = true
		if a.limits.down.CompareAndSwap(false, true) {
			a.Logger.LogAttrs(ctx, slog.LevelError, "limiter failed, requests pass unchecked", slog.Any("error", err), slog.String("request_id", res.id[0]))
		}
		return nil
	}
	if a.limits.down.Load() && a.limits.down.CompareAndSwap(true, false) {
		a.Logger.LogAttrs(ctx, slog.LevelInfo, "limiter recovered")
	}
	d.SetHeader(res.Header())
	if d.Allowed {
		return nil
	}
	message := "Too many requests."
	if d.Limit > 0 {
		message = fmt.Sprintf("Too many requests: the limit is %d in %d seconds.", d.Limit, int(d.Window.Seconds()))
	}
	return problem(codes.RateLimited, "wait as long as Retry-After says, or set Service-Client to a name of your own", "%s", message)
}

// guard keeps a limiter within its budget, whatever it does.
type guard struct {
	limiter ratelimit.Limiter
	local   bool // it needs no guarding
	budget  time.Duration
	checks  atomic.Int64 // that run, late ones included
	down    atomic.Bool  // the last check failed
}

// checksAtOnce limits the checks that run. More of them means that the limiter
// hangs and ignores its context: then it is not asked until some have returned.
const checksAtOnce = 1024

var (
	errLate = errors.New("the limiter exceeded its budget")
	errHung = errors.New("the limiter hangs")
)

func newGuard(limiter ratelimit.Limiter, budget time.Duration) *guard {
	_, local := limiter.(*ratelimit.Memory)
	return &guard{limiter: limiter, local: local || budget < 0, budget: budget}
}

// decided is the result of a check.
type decided struct {
	decision ratelimit.Decision
	err      error
}

// allow asks the limiter and waits no longer than the budget.
func (g *guard) allow(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	if g.local {
		return g.limiter.Allow(ctx, key)
	}
	if g.checks.Add(1) > checksAtOnce {
		g.checks.Add(-1)
		return ratelimit.Decision{}, errHung
	}
	ctx, cancel := context.WithTimeoutCause(ctx, g.budget, errLate)
	defer cancel()
	result := make(chan decided, 1)
	go func() {
		defer g.checks.Add(-1)
		result <- g.ask(ctx, key)
	}()
	select {
	case got := <-result:
		return got.decision, got.err
	case <-ctx.Done():
		return ratelimit.Decision{}, context.Cause(ctx)
	}
}

// ask turns a panic of the limiter into an error.
func (g *guard) ask(ctx context.Context, key ratelimit.Key) (got decided) {
	defer func() {
		if p := recover(); p != nil {
			got.err = fmt.Errorf("the limiter panicked: %v", p)
		}
	}()
	got.decision, got.err = g.limiter.Allow(ctx, key)
	return got
}
