package httpapi

import (
	"errors"
	"io"
	"net/netip"
	"sync"
)

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
