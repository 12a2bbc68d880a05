package ratelimit

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"sync"
	"time"
)

// Memory is a [Limiter] in the memory of this process. It starts no goroutine and
// needs no closing. Create one with [NewMemory]; the zero value fails every call.
type Memory struct {
	limits []int // by bucket
	max    int   // keys
	now    func() time.Time
	start  time.Time

	mu      sync.Mutex
	clients map[netip.Addr][]*entry // the keys of each client
	lru     list.List               // of *entry, the least recently seen first
	stats   Stats
}

var _ Limiter = (*Memory)(nil)

// NewMemory returns an empty Memory. It fails if an option is out of range.
func NewMemory(o *Options) (*Memory, error) {
	d, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	limits, err := d.Limits.Effective()
	if err != nil {
		return nil, err
	}
	return &Memory{
		limits: limits, max: d.MaxKeys, now: d.Now, start: d.Now(), clients: make(map[netip.Addr][]*entry),
		stats: Stats{Allowed: make([]uint64, bucketCount), Refused: make([]uint64, bucketCount)},
	}, nil
}

// entry is a key with the requests in its window.
type entry struct {
	Key
	counts     []count // the oldest first
	total      int
	lruElement *list.Element
}

// entryOf returns the entry in a list of ages.
func entryOf(at *list.Element) *entry {
	e, _ := at.Value.(*entry) // nothing else is in the list
	return e
}

// count is the number of requests in a slot of one second.
type count struct{ slot, n uint32 }

// slots is the number of slots in a window: the current one and 60 before it.
const slots = uint32(Window/time.Second) + 1

// Allow decides on a request. It fails only if the bucket does not exist. It does
// not wait, so it ignores ctx.
func (m *Memory) Allow(_ context.Context, key Key) (Decision, error) {
	if key.Bucket >= bucketCount {
		return Decision{}, fmt.Errorf("ratelimit: unknown bucket %d: use one of %v", uint8(key.Bucket), Buckets())
	}
	if m.clients == nil {
		return Decision{}, errors.New("ratelimit: this Memory is a zero value: use NewMemory")
	}
	key = NewKey(key.Bucket, key.Client, key.Name) // others may not be shortened to their /64
	m.mu.Lock()
	defer m.mu.Unlock()
	limit := m.limits[key.Bucket]
	if limit < 0 {
		m.stats.Allowed[key.Bucket]++
		return Decision{Allowed: true, Bucket: key.Bucket}, nil
	}
	now := m.slot()
	m.sweep(now)
	e := m.entry(key, now)
	m.lru.MoveToBack(e.lruElement)
	e.expire(now)
	d := Decision{Allowed: e.total < limit, Bucket: key.Bucket, Limit: limit, Window: Window}
	if d.Allowed {
		m.count(e, now)
		m.stats.Allowed[key.Bucket]++
	} else {
		m.stats.Refused[key.Bucket]++
	}
	d.Remaining = limit - e.total
	d.Reset = time.Duration(slots-(now-e.counts[0].slot)) * time.Second
	if !d.Allowed {
		d.RetryAfter = d.Reset
	}
	return d, nil
}

// slot returns the current slot. The clock is read with the lock held, so slots never seem to go
// back.
func (m *Memory) slot() uint32 { return uint32(m.now().Sub(m.start) / time.Second) }

// entry returns the entry of a key: the one it has, a new one or, if the client has used up
// its names, the one of its requests without a name.
func (m *Memory) entry(key Key, now uint32) *entry {
	if e := m.find(key); e != nil {
		return e
	}
	names := make(map[string]bool)
	for _, e := range slices.Clone(m.clients[key.Client]) {
		if e.expire(now); e.total == 0 {
			m.remove(e)
		} else if e.Name != "" {
			names[e.Name] = true
		}
	}
	if len(names) >= MaxNames && !names[key.Name] {
		key.Name = ""
		if e := m.find(key); e != nil {
			return e
		}
	}
	if m.lru.Len() == m.max {
		m.remove(entryOf(m.lru.Front()))
		m.stats.Evicted++ // it is alive, else sweep would have removed it
	}
	e := &entry{Key: key}
	e.lruElement = m.lru.PushBack(e)
	m.clients[key.Client] = append(m.clients[key.Client], e)
	m.stats.Bytes += entryBytes
	return e
}

func (m *Memory) find(key Key) *entry {
	entries := m.clients[key.Client]
	if i := slices.IndexFunc(entries, func(e *entry) bool { return e.Key == key }); i >= 0 {
		return entries[i]
	}
	return nil
}

// sweep removes at most two of the oldest entries if their requests have expired:
// every request pays a little, and entries expire faster than they are added.
func (m *Memory) sweep(now uint32) {
	for range 2 {
		oldest := m.lru.Front()
		if oldest == nil {
			return
		}
		e := entryOf(oldest)
		if e.expire(now); e.total > 0 {
			return
		}
		m.remove(e)
	}
}

func (m *Memory) remove(e *entry) {
	m.lru.Remove(e.lruElement)
	entries := slices.DeleteFunc(m.clients[e.Client], func(other *entry) bool { return other == e })
	if len(entries) == 0 {
		delete(m.clients, e.Client)
	} else {
		m.clients[e.Client] = entries
	}
	m.stats.Bytes -= entryBytes + int64(cap(e.counts))*countBytes
}

// expire drops the requests that are no longer in the window.
func (e *entry) expire(now uint32) {
	old := 0
	for ; old < len(e.counts) && now-e.counts[old].slot >= slots; old++ {
		e.total -= int(e.counts[old].n)
	}
	e.counts = slices.Delete(e.counts, 0, old)
}

// count counts a request of now.
func (m *Memory) count(e *entry, now uint32) {
	e.total++
	if last := len(e.counts) - 1; last >= 0 && e.counts[last].slot == now {
		e.counts[last].n++
		return
	}
	before := cap(e.counts)
	e.counts = append(e.counts, count{now, 1})
	m.stats.Bytes += int64(cap(e.counts)-before) * countBytes
}

// Stats are counts since the limiter was created, and what it holds now.
type Stats struct {
	// Allowed and Refused are requests, in the order of [Buckets].
	Allowed, Refused []uint64
	// Keys is the number of keys held, including keys whose requests have
	// expired and that have not been removed yet.
	Keys int
	// Evicted is the number of keys that were evicted while they still had
	// requests in their window.
	Evicted uint64
	// Bytes is the memory used for keys, approximately.
	Bytes int64
}

// What an entry takes with its places in the map and in the list, about, and a count.
const entryBytes = 256

var countBytes = int64(reflect.TypeFor[count]().Size())

// Stats returns a snapshot for metrics.
func (m *Memory) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	s.Allowed, s.Refused, s.Keys = slices.Clone(s.Allowed), slices.Clone(s.Refused), m.lru.Len()
	return s
}
