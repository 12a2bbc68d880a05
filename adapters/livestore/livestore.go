// Package livestore is a [taxonomy.Store] over a folder of authoring source,
// for people who write a taxonomy and want to see it served.
//
// The source is compiled in memory. A change to a beta, a new version or a
// removed one is served at the next call. An edit that breaks a version keeps
// its last good release serving, and the findings are reported. A stable
// version is read once: a later edit of its source is reported and not served.
// Until its files have been left alone for 10 seconds it counts as being
// written: what is copied into the folder file by file is served when it is all
// there, and not for ever in part.
//
// The folder is what is at its path: one that takes its place, by renaming or by
// a link that leads elsewhere, is served at the next call. While there is none,
// or a part of it can't be read, what was good last is served on.
//
// The folder is watched by looking at it, not through notifications of the
// operating system, so it works the same on every system, over a network and
// in containers. Each call looks; where there are thousands of files, a call
// looks only if the last look is a while ago.
package livestore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/broadcast"
	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/source"
)

// DefaultInterval is how often the folder is looked at while nobody calls.
const DefaultInterval = time.Second

// Options tune a [Store]. The zero value and nil are the defaults.
type Options struct {
	// Source tunes how the source is read.
	Source *source.Options
	// Interval is how often the folder is looked at while nobody calls, so
	// that Report and Changes tell of edits by themselves; 0 means
	// [DefaultInterval], and a negative one never.
	Interval time.Duration
	// Report is given all findings of the source each time they change, the
	// first time from Open if there are any. It must not call the store.
	Report func(issue.Issues)
}

// Store serves a folder of authoring source. It is safe for concurrent use.
type Store struct {
	folder *folder.Folder
	opts   Options

	now  atomic.Pointer[state] // what is served
	scan scanner

	listeners broadcast.Hub

	stop context.CancelFunc
	done sync.WaitGroup
}

// state is what the store serves: one whole look at the source.
type state struct {
	index    *taxonomy.Index
	releases map[taxonomy.Version]*taxonomy.Release
	issues   issue.Issues
}

// Open reads the source in a folder and serves it until Close. Findings in the
// source are no error: they are reported, and what compiles is served.
func Open(dir string, o *Options) (*Store, error) {
	f, err := folder.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("livestore: %w", err)
	}
	s := &Store{folder: f}
	if o != nil {
		s.opts = *o
	}
	if s.opts.Interval == 0 {
		s.opts.Interval = DefaultInterval
	}
	s.now.Store(&state{index: new(taxonomy.Index)})
	if err := s.look(); err != nil {
		return nil, errors.Join(fmt.Errorf("livestore: %w", err), f.Close())
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if s.opts.Interval > 0 {
		s.done.Go(func() { s.watch(ctx) })
	}
	return s, nil
}

// Close stops looking at the folder. What was read stays usable.
func (s *Store) Close() error {
	s.stop()
	s.done.Wait()
	s.scan.Lock() // a look that is under way ends first
	defer s.scan.Unlock()
	s.scan.closed = true
	return s.folder.Close()
}

// watch looks at the folder now and then.
func (s *Store) watch(ctx context.Context) {
	ticker := time.NewTicker(s.opts.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.refresh()
		}
	}
}

// Index lists the versions that compile now, or did when they last could be
// read.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("livestore: index: %w", err)
	}
	s.refresh()
	return s.now.Load().index, nil
}

// Release returns the release of a version as its source has it now.
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("livestore: release %s: %w", v, err)
	}
	s.refresh()
	if r, ok := s.now.Load().releases[v]; ok {
		return r, nil
	}
	return nil, fmt.Errorf("livestore: release %s: %w", v, taxonomy.ErrNotFound)
}

// Findings returns what is wrong with the source now, of all versions.
func (s *Store) Findings() issue.Issues {
	s.refresh()
	return append(issue.Issues(nil), s.now.Load().issues...)
}

// Changes tells of changes to what is served; see [taxonomy.Notifier].
func (s *Store) Changes(ctx context.Context) <-chan struct{} { return s.listeners.Listen(ctx) }
