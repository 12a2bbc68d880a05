// Package watch follows the index of a store, and refuses one that was rolled back or that a
// verifier does not prove. It is for programs that implement a store of their own.
//
// # Experimental
//
// This package may change in a minor version.
package watch

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/cache"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/trace"
	"github.com/datachain-go/datachain/taxonomy"
)

// Remote is what a [Follower] needs from its store. Same, Copies, Missing, RetryAt, Slow and
// Changed are optional.
type Remote struct {
	// Get requests the index. If it still has the tag, text is nil.
	Get func(ctx context.Context, tag string) (text []byte, newTag string, err error)
	// Same reports whether the index still has the tag of the last response, which then is
	// used, however old it is. It must take little time.
	Same func(tag string) bool
	// Evolution requests the evolution of a datachain type, which has a SHA-256.
	Evolution func(ctx context.Context, typ string, h taxonomy.Hash) ([]byte, error)
	// Copies has copies of the index and the evolutions.
	Copies *cache.Cache
	// Missing reports whether an error of Get means that there is no index; nil means those
	// that wrap [fs.ErrNotExist].
	Missing func(error) bool
	// Wrap adds the name of the store to an error.
	Wrap func(error) error
	// Guard decides which indexes are served, and Releases gets each of them.
	Guard    *Guard
	Releases *reader.Loader
	// Timeout is the time limit for a request. Refresh is how long its result is used, even a
	// failure.
	Timeout, Refresh time.Duration
	// RetryAt returns when to make a request again after so many failures in a row; nil
	// means that failures are cached like other results.
	RetryAt func(failures int) time.Time
	// Slow returns the error for callers that have waited for three seconds; nil lets
	// them wait for the request.
	Slow func() error
	// Changed is called after the index has changed, and when it begins or ceases to fail or
	// to be refused.
	Changed func()
}

// Follower keeps the index of a remote store up to date. The index is requested when it is needed,
// once however many callers need it at the same time. A Follower is safe for concurrent use. Make
// one with [NewFollower].
type Follower struct {
	Remote
	// ctx ends with the follower, and work counts its goroutines.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	state atomic.Pointer[listing] // replaced with mu held

	mu      sync.Mutex
	closed  bool
	pending *pendingRequest // that has no result yet; nil for none
}

// listing is what is known of the index. It never changes.
type listing struct {
	// index is the last good one, nil for none yet, text and tag what it was decoded from.
	index *taxonomy.Index
	text  []byte
	tag   string
	// lastTag is the tag of the last response, whose index may have been refused.
	lastTag string
	// refused reports that the index of the last response was refused, so that index is older.
	refused bool
	// err is why the last request failed, and failures how many did in a row.
	err      error
	failures int
	// next is when it is time for another one.
	next time.Time
}

// pendingRequest is a request for the index, which all callers that need it share.
type pendingRequest struct {
	done   chan struct{}
	answer *listing // when done is closed
}

// complete sets the answer for all callers, unless there is one. The caller holds mu of the follower.
func (p *pendingRequest) complete(l *listing) {
	if p.answer == nil {
		p.answer = l
		close(p.done)
	}
}

// NewFollower returns a follower that begins with the copy of the index, if there is one.
func NewFollower(r Remote) *Follower {
	if r.Missing == nil {
		r.Missing = func(err error) bool { return errors.Is(err, fs.ErrNotExist) }
	}
	f := &Follower{Remote: r}
	index, text, tag := r.Copies.Index()
	if index != nil {
		f.Releases.Keep(index)
	}
	f.state.Store(&listing{index: index, text: text, tag: tag})
	f.ctx, f.stop = context.WithCancel(context.Background())
	return f
}

// Close ends all requests, also for releases, and waits for that. Calls fail afterwards.
func (f *Follower) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.stop()
	f.Releases.Close()
	f.work.Wait()
}

// ErrClosed returns the error of calls after Close.
func (f *Follower) ErrClosed() error { return f.Wrap(errors.New("the store is closed")) }

// Closed reports whether Close was called.
func (f *Follower) Closed() bool { return f.ctx.Err() != nil }

// Last returns the last good index, or nil, which is also that of a nil Follower. It makes no
// request.
func (f *Follower) Last() *taxonomy.Index {
	if f == nil {
		return nil
	}
	return f.state.Load().index
}

