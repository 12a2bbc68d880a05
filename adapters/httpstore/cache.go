package httpstore

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"

	"github.com/datachain-go/datachain/internal/copies"
	"github.com/datachain-go/datachain/taxonomy"
)

// ErrCacheDir is wrapped by the error of [Open] if [Options.CacheDir] can't be
// used.
var ErrCacheDir = copies.ErrDir

// cache has the copies of what a server sent. A nil cache is empty.
type cache struct{ dir *copies.Dir }

// openCache opens the directory of a server below dir.
func openCache(dir string, base *url.URL, maxRelease int64) (*cache, error) {
	u := *base
	u.User = nil // a server with another password is the same server
	opened, err := copies.Open(dir, u.String(), copies.Limits{Index: maxIndex, File: maxRelease})
	if err != nil {
		return nil, fmt.Errorf("httpstore: %w", err)
	}
	return &cache{opened}, nil
}

func (c *cache) close() error {
	if c == nil {
		return nil
	}
	return c.dir.Close()
}

// wrap adds what an error is about.
func (c *cache) wrap(subject string, err error) error {
	return fmt.Errorf("httpstore: %s: %s: %w", c.dir.Path(), subject, err)
}

// howToForget says how to accept the change of a stable version.
func (c *cache) howToForget() string {
	if c == nil {
		return "if the change is intended, open the store again"
	}
	return "if the change is intended, remove " + c.dir.Path() + " and open the store again"
}

// index returns the copy of the index and its tag.
func (c *cache) index() (text []byte, etag string, err error) {
	if c == nil {
		return nil, "", fs.ErrNotExist
	}
	return c.dir.Index()
}

// putIndex stores the index, and removes what it made obsolete.
func (c *cache) putIndex(next, last *state) error {
	if err := c.dir.PutIndex(next.text, next.etag, next.index, last.index); err != nil {
		return c.wrap("the index can't be stored", err)
	}
	return nil
}

// copyOf identifies the copy of a release.
func copyOf(v taxonomy.Version, h taxonomy.Hash) copies.File {
	return copies.File{Version: v, Hash: h, Kind: "json"}
}

// release returns the copy of a release, or nil. A damaged copy is removed, and
// an error.
func (c *cache) release(v taxonomy.Version, h taxonomy.Hash) (*taxonomy.Release, error) {
	if c == nil {
		return nil, nil
	}
	file := copyOf(v, h)
	text, err := c.dir.Read(file)
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
		c.dir.Remove(file)
		return nil, c.wrap("the copy "+file.String()+" can't be used, and is fetched again", err)
	}
	return r, nil
}

// putRelease stores a release as received, in place of older content.
func (c *cache) putRelease(r *taxonomy.Release, text []byte) error {
	file := copyOf(r.Version(), r.ContentHash())
	if err := c.dir.Put(file, text); err != nil {
		return c.wrap("the release "+r.Version().String()+" can't be stored", err)
	}
	c.dir.Only(r.Version(), file)
	return nil
}

// contents returns the hashes of the copies of each version, the newest first.
func (c *cache) contents() map[taxonomy.Version][]taxonomy.Hash {
	if c == nil {
		return nil
	}
	all := make(map[taxonomy.Version][]taxonomy.Hash)
	for v, files := range c.dir.Files() {
		for _, f := range files {
			all[v] = append(all[v], f.Hash)
		}
	}
	return all
}
