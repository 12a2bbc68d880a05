// Package sources reads schema sources and the built-in samples as stores.
package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Source is a schema source in a directory that the user named: its root, or the
// directory of a datachain type or of a version below it. As a [taxonomy.Store] it has
// all versions of the source, and compiles them when they are read.
type Source struct {
	Root *os.Root // links can't lead out of it
	// Within is the directory that was named, slash-separated from the root: "" for all, a type
	// such as "ai", or a version such as "ai/2026-09-01-stable".
	Within string

	dir, name string // the working directory, and the name that was typed
	compiled  map[taxonomy.Version]*source.Compiled
	frozen    *frozen // nil until [Source.Freeze]
	samples   fs.FS   // those of the program, without a Root
}

// Errors of Open. `schema new` creates a source except in a store.
var (
	ErrNoDir    = errors.New("no such directory")
	ErrIsStore  = errors.New("is a published store, not a schema source")
	ErrNoSource = errors.New("not a schema source: it has no directories <type>/<date>-<status>, such as ai/2026-09-01-beta")
)

// Open opens the source that a directory is or belongs to. Paths are relative to the working directory
// dir.
func Open(dir, name string) (*Source, error) {
	at := files.Absolute(dir, name)
	switch info, err := os.Stat(at); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", name, ErrNoDir)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", name, wording.Reason(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s: not a directory", name)
	case IsStore(at):
		return nil, fmt.Errorf("%s: %w", name, ErrIsStore)
	}
	for _, c := range candidates(at) {
		root, err := os.OpenRoot(c.root)
		if err != nil && c.root != at {
			continue // a parent that can't be read is not a source
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s", name, wording.Reason(err))
		}
		s := New(root, dir, name)
		s.Within = c.within
		versions, issues, err := s.Versions()
		if err == nil && len(versions)+len(issues) > 0 {
			return s, nil
		}
		_ = root.Close() // only read
		if err != nil {
			return nil, err
		}
	}
	return nil, advice.Add(fmt.Errorf("%s: %w", name, ErrNoSource), "Create one with '%s'.", report.Command("schema", "new", "TYPE", "--schemas", name))
}

// New returns the source in a directory, which may be empty.
func New(root *os.Root, dir, name string) *Source {
	return &Source{Root: root, dir: dir, name: name, compiled: make(map[taxonomy.Version]*source.Compiled)}
}

// In opens the source that a directory is or belongs to, or returns nil. Unlike [Open] it requires a
// version, since any directory may have subdirectories that look like those of a source.
func In(dir, name string) *Source {
	s, err := Open(dir, name)
	if err != nil {
		return nil
	}
	if versions, _, err := s.Versions(); err != nil || len(versions) == 0 {
		_ = s.Root.Close() // only read
		return nil
	}
	return s
}

// RootOf returns the root of the source that a directory is or belongs to, as the user would type
// it, or "".
func RootOf(dir, name string) string {
	s := In(dir, name)
	if s == nil {
		return ""
	}
	_ = s.Root.Close() // only read
	return s.Shown("")
}

type candidate struct{ root, within string }

// candidates returns the ways in which a directory can belong to a source, the most likely first: as
// its root, in a version, as a type.
func candidates(dir string) []candidate {
	list := []candidate{{dir, ""}}
	for at := dir; filepath.Dir(at) != at; at = filepath.Dir(at) {
		typ := filepath.Base(filepath.Dir(at))
		if v, err := taxonomy.ParseVersion(typ + "@" + filepath.Base(at)); err == nil {
			list = append(list, candidate{filepath.Dir(filepath.Dir(at)), source.Directory(v)})
			break
		}
	}
	return append(list, candidate{filepath.Dir(dir), filepath.Base(dir)})
}

// Shown returns the path of a file of the source as the user would type it: relative if
// they typed a relative one.
func (s *Source) Shown(file string) string {
	if s.samples != nil {
		return file
	}
	file = filepath.Join(s.Root.Name(), filepath.FromSlash(file))
	if filepath.IsAbs(s.name) {
		return file
	}
	return files.Relative(s.dir, file)
}

// Text returns the content of a file of the source, or nil if it is not one that can be
// shown.
func (s *Source) Text(name string) []byte {
	text, _, _ := files.ReadFile(s.fsys(), name, source.DefaultMaxFileSize)
	return text
}

// Versions returns the versions within the directory that was named, and the findings in its layout.
func (s *Source) Versions() ([]taxonomy.Version, issue.Issues, error) {
	versions, issues, err := source.Versions(s.fsys())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s", s.name, wording.Reason(err))
	}
	versions = slices.DeleteFunc(versions, func(v taxonomy.Version) bool { return !s.includes(source.Directory(v)) })
	issues = slices.DeleteFunc(issues, func(i issue.Issue) bool { return !s.includes(i.Position.File) })
	return versions, issues, nil
}

