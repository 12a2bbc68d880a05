// Package ratelimittest tests implementations of [ratelimit.Limiter], one
// subtest for each clause of the contract that package ratelimit states:
//
//	func TestLimiter(t *testing.T) {
//		ratelimittest.Run(t, func(t *testing.T, limits ratelimit.Limits) ratelimit.Limiter {
//			…
//		}, nil)
//	}
//
// The clauses compare times that have certainly passed with times that have
// possibly passed, so they hold for limiters on other machines and however slow
// this one is. Run the tests with -race: safety for concurrent use is a clause.
package ratelimittest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// Options configure [Run]. Nil and the zero value mean the defaults.
type Options struct {
	// Window is the window of the limiter; 0 means [ratelimit.Window], and
	// it must not be negative. A limiter whose clock cannot be moved is best tested
	// with a window of a few seconds. Its slots have a second in any case.
	Window time.Duration
	// Now and Sleep are the clock of the limiter; nil means [time.Now] and
	// [time.Sleep]. With a clock of its own, a test spends no time waiting.
	Now   func() time.Time
	Sleep func(time.Duration)
	// LimitsNames also tests that the limiter itself lets an address use at most
	// [ratelimit.MaxNames] names, as a [ratelimit.Memory] does. For package httpapi it
	// need not.
	LimitsNames bool
}

// Run tests a limiter. It calls open once for each clause; open returns a
// limiter that has counted nothing yet, and releases it with t.Cleanup. If Sleep
// is nil, the clauses run in parallel.
func Run(t *testing.T, open func(t *testing.T, limits ratelimit.Limits) ratelimit.Limiter, o *Options) {
	t.Helper()
	for _, c := range clauses(o != nil && o.LimitsNames) {
		t.Run(c.name, func(t *testing.T) {
			if o == nil || o.Sleep == nil {
				t.Parallel()
			}
			l := open(t, c.limits)
			if err := c.check(newTester(t.Context(), l, c.limits, o)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A clause is one thing that a limiter must do. Its check returns an error, so
// that it can be shown to fail for limiters that do not.
type clause struct {
	name   string
	limits ratelimit.Limits
	check  func(x *tester) error
}

// slot is the length of a slot.
const slot = time.Second

// patience is how long a call may take before the limiter counts as hung.
const patience = time.Minute

// A tester is the limiter under test, with what a check needs to know of it.
type tester struct {
	Options
	ctx     context.Context
	limiter ratelimit.Limiter
	limits  []int // by bucket
	clients int   // how many addresses have been used
}

func newTester(ctx context.Context, l ratelimit.Limiter, limits ratelimit.Limits, o *Options) *tester {
	x := &tester{ctx: ctx, limiter: l, limits: []int{
		cmp.Or(limits.Read, 300), cmp.Or(limits.Icons, 1200), cmp.Or(limits.Validate, 30), cmp.Or(limits.Resolve, 15),
		cmp.Or(limits.Pages, 1200), cmp.Or(limits.Forms, 120),
	}}
	if o != nil {
		x.Options = *o
	}
	x.Window = cmp.Or(x.Window, ratelimit.Window)
	if x.Now == nil {
		x.Now = time.Now
	}
	if x.Sleep == nil {
		x.Sleep = time.Sleep
	}
	return x
}

// A call is a decision with the time before and after it.
type call struct {
	ratelimit.Decision
	from, to time.Time
}

// atLeast and atMost bound the time between two decisions.
func (c call) atLeast(since call) time.Duration { return c.from.Sub(since.to) }
func (c call) atMost(since call) time.Duration  { return c.to.Sub(since.from) }

// ask makes a request and checks what holds for every decision.
func (x *tester) ask(k ratelimit.Key) (call, error) {
	ctx, cancel := context.WithTimeout(x.ctx, patience)
	defer cancel()
	c := call{from: x.Now()}
	d, err := x.limiter.Allow(ctx, k)
	c.Decision, c.to = d, x.Now()
	if err != nil {
		return c, fmt.Errorf("Allow(%v): %w", k, err)
	}
	limit, maxWait := x.limits[k.Bucket], x.Window+slot
	switch {
	case d.Bucket != k.Bucket:
		err = fmt.Errorf("the bucket must be %s", k.Bucket)
	case limit == -1:
		if d != (ratelimit.Decision{Allowed: true, Bucket: k.Bucket}) {
			err = errors.New("without a limit, all but Allowed and Bucket must be zero")
		}
	case d.Limit != limit || d.Window != x.Window:
		err = fmt.Errorf("the limit must be %d in %s", limit, x.Window)
	case d.Reset%slot != 0 || d.RetryAfter%slot != 0:
		err = errors.New("times must be whole seconds")
	case d.Reset <= 0 || d.Reset > maxWait:
		err = fmt.Errorf("the Reset must be from 1s to %s", maxWait)
	case d.Allowed && (d.Remaining < 0 || d.Remaining >= limit || d.RetryAfter != 0):
		err = fmt.Errorf("a request that passes must have a Remaining from 0 to %d and no RetryAfter", limit-1)
	case !d.Allowed && (d.Remaining != 0 || d.RetryAfter < slot || d.RetryAfter > maxWait):
		err = fmt.Errorf("a refused request must have no Remaining and a RetryAfter from 1s to %s", maxWait)
	}
	if err != nil {
		return c, fmt.Errorf("Allow(%v): %+v: %w", k, d, err)
	}
	return c, nil
}

// want makes a request that must pass and leave the given number, or be refused
// if that is -1.
func (x *tester) want(k ratelimit.Key, remaining int) error {
	c, err := x.ask(k)
	if err == nil && (c.Allowed != (remaining >= 0) || c.Allowed && c.Remaining != remaining) {
		err = fmt.Errorf("Allow(%v): allowed %t, %d remaining; want allowed %t, %d remaining", k, c.Allowed, c.Remaining, remaining >= 0, max(0, remaining))
	}
	return err
}

// fill makes as many requests as pass, and one that is refused.
func (x *tester) fill(k ratelimit.Key) error {
	for left := x.limits[k.Bucket] - 1; left >= -1; left-- {
		if err := x.want(k, left); err != nil {
			return err
		}
	}
	return nil
}

// burst checks requests that must be made within a window. If they were not,
// because the machine is slow, it tries again with another client.
func (x *tester) burst(check func(client netip.Addr) error) error {
	var err error
	for range 10 {
		began := x.Now()
		err = check(x.client())
		if err == nil || x.Now().Sub(began) < x.Window {
			return err
		}
	}
	return fmt.Errorf("the requests of a burst took longer than the window of %s: %w", x.Window, err)
}

// client returns an address that has not been used yet.
func (x *tester) client() netip.Addr {
	x.clients++
	return netip.AddrFrom4([4]byte{198, 18, byte(x.clients >> 8), byte(x.clients)})
}
