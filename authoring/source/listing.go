package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// fileKind is what a file of a schema version defines. But for schemaFiles, it
// is also the name of the directory.
type fileKind string

const (
	schemaFiles   fileKind = "schema"
	categoryFiles fileKind = "categories"
	elementFiles  fileKind = "elements"
	symbolFiles   fileKind = "symbols"
)

// list finds the files of the version. If there is no such directory, the error
// wraps [fs.ErrNotExist].
func (c *compiler) list() error {
	dir := directory(c.version)
	entries, err := readDir(c.fsys, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("source: %s: %w", c.version, err)
	case err != nil:
		c.unreadable(dir, err)
		return nil
	}
	for _, f := range entries {
		switch k := fileKind(f.base()); {
		case k == categoryFiles || k == elementFiles || k == symbolFiles:
			c.listDir(k, f)
		case f.stem() == string(schemaFiles) && isData(f.ext()):
			c.files[schemaFiles] = append(c.files[schemaFiles], f)
		case f.stem() == string(allowedFiles) && isData(f.ext()):
			c.files[allowedFiles] = append(c.files[allowedFiles], f)
		default:
			c.stray(f)
		}
	}
	switch found := c.files[schemaFiles]; {
	case len(found) == 0:
		c.errorf(issue.CodeSourceFileMissing, wholeFile(dir), "add schema.yaml with title, description, locales and datachain_type", "%s has no schema.yaml.", dir)
	case len(found) > 1:
		c.errorf(issue.CodeIDDuplicate, wholeFile(found[1].name), "keep one of them", "There is another schema file, %s.", found[0].name)
		c.files[schemaFiles] = found[:1]
	}
	return nil
}

// listDir lists the categories, elements or symbols.
func (c *compiler) listDir(k fileKind, dir file) {
	_, info, err := dir.find(c.fsys)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	var entries []file
	if err == nil {
		entries, err = readDir(c.fsys, dir.name)
	}
	if err != nil {
		c.unreadable(dir.name, err)
		c.lost[k] = true
		return
	}
	for _, f := range entries {
		if k == symbolFiles && f.ext() == symbolExt || k != symbolFiles && isData(f.ext()) {
			c.files[k] = append(c.files[k], f)
		} else {
			c.stray(f)
		}
	}
}

func (c *compiler) unreadable(dir string, err error) {
	c.errorf(issue.CodeSourceUnreadable, wholeFile(dir), "replace it with a readable directory", "Cannot read %s: %s.", dir, errText(err))
}

// stray reports a file that is not part of the schema version.
func (c *compiler) stray(f file) {
	hint := "use the extension .yaml, .yml or .json, or remove the file"
	switch dir := path.Dir(f.name); {
	case dir == directory(c.version):
		hint = "remove it"
		known := slices.Values([]string{"categories", "elements", "symbols", "schema.yaml", "allowed-changes.yaml"})
		if near := c.hints.nearest(strings.ToLower(f.base()), known); len(near) > 0 {
			hint = "rename it to " + prose.Or(near)
		}
	case f.entry.IsDir():
		hint = "move its files to " + dir
	case path.Base(dir) == string(symbolFiles):
		hint = "use the extension .svg, or remove the file"
	}
	c.warnf(issue.CodeSourceFileUnknown, wholeFile(f.name), hint, "%s is ignored: it is not part of the format.", f.name)
}
