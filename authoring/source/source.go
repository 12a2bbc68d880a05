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
)

// Options configure [Compile] and [CompileAll]. Nil and the zero value mean the defaults:
// files of at most 2 MiB (MaxFileSize), versions of at most 1 GiB (MaxTotalSize).
type Options = source.Options

// Compiled is the result of compiling a schema version: its Release, which is nil if there
// are errors, its Aliases, and all Issues. Its method Publication returns what to publish.
type Compiled = source.Compiled

// Tree is the result of compiling all schema versions of a source tree: the Versions, and
// the Issues of the tree itself. Its methods AllIssues and Publications return the issues
// of all, and what to publish of the versions that compiled.
type Tree = source.Tree

// Compile compiles one schema version. All problems are in the result. If there
// is no such directory, the error wraps [fs.ErrNotExist].
func Compile(fsys fs.FS, v taxonomy.Version, o *Options) (*Compiled, error) {
	return source.Compile(fsys, v, o)
}

// CompileAll compiles all schema versions of a source tree. Problems are in the
// result; it returns an error only if it cannot list the root.
func CompileAll(fsys fs.FS, o *Options) (*Tree, error) { return source.CompileAll(fsys, o) }
