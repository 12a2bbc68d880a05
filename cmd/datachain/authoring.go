package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// authoring is a directory of authoring source that the user named: a root, or the
// directory of a datachain type or of a version below one.
type authoring struct {
	root *os.Root // links can't lead out of it
	// within is the part that was named, slash-separated from the root:
	// "", a type such as "ai", or a version such as "ai/2026-09-01-stable".
	within string
	typed  string
	sys    *system
}

// openAuthoring opens the source that a directory is or belongs to.
func (p *program) openAuthoring(typed string) (*authoring, error) {
	dir := p.path(typed)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", typed, errNoDir)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", typed, reason(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s: not a directory", typed)
	case isStore(dir):
		return nil, fmt.Errorf("%s: %w", typed, errIsStore)
	}
	for _, c := range candidates(dir) {
		root, err := os.OpenRoot(c.root)
		if err != nil && c.root != dir {
			continue // a parent that can't be read is not a source
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s", typed, reason(err))
		}
		a := &authoring{root: root, within: c.within, typed: typed, sys: &p.system}
		versions, issues, err := a.versions()
		p.atEnd(func() { _ = root.Close() }) // only read
		if err == nil && len(versions)+len(issues) > 0 {
			return a, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, advise(fmt.Errorf("%s: %w", typed, errNoSource), "Create one with 'datachain schema new TYPE --schemas "+typed+"'.")
}

// Why there is no source to open. `schema new` creates one in either case.
var (
	errNoDir    = errors.New("no such directory")
	errIsStore  = errors.New("is a published store, not a schema source")
	errNoSource = errors.New("not a schema source: it has no directories <type>/<date>-<status>, such as ai/2026-09-01-beta")
)

type candidate struct{ root, within string }

// candidates are the ways in which a directory can belong to a source, the
// likeliest first: as the root, as a version or a part of one, as a type.
func candidates(dir string) []candidate {
	list := []candidate{{dir, ""}}
	for at := dir; filepath.Dir(at) != at; at = filepath.Dir(at) {
		typ := filepath.Base(filepath.Dir(at))
		if v, err := taxonomy.ParseVersion(typ + "@" + filepath.Base(at)); err == nil {
			list = append(list, candidate{filepath.Dir(filepath.Dir(at)), folder(v)})
			break
		}
	}
	return append(list, candidate{filepath.Dir(dir), filepath.Base(dir)})
}

// versions lists the versions of the part that was named, and the findings in its
// published.
func (a *authoring) versions() ([]taxonomy.Version, issue.Issues, error) {
	versions, issues, err := source.Versions(a.root.FS())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s", a.typed, reason(err))
	}
	versions = slices.DeleteFunc(versions, func(v taxonomy.Version) bool { return !a.includes(folder(v)) })
	issues = slices.DeleteFunc(issues, func(i issue.Issue) bool { return !a.includes(i.Position.File) })
	return versions, issues, nil
}

func (a *authoring) includes(file string) bool {
	return a.within == "" || strings.HasPrefix(file+"/", a.within+"/")
}

// folder returns the directory of a version in a source, slash-separated.
func folder(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder()) }

// shown returns the path of a file of the source as the user would type it.
func (a *authoring) shown(file string) string {
	return a.sys.shown(filepath.Join(a.root.Name(), filepath.FromSlash(file)), a.typed)
}

// indexOf lists versions by their ids alone.
func indexOf(versions []taxonomy.Version) (*taxonomy.Index, error) {
	entries := make([]taxonomy.Entry, len(versions))
	for i, v := range versions {
		entries[i].ID = v
	}
	return taxonomy.NewIndex(entries)
}

// index lists versions with the aliases that they declare.
func (a *authoring) index(versions []taxonomy.Version) (*taxonomy.Index, error) {
	entries := make([]taxonomy.Entry, len(versions))
	for i, v := range versions {
		aliases, err := source.Aliases(a.root.FS(), v, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %s", a.typed, reason(err))
		}
		entries[i] = taxonomy.Entry{ID: v, Aliases: aliases}
	}
	return taxonomy.NewIndex(entries)
}

// find returns the version of the source that was typed: an id or an alias.
func (a *authoring) find(versions []taxonomy.Version, typed string) (taxonomy.Version, error) {
	ref, err := taxonomy.ParseRef(typed)
	if err != nil {
		return taxonomy.Version{}, err
	}
	// Declared aliases are read only if necessary: what is wrong with them is
	// no reason to refuse an id.
	x, err := indexOf(versions)
	if err != nil {
		return taxonomy.Version{}, err
	}
	e, ok := x.Lookup(ref)
	if !ok {
		if x, err = a.index(versions); err != nil {
			return taxonomy.Version{}, err
		}
		e, ok = x.Lookup(ref)
	}
	if !ok {
		return taxonomy.Version{}, unlisted(x, ref)
	}
	return e.ID, nil
}

// compile compiles the part of the source that was named, or only some versions.
func (p *program) compile(ctx context.Context, a *authoring, only []string) (*source.Tree, error) {
	versions, issues, err := a.versions()
	if err != nil {
		return nil, err
	}
	if len(only) > 0 {
		issues = nil
		if versions, err = a.pick(versions, only); err != nil {
			return nil, err
		}
	}
	bar := p.progress("compiling")
	defer bar.end()
	o := &source.Options{Progress: bar.update}
	return await(ctx, func() (*source.Tree, error) {
		if a.within == "" && len(only) == 0 {
			return source.CompileAll(a.root.FS(), o)
		}
		tree := &source.Tree{Issues: issues}
		for _, v := range versions {
			c, err := source.Compile(a.root.FS(), v, o)
			if err != nil {
				return nil, err
			}
			tree.Versions = append(tree.Versions, c)
		}
		return tree, nil
	})
}

// pick returns the versions that were typed, each once, in the order of an index.
func (a *authoring) pick(versions []taxonomy.Version, typed []string) ([]taxonomy.Version, error) {
	var picked []taxonomy.Version
	for _, t := range typed {
		v, err := a.find(versions, t)
		if err != nil {
			return nil, err
		}
		picked = append(picked, v)
	}
	slices.SortFunc(picked, taxonomy.Version.Compare)
	return slices.Compact(picked), nil
}

// await returns what work returns, or the error of a context that ends before:
// pure packages can't be interrupted.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, errors.Join(r.err, ctx.Err())
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
