package httpapi

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// gate limits how many requests work concurrently. A few more may wait; others are
// refused at once, before they are charged, so that the admitted ones are served in
// time under any load. A burst of requests that were charged at the same time may
// exceed the bound; they have limits of their own, see shares.
// Clients that wait take turns, so that one with many requests delays the others
// by one of them, not by all.
type gate struct {
	patience   time.Duration
	most, each int // how many may wait: in all, and of one client

	mu      sync.Mutex
	free    int
	waiting int
	turns   []*line // of the clients that wait; the first is next
}

// line is the requests of a client that wait, the oldest first.
type line struct {
	client  netip.Addr
	waiters []chan struct{} // closed when the request may enter
}

// waitersPerPlace is how many requests may wait for each place. One client may have
// half of them.
const waitersPerPlace = 32

func newGate(places int, patience time.Duration) *gate {
	most := waitersPerPlace * places
	return &gate{patience: patience, most: most, each: most / 2, free: places}
}

// full reports whether so many requests wait that no other one should.
func (g *gate) full(client netip.Addr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	of := g.lineOf(client)
	return g.waiting >= g.most || of != nil && len(of.waiters) >= g.each
}

// enter waits for a place, which the caller returns with leave, until the context ends
// or a time. The time is not that of the context, so that one timer is enough: most
// documents wait, if only for a moment.
func (g *gate) enter(ctx context.Context, end time.Time, client netip.Addr) (err error) {
	turn := g.queue(client)
	if turn == nil {
		return nil
	}
	left := time.Until(end)
	timer := time.NewTimer(min(g.patience, left))
	defer timer.Stop()
	select {
	case <-turn:
		return nil
	case <-timer.C:
		err = context.DeadlineExceeded
		if left > g.patience {
			err = overloaded()
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !g.giveUp(client, turn) {
		return nil // its turn came meanwhile
	}
	return err
}

// queue takes a place that is free and returns nil, or else what is closed when
// there is one.
func (g *gate) queue(client netip.Addr) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.free > 0 { // so nobody waits
		g.free--
		return nil
	}
	of := g.lineOf(client)
	if of == nil {
		of = &line{client: client}
		g.turns = append(g.turns, of)
	}
	turn := make(chan struct{})
	of.waiters = append(of.waiters, turn)
	g.waiting++
	return turn
}

// lineOf returns the line of a client, or nil. The caller holds mu.
func (g *gate) lineOf(client netip.Addr) *line {
	if i := slices.IndexFunc(g.turns, func(l *line) bool { return l.client == client }); i >= 0 {
		return g.turns[i]
	}
	return nil
}

// giveUp leaves the line. It reports false if the request has a place already.
func (g *gate) giveUp(client netip.Addr, turn chan struct{}) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	of := g.lineOf(client)
	if of == nil || !slices.Contains(of.waiters, turn) {
		return false
	}
	of.waiters = slices.DeleteFunc(of.waiters, func(c chan struct{}) bool { return c == turn })
	g.waiting--
	if len(of.waiters) == 0 {
		g.turns = slices.DeleteFunc(g.turns, func(l *line) bool { return l == of })
	}
	return true
}

// leave gives the place to the client whose turn it is.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting == 0 {
		g.free++
		return
	}
	next := g.turns[0]
	g.turns = append(g.turns[:0], g.turns[1:]...)
	close(next.waiters[0])
	next.waiters = next.waiters[1:]
	if g.waiting--; len(next.waiters) > 0 {
		g.turns = append(g.turns, next)
	}
}
