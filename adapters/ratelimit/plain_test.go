package ratelimit_test

import (
	"context"
	"hash/maphash"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// plain is the limiter as one would write it with maps, slices and pointers: the
// same contract, shards, bound and eviction as [ratelimit.Memory]. It is what
// Memory is compared with, in decisions and in cost.
type plain struct {
	limits [6]int
	now    func() time.Time
	start  time.Time
	seed   maphash.Seed
	shards []plainShard
}

type plainShard struct {
	mu      sync.Mutex
	max     int
	held    int
	clients map[netip.Addr]*plainEntry
	ring    plainEntry // newer is the oldest entry, older the newest
}

type plainEntry struct {
	key          ratelimit.Key
	counts       []plainCount // the oldest first
	total        int
	next         *plainEntry // of the same client
	older, newer *plainEntry // by when they were last seen
}

type plainCount struct{ slot, n uint32 }

func newPlain(limits [6]int, now func() time.Time) *plain {
	p := &plain{limits: limits, now: now, start: now(), seed: maphash.MakeSeed(), shards: make([]plainShard, 64)}
	for i := range p.shards {
		s := &p.shards[i]
		s.max, s.clients = 1<<18/len(p.shards), make(map[netip.Addr]*plainEntry)
		s.ring.older, s.ring.newer = &s.ring, &s.ring
	}
	return p
}

func (p *plain) Allow(_ context.Context, k ratelimit.Key) (ratelimit.Decision, error) {
	s := &p.shards[maphash.Comparable(p.seed, k.Client)%uint64(len(p.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	now := uint32(p.now().Sub(p.start) / time.Second)
	for range 2 {
		if oldest := s.ring.newer; oldest != &s.ring && !oldest.alive(now) {
			s.remove(oldest)
		}
	}
	e := s.find(k, now)
	e.unlink()
	s.link(e)
	e.alive(now)
	limit := p.limits[k.Bucket]
	d := ratelimit.Decision{Allowed: e.total < limit, Bucket: k.Bucket, Limit: limit, Window: ratelimit.Window}
	if d.Allowed {
		e.add(now)
	}
	d.Remaining = limit - e.total
	d.Reset = time.Duration(61-(now-e.counts[0].slot)) * time.Second
	if !d.Allowed {
		d.RetryAfter = d.Reset
	}
	return d, nil
}

// find returns the entry of a key, which may be a new one or, for a name too many,
// the one without a name.
func (s *plainShard) find(k ratelimit.Key, now uint32) *plainEntry {
	if e := s.get(k); e != nil {
		return e
	}
	names := map[string]bool{}
	for e := s.clients[k.Client]; e != nil; e = e.next {
		switch {
		case !e.alive(now):
			s.remove(e)
		case e.key.Name != "":
			names[e.key.Name] = true
		}
	}
	if len(names) >= ratelimit.MaxNames && !names[k.Name] {
		k.Name = ""
		if e := s.get(k); e != nil {
			return e
		}
	}
	if s.held == s.max {
		s.remove(s.ring.newer)
	}
	e := &plainEntry{key: k, next: s.clients[k.Client]}
	s.clients[k.Client] = e
	s.held++
	s.link(e)
	return e
}

func (s *plainShard) get(k ratelimit.Key) *plainEntry {
	e := s.clients[k.Client]
	for e != nil && e.key != k {
		e = e.next
	}
	return e
}

func (s *plainShard) remove(e *plainEntry) {
	e.unlink()
	s.held--
	first := s.clients[e.key.Client]
	switch {
	case first != e:
		for first.next != e {
			first = first.next
		}
		first.next = e.next
	case e.next == nil:
		delete(s.clients, e.key.Client)
	default:
		s.clients[e.key.Client] = e.next
	}
}

func (s *plainShard) link(e *plainEntry) {
	e.older, e.newer = s.ring.older, &s.ring
	e.older.newer, s.ring.older = e, e
}

func (e *plainEntry) unlink() { e.older.newer, e.newer.older = e.newer, e.older }

// alive drops what has expired and reports whether anything is left.
func (e *plainEntry) alive(now uint32) bool {
	old := 0
	for ; old < len(e.counts) && now-e.counts[old].slot > 60; old++ {
		e.total -= int(e.counts[old].n)
	}
	e.counts = slices.Delete(e.counts, 0, old)
	return e.total > 0
}

func (e *plainEntry) add(now uint32) {
	e.total++
	if last := len(e.counts) - 1; last >= 0 && e.counts[last].slot == now {
		e.counts[last].n++
		return
	}
	e.counts = append(e.counts, plainCount{now, 1})
}
