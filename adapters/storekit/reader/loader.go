package reader

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/trace"
	"github.com/datachain-go/datachain/taxonomy"
)

// Source is what a [Loader] needs from its store. Only Read and Wrap are required.
type Source struct {
	// Read reads the release of an entry. Its context ends with the loader.
	Read func(ctx context.Context, e taxonomy.Entry) (*Archive, error)
	// Renew reads the index again after a release could not be read, since another one may have
	// replaced it. If Renew is nil, the error of the release is returned.
	Renew func(ctx context.Context) (*taxonomy.Index, error)
	// Wrap adds the name of the store to an error.
	Wrap func(error) error
	// RetryAt returns when to read a release again after so many failures in a row;
	// nil means at the next call.
	RetryAt func(failures int) time.Time
	// Recovered is called after a release that had failed was read.
	Recovered func()
}

// Loader loads the releases of a store: each once, however many callers ask for it at the
// same time, and keeps them while the index names them. It is safe for concurrent use.
// Make one with [NewLoader].
type Loader struct {
	Source
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	mu     sync.Mutex
	closed bool
	index  *taxonomy.Index
	loads  map[taxonomy.Version]*load
}

// load is one reading of a release, which all callers that ask for it share. The mutex of the
// loader guards its result until done is closed.
type load struct {
	hash, sum taxonomy.Hash // of the content and the archive
	done      chan struct{}
	archive   *Archive
	err       error
	// failures is how many readings failed in a row, and retryAt when it is time for
	// another; zero if this one did not fail.
	failures int
	retryAt  time.Time
}

// isFor reports whether a load reads what an index entry names.
func (ld *load) isFor(e taxonomy.Entry) bool { return ld.hash == e.ContentHash && ld.sum == e.Archive }

// NewLoader returns a loader without an index.
func NewLoader(s Source) *Loader {
	l := &Loader{Source: s, index: new(taxonomy.Index), loads: make(map[taxonomy.Version]*load)}
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// Close ends all reading, and waits for that. Calls fail afterwards.
func (l *Loader) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.stop()
	l.work.Wait()
}

// Keep makes an index the one that releases are looked up in, and forgets those that it
// does not name. A store calls it before callers get that index.
func (l *Loader) Keep(x *taxonomy.Index) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.index = x
	for v, ld := range l.loads {
		// What is being read may be what the index names now.
		if e, listed := x.Lookup(v.Ref()); !listed || !ld.isFor(e) && (ld.archive != nil || ld.err != nil) {
			delete(l.loads, v)
		}
	}
}

// Release returns the release of a version in an index, which was passed to [Loader.Keep].
func (l *Loader) Release(ctx context.Context, x *taxonomy.Index, v taxonomy.Version) (*taxonomy.Release, error) {
	for {
		ld, err := l.wait(ctx, v)
		switch {
		case err != nil:
			return nil, err
		case ld.err == nil:
			return ld.archive.Release, nil
		case l.Renew == nil:
			return nil, ld.err
		}
		now, err := l.Renew(ctx)
		if err != nil || now == x {
			return nil, ld.err
		}
		x = now
	}
}

// Retry reads again what failed, if it is time to.
func (l *Loader) Retry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for v, ld := range l.loads {
		if e, listed := l.index.Lookup(v.Ref()); listed && !ld.retryAt.IsZero() {
			_, _ = l.load(l.ctx, e) // a closed loader needs nothing
		}
	}
}

// wait returns the reading of a version when it is done.
func (l *Loader) wait(ctx context.Context, v taxonomy.Version) (*load, error) {
	l.mu.Lock()
	e, listed := l.index.Lookup(v.Ref())
	if !listed {
		l.mu.Unlock()
		return nil, l.Wrap(fmt.Errorf("schema version %s: %w", v, taxonomy.ErrNotFound))
	}
	ld, err := l.load(ctx, e)
	l.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-ld.done:
		return ld, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// load returns the reading of an entry, and starts one if there is none, or it is time to
// try again. The caller holds mu.
func (l *Loader) load(ctx context.Context, e taxonomy.Entry) (*load, error) {
	last := l.loads[e.ID]
	isCurrent := last != nil && last.isFor(e)
	switch {
	case isCurrent && (last.retryAt.IsZero() || time.Now().Before(last.retryAt)):
		return last, nil
	case l.closed:
		return nil, l.Wrap(errors.New("the store is closed"))
	}
	ld := &load{hash: e.ContentHash, sum: e.Archive, done: make(chan struct{})}
	if isCurrent {
		ld.failures = last.failures
	}
	l.loads[e.ID] = ld
	l.work.Go(func() { l.run(trace.With(l.ctx, trace.From(ctx)), ld, e) })
	return ld, nil
}

// run reads a release. It continues if the callers leave, since others will come.
func (l *Loader) run(ctx context.Context, ld *load, e taxonomy.Entry) {
	archive, err := l.Read(ctx, e)
	var next time.Time
	if err != nil {
		next = time.Now()
		if l.RetryAt != nil {
			next = l.RetryAt(ld.failures + 1)
		}
	}
	l.mu.Lock()
	missed := ld.failures > 0
	if err != nil {
		ld.err, ld.retryAt = err, next
		ld.failures++
	} else {
		ld.archive, ld.hash, ld.failures = archive, archive.Release.ContentHash(), 0
	}
	if now, listed := l.index.Lookup(e.ID.Ref()); (!listed || !ld.isFor(now)) && l.loads[e.ID] == ld {
		delete(l.loads, e.ID)
	}
	close(ld.done)
	l.mu.Unlock()
	if missed && err == nil && l.Recovered != nil {
		l.Recovered()
	}
}

// Icon returns a pre-baked icon, or wraps [taxonomy.ErrNotFound].
func (l *Loader) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case l == nil: // the store was not opened
		return nil, taxonomy.ErrNotFound
	}
	svg, err := l.icon(ctx, r, elementID, variant)
	if err != nil {
		return nil, l.Wrap(fmt.Errorf("release %s: icon of %q as %q: %w", r.Version(), elementID, variant, err))
	}
	return svg, nil
}

func (l *Loader) icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	ld, err := l.wait(ctx, r.Version())
	switch {
	case err != nil:
		return nil, err
	case ld.err != nil:
		return nil, ld.err
	case ld.hash != r.ContentHash(): // it was replaced
		return nil, taxonomy.ErrNotFound
	}
	return ld.archive.Icon(elementID, variant)
}
