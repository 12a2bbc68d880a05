package redisshare

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// Allow decides on a request. It fails only if the bucket does not exist or ctx has
// ended, and takes no longer than [Options.Timeout].
func (s *Share) Allow(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	if int(key.Bucket) >= len(s.limits) {
		return ratelimit.Decision{}, fmt.Errorf("redisshare: unknown bucket %d: use one of %v", uint8(key.Bucket), ratelimit.Buckets())
	}
	if err := ctx.Err(); err != nil {
		return ratelimit.Decision{}, err
	}
	if s.limits[key.Bucket] == -1 {
		// Not a decision of this server alone, which would mean that limits are inexact.
		s.counts.allowed[key.Bucket].Add(1)
		return ratelimit.Decision{Allowed: true, Bucket: key.Bucket}, nil
	}
	key = ratelimit.NewKey(key.Bucket, key.Client, key.Name)
	if retry, refused := s.refused.find(key, time.Since(s.start)); refused {
		return s.counts.decided(byRefusal, s.refuse(key, wholeSeconds(retry))), nil
	}
	if s.health.away.Load() {
		return s.alone(ctx, key)
	}
	return s.together(ctx, key)
}

// together asks Redis.
func (s *Share) together(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	c := &check{key: key, limit: s.limits[key.Bucket]}
	decided, err := s.batches.add(c), error(nil)
	if !decided {
		decided, err = s.await(ctx, c)
	}
	switch {
	case err != nil:
		return ratelimit.Decision{}, err
	case !decided || c.err != nil:
		return s.alone(ctx, key)
	case !c.allowed:
		return s.counts.decided(byRedis, s.refuse(key, time.Duration(c.left)*time.Second)), nil
	}
	// Counted here, too, so that the share is known when Redis goes away.
	if _, err := s.local.Allow(ctx, key); err != nil {
		return ratelimit.Decision{}, err
	}
	return s.counts.decided(byRedis, ratelimit.Decision{
		Allowed: true, Bucket: key.Bucket, Limit: c.limit, Window: s.options.window,
		Remaining: int(c.remaining), Reset: time.Duration(c.left) * time.Second,
	}), nil
}

// await waits until a check that travels with others is decided. It reports false if
// that takes too long.
func (s *Share) await(ctx context.Context, c *check) (decided bool, err error) {
	late, ok := s.timers.Get().(*time.Timer)
	if ok {
		late.Reset(s.options.Timeout)
	} else {
		late = time.NewTimer(s.options.Timeout)
	}
	defer func() {
		late.Stop()
		s.timers.Put(late)
	}()
	select {
	case <-c.done:
		return true, nil
	case <-late.C:
		c.leave()
		return false, nil
	case <-ctx.Done():
		c.leave()
		return false, ctx.Err()
	}
}

// alone decides by the share of this server.
func (s *Share) alone(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	d, err := s.local.Allow(ctx, key)
	if err != nil {
		return d, err
	}
	return s.counts.decided(byShare, d), nil
}

func (s *Share) refuse(key ratelimit.Key, retry time.Duration) ratelimit.Decision {
	return ratelimit.Decision{Bucket: key.Bucket, Limit: s.limits[key.Bucket], Window: s.options.window, Reset: retry, RetryAfter: retry}
}

// wholeSeconds rounds up, to at least one second.
func wholeSeconds(d time.Duration) time.Duration {
	return max(1, (d+time.Second-1)/time.Second) * time.Second
}

// send asks Redis about the checks of a batch whose callers still wait.
func (s *Share) send(batch []*check) {
	live := batch[:0]
	for _, c := range batch {
		if c.send() {
			live = append(live, c)
		}
	}
	if len(live) == 0 {
		return
	}
	began := time.Now()
	ctx, cancel := context.WithDeadline(s.ctx, began.Add(s.options.Timeout))
	defer cancel()
	err := s.ask(ctx, &s.link, live)
	s.counts.batches.Add(1)
	s.counts.checks.Add(uint64(len(live)))
	s.counts.took.Add(int64(time.Since(began)))
	for _, c := range live {
		switch {
		case c.err != nil:
			s.failed(c.err, s.script.appendKeys(nil, c)...)
		case !c.allowed:
			// Redis decided after began, so the refusal holds at least that long.
			from := began.Sub(s.start)
			s.refused.add(c.key, refusal{
				holds: from + time.Duration(c.holds)*time.Millisecond,
				retry: from + time.Duration(c.left)*time.Second,
			}, from)
		}
		if c.done != nil {
			close(c.done)
		}
	}
	if s.ctx.Err() == nil {
		s.health.checked(err)
	}
}

// maxBatch is how many checks travel together. Redis takes about a millisecond
// for that many.
const maxBatch = 128

// A check is a request about which Redis is asked.
type check struct {
	key   ratelimit.Key
	limit int
	probe string // in place of the address, if it is of the Share itself
	state atomic.Int32
	done  chan struct{} // closed when verdict and err are set; nil if it did not wait
	verdict
	err error
}

// A verdict is the reply of the script.
type verdict struct {
	allowed         bool
	remaining, left int64
	holds           int64 // in milliseconds
}

// The states of a check.
const (
	waiting   int32 = iota
	sent            // Redis may have counted it
	abandoned       // the caller no longer waits, and it was not sent
)

// send marks a check as sent, unless its caller has left.
func (c *check) send() bool { return c.state.CompareAndSwap(waiting, sent) }

// leave says that the caller no longer waits. A check that was not sent will not be.
func (c *check) leave() { c.state.CompareAndSwap(waiting, abandoned) }

