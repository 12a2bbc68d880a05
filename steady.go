package datachain

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/deadline"
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

	index    atomic.Pointer[named]
	releases sync.Map // from taxonomy.Version to *taxonomy.Release
	// resting is until when the store is left alone after a failure, in
	// nanoseconds since the epoch.
	resting atomic.Int64
}

// named is an index with its entries by all names that it has for them, so that
// a name that is there need not be read.
type named struct {
	*taxonomy.Index
	entries map[string]*entry
}

// entry is one of an index, with its release once that was read: what has the
// content that the index says needs not be looked for again.
type entry struct {
	taxonomy.Entry
	release atomic.Pointer[taxonomy.Release]
}

func newNamed(index *taxonomy.Index) *named {
	n := &named{index, make(map[string]*entry)}
	for _, listed := range index.Entries() {
		e := &entry{Entry: listed}
		n.entries[e.ID.String()] = e
		for _, alias := range e.Aliases {
			n.entries[alias] = e
		}
	}
	return n
}

func newSteady(store taxonomy.Store, o *Options) *steady { return &steady{Store: store, options: o} }

// Index returns the index as it is now, or the last good one.
func (s *steady) Index(ctx context.Context) (*named, error) {
	last := s.index.Load()
	if last != nil && s.rests() {
		return last, nil
	}
	patience := s.patience(ctx, last != nil)
	defer patience.Stop()
	index, err := s.Store.Index(patience)
	switch {
	case err == nil:
		if s.resting.Load() != 0 {
			s.resting.Store(0)
		}
		if last == nil || index != last.Index {
			last = newNamed(index)
			s.index.Store(last)
			s.forget(index)
		}
		return last, nil
	case last == nil || errors.Is(ctx.Err(), context.Canceled):
		return nil, err
	}
	s.rest(err)
	return last, nil
}

// Release returns the release of an entry of the index, or the last good one. The
// store need not be asked for what the index says is the same.
func (s *steady) Release(ctx context.Context, e *entry) (*taxonomy.Release, error) {
	if r := e.release.Load(); r != nil {
		return r, nil
	}
	v := e.ID
	last := s.last(v)
	known := last != nil
	if known && last.ContentHash() == e.ContentHash {
		e.release.Store(last)
		return last, nil
	}
	if known && s.rests() {
		return last, nil
	}
	patience := s.patience(ctx, known)
	defer patience.Stop()
	r, err := s.Store.Release(patience, v)
	switch {
	case err == nil:
		if r != last {
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
	return last, nil
}

// last returns the last good release of a version, or nil.
func (s *steady) last(v taxonomy.Version) *taxonomy.Release {
	found, _ := s.releases.Load(v)
	r, _ := found.(*taxonomy.Release)
	return r
}

// patience returns the context in which the store is asked.
func (s *steady) patience(ctx context.Context, known bool) *deadline.Context {
	if known {
		return deadline.Half(ctx)
	}
	return deadline.New(ctx, time.Time{})
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
		v, _ := key.(taxonomy.Version)
		if _, ok := index.Lookup(v.Ref()); !ok {
			s.releases.Delete(key)
		}
		return true
	})
}
