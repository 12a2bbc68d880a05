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
	listed  *folder.Folder // with the files of the version, or nil
	kept    map[string]*keptFile
}

// keptFile is what was read of a file.
type keptFile struct {
	file   folder.File // with its findings
	result any
}

// NewLinter returns a linter of a schema version, which has read nothing yet.
func NewLinter(v taxonomy.Version) *Linter { return &Linter{version: v} }

// Lint returns what [Compile] returns, except for the release. Since the last call only the
// changed files have changed, whatever that returned, unless known is false.
func (l *Linter) Lint(fsys fs.FS, changed []string, known bool, o *Options) (*Compiled, error) {
	if !known {
		l.listed, l.kept = nil, nil
	}
	if l.listed != nil && slices.ContainsFunc(changed, func(name string) bool { return !l.lists(fsys, name) }) {
		l.listed = nil
	}
	for _, name := range changed {
		delete(l.kept, name)
	}
	c := newCompiler(fsys, l.version, nil, o)
	if l.listed == nil {
		if err := c.List(); err != nil {
			return nil, fmt.Errorf("source: %w", err)
		}
		l.listed = &folder.Folder{Files: c.Files, Incomplete: maps.Clone(c.Incomplete), Findings: c.Findings}
		c.renewed = true
		kept := make(map[string]*keptFile)
		for _, files := range c.Files {
			for _, f := range files {
				if k := l.kept[f.Name]; k != nil {
					kept[f.Name] = k
				}
			}
		}
		l.kept = kept
	}
	c.Files, c.Incomplete, c.kept = l.listed.Files, maps.Clone(l.listed.Incomplete), l.kept
	c.Findings = folder.Findings{}
	c.Merge(l.listed.Findings)
	result, err := c.lint()
	if err == nil && !result.Issues.HasErrors() {
		result.linted = c
	}
	return result, err
}

// lists reports whether a file was there when the version was listed, and still is.
func (l *Linter) lists(fsys fs.FS, name string) bool {
	for _, files := range l.listed.Files {
		if i, ok := slices.BinarySearchFunc(files, name, func(f folder.Entry, name string) int { return strings.Compare(f.Name, name) }); ok {
			_, err := fs.Lstat(fsys, files[i].Real)
			return err == nil
		}
	}
	return false
}

// keep remembers what was read of the files of a kind; those that were kept before are nil.
// Categories are read by what the schema says, and elements by that and the categories.
func keep[T any](c *compiler, k folder.Kind, read []*folder.File, results []T) {
	for i, f := range read {
		if f == nil {
			continue
		}
		c.renewed = c.renewed || k == folder.Schema || k == folder.Categories
		if f.Loaded() {
			c.kept[f.Name] = &keptFile{file: *f, result: results[i]}
		}
	}
}
