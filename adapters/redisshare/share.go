// Package redisshare lets several servers share their rate limits and the pages of
// MCP sessions through Redis. A [Share] is a [ratelimit.Limiter] and has the methods of
// mcp.Slots:
//
//	share, err := redisshare.Open("redis://redis:6379/0", &redisshare.Options{Replicas: 3})
//	…
//	defer share.Close()
//	handler, err := httpapi.New(service, &httpapi.Options{Limiter: share, LimiterBudget: 50 * time.Millisecond})
//	server, err := mcp.New(service, &mcp.Options{Slots: share})
//
// # Limits
//
// The window is that of package ratelimit, exact across all servers: a script on
// Redis decides and counts in one step, with the clock of Redis.
//
// # While Redis is unreachable
//
// A check waits at most 25 milliseconds ([Options.Timeout]). Then, and while Redis is
// unreachable, the server decides by itself, with a share of the limit: the limit divided by
// [Options.Replicas]. It has counted what passed through it before, so losing Redis
// gives clients no second limit. Redis counts as unreachable after three failures in a row,
// never after one, and is tried four times a second until it answers within the
// budget again. [Options.Unreachable] and [Options.Recovered] are called once each time. What
// passes meanwhile is not added to the counts in Redis afterwards.
//
// The limits are exact across servers as long as no check times out. An error about one
// key, such as a wrong type, does not make Redis unreachable: [Options.Damaged] is called, and the server
// decides about the requests of that client alone.
//
// # Pages
//
// A page is compressed (gzip) and kept for [Options.MaxPageAge], if it is not larger
// than [Options.MaxPage]. The page of a session is the one that was written last, by
// whichever server. If Redis does not take a page, the server that was given it answers from its own
// copy, until another server has put a later one into Redis. Other servers do not have the copy; the
// error of Put says so, and the MCP server then adds a warning. Pages are shared as long as Redis
// answers within 400 milliseconds, even if that is too slow for checks.
//
// # Keys
//
// Every key begins with [Options.Prefix] and the version of the layout, and expires:
//
//	datachain:1:{192.0.2.7}:read         the window of an address, in 132 bytes
//	datachain:1:{192.0.2.7}:read:name    the same with a Service-Client name
//	datachain:1:{192.0.2.7}:names        the names that are in use
//	datachain:1:page:{…}                 a page, under the hash of its session id
//	datachain:1:{probe}:read:name        what the probe counts, also under {probe2}
//
// All keys of an address are in one slot of a cluster. Redis 6.2 or later, or
// Valkey, is required; set maxmemory-policy to volatile-ttl or another one that
// evicts keys, so that a full Redis makes the limits lenient instead of failing.
//
// # Addresses
//
//	redis://user:password@host:6379/0                       one server
//	rediss://…                                              with TLS
//	unix:///run/redis.sock?db=0                             a Unix socket
//	redis+sentinel://a:26379/0?master_name=main&addr=b:26379 the primary that sentinels name
//	redis+cluster://user:password@a:6379?addr=b:6379        a cluster
//
// rediss+sentinel:// and rediss+cluster:// use TLS, too. The user and the password before the host
// of a sentinel are those of the sentinels; those of Redis are the parameters username and password.
// The functions ParseURL, ParseFailoverURL and ParseClusterURL of the client read addresses.
// Timeouts, pools and retries that an address names have no effect.
package redisshare

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// The connections of a server to Redis, at most. Those for checks are always open, since a
// check has no time to open one, and pages have others, so that large ones do not hold up
// checks.
const (
	checkConnections = 8
	pageConnections  = 16
)

// A Share is a [ratelimit.Limiter], and slots for sessions of MCP, that servers share through
// Redis. It is safe for concurrent use. Create one with [Open].
type Share struct {
	options Options
	limits  []int  // by bucket
	prefix  string // of keys, with the layout
	script  *redis.Script
	checks  redis.UniversalClient
	pages   pages
	health  *health
	local   *ratelimit.Memory
	counts  counts
	start   time.Time
	damaged atomic.Int64 // when Damaged was called last, in nanoseconds since start

	ctx  context.Context //nolint:containedctx // of the goroutines, which Close ends
	stop context.CancelFunc
	done sync.WaitGroup
}

var _ ratelimit.Limiter = (*Share)(nil)

