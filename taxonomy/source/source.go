package source

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The limits that hold where [Options] does not say otherwise.
const (
	// DefaultMaxFileSize bounds a file of YAML or JSON. It is some 2,000
	// elements in three languages; the worst text of this size makes the YAML
	// parser allocate about 560 MB.
	DefaultMaxFileSize = 2 << 20
	// DefaultMaxTotalSize bounds all files of a schema version together.
	DefaultMaxTotalSize = 1 << 30
)

// Options tune reading. The zero value and nil are the defaults.
type Options struct {
	// MaxFileSize is the most bytes of a YAML or JSON file; 0 means
	// [DefaultMaxFileSize]. Symbols have a limit of their own.
	MaxFileSize int64
	// MaxTotalSize is the most bytes of all files of a schema version; 0
	// means [DefaultMaxTotalSize].
	MaxTotalSize int64
	// Progress is told how many of the files of a schema version are done.
	// It is called from several goroutines, one call at a time.
	Progress func(done, total int)
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.MaxFileSize = cmp.Or(d.MaxFileSize, DefaultMaxFileSize)
	d.MaxTotalSize = cmp.Or(d.MaxTotalSize, DefaultMaxTotalSize)
	return d
}

// Compiled is a schema version as lint and the compiler leave it.
type Compiled struct {
	Version taxonomy.Version
	// Release is nil where Issues has errors.
	Release *taxonomy.Release
	// Aliases are those that the schema declares.
	Aliases []string
	// Issues are all that is wrong, by file and place.
	Issues issue.Issues

	aliases []reference
}

// Publication returns what a store takes. The Release must not be nil.
func (c *Compiled) Publication() taxonomy.Publication {
	return taxonomy.Publication{Release: c.Release, Aliases: c.Aliases}
}

// Tree is all schema versions of a source tree.
type Tree struct {
	// Versions are in the order of an index.
	Versions []*Compiled
	// Issues are those of the tree itself: folders that name no version, and
	// aliases that two versions claim.
	Issues issue.Issues
}

// AllIssues returns the issues of the tree, then those of each version.
func (t *Tree) AllIssues() issue.Issues {
	all := slices.Clone(t.Issues)
	for _, c := range t.Versions {
		all = append(all, c.Issues...)
	}
	return all
}

// Publications returns the versions that compiled.
func (t *Tree) Publications() []taxonomy.Publication {
	var pubs []taxonomy.Publication
	for _, c := range t.Versions {
		if c.Release != nil {
			pubs = append(pubs, c.Publication())
		}
	}
	return pubs
}

// Versions lists the schema versions of a source tree in the order of an
// index, and what is wrong with its folders. The error is set where the tree
// can't be read at all.
//
// A folder of the root is a datachain type if a folder in it begins with a
// date; all else in the root is left alone.
func Versions(fsys fs.FS) ([]taxonomy.Version, issue.Issues, error) {
	types, err := readDir(fsys, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("source: %w", err)
	}
	var versions []taxonomy.Version
	var issues issue.Issues
	for _, typ := range types {
		if !typ.isDir(fsys) {
			continue
		}
		found, wrong := versionsOf(fsys, typ)
		versions = append(versions, found...)
		issues = append(issues, wrong...)
	}
	slices.SortFunc(versions, taxonomy.Version.Compare)
	return versions, issues, nil
}

// versionsOf lists the versions of one type.
func versionsOf(fsys fs.FS, typ file) (versions []taxonomy.Version, issues issue.Issues) {
	report := func(s issue.Severity, c issue.Code, name, message, hint string) {
		issues = append(issues, issue.Issue{
			Code: c, Severity: s, Message: sentence(message), FixHint: hint,
			Path: issue.Root, Position: issue.Position{File: name},
		})
	}
	entries, err := readDir(fsys, typ.name)
	if err != nil {
		report(issue.SeverityError, issue.CodeSourceUnreadable, typ.name, fmt.Sprintf("can't read %s: %s", typ.name, errText(err)), "make the folder readable")
		return nil, issues
	}
	dated := slices.ContainsFunc(entries, func(f file) bool { return looksDated(f.base()) && f.isDir(fsys) })
	if !dated {
		return nil, nil
	}
	for _, f := range entries {
		v, err := taxonomy.ParseVersion(typ.base() + "@" + f.base())
		switch {
		case !looksDated(f.base()):
			report(issue.SeverityWarning, issue.CodeSourceFileUnknown, f.name, "nothing reads "+f.name, "remove it, or name it <date>-<status> if it is a schema version")
		case !f.isDir(fsys):
			report(issue.SeverityError, issue.CodeSourceUnreadable, f.name, f.name+" is no folder of the source tree", "a schema version is a folder")
		case err != nil:
			report(issue.SeverityError, issue.CodeVersionMalformed, f.name, strings.TrimPrefix(err.Error(), "malformed "), "rename the folders to <type>/<YYYY-MM-DD>-beta or -stable")
		default:
			versions = append(versions, v)
		}
	}
	return versions, issues
}

// looksDated reports whether a name is meant to begin with a date.
func looksDated(name string) bool {
	return len(name) >= 4 && strings.Trim(name[:4], "0123456789") == "" && strings.Contains(name, "-")
}

// CompileAll reads, lints and compiles all schema versions of a source tree.
// What is wrong with them is in the tree; the error is set where the tree
// can't be read at all.
func CompileAll(fsys fs.FS, o *Options) (*Tree, error) {
	versions, issues, err := Versions(fsys)
	if err != nil {
		return nil, err
	}
	t := &Tree{Issues: issues}
	for _, v := range versions {
		c, err := Compile(fsys, v, o)
		if err != nil {
			return nil, err
		}
		t.Versions = append(t.Versions, c)
	}
	t.Issues = append(t.Issues, AliasConflicts(t.Versions)...)
	return t, nil
}

// Aliases returns the well-formed aliases that a schema version declares. It
// reads the schema file alone, so that the answer is there at once, and for a
// version that does not compile, too. The error is set where there is no such
// folder, and then wraps [fs.ErrNotExist].
func Aliases(fsys fs.FS, v taxonomy.Version, o *Options) ([]string, error) {
	c := newCompiler(fsys, v, o)
	if err := c.list(); err != nil {
		return nil, fmt.Errorf("source: %s: %w", v, err)
	}
	c.readSchema()
	return c.schema.aliasIDs(), nil
}

// AliasConflicts finds aliases that two of the versions claim.
func AliasConflicts(versions []*Compiled) issue.Issues {
	var issues issue.Issues
	claimed := make(map[string]*Compiled)
	for _, c := range versions {
		for _, a := range c.aliases {
			first, taken := claimed[a.id]
			if !taken {
				claimed[a.id] = c
				continue
			}
			issues = append(issues, issue.Issue{
				Code: issue.CodeAliasConflict, Severity: issue.SeverityError, Path: a.path, Position: a.at,
				Message: fmt.Sprintf("The alias %s is declared by %s and by %s.", a.id, first.Version, c.Version),
				FixHint: "remove it from one of the two",
			})
		}
	}
	return issues
}

// folder returns where the files of a version stand.
func folder(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder()) }

// comparePositions orders places by file, line and column.
func comparePositions(a, b issue.Position) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
