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

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/source"
)

// authoring is a folder of authoring source that the user named: a root, or the
// folder of a datachain type or of a version below one.
type authoring struct {
	root *os.Root // links can't lead out of it
	// within is the part that was named, slash-separated from the root:
	// "", a type such as "ai", or a version such as "ai/2026-09-01-stable".
	within string
	typed  string
	sys    *system
}

// openAuthoring opens the source that a folder is or belongs to.
func (p *program) openAuthoring(typed string) (*authoring, error) {
	dir := p.path(typed)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", typed, errNoFolder)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", typed, reason(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s: is no folder", typed)
	}
	for _, c := range candidates(dir) {
		root, err := os.OpenRoot(c.root)
		if err != nil && c.root != dir {
			continue // what can't be read above a folder is no tree of ours
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s", typed, reason(err))
		}
		a := &authoring{root: root, within: c.within, typed: typed, sys: &p.system}
		versions, issues, err := a.versions()
		if err == nil && len(versions)+len(issues) > 0 {
			return a, nil
		}
		a.close()
		if err != nil {
			return nil, err
		}
	}
	return nil, &adviceError{fmt.Errorf("%s: %w", typed, errNoSource), "Begin one with 'datachain schema new TYPE --schemas " + typed + "'."}
}

// Why there is no source to open. Both can be helped by making one.
var (
	errNoFolder = errors.New("no such folder")
	errNoSource = errors.New("no schema versions here: want folders <type>/<date>-<status>, such as ai/2026-09-01-beta")
)

type candidate struct{ root, within string }

// candidates are the ways in which a folder can belong to a source tree, the
// likeliest first: as the root, as a folder of a version or below, as a type.
func candidates(dir string) []candidate {
	list := []candidate{{dir, ""}}
	for at := dir; filepath.Dir(at) != at; at = filepath.Dir(at) {
		typ := filepath.Base(filepath.Dir(at))
		if v, err := taxonomy.ParseVersion(typ + "@" + filepath.Base(at)); err == nil {
			list = append(list, candidate{filepath.Dir(filepath.Dir(at)), path.Join(v.Type(), v.Folder())})
			break
		}
	}
	return append(list, candidate{filepath.Dir(dir), filepath.Base(dir)})
}

func (a *authoring) close() { _ = a.root.Close() } // only read

// versions lists the versions of the part that was named, and what is wrong
// with its folders.
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

// folder returns where a version stands in a source tree, slash-separated.
func folder(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder()) }

// shown returns the path of a file of the tree as the user would type it.
func (a *authoring) shown(file string) string {
	return a.sys.shown(filepath.Join(a.root.Name(), filepath.FromSlash(file)), a.typed)
}

// indexOf lists versions of which nothing is known but their ids.
func indexOf(versions []taxonomy.Version) (*taxonomy.Index, error) {
	entries := make([]taxonomy.Entry, len(versions))
	for i, v := range versions {
		entries[i].ID = v
	}
	return taxonomy.NewIndex(entries)
}

// index lists versions of the source with the aliases that they declare.
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
	// What is declared is read only if need be: it may be wrong, and that is
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

// compile compiles the part of the tree that was named, or only some versions.
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

// pick finds the versions that were typed, each once, in the order of an index.
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

// await returns what work gives, or earlier the error of a context that ends:
// pure packages can't be interrupted, but nobody has to wait for them.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := work()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, errors.Join(a.err, ctx.Err())
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// reason leaves out the operation and the path that a file error repeats.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}
