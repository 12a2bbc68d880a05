package fsstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/taxonomy"
)

// Store reads published releases. What a publisher changes it serves at the
// next call; each release is read once, however many callers ask for it at the
// same time, and forgotten when the index no longer lists it. A Store is a
// [taxonomy.IconStore] and a [taxonomy.SearchStore], and safe for concurrent
// use. Make one with [Open] or [OpenDir].
type Store struct {
	fsys   fs.FS          // of the caller, or nil
	folder *folder.Folder // where there is no fsys
	name   string         // of the folder, for messages; "" where there is none
	opt    Options

	// state is the index as it was read last. Who replaces it holds gate.
	state atomic.Pointer[state]
	gate  chan struct{}

	mu    sync.Mutex
	loads map[taxonomy.Version]*load
	// told is what Report was told of, by version; the zero Version is the
	// index. Who tells holds telling, so that news come in order.
	told    map[taxonomy.Version]string
	telling sync.Mutex
}

var (
	_ taxonomy.IconStore   = (*Store)(nil)
	_ taxonomy.SearchStore = (*Store)(nil)
)

// Open returns a store that reads from a file system, and fails where its index
// can't be read. To read a folder use [OpenDir], which does not follow links
// that lead out of it.
func Open(fsys fs.FS, o *Options) (*Store, error) {
	return open(&Store{fsys: fsys}, o)
}

// OpenDir returns a store that reads the folder that [Publish] wrote. A folder
// that takes its place, by renaming or by a link that leads elsewhere, is read at
// the next call; while there is none, the last good state is served. Close the
// store to release the folder.
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
	s.opt = o.withDefaults()
	s.gate = make(chan struct{}, 1)
	s.loads = make(map[taxonomy.Version]*load)
	s.told = make(map[taxonomy.Version]string)
	first := s.readState(new(state))
	if errors.Is(first.err, fs.ErrNotExist) {
		first.err = s.noStore(first.err)
	}
	if first.err != nil {
		return nil, s.wrap(first.err)
	}
	s.state.Store(first)
	return s, nil
}

// noStore says what a place without an index is, and what to do about it. Who
// writes a taxonomy has two folders that look alike.
func (s *Store) noStore(err error) error {
	at, _ := s.enter()
	defer at.leave()
	for _, pattern := range []string{"*/*/" + sourceFile, "*/" + sourceFile, sourceFile} {
		if found, _ := fs.Glob(at.fsys, pattern); len(found) > 0 {
			return fmt.Errorf("this is authoring source, and not what was published from it: "+
				"publish it with 'datachain schema publish' and open that, or open this with package livestore: %w", err)
		}
	}
	return fmt.Errorf("there are no published releases here: make them with Publish or 'datachain schema publish', or copy them whole: %w", err)
}

// Close releases the folder of [OpenDir]. The store must not be used any more.
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

// enter returns where to read now: where the folder is gone, the last one, with
// the error that says so. The caller leaves it.
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

// Index returns the index as published, or the last good one while index.json
// can't be read.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	st, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	return st.index, nil
}

// Release returns the release of an indexed version, as published or, while
// that can't be read, the last good one that the store has seen of the version.
// Go by the hash of the release, not by that of the index, where it matters
// which content it is. A release that is not what its hash says wraps
// [taxonomy.ErrHashMismatch].
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if _, err := s.current(ctx); err != nil {
		return nil, err
	}
	l, listed := s.load(v)
	if !listed {
		return nil, fmt.Errorf("fsstore: schema version %s: %w", v, taxonomy.ErrNotFound)
	}
	select {
	case <-l.done:
		return l.release, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Icon returns a pre-baked icon, or wraps [taxonomy.ErrNotFound]. Icons are not
// part of the content hash: who can write to the folder can change them.
func (s *Store) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	subject := fmt.Sprintf("release %s: icon of %q as %q", r.Version(), elementID, variant)
	if !taxonomy.ValidElementID(elementID) || !taxonomy.ValidID(variant) {
		return nil, s.about(subject, taxonomy.ErrNotFound)
	}
	name := path.Join(releaseDir(r.Version(), r.ContentHash()), iconsDir, elementID, variant+svgSuffix)
	svg, err := s.read(name, s.opt.MaxSVG)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, s.about(subject, taxonomy.ErrNotFound)
	case err != nil:
		return nil, s.about(subject, err)
	}
	return svg, nil
}

// SearchIndex returns a search index that was published, or wraps
// [taxonomy.ErrNotFound]. Like icons, indexes are not part of the content hash.
func (s *Store) SearchIndex(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	subject := fmt.Sprintf("release %s: search index for %q", r.Version(), locale)
	if !validLocale(locale) {
		return nil, s.about(subject, taxonomy.ErrNotFound)
	}
	name := path.Join(releaseDir(r.Version(), r.ContentHash()), searchDir, locale+indexSuffix)
	data, err := s.read(name, s.opt.MaxRelease)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, s.about(subject, taxonomy.ErrNotFound)
	case err != nil:
		return nil, s.about(subject, err)
	}
	return data, nil
}

// read reads a file from where the store is now.
func (s *Store) read(name string, limit int64) ([]byte, error) {
	at, _ := s.enter() // the index tells of a folder that is gone
	defer at.leave()
	data, _, err := readFile(at.fsys, name, limit)
	return data, err
}

// wrap says where an error is from.
func (s *Store) wrap(err error) error {
	if s.name == "" {
		return fmt.Errorf("fsstore: %w", err)
	}
	return fmt.Errorf("fsstore: %s: %w", s.name, err)
}

// about says what an error is about, too.
func (s *Store) about(subject string, err error) error {
	return s.wrap(fmt.Errorf("%s: %w", subject, err))
}

// report tells of a failure, unless it was told before, and forgets what was
// told where err is nil.
func (s *Store) report(subject taxonomy.Version, err error) {
	s.telling.Lock()
	defer s.telling.Unlock()
	s.mu.Lock()
	told, failed := s.told[subject]
	if err == nil {
		delete(s.told, subject)
	} else {
		s.told[subject] = err.Error()
	}
	over := err == nil && failed && len(s.told) == 0
	s.mu.Unlock()
	switch {
	case over:
		s.opt.Recovered()
	case err != nil && err.Error() != told:
		s.opt.Report(err)
	}
}
