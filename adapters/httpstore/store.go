// Package httpstore provides a [taxonomy.Store] over HTTP that follows a
// datachain server.
//
//	GET <base>/api/v2/schemas
//	GET <base>/api/v2/schemas/<version>/release
//
// The index is requested again when it is older than [Options.Refresh], with
// If-None-Match, so that an unchanged one costs next to nothing. A release is
// requested once for each content that the index names, however many callers ask
// for it at the same time.
//
// # Verification
//
// The server is not trusted: the content hash of a release is computed from what
// arrived, and must be the one in the index. Responses are limited in size, after
// decompression, and in time. Redirects are not followed: a store talks to the
// URL that it was opened with and to no other. An index that drops stable versions, or
// all versions, without listing them as retired, or that lists other content for a
// stable version, is refused in favor of the last good one: [Store.Err] then wraps
// [taxonomy.ErrRollback].
//
// # Failures
//
// If the server can't be reached, is overloaded or sends something that can't be
// used, calls fail. The server is asked again when the store is called, and by
// the store itself while a program listens to [Store.Changes], but less and less
// often, down to once a minute, and not before the time that its Retry-After
// names. Until then calls fail at once, with the same error.
//
// With [Options.CacheDir] the store keeps copies on disk. It then does not
// request a release that it has a copy of, and [Store.Cached] serves the copies
// without a network. To keep serving while the server fails, also after a
// restart, combine both with package laststore:
//
//	store, err := laststore.New(remote, &laststore.Options{Fallback: remote.Cached()})
//
// The directory holds, for each server, the exact bytes of the index and of one
// release per version: the newest that was good. A release is removed a week
// after the index stopped listing it. Files are put in place by renaming, and
// verified each time they are read, so that several programs can share the
// directory and a damaged file is just fetched again. The directory can be
// removed at any time.
package httpstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/cache"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/internal/hub"
	"github.com/datachain-go/datachain/internal/limit"
	"github.com/datachain-go/datachain/taxonomy"
)

var errNotOpened = errors.New("httpstore: this Store was not made with Open")

// Store follows a datachain server. It is a [taxonomy.Notifier] and safe for
// concurrent use. Make one with [Open].
type Store struct {
	opt       Options
	base      *url.URL // ends in apiPath
	client    *http.Client
	transport *http.Transport // nil if the client is the caller's
	copies    *cache.Cache    // nil for none

	index     *watch.Follower
	releases  *reader.Loader
	guard     watch.Guard
	listeners hub.Hub
	reading   chan struct{} // holds the releases that are being read and decoded

	mu    sync.Mutex
	pause pause
	poll  poll
}

var _ taxonomy.Notifier = (*Store)(nil)

// Open returns a store that follows the server at a URL such as
// https://datachain.example, with or without /api/v2. It makes no request: the
// first call shows whether the server can be reached. Close the store when it is
// no longer used.
func Open(address string, o *Options) (*Store, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Store{opt: opt, reading: make(chan struct{}, 2)}
	if s.base, err = parseBase(address); err != nil {
		return nil, err
	}
	s.guard.Store, s.guard.Sent, s.guard.Accept = "httpstore: "+s.base.Redacted(), true, opt.AcceptRemovals
	s.guard.Verify(opt.Verify, s.ReadLog)
	s.client, s.transport = newClient(opt.HTTPClient)
	if opt.CacheDir != "" {
		base := *s.base
		base.User = nil // a server with another password is the same server
		s.copies, err = cache.Open(opt.CacheDir, base.String(), &cache.Options{
			MaxRelease: opt.MaxRelease, Scope: s.guard.Scope(),
			Report: func(err error) {
				if opt.Report != nil {
					opt.Report(fmt.Errorf("httpstore: %w", err))
				}
			},
		})
		if err != nil {
			return nil, fmt.Errorf("httpstore: %w", err)
		}
	}
	s.releases = reader.NewLoader(reader.Source{
		Read: s.read, Wrap: s.wrap, RetryAt: s.retryAt, Recovered: s.listeners.Notify,
	})
	s.index = watch.NewFollower(watch.Remote{
		Get: s.getIndex, Evolution: s.getEvolution, Copies: s.copies, Wrap: s.wrapIndex, Guard: &s.guard, Releases: s.releases,
		Timeout: opt.Timeout, Refresh: opt.Refresh, RetryAt: s.retryAt, Changed: s.listeners.Notify,
	})
	return s, nil
}

