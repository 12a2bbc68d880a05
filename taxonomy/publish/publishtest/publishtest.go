// Package publishtest checks implementations of [publish.Target], one subtest for
// each clause of the contract:
//
//	func TestTarget(t *testing.T) {
//		publishtest.Run(t, func(t *testing.T) publishtest.OpenFunc {
//			dir := t.TempDir()
//			return func(ctx context.Context) (publish.Target, error) {
//				return fsstore.OpenTarget(ctx, dir)
//			}
//		})
//	}
//
// Run the tests with -race. [Memory] is a target for tests of other packages.
package publishtest

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/datachain-go/datachain/taxonomy/publish"
)

// OpenFunc opens a target. Each call opens the same one, as another publisher
// would, and is used by one goroutine. The target is closed after use if it is an
// [io.Closer].
type OpenFunc func(ctx context.Context) (publish.Target, error)

// patience is how long a time that must advance is given to do so: some targets
// count in whole seconds.
const patience = 10 * time.Second

// Run checks a target. It calls create once for each clause, for a new target
// that is empty and lists all that it has stored at once.
func Run(t *testing.T, create func(t *testing.T) OpenFunc) {
	t.Helper()
	for _, c := range clauses() {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if err := c.run(t.Context(), create(t), patience); err != nil {
				t.Error(err)
			}
		})
	}
}

// clause is one thing that a target must do. It is a value whose check returns an
// error, so that tests can show that it fails when it should. A clause has either
// a check for one publisher or one for several.
type clause struct {
	name    string
	check   func(ctx context.Context, t *target) error
	several func(ctx context.Context, open OpenFunc) error
}

// target is a target with its tolerance, and the layout that it is used with.
type target struct {
	publish.Target
	patience time.Duration
	layout   publish.Layout
}

// in returns a check with a layout.
func in(l publish.Layout, check func(ctx context.Context, t *target) error) func(ctx context.Context, t *target) error {
	return func(ctx context.Context, t *target) error { return check(ctx, &target{t.Target, t.patience, l}) }
}

func (c clause) run(ctx context.Context, open OpenFunc, patience time.Duration) error {
	if c.several != nil {
		return c.several(ctx, open)
	}
	return using(ctx, open, func(t publish.Target) error { return c.check(ctx, &target{Target: t, patience: patience}) })
}

// using opens a target, uses and closes it.
func using(ctx context.Context, open OpenFunc, use func(t publish.Target) error) error {
	t, err := open(ctx)
	if err != nil {
		return err
	}
	err = use(t)
	if c, ok := t.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}
