package source

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
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
	if err != nil {
		return err
	}
	folders := map[string]*[]file{"categories": &c.files.categories, "elements": &c.files.elements, "symbols": &c.files.symbols}
	for _, f := range entries {
		into, known := folders[f.base()]
		switch {
		case known && f.isDir(c.fsys):
			*into = c.listFolder(f)
		case f.stem() == schemaStem && isData(f.ext()):
			c.files.schema = append(c.files.schema, f)
		default:
			c.stray(f, slices.Values([]string{"categories", "elements", "symbols", "schema.yaml"}))
		}
	}
	if n := len(c.files.schema); n == 0 {
		c.atFile(taxonomy.SeverityError, taxonomy.CodeSourceFileMissing, dir, dir+" has no schema.yaml", "add schema.yaml with title, description, locales and datachain_type")
	} else if n > 1 {
		second := c.files.schema[1]
		c.atFile(taxonomy.SeverityError, taxonomy.CodeIDDuplicate, second.name, fmt.Sprintf("there is a second schema file beside %s", c.files.schema[0].name), "keep one of the two")
		c.files.schema = c.files.schema[:1]
	}
	return nil
}

// listFolder lists categories, elements or symbols.
func (c *compiler) listFolder(dir file) []file {
	entries, err := readDir(c.fsys, dir.name)
	if err != nil {
		c.atFile(taxonomy.SeverityError, taxonomy.CodeSourceUnreadable, dir.name, fmt.Sprintf("can't read %s: %s", dir.name, errText(err)), "make the folder readable")
		return nil
	}
	var files []file
	for _, f := range entries {
		if isSymbol := f.ext() == symbolExt; dir.base() == "symbols" && isSymbol || dir.base() != "symbols" && isData(f.ext()) {
			files = append(files, f)
		} else {
			c.stray(f, nil)
		}
	}
	return files
}

// stray notes a file that nothing reads.
func (c *compiler) stray(f file, known func(func(string) bool)) {
	hint := "remove it"
	switch {
	case f.entry.IsDir() && known == nil:
		hint = "move its files up into " + path.Dir(f.name)
	case known != nil:
		if near := c.hints.nearest(strings.ToLower(f.base()), known); near != "" {
			hint = "rename it to " + near
		}
	case strings.HasPrefix(path.Base(path.Dir(f.name)), "symbols"):
		hint = "symbols are files that end in .svg"
	default:
		hint = "source files end in .yaml, .yml or .json"
	}
	c.atFile(taxonomy.SeverityWarning, taxonomy.CodeSourceFileUnknown, f.name, "nothing reads "+f.name, hint)
}

// atFile notes something about a whole file or folder.
func (c *compiler) atFile(s taxonomy.Severity, code taxonomy.Code, name, message, hint string) {
	c.add(taxonomy.Issue{Code: code, Severity: s, Message: message, FixHint: hint, Path: taxonomy.Root, Position: taxonomy.Position{File: name}})
}
