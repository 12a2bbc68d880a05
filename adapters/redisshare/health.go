package redisshare

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// health knows whether Redis is reachable, by the outcomes of checks and probes. At the start
// Redis counts as unreachable, without a call of onUnreachable, until the first probe
// succeeds or times out.
type health struct {
	onUnreachable func(error)
	onRecovered   func()

	unreachable atomic.Bool
	reached     atomic.Bool // by the last probe, though perhaps not within the budget
	answered    atomic.Bool // since the last probe
	settled     chan struct{}

	mu       sync.Mutex
	failures int       // in a row
	last     time.Time // when the last of them was counted
	err      error     // why it is unreachable now, if that was reported
	outages  uint64
	started  bool // settled is closed
}

func newHealth(o *Options) *health {
	h := &health{onUnreachable: o.Unreachable, onRecovered: o.Recovered, settled: make(chan struct{})}
	h.unreachable.Store(true)
	return h
}

// recordCheck takes the outcome of a check. An error about a key is an answer of Redis, too.
func (h *health) recordCheck(err error, started time.Time) {
	if err == nil || explain(err).Kind == errorKey {
		h.answered.Store(true)
		if h.unreachable.Load() {
			return // a late answer: only a probe ends an outage
		}
		h.mu.Lock()
		h.failures = 0
		h.mu.Unlock()
		return
	}
	h.recordFailure(err, started, maxFailures)
}

// recordProbe takes the outcome of a probe. While Redis is unreachable, one that succeeds is
// enough.
func (h *health) recordProbe(err error) {
	if err != nil {
		h.recordFailure(err, time.Now(), maxFailures)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures = 0
	if !h.unreachable.Load() {
		return
	}
	h.unreachable.Store(false)
	if h.err != nil {
		h.err = nil
		h.onRecovered()
	}
	h.settle()
}

// recordFailure counts a failure, and reports that Redis is unreachable if there were enough. With 0,
// it ends the first contact. Concurrent requests that fail together count as one failure, so
// that a short pause of Redis does not make it unreachable.
func (h *health) recordFailure(err error, started time.Time, enough int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if started.Before(h.last) {
		return
	}
	h.failures++
	h.last = time.Now()
	switch {
	case h.err != nil: // known, but perhaps for another reason
		h.err = err
		return
	case h.failures < enough, enough > 0 && !h.started: // the first contact ends by giveUpAfter
		return
	}
	h.unreachable.Store(true)
	h.err = err
	h.outages++
	h.onUnreachable(err)
	h.settle()
}

// settle closes settled once. The caller holds mu.
func (h *health) settle() {
	if !h.started {
		h.started = true
		close(h.settled)
	}
}

// state returns how often Redis became unreachable, and why it is now.
func (h *health) state() (times uint64, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.outages, h.err
}

// The kinds of errors say why Redis did not answer. They are labels in metrics.
const (
	errorTimeout    = "timeout"    // it took longer than the budget
	errorConnection = "connection" // it is not reachable
	errorAuth       = "auth"       // NOAUTH, WRONGPASS or NOPERM
	errorConfig     = "config"     // CROSSSLOT: the address is that of a node of a cluster
	errorMemory     = "memory"     // OOM
	errorReadOnly   = "readonly"   // READONLY
	errorLoading    = "loading"    // LOADING, MASTERDOWN or CLUSTERDOWN
	errorKey        = "key"        // WRONGTYPE, or a value that can't be read: Redis is there
	errorOther      = "other"
)

// foreignKey is the advice for a key that has another type or content than expected.
const foreignKey = "something else writes to keys of this prefix: delete the key, or use another prefix"

// kinds are all kinds of errors, in the order in which they are counted.
func kinds() []string {
	return []string{errorTimeout, errorConnection, errorAuth, errorConfig, errorMemory, errorReadOnly, errorLoading, errorKey, errorOther}
}

// failure is an error of Redis, with what to do about it.
type failure struct {
	// Kind says why Redis did not answer: timeout, connection, auth, config, memory,
	// readonly, loading, key (the content of a key is not what was expected) or other.
	Kind string
	Err  error
	// Advice is an instruction for the operator, or "".
	Advice string
}

// Error returns what failed and what to do.
func (f *failure) Error() string {
	if f.Advice == "" {
		return fmt.Sprintf("redisshare: %v", f.Err)
	}
	return fmt.Sprintf("redisshare: %v: %s", f.Err, f.Advice)
}

// Unwrap returns the error of the client.
func (f *failure) Unwrap() error { return f.Err }

// explain classifies an error of the client.
func explain(err error) *failure {
	if known, ok := errors.AsType[*failure](err); ok {
		return known
	}
	kind, advice := classify(err)
	return &failure{Kind: kind, Err: err, Advice: advice}
}

func classify(err error) (kind string, advice string) {
	timeout, isNet := errors.AsType[net.Error](err)
	switch {
	case redis.IsAuthError(err):
		return errorAuth, "check the user and the password in the address of Redis"
	case redis.IsPermissionError(err), isRedis(err) && scriptDenied.MatchString(err.Error()):
		return errorAuth, "allow the user what docs/server-reference.md lists: ACL SETUSER"
	case redis.HasErrorPrefix(err, "CROSSSLOT"):
		return errorConfig, "the server is a node of a cluster: use redis+cluster:// in the address of Redis"
	case redis.IsOOMError(err):
		return errorMemory, "raise maxmemory of Redis, or set maxmemory-policy to volatile-ttl"
	case redis.IsReadOnlyError(err):
		return errorReadOnly, "the server is a replica: use the address of the primary, or redis+sentinel:// to follow it"
	case redis.IsLoadingError(err):
		return errorLoading, "wait until Redis has loaded its data"
	case redis.IsMasterDownError(err), redis.IsClusterDownError(err), redis.IsTryAgainError(err):
		return errorLoading, "wait until the failover has ended"
	case redis.IsMaxClientsError(err):
		return errorConnection, "raise maxclients of Redis"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, redis.ErrPoolTimeout), isNet && timeout.Timeout():
		return errorTimeout, "check the load of Redis and the network to it"
	case isRedis(err) && strings.Contains(err.Error(), "WRONGTYPE"): // a script may put words before it
		return errorKey, foreignKey
	case isRedis(err):
		return errorOther, ""
	default:
		return errorConnection, "check that Redis runs, and the address and network to it"
	}
}

