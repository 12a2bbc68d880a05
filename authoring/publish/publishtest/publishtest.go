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
// Run the tests with -race. [Memory] and [Bucket] are targets for tests of other
// packages.
package publishtest

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/datachain-go/datachain/authoring/publish"
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
			switch err := c.run(t.Context(), create(t), patience); {
			case errors.Is(err, errOtherKind):
				t.Log(err)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// errOtherKind means that a clause does not apply.
var errOtherKind = errors.New("the clause is for another kind of target")

// clause is one thing that a target must do. It is a value whose check returns an
// error, so that tests can show that it fails when it should. A clause has either
// a check for one publisher or one for several.
type clause struct {
	name    string
	kind    kind // of the targets that it is for
	check   func(ctx context.Context, t *target) error
	several func(ctx context.Context, open OpenFunc) error
}

// kind is a kind of targets.
type kind int

const (
	every     kind = iota
	directory      // a [publish.Directory]
	shared         // a [publish.Shared] target
)

// of reports whether a target is of the kind.
func (k kind) of(t publish.Target) bool {
	_, isShared := t.(publish.Shared)
	_, isDirectory := t.(publish.Directory)
	return k == every || k == directory && isDirectory || k == shared && isShared
}

// target is a target with its tolerance, and the layout that it is used with.
type target struct {
	publish.Target
	patience time.Duration
	layout   publish.Layout
}

// in returns a check with a published.
func in(l publish.Layout, check func(ctx context.Context, t *target) error) func(ctx context.Context, t *target) error {
	return func(ctx context.Context, t *target) error { return check(ctx, &target{t.Target, t.patience, l}) }
}

// Write makes a directory contain files: those and no others in a
// [publish.Directory], besides those that are there in a [publish.Shared] target.
func (t *target) Write(ctx context.Context, dir string, files []publish.File) error {
	if d, ok := t.Target.(publish.Directory); ok {
		return d.Write(ctx, dir, files)
	}
	for _, f := range files {
		if err := t.Add(ctx, dir, f); err != nil {
			return err
		}
	}
	return nil
}

// Trim removes files from a [publish.Directory].
func (t *target) Trim(ctx context.Context, dir string, names ...string) error {
	d, ok := t.Target.(publish.Directory)
	if !ok {
		return errOtherKind
	}
	return d.Trim(ctx, dir, names...)
}

func (c clause) run(ctx context.Context, open OpenFunc, patience time.Duration) error {
	err := using(ctx, open, func(t publish.Target) error {
		switch {
		case !c.kind.of(t):
			return errOtherKind
		case c.several != nil:
			return nil // others must be able to open it
		}
		return c.check(ctx, &target{Target: t, patience: patience})
	})
	if err == nil && c.several != nil {
		err = c.several(ctx, open)
	}
	return err
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
