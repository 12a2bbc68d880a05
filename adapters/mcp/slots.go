package mcp

import (
	"cmp"
	"container/list"
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// Slots keep the page that each session rendered last. Implementations are safe
// for concurrent use, bound what they keep, end when the context does, and take any
// session id: it is what a client sent, byte for byte. The id "" is never asked for;
// sessions without one are [DefaultSession].
type Slots interface {
	// Put keeps a page, instead of the one before.
	Put(ctx context.Context, session string, page Page) error
	// Get returns the page, if it is still there.
	Get(ctx context.Context, session string) (Page, bool, error)
}

// Page is what a session rendered. It must not be changed.
type Page struct {
	HTML []byte
}

// DefaultSession is the session of clients that send no id.
const DefaultSession = "__service_default_session__"

// SlotOptions bound [MemorySlots]. The zero value and nil are the defaults.
type SlotOptions struct {
	// MaxSlots is how many pages are kept; 0 means 1024.
	MaxSlots int
	// MaxBytes is how many bytes they may have together; 0 means 64 MiB.
	MaxBytes int64
	// MaxAge is how long a page is kept after it was rendered; 0 means an
	// hour.
	MaxAge time.Duration
	// Now tells the time; nil means [time.Now].
	Now func() time.Time
}

// MemorySlots are slots in the memory of this process. Where there are too many,
// those go that were used least recently.
type MemorySlots struct {
	options SlotOptions

	mu    sync.Mutex
	bytes int64
	order *list.List // of *slot, the most recently used first
	slots map[string]*list.Element
}

type slot struct {
	key     string
	page    Page
	expires time.Time
}

// NewMemorySlots returns empty slots.
func NewMemorySlots(o *SlotOptions) *MemorySlots {
	m := &MemorySlots{order: list.New(), slots: make(map[string]*list.Element)}
	if o != nil {
		m.options = *o
	}
	m.options.MaxSlots = cmp.Or(m.options.MaxSlots, 1024)
	m.options.MaxBytes = cmp.Or(m.options.MaxBytes, 64<<20)
	m.options.MaxAge = cmp.Or(m.options.MaxAge, time.Hour)
	if m.options.Now == nil {
		m.options.Now = time.Now
	}
	return m
}

// maxKey is the longest session id that is kept as it is.
const maxKey = 128

// slotKey is the key of a session. A long id is as good by its hash.
func slotKey(session string) string {
	if len(session) <= maxKey {
		return "=" + session
	}
	sum := sha256.Sum256([]byte(session))
	return "#" + string(sum[:])
}

// slotOverhead is about what a slot takes besides its page.
const slotOverhead = 512

func (s *slot) size() int64 { return int64(len(s.page.HTML)) + slotOverhead }

// Put keeps a page. One that is larger than all slots may be is not kept, nor is
// the one before it.
func (m *MemorySlots) Put(_ context.Context, session string, page Page) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.options.Now()
	fresh := &slot{key: slotKey(session), page: page, expires: now.Add(m.options.MaxAge)}
	if old, ok := m.slots[fresh.key]; ok {
		m.remove(old)
	}
	if fresh.size() > m.options.MaxBytes {
		return nil
	}
	m.slots[fresh.key] = m.order.PushFront(fresh)
	m.bytes += fresh.size()
	for last := m.order.Back(); last != nil; last = m.order.Back() {
		if len(m.slots) <= m.options.MaxSlots && m.bytes <= m.options.MaxBytes && now.Before(last.Value.(*slot).expires) { //nolint:errcheck // holds nothing else
			break
		}
		m.remove(last)
	}
	return nil
}

// Get returns a page.
func (m *MemorySlots) Get(_ context.Context, session string) (Page, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.slots[slotKey(session)]
	if !ok {
		return Page{}, false, nil
	}
	found := e.Value.(*slot) //nolint:errcheck // holds nothing else
	if !m.options.Now().Before(found.expires) {
		m.remove(e)
		return Page{}, false, nil
	}
	m.order.MoveToFront(e)
	return found.page, true, nil
}

func (m *MemorySlots) remove(e *list.Element) {
	gone := m.order.Remove(e).(*slot) //nolint:errcheck // holds nothing else
	delete(m.slots, gone.key)
	m.bytes -= gone.size()
}

// Len returns how many pages there are.
func (m *MemorySlots) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.slots)
}
