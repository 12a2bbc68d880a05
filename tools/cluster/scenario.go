package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"
)

// scenario breaks something and repairs it.
type scenario struct {
	name  string
	short bool // part of the short form
	away  bool // Redis is away, and limits are shares
	begun bool // responses may break off
	down  bool // the victim does not answer while it is broken
	ends  bool // the victim answers until it has ended

	// fault breaks something; nil means that nothing is broken. The victim is one of the
	// servers, by chance.
	fault  func(ctx context.Context, c *cluster, victim *server) error
	repair func(ctx context.Context, c *cluster, victim *server) error
}

// redisLimit is how long limits may be inexact after Redis is back.
const redisLimit = 2 * time.Second

// scenarios returns all, in the order in which they run.
func scenarios() []scenario {
	return []scenario{
		{name: "nothing breaks", short: true},
		{name: "server: SIGTERM", short: true, down: true, ends: true, fault: terminate, repair: revive},
		{name: "server: SIGKILL", short: true, down: true, begun: true, fault: killServer, repair: revive},
		{name: "server: paused", down: true, fault: deliver(syscall.SIGSTOP), repair: deliver(syscall.SIGCONT)},
		{name: "redis: killed", short: true, away: true, fault: killRedis, repair: reviveRedis},
		{name: "redis: cut off", away: true, fault: redisNetwork(cut), repair: redisNetwork(healthy)},
		{name: "redis: partition", short: true, away: true, fault: redisNetwork(silent), repair: redisNetwork(healthy)},
		{name: "redis: slow", away: true, fault: redisNetwork(slow), repair: redisNetwork(healthy)},
		{name: "s3: killed", short: true, fault: killStorage, repair: reviveStorage},
		{name: "s3: partition", fault: storageNetwork(silent), repair: storageNetwork(healthy)},
		{name: "s3: slow", fault: storageNetwork(slow), repair: storageNetwork(healthy)},
		{name: "s3: corrupt, new server", short: true, down: true, begun: true, fault: corrupt, repair: restore},
		{name: "s3 and redis: killed", away: true, fault: killBoth, repair: reviveBoth},
		{name: "publishing", short: true, fault: publishBetas},
		{name: "rollout", short: true, fault: rollout},
		{name: "publishers race, servers killed", short: true, begun: true, fault: race},
	}
}

func terminate(_ context.Context, _ *cluster, victim *server) error {
	return victim.signal(syscall.SIGTERM)
}

func killServer(_ context.Context, _ *cluster, victim *server) error {
	return victim.stop(syscall.SIGKILL)
}