// Close ends all requests and releases the directory. Calls fail afterwards.
func (s *Store) Close() error {
	if s.index == nil {
		return nil
	}
	s.index.Close()
	if s.transport != nil {
		s.transport.CloseIdleConnections()
	}
	return s.copies.Close()
}

// Index returns the index of the server, at most [Options.Refresh] old.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	if s.index == nil {
		return nil, errNotOpened
	}
	return s.index.Current(ctx, false)
}

// Release returns the release of an indexed version. If its content does not
// match the hash in the index, the error wraps [taxonomy.ErrHashMismatch].
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	return s.releases.Release(ctx, x, v)
}

// Err returns what is wrong although calls succeed, or nil: the index is refused
// ([taxonomy.ErrRefused]), for example because it was rolled back, so that the last good one is served. It makes no request.
func (s *Store) Err() error { return s.guard.Err() }

// Cached returns the copies in [Options.CacheDir] as a store, for
// [github.com/datachain-go/datachain/adapters/laststore.Options]. It never makes
// a request. If there is no copy of the content that the index names for a
// version, it returns the newest copy of that version.
func (s *Store) Cached() taxonomy.Store {
	return s.copies.Store(s.index.Last, s.wrap)
}

// wrap adds where an error is from, and wrapIndex that it is from the index.
func (s *Store) wrap(err error) error {
	return fmt.Errorf("httpstore: %s: %w", s.base.Redacted(), err)
}

func (s *Store) wrapIndex(err error) error {
	return fmt.Errorf("httpstore: %s/schemas: %w", s.base.Redacted(), err)
}

// The defaults of [Options].
const (
	defaultRefresh        = 5 * time.Second
	defaultInterval       = 15 * time.Second
	defaultTimeout        = 10 * time.Second
	defaultReleaseTimeout = 2 * time.Minute
	defaultRetryAfter     = time.Second
	defaultMaxRelease     = 256 << 20
)

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// HTTPClient makes the requests, with credentials and certificates if
	// necessary; nil means a client of the store's own. Its CheckRedirect is
	// not used: redirects are not followed.
	HTTPClient *http.Client
	// CacheDir is a directory for copies that remain after the program ends.
	// It is created if necessary, and may be shared, even by stores of
	// different servers. "" means no copies.
	CacheDir string
	// Refresh is how long an index is used before the server is asked again; 0
	// means 5 seconds, and a negative value that every call asks.
	Refresh time.Duration
	// Interval is how often the server is asked while a program listens to
	// [Store.Changes]; 0 means 15 seconds, and a negative value that only calls
	// find changes.
	Interval time.Duration
	// Timeout is the time limit for a request for the index, and
	// ReleaseTimeout for a release, including the body; 0 means
	// 10 seconds and 2 minutes, a negative value no limit.
	Timeout, ReleaseTimeout time.Duration
	// RetryAfter is how long the index or a release is not requested again
	// after a first failure. The time doubles with each further failure, up to
	// a minute, and is extended at random, so that many clients do not return
	// at once. 0 means a second, and a negative value that every call tries
	// again.
	RetryAfter time.Duration
	// MaxRelease is the maximum size of a release in bytes, decompressed; 0
	// means 256 MiB, a negative value no limit. Two releases are read at a time, so that
	// they do not fill the memory together.
	MaxRelease int64
	// AcceptRemovals accepts the first index that is read even if it goes back
	// from the one in CacheDir; see [taxonomy.ErrRollback].
	AcceptRemovals bool
	// Verify returns the verifier of the index. It gets a function that reads files of the log. If it
	// is nil, nothing is verified. An index that is not proven is refused: the last good one is served, and
	// Err wraps [taxonomy.ErrRefused]. Package release/trust/follow verifies by a signed log.
	Verify func(taxonomy.ReadFunc) taxonomy.Verifier
	// Report is called with problems that do not change what is served: a copy
	// that can't be kept or used. It may be called from several goroutines at
	// once.
	Report func(error)
	// ServiceClient names the program to the server, which counts requests by
	// it: 1 to 64 visible ASCII characters. "" sends no name.
	ServiceClient string
}

