package httpapi

import (
	"errors"
	"io"
	"sync/atomic"
)

// bodiesAtOnce is how many bodies of the largest size are held at once, and of
// smaller ones so many more.
const bodiesAtOnce = 64

// errBudget says that there is no room for a body now.
var errBudget = errors.New("the bodies of other requests take all the room")

// budget bounds the bytes of the bodies that are held at once. A body is bounded
// by itself, but whoever opens many connections and lets all of them wait for the
// last byte could fill the memory with others.
type budget struct {
	most int64
	held atomic.Int64
}

// borrow returns a reader that takes of the budget what it reads, until that is
// given back.
func (b *budget) borrow(r io.Reader) *borrowed { return &borrowed{r, b, 0} }

// borrowed is a body that counts.
type borrowed struct {
	io.Reader
	from *budget
	n    int64
}

// Read fails where the budget is used up and the body is not at its end: one that
// is there does not wait for its client, and makes room again soon.
func (b *borrowed) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.n += int64(n)
	if b.from.held.Add(int64(n)) > b.from.most && err == nil {
		err = errBudget
	}
	return n, err
}

func (b *borrowed) giveBack() { b.from.held.Add(-b.n) }
