package fsstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"

	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/rollback"
	"github.com/datachain-go/datachain/taxonomy"
)

// Store reads published releases. It serves what a publisher changes at the next
// call. Each release is read once, however many callers ask for it at the same
// time, and kept in memory while the index names it. A Store is safe for
// concurrent use. Make one with [Open] or [OpenDir].
type Store struct {
	fsys   fs.FS          // of the caller, or nil
	folder *folder.Folder // nil if there is an fsys
	name   string         // of the directory, for messages; "" if there is none
	opt    Options

	// state is the index as it was read last. A goroutine that replaces it
	// holds gate.
	state atomic.Pointer[state]
	gate  chan struct{}
	guard rollback.Guard

	releases *published.Loader
}

var (
	_ taxonomy.IconStore    = (*Store)(nil)
	_ taxonomy.SearchOpener = (*Store)(nil)
)

// Open returns a store that reads from a file system. It fails if the index
// can't be read, unless [Options.AllowDamaged] is set. To read a directory use [OpenDir], which does not follow links
// that lead out of it.
func Open(fsys fs.FS, o *Options) (*Store, error) {
	if fsys == nil {
		return nil, errors.New("fsstore: the file system is nil")
	}
	return open(&Store{fsys: fsys}, o)
}

// OpenDir returns a store that reads a directory of published releases. If
// another directory takes its place, by renaming or by a link that changes, the
// next call reads that one. Close the store to release the directory.
func OpenDir(dir string, o *Options) (*Store, error) {
	f, err := folder.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("fsstore: %w", err)
	}
	s, err := open(&Store{folder: f, name: dir}, o)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func open(s *Store, o *Options) (*Store, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s.opt, s.guard.Store = o.withDefaults(), "fsstore: "+cmp.Or(s.name, published.IndexFile)
	s.gate = make(chan struct{}, 1)
	s.releases = published.NewLoader(published.Source{
		Read: s.read, Renew: s.Index, File: s.file, MaxRelease: s.opt.MaxRelease, MaxSVG: s.opt.MaxSVG,
		Wrap: s.wrap, Report: s.opt.Report,
	})
	first, err := s.readState(nil)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		return nil, s.wrap(s.noStore(err))
	case !s.opt.AllowDamaged:
		return nil, s.wrap(err)
	default:
		s.state.Store(new(state)) // which is replaced by the first call that succeeds
		return s, nil
	}
	s.releases.Keep(first.index)
	s.state.Store(first)
	return s, nil
}

// noStore says what a directory without an index is, and what to do about it: an
// author of a taxonomy has two directories that look alike.
func (s *Store) noStore(err error) error {
	at, _ := s.enter()
	defer at.leave()
	for _, pattern := range []string{"*/*/schema.*", "*/schema.*", "schema.*"} {
		if found, _ := fs.Glob(at.fsys, pattern); len(found) > 0 {
			return fmt.Errorf("this is authoring source, not published releases: "+
				"publish it with 'datachain schema publish' and open the result, or open the source with package livestore: %w", err)
		}
	}
	return fmt.Errorf("there are no published releases here: create them with 'datachain schema publish', or copy all files: %w", err)
}

// Close releases the directory of [OpenDir]. The store must not be used
// afterwards.
func (s *Store) Close() error {
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}

// Err returns what is wrong although calls succeed, or nil: the index went back
// ([taxonomy.ErrRollback]), so that the last good one is served. It reads nothing.
func (s *Store) Err() error { return s.guard.Err() }

// Bound returns the content hash that a stable version is bound to, whatever the index
// lists, or wraps [taxonomy.ErrNotFound]. Publishers bind versions; the store itself
// does not compare.
func (s *Store) Bound(ctx context.Context, v taxonomy.Version) (taxonomy.Hash, error) {
	if err := ctx.Err(); err != nil {
		return taxonomy.Hash{}, err
	}
	at, err := s.enter()
	defer at.leave()
	var text []byte
	if err == nil {
		text, _, err = readFile(at.fsys, published.Bound(v), published.MaxBound)
	}
	var h taxonomy.Hash
	if err == nil {
		h, err = published.ParseBound(text)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = taxonomy.ErrNotFound
	}
	if err != nil {
		return h, s.wrap(fmt.Errorf("binding of %s: %w", v, err))
	}
	return h, nil
}

// place is where a store reads, for a while.
type place struct {
	fsys   fs.FS
	folder *folder.Opened // nil for a file system of the caller
}

var errNotOpened = errors.New("fsstore: this Store was not made with Open or OpenDir")

// enter returns where to read now. If the directory can't be opened, that is the
// last one, with the error. The caller leaves it.
func (s *Store) enter() (place, error) {
	if s.folder == nil {
		return place{fsys: s.fsys}, nil
	}
	opened, err := s.folder.Use()
	return place{opened.FS(), opened}, err
}

func (p place) leave() {
	if p.folder != nil {
		p.folder.Done()
	}
}

// Index returns the index as published, or the last good one if that goes back; see
// [Store.Err].
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	st, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	return st.index, nil
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
// [taxonomy.ErrNotFound]. Icons are not part of the content hash: whatever can
// write to the directory can change them.
func (s *Store) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	return s.releases.Icon(ctx, r, elementID, variant)
}

// SearchIndex returns a published search index, which must not be changed, or
// wraps [taxonomy.ErrNotFound]. Like icons, search indexes are not part of the
// content hash.
func (s *Store) SearchIndex(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	return s.releases.SearchIndex(ctx, r, locale)
}

// OpenSearchIndex returns a published search index for reading parts of it, or wraps
// [taxonomy.ErrNotFound] if there is none in a pack that is on disk. It is opened for each
// read, which fails if the pack was replaced.
func (s *Store) OpenSearchIndex(ctx context.Context, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
	return s.releases.OpenSearchIndex(ctx, r, locale)
}

// wrap adds where an error is from.
func (s *Store) wrap(err error) error {
	if s.name == "" {
		return fmt.Errorf("fsstore: %w", err)
	}
	return fmt.Errorf("fsstore: %s: %w", s.name, err)
}
