package datachain

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// steady is a store that remembers what was read last, and goes on with it while
// the store behind it fails, or does not answer before the caller's deadline.
// Then it leaves the store alone for a while, and lets one caller at a time try.
// Where there is something to go on with, the store has half of the caller's time:
// the rest is left to make use of it.
type steady struct {
	taxonomy.Store
	options *Options

	index    atomic.Pointer[taxonomy.Index]
	releases sync.Map // from taxonomy.Version to *taxonomy.Release
	// resting is until when the store is left alone after a failure, in
	// nanoseconds since the epoch.
	resting atomic.Int64
}

func newSteady(store taxonomy.Store, o *Options) *steady { return &steady{Store: store, options: o} }

// Index returns the index as it is now, or the last good one.
func (s *steady) Index(ctx context.Context) (*taxonomy.Index, error) {
	last := s.index.Load()
	if last != nil && s.rests() {
		return last, nil
	}
	patience, stop := halfOf(ctx, last != nil)
	defer stop()
	index, err := s.Store.Index(patience)
	switch {
	case err == nil:
		s.resting.Store(0)
		if index != last {
			s.index.Store(index)
			s.forget(index)
		}
		return index, nil
	case last == nil || errors.Is(ctx.Err(), context.Canceled):
		return nil, err
	}
	s.rest(err)
	return last, nil
}

// Release returns the release of an indexed version, or the last good one.
func (s *steady) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	last, known := s.releases.Load(v)
	if known && s.rests() {
		return last.(*taxonomy.Release), nil
	}
	patience, stop := halfOf(ctx, known)
	defer stop()
	r, err := s.Store.Release(patience, v)
	switch {
	case err == nil:
		if any(r) != last {
			s.releases.Store(v, r)
		}
		return r, nil
	case !known || errors.Is(ctx.Err(), context.Canceled):
		return nil, err
	case errors.Is(err, taxonomy.ErrNotFound):
		// It was retired between the index and now.
		s.releases.Delete(v)
		return nil, err
	}
	s.rest(err)
	return last.(*taxonomy.Release), nil
}

// rests reports whether the store is to be left alone. When the time is over, one
// caller is told to try, and the others to wait for what comes of it.
func (s *steady) rests() bool {
	until := s.resting.Load()
	if until == 0 {
		return false
	}
	now := time.Now()
	return now.UnixNano() < until || !s.resting.CompareAndSwap(until, now.Add(s.options.Retry).UnixNano())
}

func (s *steady) rest(err error) {
	s.resting.Store(time.Now().Add(s.options.Retry).UnixNano())
	s.options.Report(err)
}

// forget drops the releases that an index does not list.
func (s *steady) forget(index *taxonomy.Index) {
	s.releases.Range(func(key, _ any) bool {
		if _, ok := index.Lookup(key.(taxonomy.Version).Ref()); !ok {
			s.releases.Delete(key)
		}
		return true
	})
}
