package source

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Linter lints a schema version again and again while it is edited. It reads only the
// files that have changed, and makes no release; [Tree.ReadEvolutions] does so when it
// compares versions. Make one with [NewLinter].
type Linter struct {
	version taxonomy.Version
	listed  *compiler // with the files of the version, or nil
	kept    map[string]*keptFile
}

// keptFile is what was read of a file.
type keptFile struct {
	decoder decoder // with its findings
	result  any
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
	c := newCompiler(fsys, l.version, o)
	if l.listed == nil {
		if err := c.list(); err != nil {
			return nil, err
		}
		l.listed = &compiler{files: c.files, lost: maps.Clone(c.lost), findings: c.findings}
		c.renewed = true
		kept := make(map[string]*keptFile)
		for _, files := range c.files {
			for _, f := range files {
				if k := l.kept[f.name]; k != nil {
					kept[f.name] = k
				}
			}
		}
		l.kept = kept
	}
	c.files, c.lost, c.kept = l.listed.files, maps.Clone(l.listed.lost), l.kept
	c.findings = findings{}
	c.merge(l.listed.findings)
	result, err := c.lint()
	if err == nil && !result.Issues.HasErrors() {
		result.linted = c
	}
	return result, err
}

// lists reports whether a file was there when the version was listed, and still is.
func (l *Linter) lists(fsys fs.FS, name string) bool {
	for _, files := range l.listed.files {
		if i, ok := slices.BinarySearchFunc(files, name, func(f file, name string) int { return strings.Compare(f.name, name) }); ok {
			_, err := fs.Lstat(fsys, files[i].real)
			return err == nil
		}
	}
	return false
}

// keep remembers what was read of the files of a kind, by the decoders of all of them.
// Categories are read by what the schema says, and elements by that and the categories.
func keep[T any](c *compiler, k fileKind, decoders []decoder, results []T) {
	for i := range decoders {
		d := &decoders[i]
		if d.reused {
			continue
		}
		c.renewed = c.renewed || k == schemaFiles || k == categoryFiles
		if d.loaded {
			c.kept[d.file.name] = &keptFile{decoder: *d, result: results[i]}
		}
	}
}
