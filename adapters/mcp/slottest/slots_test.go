package slottest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/mcp/slottest"
)

// The names of the clauses.
const (
	unknown  = "an unknown session has no value"
	returned = "get returns what was put"
	replaced = "put replaces the value"
	separate = "sessions are separate"
	tooLarge = "a value too large to keep removes the one before"
	expired  = "values expire"
	ended    = "ended contexts end calls"
	together = "concurrent calls get whole values"
)

// broken is slots with a defect.
type broken struct {
	*mcp.MemorySlots
	mu     sync.Mutex
	bounds slottest.Bounds
	puts   int
	put    putFunc
	get    getFunc
}

type (
	putFunc func(ctx context.Context, b *broken, id string, value []byte) error
	getFunc func(ctx context.Context, b *broken, id string) ([]byte, bool, error)
)

func (b *broken) Put(ctx context.Context, id string, value []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.put == nil {
		return b.MemorySlots.Put(ctx, id, value)
	}
	return b.put(ctx, b, id, value)
}

func (b *broken) Get(ctx context.Context, id string) ([]byte, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.get == nil {
		return b.MemorySlots.Get(ctx, id)
	}
	return b.get(ctx, b, id)
}

var errBroken = errors.New("broken")

// slotsDefects are broken slots, with the clauses that catch them.
var slotsDefects = map[string]struct {
	put    putFunc
	get    getFunc
	caught []string
}{
	"finds a value that is not there": {get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
		value, _, err := b.MemorySlots.Get(ctx, id)
		return value, true, err
	}, caught: []string{unknown, tooLarge, expired}},
	"fails for an unknown session": {get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
		value, ok, _ := b.MemorySlots.Get(ctx, id)
		if !ok {
			return nil, false, errBroken
		}
		return value, ok, nil
	}, caught: []string{unknown, tooLarge, expired}},
	"keeps text up to a zero byte": {put: func(ctx context.Context, b *broken, id string, value []byte) error {
		text, _, _ := strings.Cut(string(value), "\x00")
		return b.MemorySlots.Put(ctx, id, []byte(text))
	}, caught: []string{returned, tooLarge}},
	"takes an empty value for none": {get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
		value, _, err := b.MemorySlots.Get(ctx, id)
		return value, len(value) > 0, err
	}, caught: []string{returned}},
	"returns a value once": {get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
		value, ok, err := b.MemorySlots.Get(ctx, id)
		return value, ok, errors.Join(err, b.MemorySlots.Put(ctx, id, make([]byte, b.bounds.MaxValue+1)))
	}, caught: []string{returned, expired, ended, together}},
	"keeps the first value": {put: func(ctx context.Context, b *broken, id string, value []byte) error {
		if _, ok, _ := b.MemorySlots.Get(ctx, id); ok {
			return nil
		}
		return b.MemorySlots.Put(ctx, id, value)
	}, caught: []string{returned, replaced, tooLarge}},
	"has one slot": {
		put: func(ctx context.Context, b *broken, _ string, value []byte) error {
			return b.MemorySlots.Put(ctx, "", value)
		},
		get: func(ctx context.Context, b *broken, _ string) ([]byte, bool, error) {
			return b.MemorySlots.Get(ctx, "")
		},
		caught: []string{separate, together},
	},
	"ignores case": {
		put: func(ctx context.Context, b *broken, id string, value []byte) error {
			return b.MemorySlots.Put(ctx, strings.ToLower(id), value)
		},
		get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
			return b.MemorySlots.Get(ctx, strings.ToLower(id))
		},
		caught: []string{separate},
	},
	"cuts long ids": {
		put: func(ctx context.Context, b *broken, id string, value []byte) error {
			return b.MemorySlots.Put(ctx, id[:min(len(id), 64)], value)
		},
		get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
			return b.MemorySlots.Get(ctx, id[:min(len(id), 64)])
		},
		caught: []string{separate},
	},
	"refuses strange ids": {put: func(ctx context.Context, b *broken, id string, value []byte) error {
		if strings.ContainsAny(id, " \x00\r\n") {
			return errBroken
		}
		return b.MemorySlots.Put(ctx, id, value)
	}, caught: []string{separate}},
	"fails for a large value": {put: func(ctx context.Context, b *broken, id string, value []byte) error {
		if len(value) > b.bounds.MaxValue {
			return errBroken
		}
		return b.MemorySlots.Put(ctx, id, value)
	}, caught: []string{tooLarge}},
	"keeps the value before one that is too large": {put: func(ctx context.Context, b *broken, id string, value []byte) error {
		if len(value) > b.bounds.MaxValue {
			return nil
		}
		return b.MemorySlots.Put(ctx, id, value)
	}, caught: []string{tooLarge}},
	"never lets values expire": {get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
		value, ok, err := b.MemorySlots.Get(ctx, id)
		if !ok && b.bounds.MaxAge < time.Hour {
			return []byte("value"), true, err
		}
		return value, ok, err
	}, caught: []string{expired}},
	"lets values expire at once": {put: func(ctx context.Context, b *broken, id string, value []byte) error {
		if b.bounds.MaxAge < time.Hour {
			return nil
		}
		return b.MemorySlots.Put(ctx, id, value)
	}, caught: []string{expired}},
	"has errors of its own for ended contexts": {get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
		if ctx.Err() != nil {
			return nil, false, errBroken
		}
		return b.MemorySlots.Get(ctx, id)
	}, caught: []string{ended}},
	"drops the value if the context of a Get has ended": {get: func(ctx context.Context, b *broken, id string) ([]byte, bool, error) {
		if ctx.Err() != nil {
			return nil, false, b.MemorySlots.Put(ctx, id, make([]byte, b.bounds.MaxValue+1))
		}
		return b.MemorySlots.Get(ctx, id)
	}, caught: []string{ended}},
	"cuts values after many calls": {put: func(ctx context.Context, b *broken, id string, value []byte) error {
		if b.puts++; b.puts > 100 {
			value = value[:10]
		}
		return b.MemorySlots.Put(ctx, id, value)
	}, caught: []string{together}},
}

