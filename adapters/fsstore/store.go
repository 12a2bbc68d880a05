// Package fsstore reads published releases from a directory, or from any [fs.FS]
// with the same layout, such as an embedded one.
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/<sha256>.zip
//	<type>/<date>-stable/bound
//
// A release is one ZIP archive, without compression, with release.json, its symbols and,
// if they were drawn when it was published, its icons. The bytes of index.json and of archives
// are the same on every machine. Files have the mode 0644 and directories 0755, minus the
// umask.
//
// # Writing
//
// A file is written under a temporary name, and renamed when it is on disk; index.json last,
// after everything that it names exists. So whatever happens to a publisher, a reader finds
// the old state or the new one. The command datachain publishes so; a lock keeps
// publishers apart.
//
// # Reading
//
// An index that goes back is not served: the last good one is, and [Store.Err] wraps
// [taxonomy.ErrRollback].
//
// A [Store] trusts nothing: it computes the content hash of what it reads, and the
// SHA-256 of its archive, and returns a release only if they are those in the index. So
// a directory may also be filled file by file while it is read, in any order:
// incomplete content is an error until the rest arrives. To serve the last good
// data meanwhile, put package laststore around the store.
package fsstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limit"
	"github.com/datachain-go/datachain/taxonomy"
)

// Store reads published releases. It serves what a publisher changes at the next
// call. Each release is read once, however many callers ask for it at the same
// time, and kept in memory while the index names it. A Store is safe for
// concurrent use. Make one with [Open] or [OpenDir].
type Store struct {
	fsys   fs.FS         // of the caller, or nil
	folder *files.Folder // nil if there is an fsys
	name   string        // of the directory, for messages; "" if there is none
	opt    Options

	index    *watch.Follower
	releases *reader.Loader
	guard    watch.Guard
}

var _ taxonomy.IconStore = (*Store)(nil)

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
	f, err := files.OpenFolder(dir)
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
	s.opt, s.guard.Store = o.withDefaults(), "fsstore: "+cmp.Or(s.name, layout.IndexFile)
	s.releases = reader.NewLoader(reader.Source{
		Read: s.read, Renew: s.Index, Wrap: s.wrap,
	})
	s.guard.Verify(s.opt.Verify, s.ReadFile)
	s.index = watch.NewFollower(watch.Remote{
		Get: s.getIndex, Same: s.sameIndex, Evolution: s.getEvolution, Guard: &s.guard, Releases: s.releases,
		Timeout: readTimeout, Refresh: -1, // each call looks at the file
		Wrap: func(err error) error { return err }, // Index does
	})
	switch _, err := s.index.Current(context.Background(), true); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, s.wrap(s.noStore(err))
	case err != nil && !s.opt.AllowDamaged:
		return nil, s.wrap(err)
	}
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
				"publish it with 'datachain schema publish' and open the result, or compile it with package authoring/source: %w", err)
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
	s.index.Close()
	return s.folder.Close()
}

// Err returns what is wrong although calls succeed, or nil: the index is refused
// ([taxonomy.ErrRefused]), for example because it was rolled back, so that the last good one is served. It reads nothing.
func (s *Store) Err() error { return s.guard.Err() }

// place is the file system of one operation: a directory may be replaced before the next one.
type place struct {
	fsys   fs.FS
	folder *files.Opened // nil for a file system of the caller
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
	if s.index == nil {
		return nil, errNotOpened
	}
	x, err := s.index.Current(ctx, false)
	if err != nil && ctx.Err() == nil {
		err = s.wrap(err)
	}
	return x, err
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

// wrap adds where an error is from.
func (s *Store) wrap(err error) error {
	if s.name == "" {
		return fmt.Errorf("fsstore: %w", err)
	}
	return fmt.Errorf("fsstore: %s: %w", s.name, err)
}

// defaultMaxRelease is the default of [Options.MaxRelease].
const defaultMaxRelease = 1 << 30

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// MaxRelease is the maximum size of an archive in bytes; 0 means 1 GiB, a negative value no
	// limit.
	MaxRelease int64
	// AllowDamaged lets [Open] and [OpenDir] succeed if index.json exists but
	// can't be read or decoded. Every call fails until it is repaired. It is
	// for servers, which recover without a restart.
	AllowDamaged bool
	// Verify returns the verifier of the index. It gets a function that reads files of the store. If it
	// is nil, nothing is verified. An index that is not proven is refused: the last good one is served, and
	// Err wraps [taxonomy.ErrRefused]. Package release/trust/follow verifies by a signed log.
	Verify func(taxonomy.ReadFunc) taxonomy.Verifier
}

func (o *Options) withDefaults() (d Options) {
	if o != nil {
		d = *o
	}
	d.MaxRelease = limit.Of(d.MaxRelease, defaultMaxRelease, math.MaxInt64/2)
	return d
}