// scriptDenied matches what versions of Redis say if a script may not run a command.
var scriptDenied = regexp.MustCompile("executing the script can't run|ACL failure in script")

// isRedis reports whether an error is a reply of the server.
func isRedis(err error) bool {
	_, ok := errors.AsType[redis.Error](err)
	return ok
}

// A decider is what a decision came from.
type decider int

const (
	byRedis  decider = iota
	byServer         // of this server, since Redis was unreachable or late, or there is no limit
	deciders
)

// counts are what a [Share] counts.
type counts struct {
	decisions        [deciders]atomic.Uint64
	allowed, refused [ratelimit.Forms + 1]atomic.Uint64 // by bucket
	checks           atomic.Uint64
	duration         atomic.Int64 // in nanoseconds
	errors           [9]atomic.Uint64
	stored, read     outcomes
}

// recordDecision counts a decision and returns it.
func (c *counts) recordDecision(by decider, d ratelimit.Decision) ratelimit.Decision {
	c.decisions[by].Add(1)
	if d.Allowed {
		c.allowed[d.Bucket].Add(1)
	} else {
		c.refused[d.Bucket].Add(1)
	}
	return d
}

// Stats are counts since the Share was opened, and its state.
type Stats struct {
	// Unreachable reports whether Redis is unreachable, and Outages how often it became so.
	Unreachable bool
	Outages     uint64
	// Redis and Local are the numbers of decisions by Redis and by this server alone.
	Redis, Local uint64
	// Checks is the number of checks by Redis, and Waited the time that they took.
	Checks uint64
	Waited time.Duration
	// Errors are the failures by kind, of checks, probes and pages.
	Errors map[string]uint64
	// Stored and Found are the numbers of pages that were put into Redis and found there,
	// NotStored and NotFound of those that were too large, that Redis did not take at
	// once, or that were not found.
	Stored, NotStored, Found, NotFound uint64
	// Limiter has the decisions by bucket, and the memory for the counts of this server.
	Limiter ratelimit.Stats
}

// Stats returns a snapshot.
func (s *Share) Stats() Stats {
	c := &s.counts
	times, _ := s.health.state()
	st := Stats{
		Unreachable: s.health.unreachable.Load(), Outages: times,
		Redis: c.decisions[byRedis].Load(), Local: c.decisions[byServer].Load(),
		Checks: c.checks.Load(), Waited: time.Duration(c.duration.Load()), Errors: make(map[string]uint64),
		Stored: c.stored.redis.Load(), NotStored: c.stored.none.Load(),
		Found: c.read.redis.Load(), NotFound: c.read.none.Load(), Limiter: s.local.Stats(),
	}
	for i, kind := range kinds() {
		st.Errors[kind] = c.errors[i].Load()
	}
	for b := range st.Limiter.Allowed {
		st.Limiter.Allowed[b], st.Limiter.Refused[b] = c.allowed[b].Load(), c.refused[b].Load()
	}
	return st
}

// outcomes are what became of pages.
type outcomes struct{ redis, none atomic.Uint64 }
