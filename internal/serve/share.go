package serve

import (
	"context"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/internal/signedlog"
	"github.com/datachain-go/datachain/internal/telemetry"
)

// limit opens the limiter: in memory, or shared.
func (s *server) limit() (err error) {
	switch {
	case s.Shared != nil:
		s.share, err = redisshare.Open(s.Shared.Address, s.sharing())
	case s.RateLimit != nil:
		s.limiter, err = ratelimit.NewMemory(s.RateLimit)
	}
	return err
}

func (s *server) sharing() *redisshare.Options {
	o := &redisshare.Options{
		Replicas: s.Shared.Replicas,
		Prefix:   s.Shared.Prefix,
		Timeout:  s.Shared.Timeout,
		Away: func(err error) {
			s.Logger.Warn("Redis is unreachable, limits are divided among servers", "replicas", max(1, s.Shared.Replicas), "error", err)
		},
		Back:    func() { s.Logger.Info("Redis recovered, limits are shared again") },
		Damaged: func(err error) { s.Logger.Warn("a key in Redis can't be used", "error", err) },
	}
	if s.RateLimit != nil {
		o.Limits, o.MaxKeys = s.RateLimit.Limits, s.RateLimit.MaxKeys
	}
	return o
}

// awaitShared waits until Redis has answered or was given up.
func (s *server) awaitShared(ctx context.Context) {
	if s.share == nil {
		return
	}
	select {
	case <-s.share.Settled():
	case <-ctx.Done():
	}
}

// sharedState reports whether Redis has neither answered nor been given up, and
// whether it is away.
func (s *server) sharedState() (pending, away bool) {
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

func (s *server) endSharing() {
	if s.share == nil {
		return
	}
	if err := s.share.Close(); err != nil {
		s.Logger.Warn("closing the connections to Redis failed", "error", err)
	}
}

// measured returns what the metrics read.
func (s *server) measured() *telemetry.Options {
	o := &telemetry.Options{
		Build: s.Build, Limiter: s.limiterStats, InTrouble: func() bool { return s.store.Err() != nil },
		Served: func() telemetry.Served {
			now := s.store.Status()
			return telemetry.Served{Confirmed: now.Confirmed, Unread: now.Unread, HeldAliases: now.HeldAliases, Refused: signedlog.Reason(s.store.Err())}
		},
	}
	if s.Shared != nil {
		o.Shared = s.sharedStats
	}
	if len(s.Documents) > 0 {
		o.Documents = s.documentStats
	}
	return o
}

func (s *server) limiterStats() ratelimit.Stats {
	switch {
	case s.share != nil && s.RateLimit != nil:
		return s.share.Limiter()
	case s.limiter != nil:
		return s.limiter.Stats()
	}
	return ratelimit.Stats{}
}

func (s *server) sharedStats() telemetry.Shared {
	st := s.share.Stats()
	return telemetry.Shared{
		Away: st.Away, TimesAway: st.TimesAway,
		Redis: st.Redis, Repeated: st.Repeated, Local: st.Local,
		Batches: st.Batches, Checks: st.Checks, Waited: st.Waited,
		Errors: st.Errors, Refusals: st.Refusals,
		Stored: telemetry.SharedPages(st.Stored), Read: telemetry.SharedPages(st.Read),
	}
}