func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	d.Refresh = cmp.Or(d.Refresh, defaultRefresh)
	d.Interval = cmp.Or(d.Interval, defaultInterval)
	d.Timeout = limit.Of(d.Timeout, defaultTimeout, math.MaxInt64/2)
	d.ReleaseTimeout = limit.Of(d.ReleaseTimeout, defaultReleaseTimeout, math.MaxInt64/2)
	d.RetryAfter = cmp.Or(d.RetryAfter, defaultRetryAfter)
	d.MaxRelease = limit.Of(d.MaxRelease, defaultMaxRelease, math.MaxInt64/2)
	if len(d.ServiceClient) > 64 || strings.ContainsFunc(d.ServiceClient, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return d, fmt.Errorf("httpstore: ServiceClient %q must be 1 to 64 visible ASCII characters without spaces", d.ServiceClient)
	}
	return d, nil
}

// apiPath is the path of the API below the URL of a server.
const apiPath = "/api/v2"

// parseBase parses the URL of a server, with or without [apiPath].
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the URL, which may contain a password
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("httpstore: the URL of the server is malformed: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("httpstore: the URL %q must begin with http:// or https:// and name a host", u.Redacted())
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("httpstore: the URL %q must not have a query or a fragment", u.Redacted())
	}
	if !strings.HasSuffix(u.Path, apiPath) {
		u = u.JoinPath(apiPath)
	}
	return u, nil
}

// poll asks the server at intervals while a program listens.
type poll struct {
	listeners int
	stop      context.CancelFunc
}

// Changes reports changes to the index, releases that can be read again, and
// the beginning and end of a failure; see [taxonomy.Notifier]. While a program
// listens, the server is asked each [Options.Interval], also for releases that
// could not be read.
func (s *Store) Changes(ctx context.Context) <-chan struct{} {
	changes := s.listeners.Listen(ctx) // first, or a change found at once is missed
	s.listen(1)
	context.AfterFunc(ctx, func() { s.listen(-1) })
	return changes
}

// listen counts listeners, and asks the server while there are any: at once, so that the first
// one knows what it begins with, and then each interval.
func (s *Store) listen(delta int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.poll.listeners += delta
	switch {
	case s.poll.listeners == 0 && s.poll.stop != nil:
		s.poll.stop()
		s.poll.stop = nil
	case s.poll.listeners == 1 && s.poll.stop == nil && s.opt.Interval > 0 && s.index != nil:
		s.poll.stop = s.index.Watch(s.opt.Interval, s.releases.Retry) // back-off is respected
	}
}

// read reads a release for the loader.
func (s *Store) read(ctx context.Context, e taxonomy.Entry) (*reader.Archive, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.ReleaseTimeout)
	defer cancel()
	if a := s.copies.Release(e); a != nil {
		return a, nil
	}
	r, text, err := s.obtain(ctx, e)
	if err != nil {
		return nil, err
	}
	s.copies.Put(taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash()}, text)
	return &reader.Archive{Release: r}, nil
}

// obtain requests the release of an entry, and returns its text, too. A
// version may be changed or retired between the response with the index and that
// with the release; then the index is requested again, and decides.
func (s *Store) obtain(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, []byte, error) {
	for range 3 {
		r, text, err := s.fetch(ctx, e.ID)
		if status, ok := errors.AsType[*reader.StatusError](err); err != nil && (!ok || status.Status != http.StatusNotFound) {
			return nil, nil, err
		}
		if err == nil && r.ContentHash() == e.ContentHash {
			return r, text, nil
		}
		x, indexErr := s.index.Current(ctx, true)
		if indexErr != nil {
			return nil, nil, errors.Join(err, indexErr)
		}
		current, listed := x.Lookup(e.ID.Ref())
		switch {
		case !listed:
			return nil, nil, s.wrap(fmt.Errorf("schema version %s: %w", e.ID, taxonomy.ErrNotFound))
		case err == nil && current.ContentHash == r.ContentHash():
			return r, text, nil
		case current.ContentHash == e.ContentHash && err == nil:
			return nil, nil, fmt.Errorf("httpstore: %s: %w: the content is %s, but the index lists %s: contact the operator of the server",
				s.releaseURL(e.ID).Redacted(), taxonomy.ErrHashMismatch, r.ContentHash(), e.ContentHash)
		case current.ContentHash == e.ContentHash:
			return nil, nil, fmt.Errorf("the index lists %s, but there is no release: %w", e.ID, err)
		}
		e = current
	}
	return nil, nil, fmt.Errorf("httpstore: %s: the content changes faster than it can be read: try again later", s.releaseURL(e.ID).Redacted())
}
