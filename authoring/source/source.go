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
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// DefaultMaxFileSize is the default of [Options.MaxFileSize].
const DefaultMaxFileSize = folder.DefaultMaxFileSize

// Options configure [Compile] and [CompileAll]. Nil and the
// zero value mean the defaults.
type Options struct {
	// MaxFileSize is the maximum size in bytes of a YAML or JSON file. The
	// default is [DefaultMaxFileSize]. Symbols have a limit of their own.
	MaxFileSize int64
	// MaxTotalSize is the maximum size in bytes of all files of a schema
	// version together. The default is 1 GiB.
	MaxTotalSize int64
	// Progress, if set, is called after each file with the number of files
	// that are done and the number of files of the schema version. Calls come
	// from several goroutines, but one at a time.
	Progress func(done, total int)
	// Interrupt, if set, is called before each file is read, from several
	// goroutines. If it returns an error, [Compile] ends with that.
	Interrupt func() error
	// Others are versions that are not compiled, but that ids are compared with, and
	// Recorded are the evolutions of types that have no file for it.
	Others   []*taxonomy.Release
	Recorded map[string]*taxonomy.Evolution
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.MaxFileSize = cmp.Or(d.MaxFileSize, folder.DefaultMaxFileSize)
	d.MaxTotalSize = cmp.Or(d.MaxTotalSize, folder.DefaultMaxTotalSize)
	return d
}

// Compiled is the result of compiling a schema version.
type Compiled struct {
	Version taxonomy.Version
	// Release is nil if Issues has errors.
	Release *taxonomy.Release
	// Aliases are the valid aliases that the schema declares.
	Aliases []string
	// Released is the day on which the version was released, as YYYY-MM-DD, or "".
	Released string
	// Allowed are the breaking changes that the source calls intended.
	Allowed []Allowance
	// Accepted are the findings of reviews that the source calls intended.
	Accepted []review.Acceptance
	// Issues are all problems, sorted by file, line and column.
	Issues issue.Issues

	aliases []reference
	linted  *compiler // by a [Linter], to make the Release when it is needed
}

// Publication returns what to publish to a store. The Release must not be nil.
func (c *Compiled) Publication() taxonomy.Publication {
	return taxonomy.Publication{Release: c.Release, Aliases: c.Aliases, Released: c.Released}
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
	Evolutions map[string]*taxonomy.Evolution
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
func (t *Tree) Publications() []taxonomy.Publication {
	var pubs []taxonomy.Publication
	for _, c := range t.Versions {
		if c.Release != nil {
			pubs = append(pubs, c.Publication())
		}
	}
	return pubs
}

// Versions returns the schema versions of a source tree in the order of an
// index, and the problems with its directories. It returns an error only if it
// cannot list the root.
//
// A directory of the root is a datachain type if it has a directory whose name
// starts with a date. Everything else in the root is ignored.
func Versions(fsys fs.FS) ([]taxonomy.Version, issue.Issues, error) {
	types, err := folder.ReadDir(fsys, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("source: %w", err)
	}
	var versions []taxonomy.Version
	var found folder.Findings
	for _, typ := range types {
		if typ.IsDir(fsys) {
			versions = append(versions, versionsOf(fsys, typ, &found)...)
		}
	}
	slices.SortFunc(versions, taxonomy.Version.Compare)
	return versions, found.Sorted("."), nil
}

// versionsOf returns the versions of a datachain type.
func versionsOf(fsys fs.FS, typ folder.Entry, found *folder.Findings) (versions []taxonomy.Version) {
	entries, err := folder.ReadDir(fsys, typ.Name)
	if err != nil {
		found.Errorf(codes.SourceUnreadable, folder.WholeFile(typ.Name), "make the directory readable", "Cannot read %s: %s.", typ.Name, wording.Reason(err))
		return nil
	}
	if !slices.ContainsFunc(entries, func(f folder.Entry) bool { return looksDated(f.Base()) && f.IsDir(fsys) }) {
		return nil
	}
	for _, f := range entries {
		if f.Stem() == evolutionStem && folder.IsData(f.Ext()) {
			continue
		}
		v, err := taxonomy.ParseVersion(typ.Base() + "@" + f.Base())
		switch at := folder.WholeFile(f.Name); {
		case !looksDated(f.Base()):
			found.Warnf(codes.SourceFileUnknown, at, "remove it, or rename it if it is a schema version", "%s is ignored: its name is not <date>-<status>.", f.Name)
		case !f.IsDir(fsys):
			found.Errorf(codes.SourceUnreadable, at, "replace it with a directory", "%s is not a directory of the source tree.", f.Name)
		case err != nil:
			found.Errorf(codes.VersionMalformed, at, "rename the directories to <type>/<YYYY-MM-DD>-beta or -stable", "Invalid directory name: %v.", err)
		default:
			versions = append(versions, v)
		}
	}
	return versions
}

// nested reports datachain types that are one level too deep, in a directory of the root that is no
// type. Only compiling a whole tree looks for them, since the root can have many other directories.
func nested(fsys fs.FS) issue.Issues {
	var found folder.Findings
	for typ := range subdirectories(fsys, ".") {
		isType := false
		var below []string
		for sub := range subdirectories(fsys, typ.Name) {
			isType = isType || looksDated(sub.Base())
			for v := range subdirectories(fsys, sub.Name) {
				if _, err := taxonomy.ParseVersion(sub.Base() + "@" + v.Base()); err == nil {
					below = append(below, sub.Name)
					break
				}
			}
		}
		if isType {
			continue // which reports what else is in it
		}
		for _, name := range below {
			found.Warnf(codes.SourceFileUnknown, folder.WholeFile(name), "move it to "+path.Base(name)+", beside the other types, or lint "+typ.Name+" by itself",
				"%s is ignored: it has schema versions, but is one level too deep for a datachain type.", name)
		}
	}
	return found.Sorted(".")
}

// subdirectories yields the directories in a directory, as far as it can be read.
func subdirectories(fsys fs.FS, dir string) iter.Seq[folder.Entry] {
	return func(yield func(folder.Entry) bool) {
		entries, _ := folder.ReadDir(fsys, dir)
		for _, f := range entries {
			if f.IsDir(fsys) && !yield(f) {
				return
			}
		}
	}
}

// looksDated reports whether a name is meant to start with a date.
func looksDated(name string) bool {
	return len(name) >= 4 && strings.Trim(name[:4], "0123456789") == "" && strings.Contains(name, "-")
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

// Directory returns the directory of a version in a source, slash-separated.
func Directory(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder()) }

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
		l.listed = &folder.Folder{Files: c.Files, Lost: maps.Clone(c.Lost), Findings: c.Findings}
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
	c.Files, c.Lost, c.kept = l.listed.Files, maps.Clone(l.listed.Lost), l.kept
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
