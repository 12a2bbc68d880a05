package redisshare

import (
	"context"
	_ "embed"
	"fmt"
	"time"

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
	if s.health.unreachable.Load() {
		return s.allowByServer(ctx, key)
	}
	return s.allowByRedis(ctx, key)
}

// allowByRedis asks Redis.
func (s *Share) allowByRedis(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	limit, keys := s.limits[key.Bucket], s.keys(key)
	started := time.Now()
	v, err := s.ask(ctx, s.options.Timeout, keys, limit, key.Name)
	if err != nil && ctx.Err() != nil {
		return ratelimit.Decision{}, ctx.Err()
	}
	s.counts.checks.Add(1)
	s.counts.duration.Add(int64(time.Since(started)))
	if err != nil {
		s.failed(err, keys)
	}
	if s.ctx.Err() == nil {
		s.health.recordCheck(err, started)
	}
	switch {
	case err != nil:
		return s.allowByServer(ctx, key)
	case !v.allowed:
		return s.counts.recordDecision(byRedis, ratelimit.Decision{
			Bucket: key.Bucket, Limit: limit, Window: s.options.window, Reset: v.left, RetryAfter: v.left,
		}), nil
	}
	// Counted here, too, so that the share is known when Redis becomes unreachable.
	if _, err := s.local.Allow(ctx, key); err != nil {
		return ratelimit.Decision{}, err
	}
	return s.counts.recordDecision(byRedis, ratelimit.Decision{
		Allowed: true, Bucket: key.Bucket, Limit: limit, Window: s.options.window, Remaining: v.remaining, Reset: v.left,
	}), nil
}

// allowByServer decides by the part of the limits that this server has.
func (s *Share) allowByServer(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	d, err := s.local.Allow(ctx, key)
	if err != nil {
		return d, err
	}
	return s.counts.recordDecision(byServer, d), nil
}

//go:embed window.lua
var windowScript string

// layout is the version of what is stored. It is part of every key, so servers
// with different layouts do not misread one another during a rollout.
const layout = "1"

// keys returns the keys of a check, all in one slot of a cluster.
func (s *Share) keys(key ratelimit.Key) []string {
	client := "unknown"
	if key.Client.IsValid() {
		client = key.Client.String()
	}
	base := s.prefix + "{" + client + "}:"
	window := base + key.Bucket.String()
	if key.Name == "" {
		return []string{window}
	}
	return []string{window + ":" + key.Name, window, base + "names"}
}

// A verdict is the reply of the script.
type verdict struct {
	allowed   bool
	remaining int
	left      time.Duration
}

// ask runs the script. Redis gets its text if it does not know it, as after a restart.
func (s *Share) ask(ctx context.Context, timeout time.Duration, keys []string, limit int, name string) (verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	reply, err := s.script.Run(ctx, s.checks, keys, int(s.options.window/time.Second), ratelimit.MaxNames, limit, name).Int64Slice()
	switch {
	case err != nil:
		return verdict{}, explain(err)
	case len(reply) != 3:
		return verdict{}, explain(fmt.Errorf("the script returned %d numbers, want 3", len(reply)))
	}
	return verdict{allowed: reply[0] == 1, remaining: int(reply[1]), left: time.Duration(reply[2]) * time.Second}, nil
}
