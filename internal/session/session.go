// Package session keeps the latest value of each session: a few bytes under an
// id that a client chose. [Slots] is the interface, [Memory] the implementation
// for one process. Servers that share their sessions need an implementation that
// they share, too; package sessiontest proves one.
package session

import (
	"cmp"
	"container/list"
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"
)

// Slots keeps one value for each session, as package adapters/mcp defines it.
type Slots interface {
	Put(ctx context.Context, session string, value []byte) error
	Get(ctx context.Context, session string) ([]byte, bool, error)
}

// Options configure a [Memory]. Nil and the zero value mean the defaults.
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

// Memory is [Slots] in the memory of this process. If there are too many values,
// the least recently used ones are evicted. Create one with [NewMemory]; the zero
// value keeps nothing.
type Memory struct {
	options Options

	mu    sync.Mutex
	bytes int64
	order list.List // of *slot, the most recently used first
	slots map[key]*list.Element
}

var _ Slots = (*Memory)(nil)

// key is the hash of a session id, so that long ids take no more memory.
type key [sha256.Size]byte

type slot struct {
	key     key
	value   []byte
	expires time.Time
}

// overhead is about what a slot takes besides its value.
const overhead = 512

func (s *slot) size() int64 { return int64(len(s.value)) + overhead }

// NewMemory returns an empty Memory. It fails if an option is negative.
func NewMemory(o *Options) (*Memory, error) {
	m := &Memory{slots: make(map[key]*list.Element)}
	if o != nil {
		m.options = *o
	}
	if m.options.MaxSlots < 0 || m.options.MaxBytes < 0 || m.options.MaxAge < 0 {
		return nil, fmt.Errorf("session: MaxSlots %d, MaxBytes %d and MaxAge %s must not be negative",
			m.options.MaxSlots, m.options.MaxBytes, m.options.MaxAge)
	}
	m.options.MaxSlots = cmp.Or(m.options.MaxSlots, 1024)
	m.options.MaxBytes = cmp.Or(m.options.MaxBytes, 64<<20)
	m.options.MaxAge = cmp.Or(m.options.MaxAge, time.Hour)
	if m.options.Now == nil {
		m.options.Now = time.Now
	}
	return m, nil
}

// Put keeps a value. It never fails.
func (m *Memory) Put(_ context.Context, session string, value []byte) error {
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
func (m *Memory) Get(_ context.Context, session string) ([]byte, bool, error) {
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

func (m *Memory) remove(e *list.Element) {
	m.order.Remove(e)
	delete(m.slots, slotOf(e).key)
	m.bytes -= slotOf(e).size()
}

func slotOf(e *list.Element) *slot {
	return e.Value.(*slot) //nolint:errcheck // the list holds nothing else
}
