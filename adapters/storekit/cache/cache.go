// Package cache keeps copies of the index and the releases of a remote store in a local directory.
// It is for programs that implement a store of their own.
//
// # Experimental
//
// This package may change in a minor version.
package cache

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	indexFile = "index"
	// evolutionPrefix is how the names of evolutions begin. They are small, and stay.
	evolutionPrefix = "evolution."

	// maxHead is the maximum size of what is stored before the index.
	maxHead = 1 << 16
	// keepRetired is how long a release is kept after the index stopped
	// listing it: a store may omit a version by mistake.
	keepRetired = 7 * 24 * time.Hour
)

// ErrCache is wrapped by the error of [Open].
var ErrCache = errors.New("the cache directory can't be used")

// Options configure a [Cache]. The zero value and nil are the defaults.
type Options struct {
	// MaxRelease is the maximum size of a copy of a release in bytes; 0 means 1 GiB, a negative
	// value no limit.
	MaxRelease int64
	// Scope identifies what verifies the store, see [taxonomy.Verifier]; "" if nothing does. Copies
	// of one scope are not used in another.
	Scope string
	// Report is called with each new problem: a copy that can't be kept or used. The
	// store is not affected. nil ignores them.
	Report func(error)
}

// Cache holds copies from one store. A nil Cache is empty.
type Cache struct {
	root *os.Root
	path string
	base string
	opt  Options

	mu       sync.Mutex
	reported string // the last problem, "" if the last operation had none
}

// Open opens the directory below dir for the store with a URL, which must not have a
// password: a store with another password is the same store. It fails if the directory is
// not writable. A full one can be used as far as it has copies.
func Open(dir, base string, o *Options) (*Cache, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	if opt.MaxRelease < 0 {
		opt.MaxRelease = math.MaxInt64 / 2
	}
	opt.MaxRelease = cmp.Or(opt.MaxRelease, 1<<30)
	key := base
	if opt.Scope != "" {
		key += " " + opt.Scope
	}
	sum := sha256.Sum256([]byte(key))
	c := &Cache{base: base, opt: opt, path: filepath.Join(dir, hex.EncodeToString(sum[:16]))}
	// A store may require credentials, so the copies are private.
	err := os.MkdirAll(c.path, 0o700)
	if err == nil {
		c.root, err = os.OpenRoot(c.path)
	}
	if err == nil {
		probe := files.TempName()
		if err = c.write(probe, nil); errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			err = nil
		}
		_ = c.root.Remove(probe) // or collect does it
		if err != nil {
			_ = c.root.Close() // nothing was written
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: choose another Options.CacheDir, or none: %w", ErrCache, err)
	}
	return c, nil
}

// Close closes the directory.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	return c.root.Close()
}

// Index returns the copy of the index, its text and its tag. If there is none, or a damaged one,
// index is nil.
func (c *Cache) Index() (index *taxonomy.Index, text []byte, etag string) {
	text, etag, err := c.readIndex()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, ""
	}
	if err == nil {
		index, err = taxonomy.DecodeIndex(text)
	}
	if err == nil {
		index, err = index.LoadEvolutions(nil, func(_ string, h taxonomy.Hash) ([]byte, error) { return c.Evolution(h, nil) })
	}
	if err != nil {
		c.note("the copy of the index can't be used, and will be replaced", errname.Trim(err))
		return nil, nil, ""
	}
	return index, text, etag
}

func (c *Cache) readIndex() (text []byte, etag string, err error) {
	if c == nil {
		return nil, "", fs.ErrNotExist
	}
	file, err := c.read(indexFile, layout.MaxIndex+maxHead)
	if err != nil {
		return nil, "", err
	}
	sum, rest, _ := bytes.Cut(file, []byte("\n"))
	if string(sum) != checksum(rest) {
		return nil, "", errors.New("its checksum is wrong")
	}
	base, rest, _ := bytes.Cut(rest, []byte("\n"))
	if string(base) != c.base {
		return nil, "", fmt.Errorf("it is a copy from %.200q", base)
	}
	tag, text, _ := bytes.Cut(rest, []byte("\n"))
	return text, string(tag), nil
}

// PutIndex stores the index as it was received, with its tag, and removes what it made obsolete;
// previous is the index that it replaces, or nil.
func (c *Cache) PutIndex(text []byte, etag string, current, previous *taxonomy.Index) {
	if c == nil {
		return
	}
	// One file has both, since the tag is only valid for these bytes.
	rest := slices.Concat([]byte(c.base+"\n"+etag+"\n"), text)
	err := c.write(indexFile, slices.Concat([]byte(checksum(rest)+"\n"), rest))
	c.note("the index can't be stored", err)
	if err == nil {
		c.collect(current, previous)
	}
}

// Evolution returns the copy of an evolution, or what fetch returns, which it stores. If
// fetch is nil, it makes no request. A damaged copy has another SHA-256 and is not used.
func (c *Cache) Evolution(h taxonomy.Hash, fetch func() ([]byte, error)) ([]byte, error) {
	name := evolutionPrefix + h.String()
	if c != nil {
		text, err := c.read(name, layout.MaxEvolution)
		if err == nil && taxonomy.Hash(sha256.Sum256(text)) == h {
			return text, nil
		}
	}
	if fetch == nil {
		return nil, fs.ErrNotExist
	}
	text, err := fetch()
	if err == nil && c != nil {
		c.note("an evolution can't be stored", c.write(name, text))
	}
	return text, err
}