// A clock moves only when someone sleeps.
type clock struct{ now time.Time }

func (c *clock) options() *slottest.Options {
	return &slottest.Options{Now: func() time.Time { return c.now }, Sleep: func(d time.Duration) { c.now = c.now.Add(d) }}
}

func (c *clock) open(t *testing.T, b slottest.Bounds) *mcp.MemorySlots {
	t.Helper()
	return mcp.NewMemorySlots(&mcp.MemorySlotsOptions{MaxAge: b.MaxAge, MaxBytes: 512 + int64(b.MaxValue), Now: c.options().Now})
}

// TestSlotsDefects shows that every clause fails for slots that break it, and only for
// those.
func TestSlotsDefects(t *testing.T) {
	var all []string
	for name, d := range slotsDefects {
		t.Run(name, func(t *testing.T) {
			var c clock
			var caught []string
			for clause, err := range slottest.Check(t, func(t *testing.T, b slottest.Bounds) slottest.Slots {
				t.Helper()
				return &broken{MemorySlots: c.open(t, b), bounds: b, put: d.put, get: d.get}
			}, c.options()) {
				if err != nil {
					t.Logf("%s: %v", clause, err)
					caught = append(caught, clause)
				}
			}
			assert.ElementsMatch(t, d.caught, caught)
			all = append(all, caught...)
		})
	}
	var c clock
	clauses := slottest.Check(t, func(t *testing.T, b slottest.Bounds) slottest.Slots {
		t.Helper()
		return c.open(t, b)
	}, c.options())
	for name, err := range clauses {
		require.NoError(t, err, name)
		assert.Contains(t, all, name, "every clause catches something")
	}
}

// TestRealTime runs the suite as an engine with a clock of its own does.
func TestRealTime(t *testing.T) {
	slottest.Run(t, func(t *testing.T, b slottest.Bounds) slottest.Slots {
		t.Helper()
		return mcp.NewMemorySlots(&mcp.MemorySlotsOptions{MaxAge: b.MaxAge, MaxBytes: 512 + int64(b.MaxValue)})
	}, nil)
}
