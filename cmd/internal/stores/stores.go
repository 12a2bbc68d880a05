// Package stores finds out where schema versions are, by flags, environment variables and project
// files, and opens them as a [taxonomy.Store]: a schema source, a published store (in a directory, in
// a bucket or at a URL), or the built-in samples. A [Set] has what commands do with them.
package stores

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/cache"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/cmd/internal/mirror"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/lru"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options say how to open a location.
type Options struct {
	// Dir is the working directory, to which paths are relative.
	Dir string
	// CacheDir is the cache directory of the user, or "" to cache nothing on disk. StoreCache, if not
	// "", is the directory for copies of remote stores instead.
	CacheDir, StoreCache string
	// Buckets opens stores in buckets, as Bucket says; nil refuses them.
	Buckets Buckets
	Bucket  Access
	// AcceptRemovals is that of [httpstore.Options].
	AcceptRemovals bool
	// Trust verifies a published store by its signed log; nil for none. SeenDir is where the
	// highest checkpoint of each log is kept, or "".
	Trust   *trust.Trust
	SeenDir string
	// Follow is for servers: the store notices changes, and opening it does not fail if it is damaged
	// or unreachable.
	Follow bool
	// Refresh is how often a store that is followed is read again; negative means the
	// default.
	Refresh time.Duration
	// Report, if not nil, is called with problems of a store that do not change what is read from it.
	// Logger is for warnings.
	Report func(error)
	Logger *slog.Logger
	// Findings and Edited are called about a source that is followed.
	Findings func(issue.Issues)
	Edited   func(live.Edit)
	// Progress is called while a source is compiled.
	Progress func(done, total int)
}

// Opened is a location that was opened.
type Opened struct {
	taxonomy.Store
	// Log verifies the store, and what else it has; nil for nothing.
	Log *follow.Log
	// Fallback has the last good copies of a remote store, or is nil.
	Fallback taxonomy.Store
	// Refresh is how long [laststore] may use an index without reading it again.
	Refresh time.Duration
	// Source is the schema source of a location that is not followed, or nil.
	Source *sources.Source
	// Broken are the versions of Source that do not compile. The store does not have them.
	Broken []*source.Compiled

	close func() error
}

// Close closes the store. It was only read.
func (o *Opened) Close() {
	if o.close != nil {
		_ = o.close()
	}
}

// dirRefresh is the default of [Options.Refresh] for a store in a directory.
const dirRefresh = 100 * time.Millisecond

// Open opens a location.
func Open(ctx context.Context, l Location, o *Options) (*Opened, error) {
	switch {
	case o.Trust != nil && l.Store == "":
		return nil, errors.New("--trust verifies a published store: name it with --store, or omit --trust")
	case l.Samples:
		s, err := published.Store()
		return &Opened{Store: s}, err
	case l.Bucket():
		return o.openBucket(ctx, l)
	case l.Remote():
		return o.openURL(ctx, l)
	case l.Store != "":
		return o.openDir(l)
	case o.Follow:
		return o.openLive(l)
	}
	a, err := l.OpenSource(o.Dir)
	if err != nil {
		return nil, err
	}
	opened := &Opened{Source: a, close: a.Root.Close}
	tree, err := a.Compile(nil, nil, o.Progress)
	if err == nil {
		opened.Store, err = newStore(tree)
	}
	if err != nil {
		opened.Close()
		return nil, err
	}
	for _, c := range tree.Versions {
		if c.Release == nil {
			opened.Broken = append(opened.Broken, c)
		}
	}
	return opened, nil
}

// newStore returns a store with what compiled of a source.
func newStore(tree *source.Tree) (taxonomy.Store, error) {
	s, err := memstore.New(tree.Publications()...)
	if err != nil {
		return nil, err
	}
	evolutions, err := history.Texts(tree.Evolutions)
	for typ, text := range evolutions {
		s.Evolve(typ, text)
	}
	return s, err
}

// Publish advises to publish versions into a store.
func Publish(what, store string) string {
	return fmt.Sprintf("%s with '%s', or with the samples: '%s'.", what,
		report.Command("schema", "publish", "DIR", "--store", store), report.Command("schema", "publish", "--samples", "--store", store))
}

// ErrNoStore means that a directory is not a published store.
var ErrNoStore = errors.New("not a store: it has no index.json")

