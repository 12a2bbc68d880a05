package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// patience is how long a clause waits for what should come at once: the answer
// to a call, or the word of a notifier.
const patience = 10 * time.Second

// errHangs is what a call that does not come back is given up with. The clauses
// that are left would wait for it once more, so they are not begun.
var errHangs = errors.New("the store hangs")

// watched is a store whose calls come back, one way or another: each has a
// deadline, and one that does not care is given up, with its goroutine. That a
// call gives neither an answer nor an error is an error, too, so no clause has to
// think of it.
type watched struct {
	store    taxonomy.Store
	patience time.Duration
}

func (s *watched) Index(ctx context.Context) (*taxonomy.Index, error) {
	x, err := call(ctx, s, "Index", s.store.Index)
	if x == nil && err == nil {
		return nil, errors.New("there is neither an index nor an error")
	}
	return x, err
}

func (s *watched) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	r, err := call(ctx, s, fmt.Sprintf("Release of %q", v), func(ctx context.Context) (*taxonomy.Release, error) {
		return s.store.Release(ctx, v)
	})
	if r == nil && err == nil {
		return nil, errors.New("there is neither a release nor an error")
	}
	return r, err
}

func (s *watched) icon(ctx context.Context, icons taxonomy.IconStore, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	return call(ctx, s, "Icon", func(ctx context.Context) ([]byte, error) { return icons.Icon(ctx, r, elementID, variant) })
}

func (s *watched) searchIndex(ctx context.Context, indexes taxonomy.SearchStore, r *taxonomy.Release, locale string) ([]byte, error) {
	return call(ctx, s, "SearchIndex", func(ctx context.Context) ([]byte, error) { return indexes.SearchIndex(ctx, r, locale) })
}

// changes asks for notifications. The context lasts for as long as they do, so
// the deadline is not in it.
func (s *watched) changes(ctx context.Context, n taxonomy.Notifier) (<-chan struct{}, error) {
	changes, err := call(ctx, s, "Changes", func(context.Context) (<-chan struct{}, error) { return n.Changes(ctx), nil })
	if changes == nil && err == nil {
		return nil, errors.New("notifications: there is no channel")
	}
	return changes, err
}

// call makes a call with a deadline. One that does not come back even some time
// after it is given up.
func call[T any](ctx context.Context, s *watched, what string, do func(context.Context) (T, error)) (answer T, err error) {
	limited, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	type result struct {
		answer T
		err    error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }() // also where the call ends its goroutine, as a failing test does
		r.answer, r.err = do(limited)
	}()
	most := s.patience + s.patience/10
	select {
	case r := <-done:
		if r.err != nil && limited.Err() != nil && ctx.Err() == nil {
			r.err = fmt.Errorf("%w: %s had no answer in %v: %w", errHangs, what, s.patience, r.err)
		}
		return r.answer, r.err
	case <-time.After(most):
		return answer, fmt.Errorf("%w: %s did not return in %v, and a call ends with its context at the latest", errHangs, what, most)
	}
}

// limit bounds how long a clause waits for a notifier.
func (s *watched) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.patience)
}