// Watch requests the index at once and then each interval, until it is stopped or the follower
// ends. It calls renewed after each success, unless that is nil.
func (f *Follower) Watch(interval time.Duration, renewed func()) (stop context.CancelFunc) {
	ctx, stop := context.WithCancel(f.ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return stop
	}
	f.work.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			// Callers get the error.
			if _, err := f.Current(ctx, true); err == nil && renewed != nil {
				renewed()
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
	return stop
}

// Current returns the index as it is now, or was at most Refresh ago. With renew it is one
// that was requested after the call.
func (f *Follower) Current(ctx context.Context, renew bool) (*taxonomy.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := f.state.Load()
	if renew || f.Closed() || !time.Now().Before(l.next) && (l.err != nil || f.Same == nil || !f.Same(l.lastTag)) {
		var err error
		if l, err = f.renewed(ctx, renew); err != nil {
			return nil, err
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.index, nil
}

// renewed returns the result of a request.
func (f *Follower) renewed(ctx context.Context, renew bool) (*listing, error) {
	// A request that was in progress before the call may bring what was true
	// before the call. So a caller that joins one asks again, if necessary.
	for joined := false; ; joined = true {
		p, started, err := f.ask(ctx, renew)
		if err != nil {
			return nil, err
		}
		select {
		case <-p.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if started || joined {
			return p.answer, nil
		}
	}
}

// ask returns a request for the index: the last one if it is not time for another, else the
// one in progress, else one that it begins. The last one counts as begun.
func (f *Follower) ask(ctx context.Context, renew bool) (p *pendingRequest, started bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.state.Load()
	p = &pendingRequest{done: make(chan struct{})}
	switch {
	case f.closed:
		return nil, false, f.ErrClosed()
	case time.Now().Before(l.next) && (!renew || l.err != nil && f.RetryAt != nil):
		p.complete(l)
		return p, true, nil
	case f.pending != nil:
		return f.pending, false, nil
	}
	f.pending = p
	f.work.Go(func() { f.refresh(trace.With(f.ctx, trace.From(ctx)), l, p) })
	return p, true, nil
}

// refresh requests the index. It continues if the callers leave, since others will come.
func (f *Follower) refresh(ctx context.Context, last *listing, p *pendingRequest) {
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	if f.Slow != nil {
		defer time.AfterFunc(slowAfter, func() { f.slow(last, p) }).Stop()
	}
	next := f.request(ctx, last)
	changed := next.index != last.index
	if changed {
		f.Copies.PutIndex(next.text, next.tag, next.index, last.index)
	}
	f.mu.Lock()
	f.pending = nil
	if changed {
		f.Releases.Keep(next.index) // and forgets those that it no longer names
	}
	f.state.Store(next)
	f.mu.Unlock()
	// A listener that reads the store also learns that it fails, or no longer.
	if f.Changed != nil && (changed || (next.err == nil) != (last.err == nil) || next.refused != last.refused) {
		f.Changed()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	p.complete(next)
}

// slowAfter is how long a request for the index may take until it counts as failed.
const slowAfter = 3 * time.Second

// slow tells callers that a request has no answer yet, so that they can use what they have.
// The request goes on until its timeout, and may still succeed.
func (f *Follower) slow(last *listing, p *pendingRequest) {
	next := *last
	next.next, next.err = time.Now().Add(f.Refresh), f.Slow()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pending == p {
		f.state.Store(&next)
		p.complete(&next)
	}
}

// decode decodes the index, with its evolutions. last is the one before, or nil.
func (f *Follower) decode(ctx context.Context, text []byte, last *taxonomy.Index) (*taxonomy.Index, error) {
	x, err := f.Guard.Decode(text)
	if err == nil {
		x, err = x.LoadEvolutions(last, func(typ string, h taxonomy.Hash) ([]byte, error) {
			return f.Copies.Evolution(h, func() ([]byte, error) { return f.Evolution(ctx, typ, h) })
		})
	}
	if err != nil {
		return nil, f.Wrap(errname.Trim(err))
	}
	return x, nil
}

// malformed reports whether a text is not an index, of whichever format.
func malformed(text []byte) bool {
	_, err := taxonomy.DecodeIndex(text)
	return err != nil && !errors.Is(err, taxonomy.ErrIndexFormat)
}

// request makes the request.
func (f *Follower) request(ctx context.Context, last *listing) *listing {
	next := *last
	requested := time.Now()
	text, tag, err := f.Get(ctx, last.tag)
	next.lastTag = tag
	switch {
	case f.Closed():
		err = f.ErrClosed()
	case err != nil && f.Missing(err):
		err = f.Guard.Missing(ctx, last.index, err)
		next.refused = err == nil
	case err != nil:
	case text == nil || last.index != nil && bytes.Equal(text, last.text):
		next.tag, next.refused = tag, false
		err = f.Guard.Confirm(ctx, last.index)
	default:
		var index *taxonomy.Index
		if index, err = f.decode(ctx, text, last.index); err != nil {
			if malformed(text) {
				err = f.Guard.Missing(ctx, last.index, err)
				next.refused = err == nil
			}
			break
		}
		var accepted bool
		accepted, err = f.Guard.Take(ctx, last.index, index)
		if next.refused = err == nil && !accepted; accepted {
			next.index, next.text, next.tag = index, text, tag
		}
	}
	next.err, next.failures, next.next = err, 0, requested.Add(f.Refresh)
	if err != nil {
		next.failures = last.failures + 1
		if f.RetryAt != nil {
			next.next = f.RetryAt(next.failures)
		}
	}
	return &next
}
