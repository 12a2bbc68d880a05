package ratelimittest_test

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/ratelimit/ratelimittest"
)

// The names of the clauses.
const (
	defaults   = "the default limits are those of the contract"
	limit      = "as many requests pass as the limit says"
	window     = "a request counts for a window"
	slides     = "the window slides"
	refused    = "refused requests are not counted"
	buckets    = "buckets have counts of their own"
	clients    = "clients have counts of their own"
	names      = "names have counts of their own"
	maxNames   = "an address has 32 names at a time"
	namesFree  = "names become free"
	off        = "a bucket may have no limit"
	unknown    = "an unknown bucket is an error"
	ended      = "ended contexts end calls"
	concurrent = "concurrent requests are counted once each"
)

// A clock moves only when someone sleeps.
type clock struct{ time.Time }

func newClock() *clock { return &clock{time.Unix(0, 0)} }

func (c *clock) now() time.Time        { return c.Time }
func (c *clock) sleep(d time.Duration) { c.Time = c.Add(d) }

func (c *clock) options() *ratelimittest.Options {
	return &ratelimittest.Options{Now: c.now, Sleep: c.sleep, LimitsNames: true}
}

// simple is a limiter in the fewest words, with room for defects: it keeps the
// slot of every request.
type simple struct {
	mu     sync.Mutex
	now    func() time.Time
	limits map[ratelimit.Bucket]int
	counts map[ratelimit.Key][]int64
	window int64 // in seconds
	defect
}

// A defect is what is wrong with a limiter. The zero value is nothing.
type defect struct {
	slots        int64 // of a window besides 61
	align        bool  // windows begin at full minutes
	countRefused bool
	names        int // besides 32
	keepNames    bool
	forget       int // requests above this many are not counted
	key          func(k *ratelimit.Key)
	decision     func(d *ratelimit.Decision)
	err          func(ctx context.Context, k ratelimit.Key) error
}

func newSimple(l ratelimit.Limits, now func() time.Time, d defect) *simple {
	s := &simple{now: now, window: 60, counts: map[ratelimit.Key][]int64{}, defect: d, limits: map[ratelimit.Bucket]int{
		ratelimit.Read: 300, ratelimit.Icons: 1200, ratelimit.Validate: 30, ratelimit.Resolve: 15, ratelimit.Pages: 1200, ratelimit.Forms: 120,
	}}
	for b, n := range []int{l.Read, l.Icons, l.Validate, l.Resolve, l.Pages, l.Forms} {
		if n != 0 {
			s.limits[ratelimit.Bucket(b)] = n
		}
	}
	return s
}

func (s *simple) Allow(ctx context.Context, k ratelimit.Key) (ratelimit.Decision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bucket, now := k.Bucket, s.now().Unix()
	limit, ok := s.limits[bucket]
	if s.err != nil {
		if err := s.err(ctx, k); err != nil {
			return ratelimit.Decision{}, err
		}
	} else if !ok {
		return ratelimit.Decision{}, errors.New("unknown bucket")
	}
	limit = cmp.Or(limit, 1)
	if s.key != nil {
		s.key(&k)
	}
	s.pool(&k, now)
	d := ratelimit.Decision{Allowed: true, Bucket: bucket}
	if limit != -1 {
		d = s.decide(k, now, limit)
		d.Bucket = bucket
	}
	if s.decision != nil {
		s.decision(&d)
	}
	return d, nil
}

// pool drops a name that is one too many.
func (s *simple) pool(k *ratelimit.Key, now int64) {
	inUse := map[string]bool{}
	for other, slots := range s.counts {
		if other.Client == k.Client && other.Name != "" && (s.keepNames || len(s.alive(slots, now)) > 0) {
			inUse[other.Name] = true
		}
	}
	if len(inUse) >= ratelimit.MaxNames+s.names && !inUse[k.Name] {
		k.Name = ""
	}
}

// alive returns the requests that count.
func (s *simple) alive(slots []int64, now int64) []int64 {
	oldest := now - s.window - s.slots
	if s.align {
		oldest = now - now%s.window
	}
	for len(slots) > 0 && slots[0] < oldest {
		slots = slots[1:]
	}
	return slots
}

func (s *simple) decide(k ratelimit.Key, now int64, limit int) ratelimit.Decision {
	in := s.alive(s.counts[k], now)
	d := ratelimit.Decision{Allowed: len(in) < limit, Limit: limit, Window: time.Duration(s.window) * time.Second}
	if d.Allowed && (s.forget == 0 || len(in) < s.forget) || s.countRefused {
		in = append(in, now)
	}
	s.counts[k] = in
	d.Remaining = max(0, limit-len(in))
	d.Reset = time.Duration(in[max(0, len(in)-limit)]+s.window+1+s.slots-now) * time.Second
	if s.align {
		d.Reset = time.Duration(s.window-now%s.window) * time.Second
	}
	if !d.Allowed {
		d.RetryAfter = d.Reset
	}
	return d
}

// drop returns a key function that replaces the clients for which it is true.
func drop(which func(a netip.Addr) bool) func(k *ratelimit.Key) {
	return func(k *ratelimit.Key) {
		if which(k.Client) {
			k.Client = netip.IPv6Unspecified()
		}
	}
}

var errBroken = errors.New("broken")

