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
// rewritten from what icons.Sanitize allows.
//
// The package reads from an [fs.FS] and does no other I/O.
//
// # Experimental
//
// This package may change in a minor version.
package source

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/limit"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// DefaultMaxFileSize is the default of [Options.MaxFileSize].
const DefaultMaxFileSize = folder.DefaultMaxFileSize

// Options configure [Compile] and [CompileAll]. Nil and the
// zero value mean the defaults.
type Options struct {
	// MaxFileSize is the maximum size in bytes of a YAML or JSON file; 0 means
	// [DefaultMaxFileSize], and a negative value no limit. Symbols have a limit of
	// their own.
	MaxFileSize int64
	// MaxTotalSize is the maximum size in bytes of all files of a schema
	// version together; 0 means 1 GiB, and a negative value no limit.
	MaxTotalSize int64
	// Progress, if set, is called after each file with the number of files
	// that are done and the number of files of the schema version. Calls come
	// from several goroutines, but one at a time.
	Progress func(done, total int)
	// Interrupt, if set, is called before each file is read, from several
	// goroutines. If it returns an error, [Compile] ends with that.
	Interrupt func() error
	// Unfinished makes a release also if categories need more elements than they have.
	Unfinished bool
	// Others are versions that are not compiled, but that ids are compared with, and
	// Recorded are the evolutions of types that have no file for it.
	Others   []*taxonomy.Release
	Recorded map[string]*history.Evolution
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.MaxFileSize = limit.Of(d.MaxFileSize, folder.DefaultMaxFileSize, folder.Unlimited)
	d.MaxTotalSize = limit.Of(d.MaxTotalSize, folder.DefaultMaxTotalSize, folder.Unlimited)
	return d
}

// Compiled is the result of compiling a schema version.
type Compiled struct {
	Version taxonomy.Version
	// Release is nil if Issues has errors; see [Options.Unfinished].
	Release *taxonomy.Release
	// Aliases are the valid aliases that the schema declares.
	Aliases []string
	// Released is the day on which the version was released, as YYYY-MM-DD, or "".
	Released string
	// Allowed are the breaking changes that the source calls intended.
	Allowed []Allowance
	// Issues are all problems, sorted by file, line and column.
	Issues issue.Issues

	aliases []reference
	linted  *compiler // by a [Linter], to make the Release when it is needed
}

// Publication returns what to publish to a store. The Release must not be nil.
func (c *Compiled) Publication() listing.Publication {
	return listing.Publication{Release: c.Release, Aliases: c.Aliases, Released: c.Released}
}

// Add adds findings of other checks to the issues, in order.
func (c *Compiled) Add(issues ...issue.Issue) {
	c.Issues = append(c.Issues, issues...)
	folder.Sort(c.Issues)
}

// Tree is the result of compiling all schema versions of a source tree.
type Tree struct {
	// Versions are in the order of an index.
	Versions []*Compiled
	// Evolutions are what the files evolution.yaml say about the ids of datachain
	// types, without entries that are invalid.
	Evolutions map[string]*history.Evolution
	// TreeIssues are the problems of the tree itself: directories that do not
	// name a version, aliases that two versions declare, what is wrong with
	// evolution.yaml, and ids that come back with another meaning.
	TreeIssues issue.Issues
}

// Issues returns the issues of the tree, then those of each version.
func (t *Tree) Issues() issue.Issues {
	all := slices.Clone(t.TreeIssues)
	for _, c := range t.Versions {
		all = append(all, c.Issues...)
	}
	return all
}

// Publications returns what to publish of the versions that compiled.
func (t *Tree) Publications() []listing.Publication {
	var pubs []listing.Publication
	for _, c := range t.Versions {
		if c.Release != nil {
			pubs = append(pubs, c.Publication())
		}
	}
	return pubs
}

// CompileAll compiles all schema versions of a source tree. Problems are in the
// result; it returns an error only if it cannot list the root.
func CompileAll(fsys fs.FS, o *Options) (*Tree, error) {
	versions, issues, err := Versions(fsys)
	if err != nil {
		return nil, err
	}
	t := &Tree{TreeIssues: append(issues, nested(fsys)...)}
	for _, v := range versions {
		c, err := Compile(fsys, v, o)
		if err != nil {
			return nil, err
		}
		t.Versions = append(t.Versions, c)
	}
	t.TreeIssues = append(t.TreeIssues, AliasConflicts(t.Versions)...)
	t.ReadEvolutions(fsys, o)
	return t, nil
}

// Aliases returns the valid aliases that a schema version declares. It reads
// only the schema file, so it is fast, and works for a version that does not
// compile. If there is no such directory, the error wraps [fs.ErrNotExist].
func Aliases(fsys fs.FS, v taxonomy.Version, o *Options) ([]string, error) {
	c := newCompiler(fsys, v, nil, o)
	if err := c.List(); err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	c.readSchema()
	return idsOf(c.schema.aliases), nil
}

// AliasConflicts reports the aliases that more than one of the versions
// declares.
func AliasConflicts(versions []*Compiled) issue.Issues {
	var found folder.Findings
	declared := make(map[string]taxonomy.Version)
	for _, c := range versions {
		for _, a := range c.aliases {
			if first, taken := declared[a.id]; taken {
				found.Errorf(codes.AliasConflict, a.Location, "remove it from one of them", "The alias %s is declared by both %s and %s.", a.id, first, c.Version)
			} else {
				declared[a.id] = c.Version
			}
		}
	}
	return found.Errors
}

// Kind is a kind of thing that source defines with an id.
type Kind string

// The kinds of things with an id.
const (
	KindElement      Kind = "element"
	KindCategory     Kind = "category"
	KindVariable     Kind = "variable"
	KindOption       Kind = "option"
	KindContextValue Kind = "context value"
	KindSubchain     Kind = "subchain"
	KindSymbol       Kind = "symbol"
)

// Edits are the new contents of files, by their paths. Nil removes a file.
type Edits map[string][]byte
