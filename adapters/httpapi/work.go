package httpapi

import (
	"context"
	"errors"
	"io"
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

// bodiesAtOnce is how many bodies of the maximum size are held at once. One client
// may have half of them.
const bodiesAtOnce = 64

var errBudget = errors.New("too many bodies are being read")

// budget limits the size of all bodies that are held at once. Without it, a client
// could fill the memory with many bodies whose last byte it does not send.
type budget struct {
	most, each int64

	mu   sync.Mutex
	held int64
	of   map[netip.Addr]int64 // only clients with bodies
}

func newBudget(most int64) *budget {
	return &budget{most: most, each: most / 2, of: make(map[netip.Addr]int64)}
}

// full reports whether so much is held that no other body should be read.
func (b *budget) full(client netip.Addr) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held >= b.most || b.of[client] >= b.each
}

// take adds to what is held, or subtracts from it. It reports whether that is within
// the limits.
func (b *budget) take(client netip.Addr, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held += n
	held := b.of[client] + n
	if held == 0 {
		delete(b.of, client)
	} else {
		b.of[client] = held
	}
	return b.held <= b.most && held <= b.each
}

// borrow returns a reader that charges what it reads to the budget until giveBack.
func (b *budget) borrow(r io.Reader, client netip.Addr) *borrowed { return &borrowed{r, b, client, 0} }

type borrowed struct {
	io.Reader
	from   *budget
	client netip.Addr
	n      int64
}

// Read fails if the budget is used up and the body is incomplete. A complete one
// does not wait for its client, so it makes room soon.
func (b *borrowed) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.n += int64(n)
	if !b.from.take(b.client, int64(n)) && err == nil {
		err = errBudget
	}
	return n, err
}

func (b *borrowed) giveBack() { b.from.take(b.client, -b.n) }

// room is memory for a document, or for the body of an answer that is not cached.
// Resolved documents and pages have 50 KB and more, so allocating them costs as much as
// making them.
type room struct{ bytes []byte }

// maxKept is the size of the largest room that is used again.
const maxKept = 1 << 20

// rooms are rooms that are not in use.
type rooms struct{ free sync.Pool }

// take returns an empty room.
func (rs *rooms) take() *room {
	if r, ok := rs.free.Get().(*room); ok {
		return r
	}
	return new(room)
}

// giveBack keeps a room for another answer.
func (rs *rooms) giveBack(r *room) {
	if cap(r.bytes) <= maxKept {
		r.bytes = r.bytes[:0]
		rs.free.Put(r)
	}
}

// readAll reads a body of a declared size, which is -1 if it is unknown. The room grows
// with what has arrived: a client can declare much and send nothing.
func (r *room) readAll(from io.Reader, declared int64) error {
	const first, growth = 16 << 10, 4
	body := slices.Grow(r.bytes, 1+int(min(max(declared, 0), first))) // and one to find the end
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			r.bytes = body
			return nil
		case err != nil:
			return err
		case len(body) == cap(body):
			body = slices.Grow(body, max(512, min(growth*len(body), int(declared)+1-len(body))))
		}
	}
}
