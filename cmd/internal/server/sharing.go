package server

import (
	"cmp"
	"context"
	"time"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// Share is what servers share. That of package redisshare is in Redis.
type Share interface {
	ratelimit.Limiter
	mcp.Slots
	// Settled is closed when Redis has answered for the first time, or has timed out.
	Settled() <-chan struct{}
	// Err returns why Redis is unreachable, or nil.
	Err() error
	Stats() ShareStats
	Close() error
}

// ShareOptions say how to open a [Share].
type ShareOptions struct {
	Prefix   string
	Replicas int
	Timeout  time.Duration
	Limits   ratelimit.Limits
	MaxKeys  int
	// Unreachable and Recovered are called once each time, and Damaged for a key that can't be used.
	Unreachable func(error)
	Recovered   func()
	Damaged     func(error)
}

// ShareStats is the state of a [Share].
type ShareStats struct {
	// Unreachable reports whether Redis is unreachable, and Outages how often it became so.
	Unreachable bool
	Outages     uint64
	// Redis and Local are the numbers of decisions by Redis and by this server alone.
	Redis, Local uint64
	// Checks is the number of checks by Redis, and Waited the time that they took.
	Checks uint64
	Waited time.Duration
	// Errors are the failures by kind.
	Errors map[string]uint64
	// Stored and Found are the numbers of pages in Redis, NotStored and NotFound of others.
	Stored, NotStored, Found, NotFound uint64
	// Limiter has the decisions by bucket.
	Limiter ratelimit.Stats
}

// limit opens the limiter: in memory, or shared, with the pages of MCP sessions.
func (s *server) limit() (err error) {
	switch {
	case s.Shared != nil:
		if s.share, err = s.Shared.Open(s.Shared.Address, s.sharing()); err != nil {
			return err
		}
		s.MCP.Slots = s.share
		if s.RateLimit != nil {
			s.HTTP.Limiter, s.HTTP.LimiterBudget = s.share, 2*s.sharing().Timeout
		}
	case s.RateLimit != nil:
		if s.limiter, err = ratelimit.NewMemory(s.RateLimit); err != nil {
			return err
		}
		s.HTTP.Limiter = s.limiter
	}
	return nil
}

// sharing returns the options of what servers share.
func (s *server) sharing() *ShareOptions {
	o := &ShareOptions{
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