// note reports a problem with a copy if it is a new one. A nil error means that there is none.
func (c *Cache) note(subject string, err error) {
	text := ""
	if err != nil {
		err = fmt.Errorf("%s: %s: %w", c.path, subject, err)
		text = err.Error()
	}
	c.mu.Lock()
	known := c.reported == text
	c.reported = text
	c.mu.Unlock()
	if err != nil && !known && c.opt.Report != nil {
		c.opt.Report(err)
	}
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// cacheName returns the name of the copy of a release. The status is in the version and not in
// the hash of the content, so both are needed.
func cacheName(e taxonomy.Entry) string {
	name := e.ID.String() + "." + e.ContentHash.String()
	if e.Archive.IsZero() {
		return name + ".json"
	}
	return name + "." + hex.EncodeToString(e.Archive[:]) + ".zip"
}

// parseCacheName returns the entry of the copy with a name.
func parseCacheName(name string) (e taxonomy.Entry, ok bool) {
	id, rest, _ := strings.Cut(name, ".")
	hash, rest, _ := strings.Cut(rest, ".")
	var err error
	if e.ID, err = taxonomy.ParseVersion(id); err != nil || e.ContentHash.UnmarshalText([]byte(hash)) != nil {
		return e, false
	}
	if sum, isArchive := strings.CutSuffix(rest, ".zip"); isArchive && e.Archive.UnmarshalText([]byte("sha256-"+sum)) != nil {
		return e, false
	}
	return e, cacheName(e) == name
}

// Release returns the copy of a release, or nil if there is none that can be used. A
// damaged copy is reported and removed.
func (c *Cache) Release(e taxonomy.Entry) *reader.Archive {
	if c == nil {
		return nil
	}
	data, err := c.read(cacheName(e), c.opt.MaxRelease)
	var a *reader.Archive
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		a, err = reader.Open(e, data)
	}
	if err != nil {
		c.note("the copy of "+e.ID.String()+" can't be used, and is fetched again", err)
		_ = c.root.RemoveAll(cacheName(e)) // if that fails, it is rejected again
		return nil
	}
	return a
}

// Put stores a release, in place of older content.
func (c *Cache) Put(e taxonomy.Entry, data []byte) {
	if c == nil {
		return
	}
	err := c.write(cacheName(e), data)
	c.note("the release "+e.ID.String()+" can't be stored", err)
	if err != nil {
		return
	}
	for _, info := range c.files() {
		if other, ok := parseCacheName(info.Name()); ok && other.ID == e.ID && info.Name() != cacheName(e) {
			_ = c.root.Remove(info.Name()) // or else the next call does it
		}
	}
}

// releases returns the entries of the copies of each version, the newest first.
func (c *Cache) releases() map[taxonomy.Version][]taxonomy.Entry {
	if c == nil {
		return nil
	}
	all := make(map[taxonomy.Version][]taxonomy.Entry)
	for _, info := range c.files() {
		if e, ok := parseCacheName(info.Name()); ok {
			all[e.ID] = append(all[e.ID], e)
		}
	}
	return all
}

// Store returns the copies as a store, which never makes a request. If there is no copy of
// the content that the index names for a version, it returns the newest copy of that
// version. index returns the last index, or nil, and wrap adds where an error is from.
func (c *Cache) Store(index func() *taxonomy.Index, wrap func(error) error) taxonomy.Store {
	return cacheStore{c, index, wrap}
}

type cacheStore struct {
	dir   *Cache
	index func() *taxonomy.Index
	wrap  func(error) error
}

func (s cacheStore) Index(ctx context.Context) (*taxonomy.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if x := s.index(); x != nil {
		return x, nil
	}
	return nil, s.wrap(fmt.Errorf("copy of the index: %w", taxonomy.ErrNotFound))
}

func (s cacheStore) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	if e, listed := x.Lookup(v.Ref()); listed {
		for _, e := range append([]taxonomy.Entry{e}, s.dir.releases()[v]...) {
			if a := s.dir.Release(e); a != nil {
				return a.Release, nil
			}
		}
	}
	return nil, s.wrap(fmt.Errorf("copy of schema version %s: %w", v, taxonomy.ErrNotFound))
}

// files returns the files in the directory, the newest first. Those that can't be
// read are omitted.
func (c *Cache) files() []fs.FileInfo {
	entries, _ := fs.ReadDir(c.root.FS(), ".")
	files := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortStableFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return files
}

// collect removes what has not been listed for a long time, and what was left
// behind. The time of a file becomes the time at which it was found to be no
// longer listed. What fails is tried again after the next change.
func (c *Cache) collect(current, previous *taxonomy.Index) {
	listed := func(x *taxonomy.Index, v taxonomy.Version) bool {
		if x == nil {
			return false
		}
		_, ok := x.Lookup(v.Ref())
		return ok
	}
	today := time.Now()
	for _, info := range c.files() {
		e, release := parseCacheName(info.Name())
		age := today.Sub(info.ModTime())
		switch {
		case release && listed(current, e.ID):
		case release && listed(previous, e.ID):
			_ = c.root.Chtimes(info.Name(), today, today)
		case release && age > keepRetired:
			_ = c.root.Remove(info.Name())
		}
	}
	files.Sweep(c.path)
}

// read reads a regular file of at most limit bytes. Anything else, such as a
// pipe that would block, is not even opened.
func (c *Cache) read(name string, limit int64) ([]byte, error) {
	info, err := c.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, limited.ErrNotRegular
	}
	f, err := c.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := limited.Read(f, limit, info.Size())
	if errors.Is(err, limited.ErrTooLarge) {
		err = fmt.Errorf("it is larger than the limit of %d bytes", limit)
	}
	return text, err
}

// write creates or replaces a file atomically.
func (c *Cache) write(name string, text []byte) error {
	return files.Replace(filepath.Join(c.path, name), text, 0o600, files.Unsynced)
}
