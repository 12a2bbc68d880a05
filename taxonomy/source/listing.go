package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// listing is the files of a schema version, each kind by name.
type listing struct {
	schema     []file // one, or none
	categories []file
	elements   []file
	symbols    []file
}

func (l *listing) count() int {
	return len(l.schema) + len(l.categories) + len(l.elements) + len(l.symbols)
}

const schemaStem = "schema"

// list finds the files of the version. It fails only where there is no folder.
func (c *compiler) list() error {
	dir := folder(c.version)
	entries, err := readDir(c.fsys, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		c.noFolder(dir, errText(err))
		return nil
	}
	folders := map[string]struct {
		files *[]file
		lost  *bool
	}{
		"categories": {&c.files.categories, &c.lost.categories},
		"elements":   {&c.files.elements, &c.lost.elements},
		"symbols":    {&c.files.symbols, &c.lost.symbols},
	}
	for _, f := range entries {
		into, known := folders[f.base()]
		switch {
		case known:
			*into.files, *into.lost = c.listFolder(f)
		case f.stem() == schemaStem && isData(f.ext()):
			c.files.schema = append(c.files.schema, f)
		default:
			c.stray(f, slices.Values([]string{"categories", "elements", "symbols", "schema.yaml"}))
		}
	}
	c.oneSchema(dir)
	return nil
}

// oneSchema sees to it that there is one schema file.
func (c *compiler) oneSchema(dir string) {
	switch n := len(c.files.schema); {
	case n == 0:
		c.atFile(issue.SeverityError, issue.CodeSourceFileMissing, dir, dir+" has no schema.yaml", "add schema.yaml with title, description, locales and datachain_type")
	case n > 1:
		c.atFile(issue.SeverityError, issue.CodeIDDuplicate, c.files.schema[1].name, fmt.Sprintf("there is a second schema file beside %s", c.files.schema[0].name), "keep one of the two")
		c.files.schema = c.files.schema[:1]
	}
}

// listFolder lists categories, elements or symbols. It reports lost where the
// folder can't be read.
func (c *compiler) listFolder(dir file) (files []file, lost bool) {
	if !dir.isLink() && !dir.entry.IsDir() {
		c.noFolder(dir.name, "it is no folder")
		return nil, true
	}
	entries, err := readDir(c.fsys, dir.name)
	if err != nil {
		c.noFolder(dir.name, errText(err))
		return nil, true
	}
	for _, f := range entries {
		if isSymbol := f.ext() == symbolExt; dir.base() == "symbols" && isSymbol || dir.base() != "symbols" && isData(f.ext()) {
			files = append(files, f)
		} else {
			c.stray(f, nil)
		}
	}
	return files, false
}

func (c *compiler) noFolder(name, why string) {
	c.atFile(issue.SeverityError, issue.CodeSourceUnreadable, name, fmt.Sprintf("can't read %s: %s", name, why), "put a readable folder here")
}

// stray notes a file that nothing reads; known are names that it may be a slip
// of.
func (c *compiler) stray(f file, known func(func(string) bool)) {
	hint := "remove it"
	switch {
	case f.entry.IsDir() && known == nil:
		hint = "move its files up into " + path.Dir(f.name)
	case known != nil:
		if near := c.hints.nearest(strings.ToLower(f.base()), known); near != "" {
			hint = "rename it to " + near
		}
	case path.Base(path.Dir(f.name)) == "symbols":
		hint = "symbols are files that end in .svg"
	default:
		hint = "source files end in .yaml, .yml or .json"
	}
	c.atFile(issue.SeverityWarning, issue.CodeSourceFileUnknown, f.name, "nothing reads "+f.name, hint)
}

// atFile notes something about a whole file or folder.
func (c *compiler) atFile(s issue.Severity, code issue.Code, name, message, hint string) {
	c.add(issue.Issue{Code: code, Severity: s, Message: message, FixHint: hint, Path: issue.Root, Position: issue.Position{File: name}})
}
