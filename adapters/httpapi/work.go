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

// workLimit limits how many documents are processed at once. A few more wait; others are
// refused at once, before they are charged, so that the admitted ones are served in
// time under any load. A burst of requests that were charged at the same time may
// exceed the bound; MaxClientRequests limits those.
type workLimit struct {
	places  chan struct{} // holds what is being processed
	maxWait time.Duration

	mu      sync.Mutex
	waiting int
	lines   map[netip.Addr]*line // of the clients that wait
}

// line is the line of a client. Only the first request in it waits for a place, so clients take
// turns: one with many requests delays the others by one of them, not by all.
type line struct {
	waiting int
	first   chan struct{} // holds the first request
}

// waitersPerPlace is how many requests may wait for each place. One client may have
// half of them.
const waitersPerPlace = 32

func newWorkLimit(places int, maxWait time.Duration) *workLimit {
	return &workLimit{places: make(chan struct{}, places), maxWait: maxWait, lines: make(map[netip.Addr]*line)}
}

// full reports whether too many requests wait, in total or of the client.
func (w *workLimit) full(client netip.Addr) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	capacity, own := waitersPerPlace*cap(w.places), w.lines[client]
	return w.waiting >= capacity || own != nil && own.waiting >= capacity/2
}

// enter waits for a place, which the caller returns with leave, until the context ends
// or a time. The time is not that of the context, so that one timer is enough: most
// documents wait, if only for a moment.
func (w *workLimit) enter(ctx context.Context, end time.Time, client netip.Addr) error {
	select {
	case w.places <- struct{}{}:
		return nil
	default:
	}
	remaining := time.Until(end)
	timer := time.NewTimer(min(w.maxWait, remaining))
	defer timer.Stop()
	take := func(place chan struct{}) error {
		select {
		case place <- struct{}{}:
			return nil
		case <-timer.C:
			if remaining > w.maxWait {
				return overloaded()
			}
			return context.DeadlineExceeded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	own := w.join(client)
	defer w.depart(client, own)
	if err := take(own.first); err != nil {
		return err
	}
	defer func() { <-own.first }()
	return take(w.places)
}

// leave returns a place.
func (w *workLimit) leave() { <-w.places }

// join enters the line of a client.
func (w *workLimit) join(client netip.Addr) *line {
	w.mu.Lock()
	defer w.mu.Unlock()
	own := w.lines[client]
	if own == nil {
		own = &line{first: make(chan struct{}, 1)}
		w.lines[client] = own
	}
	own.waiting++
	w.waiting++
	return own
}

// depart leaves the line of a client.
func (w *workLimit) depart(client netip.Addr, own *line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting--
	if own.waiting--; own.waiting == 0 {
		delete(w.lines, client)
	}
}

// bodiesAtOnce is how many bodies of the maximum size are held at once. One client
// may have half of them. Without a limit, clients could fill the memory with many bodies whose
// last byte they do not send.
const bodiesAtOnce = 64

var errBodies = errors.New("too many bodies are being read")

// countedBody is a body that is counted while it is read, until release.
type countedBody struct {
	io.Reader
	quota  *quota
	client netip.Addr
	n      int64
}

// Read fails if the quota is used up and the body is incomplete. A complete one
// does not wait for its client, so it frees memory soon.
func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if !c.quota.add(c.client, int64(n)) && err == nil {
		err = errBodies
	}
	return n, err
}

// release returns what was counted.
func (c *countedBody) release() { c.quota.add(c.client, -c.n) }

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