// defects are broken limiters, with the clauses that catch them; nil is for
// defects that most clauses catch.
var defects = map[string]struct {
	defect
	caught []string
}{
	"counts for half a window":       {defect{slots: -30}, []string{window}},
	"counts for a second too little": {defect{slots: -2}, []string{window}},
	"counts for too long":            {defect{slots: 30}, nil},
	"counts for longer than it says": {defect{slots: 30, decision: func(d *ratelimit.Decision) {
		d.Reset, d.RetryAfter = min(d.Reset, time.Minute), min(d.RetryAfter, time.Minute)
	}}, []string{window, refused, namesFree}},
	"has windows that do not slide": {defect{align: true}, []string{slides}},
	"counts refused requests":       {defect{countRefused: true}, []string{window, refused}},
	"has one bucket":                {defect{key: func(k *ratelimit.Key) { k.Bucket = 0 }}, []string{buckets, maxNames}},
	"has one client":                {defect{key: drop(netip.Addr.IsValid)}, []string{clients, maxNames}},
	"mixes IPv4 and IPv6":           {defect{key: drop(func(a netip.Addr) bool { return a == netip.IPv4Unspecified() })}, []string{clients}},
	"has no names":                  {defect{key: func(k *ratelimit.Key) { k.Name = "" }}, []string{names, maxNames, namesFree}},
	"ignores the case of names":     {defect{key: func(k *ratelimit.Key) { k.Name = strings.ToLower(k.Name) }}, []string{names}},
	"has any number of names":       {defect{names: 1000}, []string{maxNames}},
	"has a name too few":            {defect{names: -1}, []string{maxNames, namesFree}},
	"has a name too many":           {defect{names: 1}, []string{maxNames}},
	"never frees names":             {defect{keepNames: true}, []string{namesFree}},
	"loses count":                   {defect{forget: 5}, []string{concurrent}},
	"refuses one too early": {defect{decision: func(d *ratelimit.Decision) {
		if d.Limit > 0 && d.Remaining == 0 {
			d.Allowed, d.RetryAfter = false, d.Reset
		}
	}}, nil},
	"answers for another bucket": {defect{decision: func(d *ratelimit.Decision) { d.Bucket++ }}, nil},
	"reports no limit":           {defect{decision: func(d *ratelimit.Decision) { d.Limit = 0 }}, nil},
	"reports a limit of a bucket without one": {defect{decision: func(d *ratelimit.Decision) {
		if d.Limit == 0 {
			d.Limit = 1
		}
	}}, []string{off}},
	"reports fractions of seconds":           {defect{decision: func(d *ratelimit.Decision) { d.Reset -= time.Millisecond }}, nil},
	"reports RetryAfter if a request passes": {defect{decision: func(d *ratelimit.Decision) { d.RetryAfter = d.Reset }}, nil},
	"reports no RetryAfter":                  {defect{decision: func(d *ratelimit.Decision) { d.RetryAfter = 0 }}, nil},
	"reports a RetryAfter that is too short": {defect{decision: func(d *ratelimit.Decision) { d.RetryAfter = min(d.RetryAfter, time.Second) }}, []string{window, slides}},
	"reports a RetryAfter that is too long": {defect{decision: func(d *ratelimit.Decision) {
		if !d.Allowed {
			d.RetryAfter = 61 * time.Second
		}
	}}, []string{window}},
	"has other default limits": {defect{decision: func(d *ratelimit.Decision) {
		if d.Limit == 1200 {
			d.Limit = 1000
		}
	}}, []string{defaults}},
	"knows every bucket": {defect{err: func(context.Context, ratelimit.Key) error { return nil }}, []string{unknown}},
	"has errors of its own for ended contexts": {defect{err: func(ctx context.Context, k ratelimit.Key) error {
		if ctx.Err() != nil || k.Bucket > ratelimit.Forms {
			return errBroken
		}
		return nil
	}}, []string{ended}},
	"fails": {defect{err: func(context.Context, ratelimit.Key) error { return errBroken }}, nil},
}

// TestDefects shows that every clause fails for limiters that break it.
func TestDefects(t *testing.T) {
	var all []string
	for name, d := range defects {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			var caught []string
			for clause, err := range ratelimittest.Check(t.Context(), func(l ratelimit.Limits) ratelimit.Limiter { return newSimple(l, c.now, d.defect) }, c.options()) {
				if err != nil {
					t.Logf("%s: %v", clause, err)
					caught = append(caught, clause)
				}
			}
			all = append(all, caught...)
			if d.caught == nil {
				assert.Greater(t, len(caught), 6)
				return
			}
			assert.ElementsMatch(t, d.caught, caught)
		})
	}
	c := newClock()
	for name, err := range ratelimittest.Check(t.Context(), func(l ratelimit.Limits) ratelimit.Limiter { return newSimple(l, c.now, defect{}) }, c.options()) {
		require.NoError(t, err, name)
		assert.Contains(t, all, name, "every clause catches something")
	}
}

// TestRealTime runs the suite as a limiter does whose clock cannot be moved.
func TestRealTime(t *testing.T) {
	t.Parallel()
	ratelimittest.Run(t, func(_ *testing.T, l ratelimit.Limits) ratelimit.Limiter {
		s := newSimple(l, time.Now, defect{})
		s.window = 1
		return s
	}, &ratelimittest.Options{Window: time.Second})
}
