package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// patience is how long a clause waits for what should happen at once: the return
// of a call, or a notification.
const patience = 10 * time.Second

// errHangs is the error of a call that does not return. The remaining clauses
// would wait for it again, so they are not checked.
var errHangs = errors.New("the store hangs")

// watched is a store whose calls always return: each has a deadline, and one that
// ignores it is abandoned, with its goroutine. A call that returns neither a value
// nor an error fails, too.
type watched struct {
	store    taxonomy.Store
	patience time.Duration
	// loadSearch is [Options.LoadSearch].
	loadSearch func(r *taxonomy.Release, data []byte) (locale string, err error)
}

func (s *watched) Index(ctx context.Context) (*taxonomy.Index, error) {
	x, err := call(ctx, s, "Index", s.store.Index)
	if x == nil && err == nil {
		return nil, errors.New("neither an index nor an error is returned")
	}
	return x, err
}

func (s *watched) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	r, err := call(ctx, s, fmt.Sprintf("Release of %q", v), func(ctx context.Context) (*taxonomy.Release, error) {
		return s.store.Release(ctx, v)
	})
	if r == nil && err == nil {
		return nil, errors.New("neither a release nor an error is returned")
	}
	return r, err
}

func (s *watched) icon(ctx context.Context, icons taxonomy.IconStore, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	return call(ctx, s, "Icon", func(ctx context.Context) ([]byte, error) { return icons.Icon(ctx, r, elementID, variant) })
}

func (s *watched) searchIndex(ctx context.Context, indexes taxonomy.SearchStore, r *taxonomy.Release, locale string) ([]byte, error) {
	return call(ctx, s, "SearchIndex", func(ctx context.Context) ([]byte, error) { return indexes.SearchIndex(ctx, r, locale) })
}

func (s *watched) openSearchIndex(ctx context.Context, opener taxonomy.SearchOpener, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
	section, err := call(ctx, s, "OpenSearchIndex", func(ctx context.Context) (*io.SectionReader, error) {
		return opener.OpenSearchIndex(ctx, r, locale)
	})
	if section == nil && err == nil {
		return nil, errors.New("neither a search index nor an error is returned")
	}
	return section, err
}

// changes asks for notifications. They end with the context, so it does not get
// the deadline.
func (s *watched) changes(ctx context.Context, n taxonomy.Notifier) (<-chan struct{}, error) {
	changes, err := call(ctx, s, "Changes", func(context.Context) (<-chan struct{}, error) { return n.Changes(ctx), nil })
	if changes == nil && err == nil {
		return nil, errors.New("notifications: no channel is returned")
	}
	return changes, err
}

// call makes a call with a deadline, and abandons it if it does not return soon
// after that.
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
		defer func() { done <- r }() // even if the call ends its goroutine, as a failing test does
		r.answer, r.err = do(limited)
	}()
	most := s.patience + s.patience/10
	select {
	case r := <-done:
		if r.err != nil && limited.Err() != nil && ctx.Err() == nil {
			r.err = fmt.Errorf("%w: %s did not succeed in %v: %w", errHangs, what, s.patience, r.err)
		}
		return r.answer, r.err
	case <-time.After(most):
		return answer, fmt.Errorf("%w: %s did not return in %v, although its context had ended", errHangs, what, most)
	}
}