// Open returns a Share for an address of Redis, see the package comment. It does
// not wait for Redis: see [Share.Settled]. It fails if the address or an option is
// invalid.
//
// It turns the log of the Redis client off, which writes to standard error, for all
// users of the client in the process: [Options.Unreachable] is called with the reason instead.
func Open(address string, o *Options) (*Share, error) {
	parsed, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	d, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	limits, err := d.Limits.Effective()
	if err != nil {
		return nil, err
	}
	local, err := ratelimit.NewMemory(&ratelimit.Options{Limits: localLimits(limits, d.Replicas), MaxKeys: d.MaxKeys})
	if err != nil {
		return nil, err
	}
	redis.SetLogger(noLog{})
	s := &Share{
		options: d, limits: limits, local: local, start: time.Now(),
		prefix: d.Prefix + ":" + layout + ":", script: redis.NewScript(windowScript),
		checks: client(*parsed, d.TLS, checkConnections, checkConnections),
		health: newHealth(&d),
	}
	s.pages.open(s, client(*parsed, d.TLS, pageConnections, 2))
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.done.Go(s.watch)
	return s, nil
}

// noLog is the log of the Redis client.
type noLog struct{}

func (noLog) Printf(context.Context, string, ...any) {}

// Settled returns a channel that is closed when Redis has answered for the first time, with
// connections open and the script loaded, or has timed out after 3 seconds. Before that, and
// while Redis is unreachable, the server decides by itself.
func (s *Share) Settled() <-chan struct{} { return s.health.settled }

// Err returns why Redis is unreachable, or nil if it answers.
func (s *Share) Err() error {
	_, err := s.health.state()
	return err
}

// Close ends the connections. Later checks are decided by this server alone.
func (s *Share) Close() error {
	s.stop()
	s.health.unreachable.Store(true)
	s.done.Wait()
	return errors.Join(s.checks.Close(), s.pages.client.Close())
}

// watch probes Redis until the Share is closed.
func (s *Share) watch() {
	giveUp := time.Now().Add(s.options.giveUp)
	for {
		reached, err := s.probe()
		if s.ctx.Err() != nil {
			return
		}
		if err != nil {
			s.failed(err, nil)
		}
		s.pages.expire()
		s.health.reached.Store(reached)
		s.health.recordProbe(err)
		select {
		case <-s.health.settled:
		default:
			// Of these two, only a change of the configuration helps.
			if kind := explain(err).Kind; time.Now().After(giveUp) || kind == errorAuth || kind == errorConfig {
				s.health.recordFailure(err, time.Now(), 0)
			}
		}
		if !s.waitForProbe() {
			return
		}
	}
}

// failed counts a failure. One that concerns keys is reported now and then.
func (s *Share) failed(err error, keys []string) {
	e := explain(err)
	s.counts.errors[slices.Index(kinds(), e.Kind)].Add(1)
	last, now := s.damaged.Load(), int64(time.Since(s.start))
	if e.Kind == errorKey && (last == 0 || now-last >= int64(reportInterval)) && s.damaged.CompareAndSwap(last, now) {
		s.options.Damaged(&failure{Kind: e.Kind, Err: fmt.Errorf("%s: %w", keys, e.Err), Advice: e.Advice})
	}
}

// waitForProbe waits until the next probe is due. Answered checks make it superfluous.
func (s *Share) waitForProbe() bool {
	for {
		wait := probeIdle
		if s.health.unreachable.Load() {
			wait = probeUnreachable
		}
		select {
		case <-s.ctx.Done():
			return false
		case <-time.After(wait):
		}
		if !s.health.answered.Swap(false) || s.health.unreachable.Load() {
			return true
		}
	}
}

// probeLimit is so high that probes write, as checks do.
const probeLimit = 1<<16 - 1

// probe counts a request under a key of its own, for which it may have to connect and to
// load the script, and then another one, which must keep the timeout: otherwise a slow Redis
// would alternate between reachable and unreachable. Pages are less urgent. Unless this is a cluster, the keys are in
// different slots, so that a node of a cluster that is used like a single server is noticed.
func (s *Share) probe() (reached bool, err error) {
	window, names := s.prefix+"{probe}:read", s.prefix+"{probe2}:names"
	if _, cluster := s.checks.(*redis.ClusterClient); cluster {
		names = s.prefix + "{probe}:names"
	}
	try := func(timeout time.Duration) error {
		_, err := s.ask(s.ctx, timeout, []string{window + ":name", window, names}, probeLimit, "name")
		if err != nil && explain(err).Kind == errorKey {
			return nil
		}
		return err
	}
	if err := try(max(probeTimeout, s.options.Timeout)); err != nil {
		return false, err
	}
	err = try(s.options.Timeout)
	return err == nil || explain(err).Kind == errorTimeout, err
}

const (
	// probeTimeout limits a probe, which may have to connect first.
	probeTimeout = time.Second
	// pageTimeout limits each call for a page, which is repeated once if need be.
	pageTimeout = 400 * time.Millisecond
	dialTimeout = 500 * time.Millisecond
	// probeUnreachable is the time between two probes while Redis is unreachable, and
	// probeIdle while it answers but no check was made since the last probe.
	probeUnreachable = 250 * time.Millisecond
	probeIdle        = 500 * time.Millisecond
	// giveUpAfter is the timeout of the first contact; see Settled.
	giveUpAfter = 3 * time.Second
	// reportInterval is the time between two calls of Damaged.
	reportInterval = time.Minute
	// maxFailures is how many failures in a row mean that Redis is unreachable.
	maxFailures = 3
)