func (s *Source) includes(file string) bool {
	return s.Within == "" || strings.HasPrefix(file+"/", s.Within+"/")
}

// list returns an index of versions, without content hashes. If aliases can't be read, it returns an
// index without them, and an error.
func (s *Source) list(versions []taxonomy.Version) (*taxonomy.Index, error) {
	var plain, full []taxonomy.Entry
	var wrong error
	for _, v := range versions {
		aliases, err := source.Aliases(s.fsys(), v, nil)
		if err != nil {
			wrong = fmt.Errorf("%s: %s", s.name, wording.Reason(err))
		}
		plain, full = append(plain, taxonomy.Entry{ID: v}), append(full, taxonomy.Entry{ID: v, Aliases: aliases})
	}
	if wrong == nil {
		var x *taxonomy.Index
		if x, wrong = taxonomy.NewIndex(full); wrong == nil {
			return x, nil
		}
	}
	x, err := taxonomy.NewIndex(plain)
	return x, cmp.Or(err, wrong)
}

// Find returns the version with an id or an alias, within the directory that was named. Invalid
// aliases do not keep an id from being found.
func (s *Source) Find(typed string) (taxonomy.Version, error) {
	ref, err := taxonomy.ParseRef(typed)
	if err != nil {
		return taxonomy.Version{}, err
	}
	versions, _, err := s.Versions()
	if err != nil {
		return taxonomy.Version{}, err
	}
	x, err := s.list(versions)
	if x == nil {
		return taxonomy.Version{}, err
	}
	if e, ok := x.Lookup(ref); ok {
		return e.ID, nil
	}
	if err == nil {
		err = Unlisted(x, ref)
	}
	return taxonomy.Version{}, err
}

// One returns the version that was typed, or the only one.
func (s *Source) One(typed string) (taxonomy.Version, error) {
	versions, _, err := s.Versions()
	switch {
	case err != nil:
		return taxonomy.Version{}, err
	case typed != "":
		return s.Find(typed)
	case len(versions) == 1:
		return versions[0], nil
	}
	return taxonomy.Version{}, fmt.Errorf("%s: has %s: name the directory of one, or use --schema-version", s.name, wording.Count(len(versions), "version"))
}

// Unlisted returns the error for a version that an index does not have. It suggests some that it has.
func Unlisted(x *taxonomy.Index, ref taxonomy.Ref) error {
	near := x.Nearest(ref, 3)
	if len(near) == 0 {
		near = Latest(x)
	}
	text := "There is no schema version " + ref.String() + "."
	v, _ := ref.Version()
	if r, retired := x.LookupRetired(v); retired {
		text = "The schema version " + r.String() + "."
		if next, known := x.Successor(v); known {
			near = []string{next.String()}
		}
	}
	if len(near) > 0 {
		return advice.Add(errors.New(text), "Hint: use %s", strings.Join(near[:min(3, len(near))], " or "))
	}
	return errors.New(text)
}

// Exactly returns the entry of a version that is named by its id. The verb says what to do with it.
func Exactly(x *taxonomy.Index, typed, verb string) (taxonomy.Entry, error) {
	ref, err := taxonomy.ParseRef(typed)
	if err != nil {
		return taxonomy.Entry{}, err
	}
	e, listed := x.Lookup(ref)
	switch {
	case !listed:
		return e, Unlisted(x, ref)
	case e.ID.Ref() != ref:
		return e, advice.Add(fmt.Errorf("%s is an alias", typed), "If you mean %s, %s it by that id.", e.ID, verb)
	}
	return e, nil
}

// Successor returns the id of the version to upgrade to, which may be "".
func Successor(x *taxonomy.Index, typed string) (taxonomy.Version, error) {
	if typed == "" {
		return taxonomy.Version{}, nil
	}
	ref, err := taxonomy.ParseRef(typed)
	if err != nil {
		return taxonomy.Version{}, err
	}
	e, listed := x.Lookup(ref)
	if !listed {
		return taxonomy.Version{}, Unlisted(x, ref)
	}
	return e.ID, nil
}

// Latest returns the alias of the latest version of each datachain type.
func Latest(x *taxonomy.Index) []string {
	var latest []string
	for _, e := range x.Entries() {
		latest = append(latest, e.ID.Type()+"@"+codes.AliasLatest)
	}
	return slices.Compact(latest) // entries are sorted by type
}

