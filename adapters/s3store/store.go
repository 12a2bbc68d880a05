// Package s3store reads published releases from a bucket of S3-compatible storage.
//
//	store, err := s3store.Open(ctx, "s3://bucket/prefix", nil)
//
// Below the prefix a bucket has the layout of a directory of published releases:
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/<sha256>.zip
//
// # Reading
//
// A [Store] trusts nothing: it computes the content hash of what it reads, and the
// SHA-256 of an archive, and returns a release only if they are those in the index.
// Objects are limited in size, and requests in time. The index is requested with
// If-None-Match, at most once in [Options.Refresh], or regularly with
// [Options.Interval]. A release is one request, once for each content, and none if
// there is a copy in [Options.CacheDir]. To serve the last good data while the bucket
// can't be read, put package laststore around the store, with [Store.Cached] as its
// fallback.
package s3store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/storekit/cache"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/taxonomy"
)

var errNotOpened = errors.New("s3store: this Store was not made with Open")

// Store reads published releases from a bucket. Each release is read once, however
// many callers ask for it at the same time, and kept in memory while the index names
// it. A Store is safe for concurrent use. Make one with [Open].
type Store struct {
	opt    Options
	bucket *s3bucket.Bucket
	copies *cache.Cache // nil for none

	index    *watch.Follower
	releases *reader.Loader
	guard    watch.Guard
}

var _ taxonomy.IconStore = (*Store)(nil)

// Open returns a store that reads from an address such as s3://bucket/prefix. It
// makes no request to the bucket: the first call shows whether it can be read. Close
// the store when it is no longer used.
func Open(ctx context.Context, at string, o *Options) (*Store, error) {
	opt := o.withDefaults()
	s := &Store{opt: opt}
	var err error
	if s.bucket, err = s3bucket.Connect(ctx, at, &s3bucket.Access{Endpoint: opt.Endpoint, Region: opt.Region, Config: opt.Config}, s3bucket.Retries{Attempts: 3, Delay: time.Second}); err != nil {
		return nil, err
	}
	s.guard.Store, s.guard.Accept = "s3store: "+s.bucket.String(), opt.AcceptRemovals
	s.guard.Verify(opt.Verify, s.ReadFile)
	if opt.CacheDir != "" {
		base := s.bucket.String() + " " + s.bucket.Endpoint
		s.copies, err = cache.Open(opt.CacheDir, base, &cache.Options{
			MaxRelease: opt.MaxRelease, Scope: s.guard.Scope(),
			Report: func(err error) {
				if opt.Report != nil {
					opt.Report(fmt.Errorf("s3store: %w", err))
				}
			},
		})
		if err != nil {
			return nil, fmt.Errorf("s3store: %w", err)
		}
	}
	s.releases = reader.NewLoader(reader.Source{
		Read: s.read, Renew: func(ctx context.Context) (*taxonomy.Index, error) { return s.index.Current(ctx, true) },
		Wrap: s.wrap,
	})
	s.index = watch.NewFollower(watch.Remote{
		Get: s.getIndex, Evolution: s.getEvolution, Copies: s.copies, Wrap: s.wrap, Guard: &s.guard, Releases: s.releases,
		Timeout: opt.Timeout, Refresh: opt.Refresh, Missing: func(err error) bool { return errors.Is(err, ErrNoIndex) },
		Slow: func() error { return s.bucket.Explain(s3bucket.OpGet, layout.IndexFile, context.DeadlineExceeded) },
	})
	if opt.Interval > 0 {
		s.index.Watch(opt.Interval, nil)
	}
	return s, nil
}

// Close ends all requests and releases the cache directory. Calls fail afterwards.
func (s *Store) Close() error {
	if s.index == nil {
		return nil
	}
	s.index.Close()
	s.bucket.Close()
	return s.copies.Close()
}

// Index returns the index, at most [Options.Refresh] old, or the last good one if that
// goes back; see [Store.Err].
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

// Icon returns a pre-baked icon, which must not be changed, or wraps
// [taxonomy.ErrNotFound].
func (s *Store) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	return s.releases.Icon(ctx, r, elementID, variant)
}

// wrap adds where an error is from.
func (s *Store) wrap(err error) error { return fmt.Errorf("s3store: %s: %w", s.bucket, err) }

// Err returns what is wrong although calls succeed, or nil: the index is refused
// ([taxonomy.ErrRefused]), for example because it was rolled back, so that the last good one is served. It makes no request.
func (s *Store) Err() error { return s.guard.Err() }

// ReadFile reads an object besides the releases, such as a published document, of at most
// limit bytes. The tag that it returns changes with the content; if it is the given one,
// text is nil. If there is no such object, it wraps [fs.ErrNotExist].
func (s *Store) ReadFile(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.Timeout)
	defer cancel()
	text, newTag, err = s.get(ctx, name, tag, limit)
	if s3bucket.IsMissing(err) {
		err = fmt.Errorf("s3store: %s: %w", s.bucket.Object(name), fs.ErrNotExist)
	}
	return text, newTag, err
}

// get requests an object. If it still has the tag, text is nil.
func (s *Store) get(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error) {
	got, err := s.bucket.Get(ctx, name, tag, limit)
	switch {
	case err != nil:
		return nil, "", err
	case got.NotModified:
		return nil, tag, nil
	}
	return got.Data, got.ETag, nil
}