func (o *Options) openDir(l Location) (*Opened, error) {
	log := follow.With(o.Trust, o.SeenDir)
	with := fsstore.Options{AllowDamaged: o.Follow, Verify: log.Verify}
	s, err := fsstore.OpenDir(files.Absolute(o.Dir, l.Store), &with)
	file, inFile := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, fs.ErrNotExist) && sources.RootOf(o.Dir, l.Store) != "":
		return nil, advice.Add(l.Failed(ErrNoStore), "It is a schema source: use --schemas %s.", report.Quoted(l.Store))
	case errors.Is(err, fs.ErrNotExist):
		return nil, advice.Add(l.Failed(ErrNoStore), "%s", Publish("Create it", l.Store))
	case inFile && !filepath.IsAbs(file.Path): // a file in the directory
		return nil, l.Failed(fmt.Errorf("%s: %s", file.Path, wording.Reason(err)))
	case inFile:
		return nil, l.Failed(errors.New(wording.Reason(err)))
	case trust.Reason(err) != "" || errors.Is(err, layout.ErrSequence) || errors.Is(err, taxonomy.ErrIndexFormat):
		return nil, l.Failed(err)
	case err != nil:
		return nil, advice.Add(l.Failed(err), "The store is damaged or incomplete: publish or copy it again.")
	}
	opened := &Opened{Store: s, Log: log, close: s.Close, Refresh: o.Refresh}
	if o.Refresh < 0 {
		opened.Refresh = dirRefresh
	}
	return opened, nil
}

func (o *Options) openBucket(ctx context.Context, l Location) (*Opened, error) {
	if o.Buckets == nil {
		return nil, l.Failed(errNoBuckets)
	}
	log := follow.With(o.Trust, o.SeenDir)
	with := BucketOptions{AcceptRemovals: o.AcceptRemovals, Report: o.Report, Verify: log.Verify}
	if o.Follow {
		// The index is read regularly, so that requests do not wait for the bucket.
		with.Interval, with.Refresh = max(o.Refresh, 0), -1
		if o.Refresh < 0 {
			with.Interval = time.Second // that of a bucket
		}
	}
	s, err := cached(o, l, func(dir string) (Remote, error) {
		with.CacheDir = dir
		return o.Buckets.Open(ctx, l.Store, o.Bucket, &with)
	})
	if err != nil {
		return nil, err
	}
	return o.remote(ctx, l, &Opened{Store: s, Log: log, Fallback: s.Cached(), close: s.Close})
}

func (o *Options) openURL(ctx context.Context, l Location) (*Opened, error) {
	log := follow.Served(o.Trust, o.SeenDir)
	with := httpstore.Options{ServiceClient: "datachain-serve", AcceptRemovals: o.AcceptRemovals, Report: o.Report, Verify: log.Verify}
	if !o.Follow {
		with.ServiceClient = "datachain"
	}
	s, err := cached(o, l, func(dir string) (*httpstore.Store, error) {
		with.CacheDir = dir
		return httpstore.Open(l.Store, &with)
	})
	if err != nil {
		return nil, err
	}
	return o.remote(ctx, l, &Opened{Store: s, Log: log, Fallback: s.Cached(), close: s.Close})
}

// remote reads the index of a remote store unless it is followed, so that a command fails at once if
// the store can't be read.
func (o *Options) remote(ctx context.Context, l Location, opened *Opened) (*Opened, error) {
	if !o.Follow {
		if _, err := opened.Index(ctx); err != nil {
			opened.Close()
			return nil, l.Failed(err)
		}
		if s, ok := opened.Store.(interface{ Err() error }); ok && o.Report != nil && s.Err() != nil {
			o.Report(s.Err())
		}
	}
	return opened, nil
}

// storeCache returns the directory for copies of remote stores, or "".
func (o *Options) storeCache() string {
	switch {
	case o.StoreCache != "":
		return files.Absolute(o.Dir, o.StoreCache)
	case o.CacheDir != "":
		return filepath.Join(o.CacheDir, "datachain", "stores")
	}
	return ""
}

// cached opens a remote store with a directory for copies. If the default directory is
// not writable, no copies are kept on disk.
func cached[S any](o *Options, l Location, open func(dir string) (S, error)) (S, error) {
	dir := o.storeCache()
	s, err := open(dir)
	switch {
	case err == nil:
		return s, nil
	case !errors.Is(err, cache.ErrCache):
		return s, l.Failed(err)
	case o.StoreCache != "":
		return s, advice.Add(fmt.Errorf("--store-cache %s: %w", o.StoreCache, err), "Choose a writable directory, or omit --store-cache.")
	}
	if o.Logger != nil {
		o.Logger.Warn("cache directory is not writable, caching in memory; set --store-cache", "dir", dir, "error", wording.Reason(err))
	}
	if s, err = open(""); err != nil {
		return s, l.Failed(err)
	}
	return s, nil
}

func (o *Options) openLive(l Location) (*Opened, error) {
	dir := files.Absolute(o.Dir, l.Schemas)
	if sources.IsStore(dir) {
		return nil, advice.Add(l.Failed(sources.ErrIsStore), "Use --store %s.", report.Quoted(l.Schemas))
	}
	s, err := live.Open(dir, &live.Options{Edited: o.Edited, Report: o.Findings})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, advice.Add(l.Failed(sources.ErrNoDir), "Create a source with '%s', or omit --schemas to serve the samples.",
			report.Command("schema", "new", "TYPE", "--schemas", l.Schemas))
	case err != nil:
		return nil, l.Failed(errors.New(wording.Reason(err)))
	}
	return &Opened{Store: s, close: s.Close}, nil
}