// Options configure a [Share]. Nil and the zero value mean the defaults, and a negative
// number means no limit.
type Options struct {
	// Limits are the limits of all servers together. All must have the same.
	Limits ratelimit.Limits
	// Replicas is the number of servers; 0 means 1, and a negative number
	// is an error. While Redis is unreachable, each has this part of the limits, but
	// at least one request.
	Replicas int
	// Timeout is how long a check waits for Redis; 0 means 25 milliseconds. A Redis
	// that takes longer counts as unreachable. Callers that guard their limiter with a
	// timeout of their own need a longer one.
	Timeout time.Duration
	// MaxKeys limits the memory of a server for its own counts; see
	// [ratelimit.Options].
	MaxKeys int
	// Prefix begins every key; "" means "datachain". It must not contain
	// braces.
	Prefix string
	// MaxPage is the size of the largest page that is kept, before
	// compression; 0 means 4 MiB.
	MaxPage int
	// MaxPageAge is how long a page is kept; 0 means an hour.
	MaxPageAge time.Duration
	// TLS is used for addresses with TLS instead of the defaults, for example
	// with the certificates of a private authority.
	TLS *tls.Config
	// Unreachable is called with the reason when Redis becomes unreachable, and Recovered
	// when it answers again. They must neither block nor call the Share.
	Unreachable func(error)
	Recovered   func()
	// Damaged is called when a key has a type or content that Redis or this server can't
	// use, at most once a minute. Only the client or session of the key is affected.
	Damaged func(error)

	// For tests, which can't move the clock of Redis, and must not depend on
	// the speed of the machine.
	window, giveUp time.Duration
}

// withDefaults returns the effective options.
func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	switch {
	case d.Replicas < 0:
		return d, fmt.Errorf("redisshare: Replicas is %d: it must be 1 or more, or 0 for the default", d.Replicas)
	case strings.ContainsAny(d.Prefix, "{}"):
		return d, errors.New("redisshare: Prefix must not contain braces, which select the slot of a cluster")
	}
	d.Replicas = cmp.Or(d.Replicas, 1)
	d.Prefix = cmp.Or(d.Prefix, "datachain")
	d.MaxPage = limitOf(d.MaxPage, 4<<20, math.MaxInt)
	d.MaxPageAge = limitOf(d.MaxPageAge, time.Hour, 0)
	d.window = cmp.Or(d.window, ratelimit.Window)
	d.Timeout = limitOf(d.Timeout, 25*time.Millisecond, time.Hour) // the client gives up sooner
	d.giveUp = cmp.Or(d.giveUp, giveUpAfter)
	if d.Unreachable == nil {
		d.Unreachable = func(error) {}
	}
	if d.Recovered == nil {
		d.Recovered = func() {}
	}
	if d.Damaged == nil {
		d.Damaged = func(error) {}
	}
	return d, nil
}

// limitOf returns an option, or its default if it is 0, or unlimited if it is negative.
func limitOf[T int | time.Duration](option, byDefault, unlimited T) T {
	if option < 0 {
		return unlimited
	}
	return cmp.Or(option, byDefault)
}

// localLimits returns the part of the limits that each of several servers has.
func localLimits(limits []int, replicas int) ratelimit.Limits {
	part := func(b ratelimit.Bucket) int {
		if limits[b] == -1 {
			return -1
		}
		return max(1, limits[b]/replicas)
	}
	return ratelimit.Limits{
		Read: part(ratelimit.Read), Icons: part(ratelimit.Icons), Validate: part(ratelimit.Validate), Resolve: part(ratelimit.Resolve),
		Pages: part(ratelimit.Pages), Forms: part(ratelimit.Forms),
	}
}

// client returns a client with a pool of its own. Nothing is retried: a check
// that fails is decided here, and a probe is repeated anyway.
func client(address redis.UniversalOptions, secure *tls.Config, connections, open int) redis.UniversalClient {
	if address.TLSConfig != nil && secure != nil {
		address.TLSConfig = secure.Clone()
	}
	address.ContextTimeoutEnabled = true
	address.DialTimeout, address.ReadTimeout, address.WriteTimeout = dialTimeout, probeTimeout, probeTimeout
	address.PoolTimeout = probeTimeout
	address.PoolSize, address.MinIdleConns = connections, open
	address.MaxRetries, address.DialerRetries = -1, 1
	address.FailingTimeoutSeconds = 1
	address.DisableIdentity = true // saves a round trip for each connection
	address.Protocol = 2           // without push messages, which each reply would be searched for
	address.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewUniversalClient(&address)
}