// ErrNoIndex is wrapped by the errors of a [Store] if there is no index below the
// prefix: nothing was published there yet.
var ErrNoIndex = errors.New("there are no published releases here")

// getIndex requests the index.
func (s *Store) getIndex(ctx context.Context, tag string) ([]byte, string, error) {
	text, newTag, err := s.get(ctx, layout.IndexFile, tag, layout.MaxIndex)
	if s3bucket.IsMissing(err) {
		err = fmt.Errorf("s3store: %s: %w: create them with 'datachain schema publish DIR --store %s'", s.bucket, ErrNoIndex, s.bucket)
	}
	return text, newTag, err
}

// getEvolution requests the evolution of a datachain type.
func (s *Store) getEvolution(ctx context.Context, typ string, h taxonomy.Hash) ([]byte, error) {
	text, _, err := s.get(ctx, layout.Evolution(typ, h), "", layout.MaxEvolution)
	return text, err
}

// The defaults of [Options].
const (
	defaultRefresh        = time.Second
	defaultTimeout        = 10 * time.Second
	defaultReleaseTimeout = 2 * time.Minute
	defaultMaxRelease     = 1 << 30
)

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// Endpoint is the URL of a server other than AWS. Its buckets are addressed
	// in the path. By default AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL are used.
	Endpoint string
	// Region is the region of the bucket.
	Region string
	// Config is used instead of the configuration that other AWS programs use if it
	// is not nil. That is environment variables such as AWS_REGION and
	// AWS_ACCESS_KEY_ID, the shared configuration and credentials files, web identity
	// tokens, and the roles of containers and instances.
	Config *aws.Config
	// CacheDir is a directory for copies that remain after the program ends.
	// It is created if necessary, and may be shared, even by stores of
	// different buckets. "" means no copies.
	CacheDir string
	// AcceptRemovals accepts the first index that is read even if it goes back
	// from the one in CacheDir; see [taxonomy.ErrRollback].
	AcceptRemovals bool
	// Refresh is how long the result of a request for the index is used, also
	// of one that failed, before another is made; 0 means a second, and a
	// negative value that every call makes a request.
	Refresh time.Duration
	// Interval makes the store request the index regularly until it is closed,
	// so that calls do not wait for requests, and see changes that are older
	// than Interval and the time of a request. Refresh is then at least twice as
	// long. 0 or a negative value means that only calls make requests.
	Interval time.Duration
	// Timeout is the time limit for reading the index, and ReleaseTimeout for
	// reading a release, with all attempts; 0 means 10 seconds and
	// 2 minutes, a negative value no limit. Calls that need the index fail after 3 seconds
	// without an answer, while the store still waits for it.
	Timeout, ReleaseTimeout time.Duration
	// MaxRelease is the maximum size of an archive in bytes; 0 means 1 GiB, a negative value no
	// limit.
	MaxRelease int64
	// Verify returns the verifier of the index. It gets a function that reads files of the store. If it
	// is nil, nothing is verified. An index that is not proven is refused: the last good one is served, and
	// Err wraps [taxonomy.ErrRefused]. Package release/trust/follow verifies by a signed log.
	Verify func(taxonomy.ReadFunc) taxonomy.Verifier
	// Report is called with problems that do not change what is served: a copy
	// that can't be kept or used. It may be called from several goroutines at once.
	Report func(error)
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.Refresh = cmp.Or(d.Refresh, defaultRefresh)
	d.Timeout = limitOf(d.Timeout, defaultTimeout)
	d.ReleaseTimeout = limitOf(d.ReleaseTimeout, defaultReleaseTimeout)
	d.MaxRelease = limitOf(d.MaxRelease, defaultMaxRelease)
	if d.Interval > 0 {
		// A request that takes long does not make calls wait for another.
		d.Refresh = max(d.Refresh, 2*d.Interval, d.Interval+d.Timeout)
	}
	return d
}

// limitOf returns an option, its default if it is 0, or a limit that is never reached if it is negative.
func limitOf[T int64 | time.Duration](option, byDefault T) T {
	if option < 0 {
		return math.MaxInt64 / 4
	}
	return cmp.Or(option, byDefault)
}

// read reads a release for the loader.
func (s *Store) read(ctx context.Context, e taxonomy.Entry) (*reader.Archive, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.ReleaseTimeout)
	defer cancel()
	a, err := s.obtain(ctx, e)
	if err != nil {
		return nil, s.wrap(fmt.Errorf("release %s: %w", e.ID, err))
	}
	return a, nil
}

// obtain returns the release of an entry from its copy or from the bucket.
func (s *Store) obtain(ctx context.Context, e taxonomy.Entry) (*reader.Archive, error) {
	if a := s.copies.Release(e); a != nil {
		return a, nil
	}
	data, _, err := s.get(ctx, layout.ArchiveFile(e), "", s.opt.MaxRelease)
	if err != nil {
		return nil, err
	}
	a, err := reader.Open(e, data)
	if err == nil {
		s.copies.Put(e, data)
	}
	return a, err
}

// Cached returns the copies in [Options.CacheDir] as a store, for
// [github.com/datachain-go/datachain/adapters/laststore.Options]. It never makes
// a request. If there is no copy of the content that the index names for a
// version, it returns the newest copy of that version.
func (s *Store) Cached() taxonomy.Store {
	return s.copies.Store(s.index.Last, s.wrap)
}