// LastIndex returns the index that a server has cached of a remote store, or nil.
func LastIndex(ctx context.Context, l Location, o *Options) (*taxonomy.Index, error) {
	if info, err := os.Stat(o.storeCache()); err != nil || !info.IsDir() || !l.Remote() {
		return nil, nil //nolint:nilnil // nothing was cached
	}
	with := *o
	with.Follow, with.Refresh = true, -1
	opened, err := Open(ctx, l, &with)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	x, err := opened.Fallback.Index(ctx)
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, nil //nolint:nilnil // not of this store
	}
	return x, err
}

// OpenDocuments opens the documents in directories, or those of other registers at URLs. Errors begin with
// what named them, such as "--documents ". An empty name stands for none.
func OpenDocuments(by string, named []string, o *Options) ([]register.Origin, error) {
	var origins []register.Origin
	for _, name := range named {
		if name == "" {
			continue
		}
		origin, err := openDocuments(name, o)
		if err != nil {
			return nil, fmt.Errorf("%s%s: %w", by, Redacted(name), err)
		}
		origins = append(origins, origin)
	}
	return origins, nil
}

func openDocuments(at string, o *Options) (register.Origin, error) {
	if strings.Contains(at, "://") {
		return mirror.Open(at, o.Trust, o.SeenDir)
	}
	origin, err := register.OpenDirectory(files.Absolute(o.Dir, at), nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, sources.ErrNoDir
	case err != nil:
		return nil, errors.New(wording.Reason(err))
	}
	return origin, nil
}

// Documents returns the documents that were published into the store, or nil if it can't
// have any.
func (o *Opened) Documents(name string) register.Origin {
	files, ok := o.Store.(register.Files)
	if !ok {
		return nil
	}
	return register.Stored(name, files, o.Log)
}

// maxTiles is how many bytes of tiles and bundles of a remote log are kept.
const maxTiles = 32 << 20

// tile identifies a tile or a bundle of a log at a checkpoint: if the log is replaced by another one,
// so are its tiles.
type tile struct {
	checkpoint taxonomy.Hash // its SHA-256
	name       string
}

// LogOf returns a function that reads files of the log of a store, or nil if it can't have one. If
// the log verifies the store, the checkpoint is the last good one. Tiles of remote stores are kept in
// memory until another checkpoint is read.
func LogOf(s taxonomy.Store, log *follow.Log) signedlog.ReadFunc {
	var read taxonomy.ReadFunc
	switch s := s.(type) {
	case *httpstore.Store:
		read = s.ReadLog
	case register.Files:
		read = s.ReadFile
	default:
		return nil
	}
	fetch := func(ctx context.Context, name string) ([]byte, error) {
		text, _, err := read(ctx, follow.Dir+name, "", follow.MaxFile)
		return text, err
	}
	_, local := s.(*fsstore.Store)
	tiles := lru.New[tile, []byte](maxTiles)
	var last atomic.Pointer[taxonomy.Hash] // the checkpoint that was read last
	return func(ctx context.Context, name string) ([]byte, error) {
		at, good := last.Load(), log.Checkpoint()
		if good != nil {
			sum := taxonomy.Hash(sha256.Sum256(good))
			at = &sum
		}
		switch {
		case name == signedlog.CheckpointFile && good != nil:
			return good, nil
		case name == signedlog.CheckpointFile:
			text, err := fetch(ctx, name)
			if err == nil {
				sum := taxonomy.Hash(sha256.Sum256(text))
				last.Store(&sum)
			}
			return text, err
		case local || at == nil:
			return fetch(ctx, name)
		}
		return tiles.Do(ctx, tile{*at, name}, func() ([]byte, int64, error) {
			text, err := fetch(ctx, name)
			return text, int64(len(text)), err
		})
	}
}

// maxArchive is the size limit of an archive that an index no longer names.
const maxArchive = 1 << 30

// ReleaseOf returns a function that returns the release of an entry of the log of a store, even if
// the index no longer names it but the store still has its archive. It wraps
// [taxonomy.ErrNotFound] if the store does not have the release.
func ReleaseOf(s taxonomy.Store) func(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
	if o, ok := s.(*Opened); ok {
		s = o.Store
	}
	return func(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
		r, err := s.Release(ctx, e.ID)
		missing := errors.Is(err, taxonomy.ErrNotFound) || err == nil && r.ContentHash() != e.ContentHash
		files, ok := s.(register.Files)
		if !missing || !ok || e.Archive.IsZero() {
			return r, err
		}
		data, _, err := files.ReadFile(ctx, layout.ArchiveFile(e), "", maxArchive)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: %w", taxonomy.ErrNotFound, err)
		}
		if err != nil {
			return nil, err
		}
		a, err := reader.Open(e, data)
		if err != nil {
			return nil, err
		}
		return a.Release, nil
	}
}
