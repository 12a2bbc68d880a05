package httpstore

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/web"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxIndex is the maximum size of the index: about 80,000 versions.
const maxIndex = 16 << 20

// state is what is known of the index. It never changes.
type state struct {
	// index is the last good one, nil for none yet, text and etag the response
	// that it was decoded from.
	index *taxonomy.Index
	text  []byte
	etag  string
	// refused reports that index is older than the last response, since that
	// goes back.
	refused bool
	// err is why the last request failed, and failures how many did in a row.
	err      error
	failures int
	// next is when the server may be asked again.
	next time.Time
}

// current returns the index as it is now, or was at most [Options.MaxAge] ago.
// With renew it is one that the server sent after the call.
func (s *Store) current(ctx context.Context, renew bool) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case s.ctx == nil:
		return nil, errNotOpened
	case s.ctx.Err() != nil:
		return nil, s.errClosed()
	}
	if st := s.state.Load(); !renew && time.Now().Before(st.next) {
		return st, st.err
	}
	// A request that was in progress before the call may bring what was true
	// before the call. So a caller that joins one asks again, if necessary.
	for joined := false; ; joined = true {
		st, done, began := s.ask(ctx, renew)
		if done == nil {
			return st, st.err
		}
		select {
		case <-done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if began || joined {
			st = s.state.Load()
			return st, st.err
		}
	}
}

// ask returns the end of the request for the index that is in progress, or
// starts one if it is time to; done is nil if it is not.
func (s *Store) ask(ctx context.Context, renew bool) (st *state, done chan struct{}, began bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st = s.state.Load()
	switch {
	case s.closed:
		return &state{err: s.errClosed()}, nil, false
	case s.asking != nil:
		return st, s.asking, false
	case time.Now().Before(st.next) && (!renew || st.err != nil):
		return st, nil, false
	}
	done = make(chan struct{})
	s.asking = done
	s.work.Go(func() { s.refresh(web.WithTrace(s.ctx, web.TraceFrom(ctx)), st, done) })
	return st, done, true
}

// refresh asks the server for the index. It continues if the callers leave,
// since others will come.
func (s *Store) refresh(ctx context.Context, last *state, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.Timeout)
	defer cancel()
	next := s.askIndex(ctx, last)
	changed := next.index != last.index
	if changed {
		s.copies.PutIndex(next.text, next.etag, next.index, last.index)
	}
	s.adopt(next)
	// A listener that reads the store also learns that it fails, or no longer.
	if changed || (next.err == nil) != (last.err == nil) || next.refused != last.refused {
		s.listeners.Tell()
	}
	close(done)
}

// askIndex makes the request.
func (s *Store) askIndex(ctx context.Context, last *state) *state {
	next := *last
	asked := time.Now()
	got, err := s.get(ctx, s.base.JoinPath("schemas"), last.etag, maxIndex)
	switch {
	case err != nil:
	case got.notModified:
		next.refused = false
		err = s.guard.Confirm(ctx)
	case last.index != nil && bytes.Equal(got.body, last.text):
		next.etag, next.refused = got.etag, false
		err = s.guard.Confirm(ctx)
	default:
		var index *taxonomy.Index
		if index, err = taxonomy.DecodeIndex(got.body); err != nil {
			err = fmt.Errorf("httpstore: %s/schemas: the response is not an index: %w", s.base.Redacted(), err)
			break
		}
		if index, err = index.LoadEvolutions(last.index, func(typ string, h taxonomy.Hash) ([]byte, error) {
			return s.copies.Evolution(h, func() ([]byte, error) {
				got, err := s.get(ctx, s.base.JoinPath("types", typ, "evolution"), "", published.MaxEvolution)
				if err != nil {
					return nil, err
				}
				return got.body, nil
			})
		}); err != nil {
			break
		}
		var taken bool
		taken, err = s.guard.Take(ctx, last.index, index)
		if next.refused = err == nil && !taken; taken {
			next.index, next.text, next.etag = index, got.body, got.etag
		}
	}
	if next.err = err; err != nil {
		next.failures++
		next.next = s.retryAt(next.failures)
	} else {
		next.failures, next.next = 0, asked.Add(max(0, s.opt.MaxAge))
	}
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
