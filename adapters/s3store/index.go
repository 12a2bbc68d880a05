package s3store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/s3bucket"
	"github.com/datachain-go/datachain/taxonomy"
)

// ErrNoIndex is wrapped by the errors of a [Store] if there is no index below the
// prefix: nothing was published there yet.
var ErrNoIndex = errors.New("there are no published releases here")

// state is what is known of the index. It never changes.
type state struct {
	// index is the last good one, nil for none yet, text and etag what it was
	// decoded from.
	index *taxonomy.Index
	text  []byte
	etag  string
	// asked is when the last request was made, zero for none, and err why it
	// failed.
	asked time.Time
	err   error
}

// question is a request for the index, which all callers that need it share.
type question struct {
	done   chan struct{}
	answer *state // when done is closed
}

// tell gives callers the answer, unless they have one. The caller holds mu of the store.
func (q *question) tell(st *state) {
	if q.answer == nil {
		q.answer = st
		close(q.done)
	}
}

// current returns the index as it is now, or was at most [Options.MaxAge] ago. With
// renew it is one that was requested after the call.
func (s *Store) current(ctx context.Context, renew bool) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.ctx == nil {
		return nil, errNotOpened
	}
	if st := s.state.Load(); !renew && s.ctx.Err() == nil && s.recent(st) {
		return st, st.err
	}
	// A request that was in progress before the call may bring what was true
	// before the call. So a caller that joins one asks again, if necessary.
	for joined := false; ; joined = true {
		q, began, err := s.ask(renew)
		if err != nil {
			return nil, err
		}
		select {
		case <-q.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if began || joined {
			return q.answer, q.answer.err
		}
	}
}

// recent reports whether a state need not be renewed.
func (s *Store) recent(st *state) bool {
	return !st.asked.IsZero() && time.Since(st.asked) < s.opt.MaxAge
}

// ask returns a request for the index: the last one if it is recent enough, else the
// one in progress, else one that it begins. A recent one counts as begun.
func (s *Store) ask(renew bool) (q *question, began bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state.Load()
	switch {
	case s.closed:
		return nil, false, s.errClosed()
	case !renew && s.recent(st):
		done := make(chan struct{})
		close(done)
		return &question{done, st}, true, nil
	case s.asking != nil:
		return s.asking, false, nil
	}
	q = &question{done: make(chan struct{})}
	s.asking = q
	s.work.Go(func() { s.refresh(st, q) })
	return q, true, nil
}

// refresh requests the index. It continues if the callers leave, since others will
// come.
func (s *Store) refresh(last *state, q *question) {
	ctx, cancel := context.WithTimeout(s.ctx, s.opt.Timeout)
	defer cancel()
	defer time.AfterFunc(slowAfter, func() { s.slow(last, q) }).Stop()
	next := s.request(ctx, last)
	if next.index != last.index {
		s.copies.PutIndex(next.text, next.etag, next.index, last.index)
	}
	s.adopt(next)
	s.mu.Lock()
	defer s.mu.Unlock()
	q.tell(next)
}

// slowAfter is how long a request for the index may take until it counts as failed.
const slowAfter = 3 * time.Second

// slow tells callers that a request has no answer yet, so that they can use what they have.
// The request goes on until [Options.Timeout], and may still succeed.
func (s *Store) slow(last *state, q *question) {
	next := *last
	next.asked, next.err = time.Now(), s.bucket.Explain(s3bucket.OpGet, published.IndexFile, context.DeadlineExceeded)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asking == q {
		s.state.Store(&next)
		q.tell(&next)
	}
}

// request makes the request.
func (s *Store) request(ctx context.Context, last *state) *state {
	next := *last
	next.asked = time.Now()
	got, err := s.bucket.Get(ctx, published.IndexFile, last.etag, published.MaxIndex)
	switch {
	case s.ctx.Err() != nil:
		err = s.errClosed()
	case s3bucket.IsMissing(err):
		err = fmt.Errorf("s3store: %s: %w: create them with 'datachain schema publish --store %s'", s.bucket, ErrNoIndex, s.bucket)
	case err != nil:
	case got.NotModified:
		err = s.guard.Confirm(ctx)
	case last.index != nil && bytes.Equal(got.Data, last.text):
		next.etag = got.ETag
		err = s.guard.Confirm(ctx)
	default:
		var index *taxonomy.Index
		if index, err = taxonomy.DecodeIndex(got.Data); err != nil {
			err = fmt.Errorf("s3store: %s: %w", s.bucket.Object(published.IndexFile), err)
			break
		}
		if index, err = index.LoadEvolutions(last.index, func(typ string, h taxonomy.Hash) ([]byte, error) {
			return s.copies.Evolution(h, func() ([]byte, error) {
				got, err := s.bucket.Get(ctx, published.Evolution(typ, h), "", published.MaxEvolution)
				if err != nil {
					return nil, err
				}
				return got.Data, nil
			})
		}); err != nil {
			err = fmt.Errorf("s3store: %s: %w", s.bucket, err)
			break
		}
		var taken bool
		if taken, err = s.guard.Take(ctx, last.index, index); taken {
			next.index, next.text, next.etag = index, got.Data, got.ETag
		}
	}
	next.err = err
	return &next
}

// adopt makes a state the current one, and forgets the releases that its index
// no longer names.
func (s *Store) adopt(next *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking = nil
	if s.state.Load().index != next.index {
		s.releases.Keep(next.index)
	}
	s.state.Store(next)
}

// poll requests the index each [Options.Interval].
func (s *Store) poll() {
	ticker := time.NewTicker(s.opt.Interval)
	defer ticker.Stop()
	for {
		_, _ = s.current(s.ctx, true) // callers get the error
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
