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
	"testing/synctest"
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
	// Synctest runs every clause in a bubble of [testing/synctest], so that no
	// time is spent waiting. It is for slots that do no I/O.
	Synctest bool
}

// Run proves an implementation. It calls open once for each clause; open returns
// empty slots and releases them with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T, b Bounds) session.Slots, o *Options) {
	t.Helper()
	for _, c := range clauses() {
		t.Run(c.name, func(t *testing.T) {
			prove := func(t *testing.T) {
				t.Helper()
				if err := c.prove(t.Context(), func(b Bounds) session.Slots { return open(t, b) }); err != nil {
					t.Error(err)
				}
			}
			if o != nil && o.Synctest {
				synctest.Test(t, prove)
			} else {
				prove(t)
			}
		})
	}
}

// A clause is one thing that slots must do. Its check returns an error, so that
// it can be shown to fail for slots that do not.
type clause struct {
	name   string
	maxAge time.Duration // 0 means that nothing expires during the check
	check  func(ctx context.Context, s session.Slots, b Bounds) error
}

func (c *clause) prove(ctx context.Context, open func(Bounds) session.Slots) error {
	b := Bounds{MaxAge: time.Hour, MaxValue: 1 << 20}
	if c.maxAge != 0 {
		b.MaxAge = c.maxAge
	}
	return c.check(ctx, open(b), b)
}