// A batcher sends checks one batch after the other: a check that arrives while
// none is under way is sent at once, others travel together in the next batch.
type batcher struct {
	send func([]*check)

	mu      sync.Mutex
	waiting []*check
	busy    bool
	closed  bool
	single  [1]*check // the batch of a check by itself
	running sync.WaitGroup
}

// add sends a check by itself, if none is under way, and reports true when it has
// been decided: no other goroutine has to wake up. Otherwise the check waits for the
// next batch. After close it fails.
func (b *batcher) add(c *check) (decided bool) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		c.err = errClosed
		return true
	}
	if b.busy {
		c.done = make(chan struct{})
		b.waiting = append(b.waiting, c)
		b.mu.Unlock()
		return false
	}
	b.busy = true
	b.running.Add(1)
	b.mu.Unlock()
	defer b.running.Done()
	b.single[0] = c
	b.send(b.single[:])
	if batch := b.next(); len(batch) > 0 {
		b.running.Go(func() {
			for ; len(batch) > 0; batch = b.next() {
				b.send(batch)
			}
		})
	}
	return true
}

// next returns the checks that wait, and ends the batches if there are none.
func (b *batcher) next() []*check {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(b.waiting), maxBatch)
	batch := b.waiting[:n:n]
	if b.waiting = b.waiting[n:]; len(b.waiting) == 0 {
		b.waiting = nil
	}
	b.busy = n > 0
	return batch
}

// errClosed means that the share has been closed.
var errClosed = errors.New("the connection to Redis is closed")

// close waits for the checks that are under way. Later ones fail.
func (b *batcher) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.running.Wait()
}

//go:embed window.lua
var windowScript string

// layout is the version of what is stored. It is part of every key, so servers
// with different layouts do not misread one another during a rollout.
const layout = "1"

// A script is a script of the limiter, with what all checks have in common.
type script struct {
	*redis.Script
	prefix string // of keys, with the layout
	window int    // in seconds
}

// appendKeys appends the keys of a check, all in one slot of a cluster.
func (s *script) appendKeys(list []any, c *check) []any {
	var space [128]byte // enough for most keys
	b := append(space[:0], s.prefix...)
	b = append(b, '{')
	switch {
	case c.probe != "":
		b = append(b, c.probe...)
	case c.key.Client.IsValid():
		b = c.key.Client.AppendTo(b)
	default:
		b = append(b, "unknown"...)
	}
	b = append(b, "}:"...)
	base := len(b)
	b = append(b, c.key.Bucket.String()...)
	if c.key.Name == "" {
		return append(list, string(b))
	}
	pool := len(b)
	b = append(b, ':')
	named := string(append(b, c.key.Name...))
	return append(list, named, named[:pool], named[:base]+"names")
}

// command returns a command that runs checks, with the whole script or its hash.
func (s *script) command(checks []*check, whole bool) []any {
	args := make([]any, 3, 5+5*len(checks))
	args[0], args[1] = "evalsha", s.Hash()
	if whole {
		args[0], args[1] = "eval", windowScript
	}
	for _, c := range checks {
		args = s.appendKeys(args, c)
	}
	args[2] = len(args) - 3
	args = append(args, s.window, ratelimit.MaxNames)
	for _, c := range checks {
		args = append(args, c.limit, c.key.Name)
	}
	return args
}

// read reads the reply of the script to checks.
func read(cmd *redis.Cmd, checks []*check) {
	replies, err := cmd.Slice()
	if err == nil && len(replies) != len(checks) {
		err = fmt.Errorf("the script returned %d replies, want %d", len(replies), len(checks))
	}
	for i, c := range checks {
		if c.err = err; err == nil {
			c.verdict, c.err = decode(replies[i])
		}
	}
}

// decode reads the reply to one check.
func decode(reply any) (verdict, error) {
	switch r := reply.(type) {
	case error:
		return verdict{}, r
	case string:
		if len(r) == 9 {
			number := func(from, to int) (n int64) {
				for _, b := range []byte(r[from:to]) {
					n = n<<8 | int64(b)
				}
				return n
			}
			return verdict{allowed: r[0] == 1, remaining: number(1, 3), left: number(3, 5), holds: int64(int32(number(5, 9)))}, nil
		}
	}
	return verdict{}, fmt.Errorf("the script returned %q, want 9 bytes", reply)
}

// maxRefusals bounds the memory for refusals: about 150 bytes each.
const maxRefusals = 1 << 16

// sweepAtOnce is how many refusals are looked at to find expired ones.
const sweepAtOnce = 16

// refusals remembers which keys Redis has refused. Refused requests are not
// counted, so Redis would answer the same until the refusal expires, whatever
// other servers do meanwhile.
type refusals struct {
	max int

	mu  sync.Mutex
	all map[ratelimit.Key]refusal
}

// A refusal has times since the start of the [Share].
type refusal struct {
	holds time.Duration // until Redis might decide otherwise
	retry time.Duration // until enough requests have expired
}

// find returns how long a client has to wait that would be refused.
func (r *refusals) find(key ratelimit.Key, now time.Duration) (retry time.Duration, refused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.all[key]
	if !ok {
		return 0, false
	}
	if now >= found.holds {
		delete(r.all, key)
		return 0, false
	}
	return found.retry - now, true
}

// add remembers a refusal. At the bound, expired ones or, if none is found, any
// one makes room: it costs Redis a check to learn of it again.
func (r *refusals) add(key ratelimit.Key, fresh refusal, now time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) >= r.max {
		r.sweep(now)
	}
	r.all[key] = fresh
}

func (r *refusals) sweep(now time.Duration) {
	looked := 0
	for key, old := range r.all { // from a random place
		if looked++; now >= old.holds || looked == sweepAtOnce && len(r.all) >= r.max {
			delete(r.all, key)
		}
		if looked == sweepAtOnce {
			return
		}
	}
}

func (r *refusals) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}
