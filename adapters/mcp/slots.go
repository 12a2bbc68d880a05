package mcp

import (
	"container/list"
	"context"
	"crypto/sha256"
	"math"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/limit"
)

// MemorySlotsOptions configure [MemorySlots]. Negative numbers mean no limit.
type MemorySlotsOptions struct {
	// MaxSlots limits the number of values; 0 means 1024.
	MaxSlots int
	// MaxBytes limits the size of all values together; 0 means 64 MiB. Each
	// value counts 512 bytes more than it has.
	MaxBytes int64
	// MaxAge is how long a value is kept after Put; 0 means an hour.
	MaxAge time.Duration
	// Now is the clock; nil means [time.Now].
	Now func() time.Time
}

// MemorySlots are [Slots] in memory, within bounds. If there are too many values, the least
// recently used ones are evicted. Make them with [NewMemorySlots].
type MemorySlots struct {
	options MemorySlotsOptions

	mu    sync.Mutex
	bytes int64
	order list.List // of *slot, the most recently used first
	slots map[slotKey]*list.Element
}

// slotKey is the hash of a session id, so that long ids take no more memory.
type slotKey [sha256.Size]byte

type slot struct {
	key     slotKey
	value   []byte
	expires time.Time
}

// slotOverhead is about what a slot takes besides its value.
const slotOverhead = 512

func (s *slot) size() int64 { return int64(len(s.value)) + slotOverhead }

// NewMemorySlots returns empty slots. Nil options mean the defaults.
func NewMemorySlots(o *MemorySlotsOptions) *MemorySlots {
	m := &MemorySlots{slots: make(map[slotKey]*list.Element)}
	if o != nil {
		m.options = *o
	}
	m.options.MaxSlots = limit.Of(m.options.MaxSlots, 1024, math.MaxInt)
	m.options.MaxBytes = limit.Of(m.options.MaxBytes, 64<<20, math.MaxInt64)
	m.options.MaxAge = limit.Of(m.options.MaxAge, time.Hour, math.MaxInt64/2)
	if m.options.Now == nil {
		m.options.Now = time.Now
	}
	return m
}

// Put keeps a value. It never fails.
func (m *MemorySlots) Put(_ context.Context, session string, value []byte) error {
	fresh := &slot{key: sha256.Sum256([]byte(session)), value: value}
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.slots[fresh.key]; ok {
		m.remove(old)
	}
	if fresh.size() > m.options.MaxBytes {
		return nil
	}
	now := m.options.Now()
	fresh.expires = now.Add(m.options.MaxAge)
	m.slots[fresh.key] = m.order.PushFront(fresh)
	m.bytes += fresh.size()
	for {
		last := m.order.Back()
		if len(m.slots) <= m.options.MaxSlots && m.bytes <= m.options.MaxBytes && now.Before(slotOf(last).expires) {
			return nil
		}
		m.remove(last)
	}
}

// Get returns a value. It never fails.
func (m *MemorySlots) Get(_ context.Context, session string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.slots[sha256.Sum256([]byte(session))]
	if !ok {
		return nil, false, nil
	}
	if !m.options.Now().Before(slotOf(e).expires) {
		m.remove(e)
		return nil, false, nil
	}
	m.order.MoveToFront(e)
	return slotOf(e).value, true, nil
}

func (m *MemorySlots) remove(e *list.Element) {
	m.order.Remove(e)
	delete(m.slots, slotOf(e).key)
	m.bytes -= slotOf(e).size()
}

func slotOf(e *list.Element) *slot {
	return e.Value.(*slot) //nolint:errcheck // the list holds nothing else
}
