// Package slots keeps a value for each session in memory, within bounds.
package slots

import (
	"cmp"
	"container/list"
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// Options configure [Slots].
type Options struct {
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

// Slots keep the latest value of each session for a while: a few bytes under an id that a
// client chose. If there are too many values, the least recently used ones are evicted.
// Slots are safe for concurrent use. Make them with [New].
type Slots struct {
	options Options

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

// New returns empty slots.
func New(o Options) *Slots {
	o.MaxSlots = cmp.Or(o.MaxSlots, 1024)
	o.MaxBytes = cmp.Or(o.MaxBytes, 64<<20)
	o.MaxAge = cmp.Or(o.MaxAge, time.Hour)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Slots{options: o, slots: make(map[slotKey]*list.Element)}
}

// Put keeps a value. It never fails.
func (m *Slots) Put(_ context.Context, session string, value []byte) error {
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
func (m *Slots) Get(_ context.Context, session string) ([]byte, bool, error) {
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

func (m *Slots) remove(e *list.Element) {
	m.order.Remove(e)
	delete(m.slots, slotOf(e).key)
	m.bytes -= slotOf(e).size()
}

func slotOf(e *list.Element) *slot {
	return e.Value.(*slot) //nolint:errcheck // the list holds nothing else
}
