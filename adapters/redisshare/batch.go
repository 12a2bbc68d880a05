package redisshare

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// maxBatch is how many checks travel together. Redis takes about a millisecond
// for that many.
const maxBatch = 128

// A check is a request about which Redis is asked.
type check struct {
	key   ratelimit.Key
	limit int
	probe string // in place of the address, if it is of the Share itself
	state atomic.Int32
	done  chan struct{} // closed when verdict and err are set; nil if it did not wait
	verdict
	err error
}

// A verdict is the reply of the script.
type verdict struct {
	allowed         bool
	remaining, left int64
	holds           int64 // in milliseconds
}

// The states of a check.
const (
	waiting   int32 = iota
	sent            // Redis may have counted it
	abandoned       // the caller no longer waits, and it was not sent
)

// send marks a check as sent, unless its caller has left.
func (c *check) send() bool { return c.state.CompareAndSwap(waiting, sent) }

// leave says that the caller no longer waits. A check that was not sent will not be.
func (c *check) leave() { c.state.CompareAndSwap(waiting, abandoned) }

// A batcher sends checks one batch after the other: a check that arrives while
// none is under way is sent at once, others travel together in the next batch.
type batcher struct {
	send func([]*check)

	mu      sync.Mutex
	waiting []*check
	busy    bool
	closed  bool
	single  [1]*check // the batch of a check by itself
	running sync.WaitGroup
}

// add sends a check by itself, if none is under way, and reports true when it has
// been decided: no other goroutine has to wake up. Otherwise the check waits for the
// next batch. After close it fails.
func (b *batcher) add(c *check) (decided bool) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		c.err = errClosed
		return true
	}
	if b.busy {
		c.done = make(chan struct{})
		b.waiting = append(b.waiting, c)
		b.mu.Unlock()
		return false
	}
	b.busy = true
	b.running.Add(1)
	b.mu.Unlock()
	defer b.running.Done()
	b.single[0] = c
	b.send(b.single[:])
	if batch := b.next(); len(batch) > 0 {
		b.running.Go(func() { b.run(batch) })
	}
	return true
}

// run sends batches until no check waits.
func (b *batcher) run(batch []*check) {
	for ; len(batch) > 0; batch = b.next() {
		b.send(batch)
	}
}

// next returns the checks that wait, and ends the batches if there are none.
func (b *batcher) next() []*check {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(b.waiting), maxBatch)
	batch := b.waiting[:n:n]
	if b.waiting = b.waiting[n:]; len(b.waiting) == 0 {
		b.waiting = nil
	}
	b.busy = n > 0
	return batch
}

// errClosed means that the share has been closed.
var errClosed = errors.New("the connection to Redis is closed")

// close waits for the checks that are under way. Later ones fail.
func (b *batcher) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.running.Wait()
}
