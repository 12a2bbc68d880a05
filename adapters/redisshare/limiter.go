package redisshare

import (
	"context"
	"fmt"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/deadline"
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
	if s.limits[key.Bucket] == ratelimit.Off {
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
	ctx := deadline.New(s.ctx, began.Add(s.options.Timeout)) // the connection keeps it, without a timer
	defer ctx.Stop()
	err := s.ask(ctx, &s.link, live)
	s.counts.batch(len(live), time.Since(began))
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
