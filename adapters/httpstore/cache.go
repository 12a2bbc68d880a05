package httpstore

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

const (
	indexFile     = "index"
	releaseSuffix = ".json"
	newPrefix     = ".new-"

	// keepRetired is how long a release is kept after the index stopped
	// listing it: a server may omit a version by mistake.
	keepRetired = 7 * 24 * time.Hour
	// keepNew is how long a file may take to be written. An older one was left
	// behind by a program that crashed.
	keepNew = time.Hour
)

// ErrCacheDir is wrapped by the error of [Open] if [Options.CacheDir] can't be
// used.
var ErrCacheDir = errors.New("the cache directory can't be used")

// cache is the directory with copies of what a server sent. Other programs may
// use it at the same time. A nil cache is empty.
//
// Nothing is synced to the disk: a file that is damaged by a power failure is
// detected when it is read, and fetched again.
type cache struct {
	root *os.Root
	dir  string // for messages
	base string // the URL of the server
	max  int64  // the maximum size of a release
}

// openCache opens the directory of a server below dir.
func openCache(dir string, base *url.URL, maxRelease int64) (*cache, error) {
	c := &cache{max: maxRelease + 1}
	u := *base
	u.User = nil // a server with another password is the same server
	c.base = u.String()
	sum := sha256.Sum256([]byte(c.base))
	c.dir = filepath.Join(dir, hex.EncodeToString(sum[:16]))
	// A server may require credentials, so the copies are private.
	err := os.MkdirAll(c.dir, 0o700)
	if err == nil {
		c.root, err = os.OpenRoot(c.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("httpstore: %w: choose another Options.CacheDir, or none: %w", ErrCacheDir, err)
	}
	return c, nil
}

func (c *cache) close() error {
	if c == nil {
		return nil
	}
	return c.root.Close()
}

// wrap adds what an error is about.
func (c *cache) wrap(subject string, err error) error {
	return fmt.Errorf("httpstore: %s: %s: %w", c.dir, subject, err)
}

// howToForget says how to accept the change of a stable version.
func (c *cache) howToForget() string {
	if c == nil {
		return "if the change is intended, open the store again"
	}
	return "if the change is intended, remove " + c.dir + " and open the store again"
}

// index returns the copy of the index and its tag.
func (c *cache) index() (text []byte, etag string, err error) {
	if c == nil {
		return nil, "", fs.ErrNotExist
	}
	file, err := c.read(indexFile, maxIndex+1<<16)
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

// putIndex stores the index: a checksum of the rest, the URL of the server and
// the tag, a line each, and then the bytes as received. They are in one file
// because the tag is only valid for these bytes. Then it removes what the index
// made obsolete.
func (c *cache) putIndex(next, last *state) error {
	rest := slices.Concat([]byte(c.base+"\n"+next.etag+"\n"), next.text)
	if err := c.write(indexFile, slices.Concat([]byte(checksum(rest)+"\n"), rest)); err != nil {
		return c.wrap("the index can't be stored", err)
	}
	c.collect(next.index, last.index)
	return nil
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// releaseFile returns the file name of the copy of a release. The status is in
// the version and not in the hash, so both are needed.
func releaseFile(v taxonomy.Version, h taxonomy.Hash) string {
	return v.String() + "." + h.String() + releaseSuffix
}

func parseReleaseFile(name string) (v taxonomy.Version, h taxonomy.Hash, ok bool) {
	name, ok = strings.CutSuffix(name, releaseSuffix)
	id, hash, found := strings.Cut(name, ".")
	v, err := taxonomy.ParseVersion(id)
	h, hashErr := taxonomy.ParseHash(hash)
	return v, h, ok && found && err == nil && hashErr == nil
}

// release returns the copy of a release, or nil. A damaged copy is removed, and
// an error.
func (c *cache) release(v taxonomy.Version, h taxonomy.Hash) (*taxonomy.Release, error) {
	if c == nil {
		return nil, nil
	}
	name := releaseFile(v, h)
	text, err := c.read(name, c.max)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var r *taxonomy.Release
	if err == nil {
		r, err = decode(text, v)
	}
	if err == nil && r.ContentHash() != h {
		err = fmt.Errorf("%w: the content is %s", taxonomy.ErrHashMismatch, r.ContentHash())
	}
	if err != nil {
		_ = c.root.RemoveAll(name) // if that fails, it is rejected again
		return nil, c.wrap("the copy "+name+" can't be used, and is fetched again", err)
	}
	return r, nil
}

// putRelease stores a release as received, in place of older content.
func (c *cache) putRelease(r *taxonomy.Release, text []byte) error {
	if err := c.write(releaseFile(r.Version(), r.ContentHash()), text); err != nil {
		return c.wrap("the release "+r.Version().String()+" can't be stored", err)
	}
	for _, h := range c.contents()[r.Version()] {
		if h != r.ContentHash() {
			_ = c.root.Remove(releaseFile(r.Version(), h)) // the next release tries again
		}
	}
	return nil
}

// contents returns the hashes of the copies of each version, the newest first.
func (c *cache) contents() map[taxonomy.Version][]taxonomy.Hash {
	if c == nil {
		return nil
	}
	all := make(map[taxonomy.Version][]taxonomy.Hash)
	for _, f := range c.files() {
		if v, h, ok := parseReleaseFile(f.Name()); ok {
			all[v] = append(all[v], h)
		}
	}
	return all
}

// files returns the files in the directory, the newest first. Those that can't be
// read are omitted.
func (c *cache) files() []fs.FileInfo {
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
func (c *cache) collect(now, before *taxonomy.Index) {
	listed := func(x *taxonomy.Index, v taxonomy.Version) bool {
		if x == nil {
			return false
		}
		_, ok := x.Lookup(v.Ref())
		return ok
	}
	today := time.Now()
	for _, f := range c.files() {
		v, _, release := parseReleaseFile(f.Name())
		age := today.Sub(f.ModTime())
		switch {
		case release && listed(now, v):
		case release && listed(before, v):
			_ = c.root.Chtimes(f.Name(), today, today)
		case release && age > keepRetired,
			strings.HasPrefix(f.Name(), newPrefix) && age > keepNew:
			_ = c.root.Remove(f.Name())
		}
	}
}

// read reads a regular file of less than limit bytes. Anything else, such as a
// pipe that would block, is not even opened.
func (c *cache) read(name string, limit int64) ([]byte, error) {
	info, err := c.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := c.root.Open(name)
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
func (c *cache) write(name string, text []byte) error {
	temp := newPrefix + rand.Text()
	err := c.root.WriteFile(temp, text, 0o600)
	if err == nil {
		err = c.root.Rename(temp, name)
	}
	if err != nil {
		_ = c.root.Remove(temp) // if that fails too, collect does it
	}
	return err
}
