package mcp_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/mcp/slottest"
)

// A clock moves only when someone sleeps.
type clock struct{ time.Time }

func (c *clock) now() time.Time        { return c.Time }
func (c *clock) sleep(d time.Duration) { c.Time = c.Add(d) }

func TestSlots(t *testing.T) {
	var c clock
	slottest.Run(t, func(_ *testing.T, b slottest.Bounds) slottest.Slots {
		return mcp.NewMemorySlots(&mcp.MemorySlotsOptions{MaxAge: b.MaxAge, MaxBytes: int64(b.MaxValue) + 512, Now: c.now})
	}, &slottest.Options{Now: c.now, Sleep: c.sleep})
}

func put(t *testing.T, m *mcp.MemorySlots, id, value string) {
	t.Helper()
	require.NoError(t, m.Put(t.Context(), id, []byte(value)))
}

func value(t *testing.T, m *mcp.MemorySlots, id string) string {
	t.Helper()
	kept, ok, err := m.Get(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, ok, kept != nil)
	return string(kept)
}

func TestSlotsBounds(t *testing.T) {
	var c clock
	m := mcp.NewMemorySlots(&mcp.MemorySlotsOptions{MaxSlots: 3, MaxBytes: 10_000, MaxAge: time.Minute, Now: c.now})
	put(t, m, "a", "1")
	put(t, m, "a", "2")
	put(t, m, "b", "3")
	put(t, m, "c", "4")
	assert.Equal(t, "2", value(t, m, "a"))
	put(t, m, "d", "5")
	assert.Empty(t, value(t, m, "b"), "least recently used")
	assert.Equal(t, "2", value(t, m, "a"))
	assert.Equal(t, 3, m.Len())

	put(t, m, "e", strings.Repeat("x", 9000))
	assert.NotEmpty(t, value(t, m, "e"))
	assert.Equal(t, 1, m.Len(), "nothing else fits beside it")
	put(t, m, "e", strings.Repeat("x", 10_000))
	assert.Zero(t, m.Len(), "too large, and the old value is out of date")

	put(t, m, "f", "6")
	c.sleep(time.Minute - 1)
	assert.Equal(t, "6", value(t, m, "f"))
	c.sleep(1)
	assert.Empty(t, value(t, m, "f"))
	assert.Zero(t, m.Len())
	put(t, m, "g", "7")
	c.sleep(time.Hour)
	put(t, m, "h", "8")
	assert.Equal(t, 1, m.Len(), "a Put removes what has expired")
}

// TestManySessions shows that memory stays bounded for any number of long ids.
func TestManySessions(t *testing.T) {
	m := mcp.NewMemorySlots(nil)
	page, long := make([]byte, 100), strings.Repeat("s", 4000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ctx := t.Context()
	for i := range 20_000 {
		id := strconv.Itoa(i)
		if i%100 == 0 || i > 18_000 {
			id += long
		}
		if err := m.Put(ctx, id, page); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Equal(t, 1024, m.Len())
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(3<<20), "the ids alone have 4 MB")
	runtime.KeepAlive(m)
}

func ExampleMemorySlots() {
	slots := mcp.NewMemorySlots(&mcp.MemorySlotsOptions{MaxAge: time.Hour})
	ctx := context.Background()
	if err := slots.Put(ctx, "client-7", []byte("<p>page</p>")); err != nil {
		fmt.Println(err)
		return
	}
	page, found, err := slots.Get(ctx, "client-7")
	fmt.Println(string(page), found, err)
	// Output: <p>page</p> true <nil>
}
