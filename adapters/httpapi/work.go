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

// workQueue limits how many requests work concurrently. A few more may wait; others are
// refused at once, before they are charged, so that the admitted ones are served in
// time under any load. A burst of requests that were charged at the same time may
// exceed the bound; they have limits of their own, see inflight.
// Clients that wait take turns, so that one with many requests delays the others
// by one of them, not by all.
type workQueue struct {
	maxWait    time.Duration
	most, each int // how many may wait: in all, and of one client

	mu      sync.Mutex
	free    int
	waiting int
	turns   []*clientQueue // of the clients that wait; the first is next
}

// clientQueue holds the requests of a client that wait, the oldest first.
type clientQueue struct {
	client  netip.Addr
	waiters []chan struct{} // closed when the request may enter
}

// waitersPerPlace is how many requests may wait for each place. One client may have
// half of them.
const waitersPerPlace = 32

func newWorkQueue(places int, maxWait time.Duration) *workQueue {
	most := waitersPerPlace * places
	return &workQueue{maxWait: maxWait, most: most, each: most / 2, free: places}
}

// full reports whether so many requests wait that no other one should.
func (q *workQueue) full(client netip.Addr) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	of := q.queueOf(client)
	return q.waiting >= q.most || of != nil && len(of.waiters) >= q.each
}

// enter waits for a place, which the caller returns with leave, until the context ends
// or a time. The time is not that of the context, so that one timer is enough: most
// documents wait, if only for a moment.
func (q *workQueue) enter(ctx context.Context, end time.Time, client netip.Addr) (err error) {
	turn := q.join(client)
	if turn == nil {
		return nil
	}
	left := time.Until(end)
	timer := time.NewTimer(min(q.maxWait, left))
	defer timer.Stop()
	select {
	case <-turn:
		return nil
	case <-timer.C:
		err = context.DeadlineExceeded
		if left > q.maxWait {
			err = overloaded()
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !q.abandon(client, turn) {
		return nil // its turn came meanwhile
	}
	return err
}

// join takes a place that is free and returns nil, or else what is closed when
// there is one.
func (q *workQueue) join(client netip.Addr) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free > 0 { // so no request waits
		q.free--
		return nil
	}
	of := q.queueOf(client)
	if of == nil {
		of = &clientQueue{client: client}
		q.turns = append(q.turns, of)
	}
	turn := make(chan struct{})
	of.waiters = append(of.waiters, turn)
	q.waiting++
	return turn
}

// queueOf returns the queue of a client, or nil. The caller holds mu.
func (q *workQueue) queueOf(client netip.Addr) *clientQueue {
	if i := slices.IndexFunc(q.turns, func(l *clientQueue) bool { return l.client == client }); i >= 0 {
		return q.turns[i]
	}
	return nil
}

// abandon leaves the queue. It reports false if the request has a place already.
func (q *workQueue) abandon(client netip.Addr, turn chan struct{}) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	of := q.queueOf(client)
	if of == nil || !slices.Contains(of.waiters, turn) {
		return false
	}
	of.waiters = slices.DeleteFunc(of.waiters, func(c chan struct{}) bool { return c == turn })
	q.waiting--
	if len(of.waiters) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(l *clientQueue) bool { return l == of })
	}
	return true
}

// leave gives the place to the client whose turn it is.
func (q *workQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting == 0 {
		q.free++
		return
	}
	next := q.turns[0]
	q.turns = append(q.turns[:0], q.turns[1:]...)
	close(next.waiters[0])
	next.waiters = next.waiters[1:]
	if q.waiting--; len(next.waiters) > 0 {
		q.turns = append(q.turns, next)
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

// budgetReader charges what it reads to a budget until release.
type budgetReader struct {
	io.Reader
	from   *budget
	client netip.Addr
	n      int64
}

// Read fails if the budget is used up and the body is incomplete. A complete one
// does not wait for its client, so it frees memory soon.
func (b *budgetReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.n += int64(n)
	if !b.from.take(b.client, int64(n)) && err == nil {
		err = errBudget
	}
	return n, err
}

// buffer is memory for a document, or for the body of an answer that is not cached.
// Resolved documents and pages have 50 KB and more, so allocating them costs as much as
// making them.
type buffer struct{ bytes []byte }

// maxKept is the size of the largest buffer that is used again.
const maxKept = 1 << 20

// bufferPool keeps buffers that are not in use.
type bufferPool struct{ free sync.Pool }

// get returns an empty buffer.
func (p *bufferPool) get() *buffer {
	if b, ok := p.free.Get().(*buffer); ok {
		return b
	}
	return new(buffer)
}

// put keeps a buffer for another answer.
func (p *bufferPool) put(b *buffer) {
	if cap(b.bytes) <= maxKept {
		b.bytes = b.bytes[:0]
		p.free.Put(b)
	}
}

// readAll reads a body of a declared size, which is -1 if it is unknown. The buffer grows
// with what has arrived: a client can declare much and send nothing.
func (b *buffer) readAll(from io.Reader, declared int64) error {
	const first, growth = 16 << 10, 4
	body := slices.Grow(b.bytes, 1+int(min(max(declared, 0), first))) // and one to find the end
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			b.bytes = body
			return nil
		case err != nil:
			return err
		case len(body) == cap(body):
			body = slices.Grow(body, max(512, min(growth*len(body), int(declared)+1-len(body))))
		}
	}
}