// revive starts a server that was stopped, after it has ended.
func revive(ctx context.Context, c *cluster, victim *server) error {
	select {
	case <-victim.done:
		return c.run(victim)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func deliver(s syscall.Signal) func(context.Context, *cluster, *server) error {
	return func(_ context.Context, _ *cluster, victim *server) error { return victim.signal(s) }
}

func killRedis(_ context.Context, c *cluster, _ *server) error { return c.redis.stop(syscall.SIGKILL) }

func reviveRedis(ctx context.Context, c *cluster, _ *server) error { return c.runRedis(ctx) }

func killStorage(_ context.Context, c *cluster, _ *server) error {
	return c.storage.stop(syscall.SIGKILL)
}

func reviveStorage(ctx context.Context, c *cluster, _ *server) error { return c.runStorage(ctx) }

func killBoth(ctx context.Context, c *cluster, s *server) error {
	return errors.Join(killRedis(ctx, c, s), killStorage(ctx, c, s))
}

func reviveBoth(ctx context.Context, c *cluster, s *server) error {
	return errors.Join(reviveStorage(ctx, c, s), reviveRedis(ctx, c, s))
}

func redisNetwork(f fault) func(context.Context, *cluster, *server) error {
	return func(_ context.Context, c *cluster, _ *server) error { c.redisVia.set(f); return nil }
}

func storageNetwork(f fault) func(context.Context, *cluster, *server) error {
	return func(_ context.Context, c *cluster, _ *server) error { c.s3Via.set(f); return nil }
}

// rollout restarts one server after the other.
func rollout(ctx context.Context, c *cluster, _ *server) error {
	for _, s := range c.servers {
		if err := c.restart(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// result is a row of the table.
type result struct {
	scenario
	*load
	during, after count // requests that passed the limit
	pages         pages
	outcome       outcome
	recovered     time.Duration
	broken        []string // promises
	limit         int
}

// play runs a scenario under load.
func (c *cluster) play(ctx context.Context, round int, s scenario) (*result, error) {
	r := &result{scenario: s, limit: c.limit}
	c.outcome = outcome{}
	r.load = c.startLoad(ctx, round)
	defer r.end()
	pause(ctx, c.hold/2)
	victim := c.servers[c.random.IntN(len(c.servers))]
	begun := time.Now()
	if s.fault != nil {
		if err := s.fault(ctx, c, victim); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		r.outcome = c.outcome
	}
	up := c.servers
	if s.down {
		up = slices.DeleteFunc(slices.Clone(up), func(o *server) bool { return o == victim })
	}
	if err := c.probe(ctx, round, up, r); err != nil {
		return nil, err
	}
	pause(ctx, c.hold-time.Since(begun))
	begun = time.Now()
	if s.repair != nil {
		if err := s.repair(ctx, c, victim); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		begun = time.Now()
	}
	if err := await(ctx, time.Minute, c.whole); err != nil {
		r.promise(false, "servers recover: %v", err)
	}
	r.recovered = time.Since(begun)
	var err error
	if r.after, err = c.countExact(ctx, round, c.servers); err != nil {
		r.promise(false, "requests with a limit succeed after %s: %v", s.name, err)
	}
	pause(ctx, c.hold/2)
	r.end()
	r.judge()
	return r, nil
}

// probe counts limits and pages while something is broken.
func (c *cluster) probe(ctx context.Context, round int, up []*server, r *result) error {
	var err error
	count := c.countKept
	if r.away {
		count = c.countPages
		r.during, err = c.countShares(ctx, round, up)
	} else {
		limited := up
		if r.ends {
			limited = c.servers
		}
		r.during, err = c.countExact(ctx, round, limited)
	}
	if err != nil {
		r.promise(false, "requests with a limit succeed: %v", err)
	}
	if r.pages, err = count(ctx, round, up); err != nil {
		r.promise(false, "MCP sessions succeed: %v", err)
	}
	return ctx.Err()
}

// judge compares what was counted with what is promised.
func (r *result) judge() {
	r.promise(r.failed == 0, "%d requests failed", r.failed)
	r.promise(r.load.begun == 0 || r.scenario.begun, "%d responses broke off", r.load.begun)
	r.promise(r.wrong == 0 && r.pages.wrong == 0, "%d responses and %d pages were wrong", r.wrong, r.pages.wrong)
	if r.away {
		r.promise(r.during.within(r.limit), "the limit of %d let %s requests pass while Redis was away", r.limit, r.during)
		r.promise(r.recovered <= redisLimit, "limits were exact again after %s, want at most %s", r.recovered.Round(time.Millisecond), redisLimit)
	} else {
		r.promise(r.during.exact(r.limit), "the limit of %d let %s requests pass", r.limit, r.during)
		r.promise(r.pages.kept(), "%d of %d pages were found", r.pages.found, r.pages.asked)
	}
	r.broken = append(r.broken, r.outcome.broken...)
	r.promise(r.after.exact(r.limit), "the limit of %d let %s requests pass afterwards", r.limit, r.after)
}

// promise notes a promise that was broken.
func (r *result) promise(kept bool, format string, args ...any) {
	if !kept {
		r.broken = append(r.broken, strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
}

// pause waits, unless the program is interrupted.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