// Compile compiles the versions within the directory that was named, or only some of them. Their ids
// are compared with those of all older versions of the source and of published ones, which can be nil.
func (s *Source) Compile(only []string, published *Published, progress func(done, total int)) (*source.Tree, error) {
	versions, issues, err := s.Versions()
	if err != nil {
		return nil, err
	}
	if len(only) > 0 {
		issues, versions = nil, nil
		for _, typed := range only {
			v, err := s.Find(typed)
			if err != nil {
				return nil, err
			}
			versions = append(versions, v)
		}
		slices.SortFunc(versions, taxonomy.Version.Compare)
		versions = slices.Compact(versions)
	}
	o := &source.Options{Progress: progress}
	if published != nil {
		o.Others, o.Recorded = published.Releases, published.Evolutions
	}
	tree := &source.Tree{TreeIssues: issues}
	if s.Within == "" && len(only) == 0 {
		if tree, err = source.CompileAll(s.fsys(), o); err != nil {
			return nil, err
		}
	} else {
		for _, v := range versions {
			c, err := source.Compile(s.fsys(), v, o)
			if err != nil {
				return nil, err
			}
			tree.Versions = append(tree.Versions, c)
		}
		o.Others = append(s.older(versions), o.Others...)
		tree.ReadEvolutions(s.fsys(), o)
	}
	for _, c := range tree.Versions {
		s.compiled[c.Version] = c
	}
	return tree, nil
}

// older returns the other versions of the source that are older than some of their types,
// as far as they compile.
func (s *Source) older(than []taxonomy.Version) (all []*taxonomy.Release) {
	unrestricted := *s
	unrestricted.Within = ""
	versions, _, err := unrestricted.Versions()
	if err != nil {
		return nil // Compile reports it
	}
	newest := Newest(than)
	for _, v := range versions {
		i := slices.IndexFunc(newest, func(n taxonomy.Version) bool { return n.Type() == v.Type() })
		if i < 0 || v.Date() >= newest[i].Date() || slices.Contains(than, v) {
			continue
		}
		if c, err := s.Load(v); err == nil {
			all = append(all, c.Release)
		}
	}
	return all
}

// Index returns an index of all versions of the source, whatever directory was named. Entries have no
// content hash.
func (s *Source) Index(context.Context) (*taxonomy.Index, error) {
	unrestricted := *s
	unrestricted.Within = ""
	versions, _, err := unrestricted.Versions()
	if err != nil {
		return nil, err
	}
	x, err := s.list(versions)
	if x == nil {
		return nil, err // lint reports what is wrong with aliases otherwise
	}
	for _, v := range Newest(versions) {
		e, _ := source.ReadEvolution(s.fsys(), v.Type(), nil) // lint reports what is wrong with it, too
		if x, err = history.Record(x, v.Type(), e); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Newest returns the newest version of each type, whatever its status. Versions are sorted as
// in an index.
func Newest(versions []taxonomy.Version) []taxonomy.Version {
	return slices.CompactFunc(slices.Clone(versions), func(a, b taxonomy.Version) bool { return a.Type() == b.Type() })
}

// Release returns a version, which must compile. One that was compiled already is not
// compiled again.
func (s *Source) Release(_ context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	c, err := s.Load(v)
	if err != nil {
		return nil, err
	}
	return c.Release, nil
}

// Load returns a version, which must compile, as it was compiled.
func (s *Source) Load(v taxonomy.Version) (*source.Compiled, error) {
	c := s.compiled[v]
	if c == nil {
		var err error
		if c, err = source.Compile(s.fsys(), v, nil); err != nil {
			return nil, err
		}
		s.compiled[v] = c
	}
	return s.released(c)
}

// Unfinished returns a version whose categories may still need more elements than they have.
func (s *Source) Unfinished(v taxonomy.Version) (*source.Compiled, error) {
	c, err := source.Compile(s.fsys(), v, &source.Options{Unfinished: true})
	if err != nil {
		return nil, err
	}
	return s.released(c)
}

// released returns a compiled version, or an error if it has no release.
func (s *Source) released(c *source.Compiled) (*source.Compiled, error) {
	if c.Release == nil {
		v := c.Version
		return nil, &BrokenError{fmt.Sprintf("%s has %s; see '%s'", v,
			wording.Count(len(c.Issues.With(issue.SeverityError)), "error"), report.Command("schema", "lint", s.Shown(source.Directory(v))))}
	}
	return c, nil
}

// BrokenError means that a version of a source does not compile.
type BrokenError struct{ message string }

// Error says how to find out why.
func (e *BrokenError) Error() string { return e.message }
