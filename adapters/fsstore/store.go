package fsstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/internal/layout"
	"github.com/datachain-go/datachain/internal/packed"
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

	mu    sync.Mutex
	loads map[taxonomy.Version]*load
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
	s.opt = o.withDefaults()
	s.gate = make(chan struct{}, 1)
	s.loads = make(map[taxonomy.Version]*load)
	first, err := s.readState(nil)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		return nil, s.wrap(s.noStore(err))
	case !s.opt.AllowDamaged:
		return nil, s.wrap(err)
	default:
		first = new(state) // which is replaced by the first call that succeeds
	}
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

// Index returns the index as published.
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
	for {
		st, err := s.current(ctx)
		if err != nil {
			return nil, err
		}
		l, err := s.load(v)
		if err != nil {
			return nil, err
		}
		select {
		case <-l.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if l.err != nil {
			// The directory, or the index, may have been replaced while it was
			// read.
			if now, err := s.current(ctx); err == nil && (now.index != st.index || now.folder != l.folder) {
				continue
			}
		}
		return l.Release, l.err
	}
}

// Icon returns a pre-baked icon, which must not be changed, or wraps
// [taxonomy.ErrNotFound]. Icons are not part of the content hash: whatever can
// write to the directory can change them.
func (s *Store) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	p, err := s.packOf(ctx, r)
	var data []byte
	switch {
	case err != nil:
	case !taxonomy.ValidElementID(elementID) || !taxonomy.ValidID(variant):
		err = taxonomy.ErrNotFound
	case p != nil:
		data, err = p.Icon(elementID, variant)
	default:
		data, err = s.extra(r, path.Join(layout.Icons, layout.Icon(elementID, variant)), s.opt.MaxSVG)
	}
	if err != nil {
		return nil, s.about(fmt.Sprintf("release %s: icon of %q as %q", r.Version(), elementID, variant), err)
	}
	return data, nil
}

// SearchIndex returns a published search index, which must not be changed, or
// wraps [taxonomy.ErrNotFound]. Like icons, search indexes are not part of the
// content hash.
func (s *Store) SearchIndex(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	p, err := s.packOf(ctx, r)
	name, ok := layout.SearchIndex(locale)
	var data []byte
	switch {
	case err != nil:
	case !ok:
		err = taxonomy.ErrNotFound
	case p != nil:
		data, err = p.SearchIndex(locale)
	default:
		data, err = s.extra(r, path.Join(layout.Search, name), s.opt.MaxRelease)
	}
	if err != nil {
		return nil, s.about(fmt.Sprintf("release %s: search index for %q", r.Version(), locale), err)
	}
	return data, nil
}

// OpenSearchIndex returns a published search index for reading parts of it, or wraps
// [taxonomy.ErrNotFound] if there is none in a pack that is on disk. It is opened for each
// read, which fails if the pack was replaced.
func (s *Store) OpenSearchIndex(ctx context.Context, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
	p, err := s.packOf(ctx, r)
	var section *io.SectionReader
	switch {
	case err != nil:
	case p == nil:
		err = taxonomy.ErrNotFound
	default:
		section, err = p.OpenSearchIndex(locale)
	}
	if err != nil {
		return nil, s.about(fmt.Sprintf("release %s: search index for %q", r.Version(), locale), err)
	}
	return section, nil
}

// packOf returns the pack of a release, or nil if the index does not say that the
// release is packed.
func (s *Store) packOf(ctx context.Context, r *taxonomy.Release) (*packed.Pack, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := s.state.Load()
	if st == nil || st.index == nil {
		return nil, taxonomy.ErrNotFound
	}
	e, listed := st.index.Lookup(r.Version().Ref())
	if !listed || e.ContentHash != r.ContentHash() || e.Pack.IsZero() {
		return nil, nil
	}
	l, err := s.load(e.ID)
	if err != nil {
		return nil, err
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l.hash != r.ContentHash() { // it has just been replaced
		return nil, taxonomy.ErrNotFound
	}
	return l.Pack, l.err
}

// extra reads a file that a release may have besides its content.
func (s *Store) extra(r *taxonomy.Release, file string, limit int64) ([]byte, error) {
	at, _ := s.enter() // if the directory is missing, Index fails
	defer at.leave()
	data, _, err := readFile(at.fsys, path.Join(layout.Dir(r.Version(), r.ContentHash()), file), limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, taxonomy.ErrNotFound
	}
	return data, err
}

// wrap adds where an error is from.
func (s *Store) wrap(err error) error {
	if s.name == "" {
		return fmt.Errorf("fsstore: %w", err)
	}
	return fmt.Errorf("fsstore: %s: %w", s.name, err)
}

// about also adds what an error is about.
func (s *Store) about(subject string, err error) error {
	return s.wrap(fmt.Errorf("%s: %w", subject, err))
}
