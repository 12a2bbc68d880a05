// Package sessiontest proves implementations of [session.Slots], one subtest for
// each clause of the contract:
//
//	func TestSlots(t *testing.T) {
//		sessiontest.Run(t, func(t *testing.T, b sessiontest.Bounds) session.Slots {
//			…
//		}, nil)
//	}
//
// Run the tests with -race: safety for concurrent use is a clause.
package sessiontest

import (
	"context"
	"testing"
	"time"

	"github.com/datachain-go/datachain/adapters/session"
)

// Bounds are what the slots of a clause must be configured with.
type Bounds struct {
	// MaxAge is how long a value is kept.
	MaxAge time.Duration
	// MaxValue is the size of the largest value that is kept.
	MaxValue int
}

// Options configure [Run]. Nil and the zero value mean the defaults.
type Options struct {
	// Now and Sleep are the clock of the slots; nil means [time.Now] and
	// [time.Sleep]. With a clock of its own, a test spends no time waiting.
	Now   func() time.Time
	Sleep func(time.Duration)
	// Other returns the slots of another server that share their values with those that
	// open returned last, and a function that keeps the latter from what they share until
	// resume is called: what they send meanwhile arrives late. Nil means that slots are
	// not shared.
	Other func(t *testing.T, b Bounds) (other session.Slots, stall func() (resume func()))
}

// Run proves an implementation. It calls open once for each clause; open returns
// empty slots and releases them with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T, b Bounds) session.Slots, o *Options) {
	t.Helper()
	for _, c := range clauses() {
		t.Run(c.name, func(t *testing.T) {
			if err := c.prove(t, open, o); err != nil {
				t.Error(err)
			}
		})
	}
}

// A clause is one thing that slots must do. Its check returns an error, so that
// it can be shown to fail for slots that do not.
type clause struct {
	name   string
	maxAge time.Duration
	check  func(ctx context.Context, x *tester) error
}

// A tester is the slots under test, with what a check needs to know of them.
type tester struct {
	session.Slots
	Bounds
	Options
	t *testing.T
}

func (c *clause) prove(t *testing.T, open func(*testing.T, Bounds) session.Slots, o *Options) error {
	t.Helper()
	x := &tester{t: t, Bounds: Bounds{MaxAge: c.maxAge, MaxValue: 1 << 20}}
	if o != nil {
		x.Options = *o
	}
	if x.Now == nil {
		x.Now = time.Now
	}
	if x.Sleep == nil {
		x.Sleep = time.Sleep
	}
	x.Slots = open(t, x.Bounds)
	return c.check(t.Context(), x)
}
