package source

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/taxonomy"
)

// Linter lints a schema version again and again while it is edited. It reads only the
// files that have changed, and makes no release; [Tree.ReadEvolutions] does so when it
// compares versions. Make one with [NewLinter].
type Linter struct {
	version taxonomy.Version
	dir     *folder.Folder // with the files of the version, or nil
	cache   map[string]*cachedFile
}

// cachedFile is what was read of a file.
type cachedFile struct {
	file   folder.File // with its findings
	result any
}

// NewLinter returns a linter of a schema version, which has read nothing yet.
func NewLinter(v taxonomy.Version) *Linter { return &Linter{version: v} }

// Lint returns what [Compile] returns, except for the release. Since the last call only the
// changed files have changed, whatever that returned, unless known is false.
func (l *Linter) Lint(fsys fs.FS, changed []string, known bool, o *Options) (*Compiled, error) {
	if !known {
		l.dir, l.cache = nil, nil
	}
	if l.dir != nil && slices.ContainsFunc(changed, func(name string) bool { return !l.lists(fsys, name) }) {
		l.dir = nil
	}
	for _, name := range changed {
		delete(l.cache, name)
	}
	c := newCompiler(fsys, l.version, nil, o)
	if l.dir == nil {
		if err := c.List(); err != nil {
			return nil, fmt.Errorf("source: %w", err)
		}
		l.dir = &folder.Folder{Files: c.Files, Incomplete: maps.Clone(c.Incomplete), Findings: c.Findings}
		c.renewed = true
		kept := make(map[string]*cachedFile)
		for _, files := range c.Files {
			for _, f := range files {
				if k := l.cache[f.Name]; k != nil {
					kept[f.Name] = k
				}
			}
		}
		l.cache = kept
	}
	c.Files, c.Incomplete, c.cache = l.dir.Files, maps.Clone(l.dir.Incomplete), l.cache
	c.Findings = folder.Findings{}
	c.Merge(l.dir.Findings)
	result, err := c.lint()
	if err == nil && !result.Issues.HasErrors() {
		result.linted = c
	}
	return result, err
}

// lists reports whether a file was there when the version was listed, and still is.
func (l *Linter) lists(fsys fs.FS, name string) bool {
	for _, files := range l.dir.Files {
		if i, ok := slices.BinarySearchFunc(files, name, func(f folder.Entry, name string) int { return strings.Compare(f.Name, name) }); ok {
			_, err := fs.Lstat(fsys, files[i].Real)
			return err == nil
		}
	}
	return false
}

// remember keeps what was read of the files of a kind; files that were not read again are nil.
// Categories are read by what the schema says, and elements by that and the categories.
func remember[T any](c *compiler, k folder.Kind, read []*folder.File, results []T) {
	for i, f := range read {
		if f == nil {
			continue
		}
		c.renewed = c.renewed || k == folder.Schema || k == folder.Categories
		if f.Loaded() {
			c.cache[f.Name] = &cachedFile{file: *f, result: results[i]}
		}
	}
}
