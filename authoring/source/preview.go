package source

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// Preview compiles a schema version as it is after edits that are not written yet.
func Preview(fsys fs.FS, v taxonomy.Version, edits Edits, o *Options) (*Compiled, error) {
	c := newCompiler(fsys, v, o)
	c.edits = edits
	return c.compile()
}

// listEdits adds and removes the files that edits add and remove.
func (c *compiler) listEdits() {
	known := make(map[string]bool)
	for k, files := range c.files {
		c.files[k] = slices.DeleteFunc(files, func(f file) bool {
			known[f.name] = true
			content, edited := c.edits[f.name]
			return edited && content == nil
		})
	}
	for name, content := range c.edits {
		k := fileKind(path.Base(path.Dir(name)))
		if !known[name] && content != nil {
			c.files[k] = append(c.files[k], file{name: name, real: name, entry: newEntry{path.Base(name)}})
		}
	}
	if len(c.edits) == 0 {
		return
	}
	for _, files := range c.files {
		slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	}
}

// newEntry is the directory entry of a file that is not written yet.
type newEntry struct{ name string }

func (e newEntry) Name() string               { return e.name }
func (e newEntry) IsDir() bool                { return false }
func (e newEntry) Type() fs.FileMode          { return 0 }
func (e newEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e newEntry) Size() int64                { return 0 }
func (e newEntry) Mode() fs.FileMode          { return 0 }
func (e newEntry) ModTime() time.Time         { return time.Time{} }
func (e newEntry) Sys() any                   { return nil }
