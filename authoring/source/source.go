// Package source lints the authoring source of a taxonomy and compiles it into
// releases.
//
// Authoring source is a tree of YAML or JSON files and SVG symbols, with a
// directory for each schema version:
//
//	<root>/<type>/<date>-<status>/
//	  schema.yaml             title, description, locales, aliases, datachain_type
//	  categories/<any>.yaml   one category per file
//	  elements/<any>.yaml     one element, or a list of elements
//	  symbols/<symbol_id>.svg drawn on a grid of 36 by 36
//
// [Compile] turns one schema version into a [taxonomy.Release]; [CompileAll]
// does so for a whole tree. Both report every problem at once, each as an
// [issue.Issue] with its code, file, line, column and a hint.
//
// Compiling is deterministic: the same source gives the same release and the
// same issues, byte for byte, in whatever order the files are read.
//
// Source is untrusted input. The size of files, their nesting and the number of
// issues are limited, symbolic links cannot leave the tree, and symbols are
// rewritten from what [icons.Sanitize] allows.
//
// The package reads from an [fs.FS] and does no other I/O. What the command and the
// language server do with source besides, such as drafting versions and renaming ids, is
// internal.
package source

import (
	"io/fs"

	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options configure [Compile] and [CompileAll]. Nil and the zero value mean the defaults.
type Options struct {
	// MaxFileSize is the maximum size in bytes of a YAML or JSON file; 0 means 2 MiB.
	// Symbols have a limit of their own.
	MaxFileSize int64
	// MaxTotalSize is the maximum size in bytes of all files of a schema version
	// together; 0 means 1 GiB.
	MaxTotalSize int64
}

// Compiled is the result of compiling schema versions.
type Compiled struct {
	// Publications are the versions without errors, in the order of an index: what to put
	// into a store.
	Publications []taxonomy.Publication
	// Evolutions are what became of the ids of datachain types, if a whole tree was
	// compiled.
	Evolutions map[string]*taxonomy.Evolution
	// Issues are all problems: those of the tree, then those of each version by file, line
	// and column.
	Issues issue.Issues
}

// Compile compiles one schema version. All problems are in the result. If there
// is no such directory, the error wraps [fs.ErrNotExist].
func Compile(fsys fs.FS, v taxonomy.Version, o *Options) (*Compiled, error) {
	c, err := source.Compile(fsys, v, o.options())
	if err != nil {
		return nil, err
	}
	compiled := &Compiled{Issues: c.Issues}
	if c.Release != nil {
		compiled.Publications = []taxonomy.Publication{c.Publication()}
	}
	return compiled, nil
}

// CompileAll compiles all schema versions of a source tree. Problems are in the
// result; it returns an error only if it cannot list the root.
func CompileAll(fsys fs.FS, o *Options) (*Compiled, error) {
	tree, err := source.CompileAll(fsys, o.options())
	if err != nil {
		return nil, err
	}
	return &Compiled{Publications: tree.Publications(), Evolutions: tree.Evolutions, Issues: tree.AllIssues()}, nil
}

func (o *Options) options() *source.Options {
	if o == nil {
		return nil
	}
	return &source.Options{MaxFileSize: o.MaxFileSize, MaxTotalSize: o.MaxTotalSize}
}
