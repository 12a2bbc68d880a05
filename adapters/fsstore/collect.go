package fsstore

import (
	"errors"
	"io/fs"
	"path"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// collect removes what nobody needs since the cutoff: leftovers of publishers
// that died, and content that the index does not name; of versions that it does
// not list only if retired is set. It goes on after an error. Names that are
// not of the layout are left alone.
func (p *publisher) collect(index *taxonomy.Index, cutoff time.Time, retired bool) (removed []string, err error) {
	c := collector{publisher: p, index: index, cutoff: cutoff, retired: retired}
	for _, typ := range c.subfolders(".") {
		if !taxonomy.ValidID(typ) {
			continue
		}
		for _, folder := range c.subfolders(typ) {
			if v, err := taxonomy.ParseVersion(typ + "@" + folder); err == nil {
				c.collectVersion(v)
			}
		}
		if retired {
			c.removeEmpty(typ)
		}
	}
	return c.removed, errors.Join(c.errs...)
}

// collector is the work of collect.
type collector struct {
	*publisher
	index   *taxonomy.Index
	cutoff  time.Time
	retired bool

	removed []string
	errs    []error
}

func (c *collector) collectVersion(v taxonomy.Version) {
	e, listed := c.index.Lookup(v.Ref())
	dir := versionDir(v)
	for _, name := range c.subfolders(dir) {
		hash, err := taxonomy.ParseHash(name)
		content := err == nil && (listed && hash != e.ContentHash || !listed && c.retired)
		if content || leftover(name) {
			c.removeAged(path.Join(dir, name))
		}
	}
	if c.retired && !listed {
		c.removeEmpty(dir)
	}
}

// subfolders returns the names of the folders in a folder; links are none.
func (c *collector) subfolders(dir string) []string {
	entries, err := fs.ReadDir(c.fsys, dir)
	if err != nil {
		c.errs = append(c.errs, err)
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// removeAged removes a folder that is not newer than the cutoff.
func (c *collector) removeAged(dir string) {
	info, err := fs.Stat(c.fsys, dir)
	if err == nil && info.ModTime().After(c.cutoff) {
		return
	}
	if err == nil {
		err = c.disk.removeAll(dir)
	}
	if err != nil {
		c.errs = append(c.errs, err)
		return
	}
	c.removed = append(c.removed, dir)
}

// removeEmpty removes a folder that holds nothing any more.
func (c *collector) removeEmpty(dir string) {
	entries, err := fs.ReadDir(c.fsys, dir)
	if err == nil && len(entries) == 0 {
		err = c.disk.removeAll(dir)
	}
	if err != nil {
		c.errs = append(c.errs, err)
	}
}
