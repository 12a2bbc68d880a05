package httpstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// maxIndex bounds the index: it is about 80,000 versions.
const maxIndex = 16 << 20

// state is what is known of the index. It never changes.
type state struct {
	// index is the last good one, nil for none yet.
	index *taxonomy.Index
	// text and etag are the answer that it was made of.
	text []byte
	etag string
	// changed says which stable versions the server would change; nil for none.
	changed error
	// err is why the last request failed, and failures how many did in a row.
	err      error
	failures int
	// next is when the server may be asked again.
	next time.Time
}

// result is what a caller gets.
func (st *state) result() (*state, error) {
	if st.index == nil {
		return nil, st.err
	}
	return st, nil
}

// asking is a request for the index, which all who need it share.
type asking struct{ done chan struct{} }

// current returns the index as it is now, or was at most [Options.MaxAge] ago.
// Where renew is set the answer is one that the server gave after the call,
// unless the server is failing.
func (s *Store) current(ctx context.Context, renew bool) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if st := s.state.Load(); !renew && time.Now().Before(st.next) {
		return st.result()
	}
	// A request that was under way before the call may bring what was true
	// before the call. So who joins one asks again, if need be.
	for joined := false; ; joined = true {
		st, a, began := s.ask(renew)
		if a == nil {
			return st.result()
		}
		if st.err != nil && st.index != nil && s.opt.RetryAfter > 0 {
			return st, nil // the server is failing: nobody waits for it
		}
		select {
		case <-a.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if began || joined {
			return s.state.Load().result()
		}
	}
}

// ask returns the request for the index that is under way, or begins one if it
// is time to; a is nil where it is not.
func (s *Store) ask(renew bool) (st *state, a *asking, began bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st = s.state.Load()
	if s.asking != nil {
		return st, s.asking, false
	}
	if time.Now().Before(st.next) && (!renew || st.err != nil) {
		return st, nil, false
	}
	if s.closed {
		if st.index == nil {
			st = &state{err: fmt.Errorf("httpstore: %s: %w", s.base.Redacted(), errClosed)}
		}
		return st, nil, false
	}
	a = &asking{done: make(chan struct{})}
	s.asking = a
	s.work.Go(func() { s.refresh(st, a) })
	return st, a, true
}

// refresh asks the server for the index. It goes on when the callers have left,
// since others will come.
func (s *Store) refresh(last *state, a *asking) {
	ctx, cancel := context.WithTimeout(s.ctx, s.opt.Timeout)
	defer cancel()
	next := s.askIndex(ctx, last)
	changed := next.index != last.index
	if changed && s.cache != nil {
		s.trouble.set(aboutCache, s.cache.putIndex(next, last))
	}
	s.adopt(next)
	if s.ctx.Err() == nil { // that the store was closed is no trouble
		s.trouble.set(aboutIndex, next.err)
		s.trouble.set(aboutStable, next.changed)
	}
	if changed {
		s.listeners.Tell()
	}
	close(a.done)
}

// askIndex makes the request. The last state gives the index where there is no
// good one, and where nothing has changed.
func (s *Store) askIndex(ctx context.Context, last *state) *state {
	next := *last
	next.err, next.failures = nil, 0
	asked := time.Now()
	got, err := s.get(ctx, s.base.JoinPath("schemas"), last.etag, maxIndex)
	switch {
	case err != nil:
	case got.notModified:
	case last.index != nil && bytes.Equal(got.body, last.text):
		next.etag = got.etag
	default:
		var index *taxonomy.Index
		if index, err = taxonomy.DecodeIndex(got.body); err != nil {
			err = fmt.Errorf("httpstore: %s: the answer is no index, so it is not used: %w", s.base.Redacted()+"/schemas", err)
			break
		}
		next.text, next.etag = got.body, got.etag
		next.index, next.changed = s.keepStable(index)
	}
	if err != nil {
		next.err, next.failures = err, last.failures+1
		next.next = s.retryAt(next.failures)
	} else {
		next.next = asked.Add(max(0, s.opt.MaxAge))
	}
	return &next
}

// adopt makes a state the current one, and forgets what it no longer lists.
func (s *Store) adopt(next *state) {
	var gone []taxonomy.Version
	s.mu.Lock()
	s.asking = nil
	if before := s.state.Swap(next); before.index != next.index {
		for v := range s.loads {
			if _, listed := next.index.Lookup(v.Ref()); !listed {
				delete(s.loads, v)
				gone = append(gone, v)
			}
		}
	}
	s.mu.Unlock()
	for _, v := range gone {
		s.trouble.set(aboutRelease(v), nil)
	}
}

// cachedState returns what the folder knows of the index. A damaged copy is as
// good as none.
func (s *Store) cachedState() *state {
	st := new(state)
	text, etag, err := s.cache.index()
	if errors.Is(err, fs.ErrNotExist) {
		return st
	}
	var index *taxonomy.Index
	if err == nil {
		index, err = taxonomy.DecodeIndex(text)
	}
	if err != nil {
		s.trouble.set(aboutCache, s.cache.wrap("the copy of the index can't be used, and will be replaced", err))
		return st
	}
	st.text, st.etag = text, etag
	st.index, st.changed = s.keepStable(index)
	s.trouble.set(aboutStable, st.changed)
	return st
}
