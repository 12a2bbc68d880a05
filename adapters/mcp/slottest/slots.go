// Package slottest tests implementations of mcp.Slots, one subtest per clause of the contract.
package slottest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// Slots keep the latest value of each session, as package adapters/mcp defines them.
type Slots interface {
	Put(ctx context.Context, session string, value []byte) error
	Get(ctx context.Context, session string) ([]byte, bool, error)
}

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
}

// Run tests an implementation of [Slots], one subtest for each clause of the contract.
// It calls open once for each clause; open returns
// empty slots and releases them with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T, b Bounds) Slots, o *Options) {
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
	Slots
	Bounds
	Options
	t *testing.T
}

func (c *clause) prove(t *testing.T, open func(*testing.T, Bounds) Slots, o *Options) error {
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

func clauses() []clause {
	const long, short = time.Hour, time.Second
	return []clause{
		{name: "an unknown session has no value", maxAge: long, check: checkUnknown},
		{name: "get returns what was put", maxAge: long, check: checkPut},
		{name: "put replaces the value", maxAge: long, check: checkReplace},
		{name: "sessions are separate", maxAge: long, check: checkSeparate},
		{name: "a value too large to keep removes the one before", maxAge: long, check: checkTooLarge},
		{name: "values expire", maxAge: short, check: checkExpiry},
		{name: "ended contexts end calls", maxAge: long, check: checkEnded},
		{name: "concurrent calls get whole values", maxAge: long, check: checkConcurrent},
	}
}

// ids are session ids that an implementation might confuse or fail to store.
func ids() []string {
	long := strings.Repeat("s", 4096)
	return []string{
		"a", "A", "a ", " a", "a\x00", "a:b", "a/b", "a*", "{a}", "ä", "\xff", "\xfe", "a\r\nb", "__proto__", "..", long, long + "1", long + "2",
	}
}

func checkUnknown(ctx context.Context, x *tester) error {
	for _, id := range ids() {
		if err := wantNone(ctx, x, id); err != nil {
			return err
		}
	}
	return nil
}

func checkPut(ctx context.Context, x *tester) error {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, value := range [][]byte{[]byte("<p>page</p>"), all, {}, bytes.Repeat([]byte("x"), x.MaxValue)} {
		if err := put(ctx, x, "a", value); err != nil {
			return err
		}
		for range 2 { // reading does not remove it
			if err := wantValue(ctx, x, "a", value); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkReplace(ctx context.Context, x *tester) error {
	for _, value := range []string{"first", "second", "2", "third"} {
		if err := put(ctx, x, "a", []byte(value)); err != nil {
			return err
		}
	}
	return wantValue(ctx, x, "a", []byte("third"))
}

func checkSeparate(ctx context.Context, x *tester) error {
	for i, id := range ids() {
		if err := put(ctx, x, id, fmt.Append(nil, i)); err != nil {
			return err
		}
	}
	for i, id := range ids() {
		if err := wantValue(ctx, x, id, fmt.Append(nil, i)); err != nil {
			return err
		}
	}
	return nil
}

func checkTooLarge(ctx context.Context, x *tester) error {
	if err := put(ctx, x, "a", []byte("before")); err != nil {
		return err
	}
	if err := put(ctx, x, "a", make([]byte, x.MaxValue+1)); err != nil {
		return err
	}
	return wantNone(ctx, x, "a")
}

// checkExpiry compares with the time that has certainly or possibly passed, so it
// holds however slow the machine is.
func checkExpiry(ctx context.Context, x *tester) error {
	const tolerance = 10 * time.Second // of engines that expire now and then
	began := x.Now()
	if err := put(ctx, x, "a", []byte("value")); err != nil {
		return err
	}
	kept := x.Now()
	for {
		asked := x.Now()
		_, found, err := get(ctx, x, "a")
		switch {
		case err != nil:
			return err
		case !found && x.Now().Sub(began) < x.MaxAge:
			return fmt.Errorf("the value is missing after %s, before the MaxAge of %s", x.Now().Sub(began), x.MaxAge)
		case !found:
			return nil
		case asked.Sub(kept) > x.MaxAge+tolerance:
			return fmt.Errorf("the value is still there after %s, long after the MaxAge of %s", asked.Sub(kept), x.MaxAge)
		}
		x.Sleep(x.MaxAge / 8) // between two looks
	}
}

func checkEnded(ctx context.Context, x *tester) error {
	if err := put(ctx, x, "a", []byte("value")); err != nil {
		return err
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := x.Put(ended, "b", []byte("value")); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("got error %w from Put with a canceled context, want none or context.Canceled", err)
	}
	if _, _, err := x.Get(ended, "a"); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("got error %w from Get with a canceled context, want none or context.Canceled", err)
	}
	return wantValue(ctx, x, "a", []byte("value"))
}

func checkConcurrent(ctx context.Context, x *tester) error {
	const callers, calls, sessions = 8, 20, 3
	write := func(session, length int) error {
		id := fmt.Sprint(session % sessions)
		return put(ctx, x, id, bytes.Repeat([]byte(id), length))
	}
	read := func(session int) error {
		id := fmt.Sprint(session % sessions)
		value, found, err := get(ctx, x, id)
		if err == nil && (!found || len(value) < 1000 || len(bytes.Trim(value, id)) > 0) {
			err = fmt.Errorf("Get(%q): got %.20q (%d bytes, found %t), which no Put kept", id, value, len(value), found)
		}
		return err
	}
	for i := range sessions {
		if err := write(i, 1000); err != nil {
			return err
		}
	}
	errs := make([]error, callers)
	var group sync.WaitGroup
	for c := range callers {
		group.Go(func() {
			for i := range calls {
				if errs[c] = cmp.Or(write(i, 1000+c), read(i), read(i+1), read(i+1)); errs[c] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// callPatience is how long a call may take before the implementation counts as hung.
const callPatience = time.Minute

func put(ctx context.Context, x *tester, id string, value []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callPatience)
	defer cancel()
	if err := x.Put(ctx, id, value); err != nil {
		return fmt.Errorf("Put(%.20q, %d bytes): %w", id, len(value), err)
	}
	return nil
}

func get(ctx context.Context, x *tester, id string) ([]byte, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callPatience)
	defer cancel()
	value, found, err := x.Get(ctx, id)
	if err != nil {
		return nil, false, fmt.Errorf("Get(%.20q): %w", id, err)
	}
	return value, found, nil
}

func wantValue(ctx context.Context, x *tester, id string, want []byte) error {
	got, found, err := get(ctx, x, id)
	if err == nil && (!found || !bytes.Equal(got, want)) {
		err = fmt.Errorf("Get(%.20q): got %.20q (%d bytes, found %t), want %.20q (%d bytes)", id, got, len(got), found, want, len(want))
	}
	return err
}

func wantNone(ctx context.Context, x *tester, id string) error {
	got, found, err := get(ctx, x, id)
	if err == nil && (found || got != nil) {
		err = fmt.Errorf("Get(%.20q): got %.20q (found %t), want nothing", id, got, found)
	}
	return err
}
