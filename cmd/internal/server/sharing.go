package server

import (
	"cmp"
	"context"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
)

// limit opens the limiter: in memory, or shared, with the pages of MCP sessions.
func (s *server) limit() (err error) {
	switch {
	case s.Shared != nil:
		if s.share, err = redisshare.Open(s.Shared.Address, s.sharing()); err == nil && s.MCP != nil {
			shared := *s.MCP
			shared.Slots = s.share
			s.MCP = &shared
		}
	case s.RateLimit != nil:
		s.limiter, err = ratelimit.NewMemory(s.RateLimit)
	}
	return err
}

// sharing returns the options of what servers share.
func (s *server) sharing() *redisshare.Options {
	o := &redisshare.Options{
		Replicas: s.Shared.Replicas,
		Prefix:   s.Shared.Prefix,
		Timeout:  cmp.Or(s.Shared.Timeout, 25*time.Millisecond),
		Unreachable: func(err error) {
			s.Logger.Warn("Redis is unreachable, limits are divided among servers", "replicas", max(1, s.Shared.Replicas), "error", err)
		},
		Recovered: func() { s.Logger.Info("Redis recovered, limits are shared again") },
		Damaged:   func(err error) { s.Logger.Warn("a key in Redis can't be used", "error", err) },
	}
	if s.RateLimit != nil {
		o.Limits, o.MaxKeys = s.RateLimit.Limits, s.RateLimit.MaxKeys
	}
	return o
}

// awaitShared waits until Redis has answered or timed out.
func (s *server) awaitShared(ctx context.Context) {
	if s.share == nil {
		return
	}
	select {
	case <-s.share.Settled():
	case <-ctx.Done():
	}
}

// sharedState reports whether Redis has neither answered nor timed out yet, and whether it is
// unreachable.
func (s *server) sharedState() (pending, unreachable bool) {
	if s.share == nil {
		return false, false
	}
	select {
	case <-s.share.Settled():
		return false, s.share.Err() != nil
	default:
		return true, true
	}
}

// endSharing closes the connections to Redis, if there are some.
func (s *server) endSharing() {
	if s.share == nil {
		return
	}
	if err := s.share.Close(); err != nil {
		s.Logger.Warn("closing the connections to Redis failed", "error", err)
	}
}
