// Package copies keeps copies of what a remote store has sent in a directory, so
// that a program does not fetch it again after a restart, and can start without a
// network.
//
// Nothing is synced to the disk, and nothing that is read is trusted: stores verify
// releases by their hashes, so a damaged copy is fetched again. Several programs may
// use a directory at the same time.
package copies

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

const (
	indexFile = "index"
	newPrefix = ".new-"

	// maxHead is the maximum size of what is stored before the index.
	maxHead = 1 << 16
	// keepRetired is how long a release is kept after the index stopped
	// listing it: a store may omit a version by mistake.
	keepRetired = 7 * 24 * time.Hour
	// keepNew is how long a file may take to be written. An older one was left
	// behind by a program that crashed.
	keepNew = time.Hour
)

// ErrDir is wrapped by the error of [Open].
var ErrDir = errors.New("the cache directory can't be used")

// Limits are the maximum sizes of files in bytes.
type Limits struct{ Index, File int64 }

// Dir holds copies from one store. A nil Dir is empty.
type Dir struct {
	root  *os.Root
	path  string
	base  string
	limit Limits
}

// Open opens the directory below dir for the store with a URL, which must not have a
// password: a store with another password is the same store.
func Open(dir, base string, limit Limits) (*Dir, error) {
	sum := sha256.Sum256([]byte(base))
	d := &Dir{base: base, limit: limit, path: filepath.Join(dir, hex.EncodeToString(sum[:16]))}
	// A store may require credentials, so the copies are private.
	err := os.MkdirAll(d.path, 0o700)
	if err == nil {
		d.root, err = os.OpenRoot(d.path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: choose another Options.CacheDir, or none: %w", ErrDir, err)
	}
	return d, nil
}

// Close closes the directory.
func (d *Dir) Close() error {
	if d == nil {
		return nil
	}
	return d.root.Close()
}

// Path returns the path of the directory.
func (d *Dir) Path() string { return d.path }

// Index returns the copy of the index and its tag.
func (d *Dir) Index() (text []byte, etag string, err error) {
	if d == nil {
		return nil, "", fs.ErrNotExist
	}
	file, err := d.read(indexFile, d.limit.Index+maxHead)
	if err != nil {
		return nil, "", err
	}
	sum, rest, _ := bytes.Cut(file, []byte("\n"))
	if string(sum) != checksum(rest) {
		return nil, "", errors.New("its checksum is wrong")
	}
	base, rest, _ := bytes.Cut(rest, []byte("\n"))
	if string(base) != d.base {
		return nil, "", fmt.Errorf("it is a copy from %.200q", base)
	}
	tag, text, _ := bytes.Cut(rest, []byte("\n"))
	return text, string(tag), nil
}

// PutIndex stores the index: a checksum of the rest, the URL of the store and
// the tag, a line each, and then the bytes as received. They are in one file
// because the tag is only valid for these bytes. Then it removes what the index made
// obsolete; before is the index that was there, or nil.
func (d *Dir) PutIndex(text []byte, etag string, now, before *taxonomy.Index) error {
	rest := slices.Concat([]byte(d.base+"\n"+etag+"\n"), text)
	if err := d.write(indexFile, slices.Concat([]byte(checksum(rest)+"\n"), rest)); err != nil {
		return err
	}
	d.collect(now, before)
	return nil
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// File identifies a copy. The status is in the version and not in the hash, so both
// are needed. Kind tells the files of a release apart, and is a suffix without a
// slash.
type File struct {
	Version taxonomy.Version
	Hash    taxonomy.Hash
	Kind    string
}

// String returns the name of the file.
func (f File) String() string { return f.Version.String() + "." + f.Hash.String() + "." + f.Kind }

func parse(name string) (f File, ok bool) {
	parts := strings.SplitN(name, ".", 3)
	if len(parts) != 3 {
		return f, false
	}
	v, versionErr := taxonomy.ParseVersion(parts[0])
	h, hashErr := taxonomy.ParseHash(parts[1])
	return File{v, h, parts[2]}, versionErr == nil && hashErr == nil
}

// Read returns a copy. A missing one wraps [fs.ErrNotExist].
func (d *Dir) Read(f File) ([]byte, error) {
	if d == nil {
		return nil, fs.ErrNotExist
	}
	return d.read(f.String(), d.limit.File+1)
}

// Remove removes a copy that can't be used. If that fails, it is rejected again.
func (d *Dir) Remove(f File) { _ = d.root.RemoveAll(f.String()) }

// Put stores a copy.
func (d *Dir) Put(f File, text []byte) error { return d.write(f.String(), text) }

// Only removes all copies of a version except the given ones. What can't be removed
// is tried again by the next call.
func (d *Dir) Only(v taxonomy.Version, keep ...File) {
	for _, info := range d.files() {
		if f, ok := parse(info.Name()); ok && f.Version == v && !slices.Contains(keep, f) {
			_ = d.root.Remove(info.Name())
		}
	}
}

// Files returns the copies of each version, the newest first.
func (d *Dir) Files() map[taxonomy.Version][]File {
	if d == nil {
		return nil
	}
	all := make(map[taxonomy.Version][]File)
	for _, info := range d.files() {
		if f, ok := parse(info.Name()); ok {
			all[f.Version] = append(all[f.Version], f)
		}
	}
	return all
}

// files returns the files in the directory, the newest first. Those that can't be
// read are omitted.
func (d *Dir) files() []fs.FileInfo {
	entries, _ := fs.ReadDir(d.root.FS(), ".")
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
func (d *Dir) collect(now, before *taxonomy.Index) {
	listed := func(x *taxonomy.Index, v taxonomy.Version) bool {
		if x == nil {
			return false
		}
		_, ok := x.Lookup(v.Ref())
		return ok
	}
	today := time.Now()
	for _, info := range d.files() {
		f, release := parse(info.Name())
		age := today.Sub(info.ModTime())
		switch {
		case release && listed(now, f.Version):
		case release && listed(before, f.Version):
			_ = d.root.Chtimes(info.Name(), today, today)
		case release && age > keepRetired,
			strings.HasPrefix(info.Name(), newPrefix) && age > keepNew:
			_ = d.root.Remove(info.Name())
		}
	}
}

// read reads a regular file of less than limit bytes. Anything else, such as a
// pipe that would block, is not even opened.
func (d *Dir) read(name string, limit int64) ([]byte, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, limit))
	if err == nil && int64(len(text)) == limit {
		err = fmt.Errorf("it is larger than the limit of %d bytes", limit-1)
	}
	return text, err
}

// write creates or replaces a file atomically.
func (d *Dir) write(name string, text []byte) error {
	temp := newPrefix + rand.Text()
	err := d.root.WriteFile(temp, text, 0o600)
	if err == nil {
		err = d.root.Rename(temp, name)
	}
	if err != nil {
		_ = d.root.Remove(temp) // if that fails too, collect does it
	}
	return err
}
