package mcp_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
)

func put(t testing.TB, s mcp.Slots, session, html string) {
	t.Helper()
	require.NoError(t, s.Put(t.Context(), session, mcp.Page{HTML: []byte(html)}))
}

func get(t testing.TB, s mcp.Slots, session string) string {
	t.Helper()
	page, ok, err := s.Get(t.Context(), session)
	require.NoError(t, err)
	require.Equal(t, ok, page.HTML != nil)
	return string(page.HTML)
}

func TestSlots(t *testing.T) {
	now := time.Unix(0, 0)
	s := mcp.NewMemorySlots(&mcp.SlotOptions{MaxSlots: 3, MaxBytes: 10_000, MaxAge: time.Minute, Now: func() time.Time { return now }})
	assert.Empty(t, get(t, s, "a"))
	put(t, s, "a", "1")
	put(t, s, "a", "2")
	put(t, s, "b", "3")
	put(t, s, "c", "4")
	assert.Equal(t, "2", get(t, s, "a"))
	put(t, s, "d", "5") // b was used least recently
	assert.Empty(t, get(t, s, "b"))
	assert.Equal(t, "2", get(t, s, "a"))
	assert.Equal(t, 3, s.Len())

	put(t, s, "e", string(bytes.Repeat([]byte("x"), 9000)))
	assert.NotEmpty(t, get(t, s, "e"))
	assert.Equal(t, 1, s.Len(), "nothing else fits beside it")
	put(t, s, "e", string(bytes.Repeat([]byte("x"), 10_000)))
	assert.Zero(t, s.Len(), "it never fits, and the old one is out of date")

	put(t, s, "f", "6")
	now = now.Add(time.Minute - 1)
	assert.Equal(t, "6", get(t, s, "f"))
	now = now.Add(1)
	assert.Empty(t, get(t, s, "f"))
	assert.Zero(t, s.Len())
	put(t, s, "g", "7")
	now = now.Add(time.Hour)
	put(t, s, "h", "8")
	assert.Equal(t, 1, s.Len(), "what is old goes by itself")
}

// A million sessions with long ids leave nothing behind.
func TestManySessions(t *testing.T) {
	s := mcp.NewMemorySlots(nil)
	page := mcp.Page{HTML: make([]byte, 100)}
	long := string(bytes.Repeat([]byte("s"), 4000))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ctx := t.Context()
	for i := range 1_000_000 {
		id := strconv.Itoa(i)
		if i%100 == 0 || i > 998_000 {
			id += long
		}
		if err := s.Put(ctx, id, page); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Equal(t, 1024, s.Len())
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(3<<20), "ids are 4 MB as they are")
	runtime.KeepAlive(s)
}

func TestSlotsTogether(t *testing.T) {
	s := mcp.NewMemorySlots(&mcp.SlotOptions{MaxSlots: 8})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 200 {
				id := fmt.Sprint((i + j) % 20)
				err := s.Put(t.Context(), id, mcp.Page{HTML: []byte(id)})
				page, ok, err2 := s.Get(t.Context(), id)
				if err != nil || err2 != nil || ok && string(page.HTML) != id {
					t.Error(id, err, err2, page)
				}
			}
		})
	}
	group.Wait()
	assert.LessOrEqual(t, s.Len(), 8)
}
