// Package live serves a schema source while it is edited.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/hub"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// defaultInterval is the default of [Options.Interval].
const defaultInterval = time.Second

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// Interval is how often the directory is checked between calls, so that
	// edits are reported without calls; 0 means a second, and a negative value turns that off.
	Interval time.Duration
	// Report is called with all findings in the source each time they change,
	// and by Open if there are any. It must not call the store.
	Report func(issue.Issues)
	// Edited is called after an edit of a version that changes what is served or leaves
	// errors. It must not call the store.
	Edited func(Edit)
}

// Edit is the result of an edit.
type Edit struct {
	Version taxonomy.Version
	// Served is the release that is served now, or nil if the version never
	// compiled.
	Served *taxonomy.Release
	// Failed reports whether the source has errors, so that Served is still the
	// last good release.
	Failed bool
}

// Store is a store over a directory of authoring source, for authors who want to see their
// taxonomy served while they write it. It is a [taxonomy.Notifier] and safe for concurrent
// use. Make one with [Open].
//
// The source is compiled in memory. A change to a beta, a new version or a
// removed one is served at the next call. A version that does not compile any
// more keeps its last compiled release, and the findings are reported. A stable
// version is read once: a later edit of its source is reported, but not served.
// A stable version can change until its files have not been modified for 10 seconds, so that
// one that is copied file by file is served when it is complete.
//
// If another directory takes the place of the one that was opened, by renaming or
// by a link that changes, the next call reads that one. While there is none,
// calls fail: a laststore around the store serves the last good data meanwhile. It also reports
// errors in the source, which it gets from [Store.Err].
//
// The directory is polled instead of watched through the operating system, which works the same on
// every system, over a network and in containers. Each call checks it; if there are thousands of
// files, only if the last check was a while ago.
type Store struct {
	folder *files.Folder
	opts   Options

	now  atomic.Pointer[state] // what is served
	scan scanner

	listeners hub.Hub

	stop context.CancelFunc
	done sync.WaitGroup
}

// state is what the store serves: the result of one check of the source.
type state struct {
	index    *taxonomy.Index
	releases map[taxonomy.Version]*taxonomy.Release
	issues   issue.Issues
	err      error // why the source can't be read
}

var _ taxonomy.Notifier = (*Store)(nil)

// Open reads the source in a directory and serves it until Close. Findings in
// the source are not an error: they are reported, and what compiles is served.
func Open(dir string, o *Options) (*Store, error) {
	f, err := files.OpenFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	s := &Store{folder: f}
	if o != nil {
		s.opts = *o
	}
	s.opts.Interval = cmp.Or(s.opts.Interval, defaultInterval)
	s.now.Store(&state{index: new(taxonomy.Index)})
	if err := s.check(); err != nil {
		return nil, errors.Join(fmt.Errorf("live: %w", err), f.Close())
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if s.opts.Interval > 0 {
		s.done.Go(func() { s.watch(ctx) })
	}
	return s, nil
}

// Close stops checking the directory. What was read remains usable.
func (s *Store) Close() error {
	s.stop()
	s.done.Wait()
	s.scan.Lock() // wait for a check that is in progress
	defer s.scan.Unlock()
	s.scan.closed = true
	return s.folder.Close()
}

// watch checks the directory at each interval.
func (s *Store) watch(ctx context.Context) {
	ticker := time.NewTicker(s.opts.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_, _ = s.current(ctx) // what fails is in the findings
		}
	}
}

// current returns what is served now.
func (s *Store) current(ctx context.Context) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.refresh()
	st := s.now.Load()
	return st, st.err
}

// Index lists the versions that have been compiled.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	st, err := s.current(ctx)
	if err != nil {
		return nil, fmt.Errorf("live: index: %w", err)
	}
	return st.index, nil
}

// Release returns the last compiled release of a version.
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	st, err := s.current(ctx)
	if err != nil {
		return nil, fmt.Errorf("live: release %s: %w", v, err)
	}
	r, ok := st.releases[v]
	if !ok {
		return nil, fmt.Errorf("live: release %s: %w", v, taxonomy.ErrNotFound)
	}
	return r, nil
}

// Findings returns the findings in all versions of the source.
func (s *Store) Findings() issue.Issues {
	st, _ := s.current(context.Background()) // what fails is in the findings
	return slices.Clone(st.issues)
}

// ErrFindings is what [Store.Err] wraps.
var ErrFindings = errors.New("errors in the source")

// Err returns an error if there were errors among the findings of the last check:
// then something is not served as it was written.
func (s *Store) Err() error {
	n := len(s.now.Load().issues.With(issue.SeverityError))
	if n == 0 {
		return nil
	}
	return fmt.Errorf("live: %w: %d", ErrFindings, n)
}

// Changes reports changes to what is served; see [taxonomy.Notifier].
func (s *Store) Changes(ctx context.Context) <-chan struct{} { return s.listeners.Listen(ctx) }
