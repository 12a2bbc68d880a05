package httpapi

import (
	"errors"
	"io"
	"sync/atomic"
)

// bodiesAtOnce is how many bodies of the maximum size are held at once.
const bodiesAtOnce = 64

var errBudget = errors.New("the bodies of other requests use all memory for bodies")

// budget limits the size of all bodies that are held at once. Without it, a client
// could fill the memory with many bodies whose last byte it does not send.
type budget struct {
	most int64
	held atomic.Int64
}

// borrow returns a reader that charges what it reads to the budget until giveBack.
func (b *budget) borrow(r io.Reader) *borrowed { return &borrowed{r, b, 0} }

type borrowed struct {
	io.Reader
	from *budget
	n    int64
}

// Read fails if the budget is used up and the body is incomplete. A complete one
// does not wait for its client, so it makes room soon.
func (b *borrowed) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.n += int64(n)
	if b.from.held.Add(int64(n)) > b.from.most && err == nil {
		err = errBudget
	}
	return n, err
}

func (b *borrowed) giveBack() { b.from.held.Add(-b.n) }
