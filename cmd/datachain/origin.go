package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/publish"
)

// origin is where a command reads versions from: a schema source, a store, or the
// built-in samples if both are empty.
type origin struct{ schemas, store string }

// originFlags adds --schemas and --store to a command.
func originFlags(cmd *cobra.Command, schemas string) *origin {
	o := new(origin)
	cmd.Flags().StringVar(&o.schemas, "schemas", schemas, "schema source `dir`ectory")
	cmd.Flags().StringVar(&o.store, "store", "", "`dir`ectory of published versions")
	dirFlag(cmd, "schemas")
	dirFlag(cmd, "store")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return o.check(cmd) }
	return o
}

// storeFlag adds --store to a command that changes a store.
func storeFlag(cmd *cobra.Command) *string {
	store := cmd.Flags().String("store", "", "`dir`ectory of published versions (required)")
	dirFlag(cmd, "store")
	return store
}

// check refuses both flags at once, and an empty one: in a script that is a
// variable that was not set, and would select the samples.
func (o *origin) check(cmd *cobra.Command) error {
	schemas, store := cmd.Flags().Changed("schemas"), cmd.Flags().Changed("store")
	switch {
	case schemas && store:
		return badUsage(cmd, "--schemas and --store can't be used together")
	case schemas && o.schemas == "":
		return badUsage(cmd, "--schemas must not be empty: name a directory, or omit it")
	case store && o.store == "":
		return badUsage(cmd, "--store must not be empty: name a directory, or omit it")
	}
	return nil
}

// library is an origin opened for reading.
type library struct {
	*datachain.Service
	store taxonomy.Store
	// whole is false if versions of a source do not compile and are left out.
	whole bool
}

func newLibrary(s taxonomy.Store) *library {
	return &library{datachain.New(s, &datachain.Options{MaxCPU: -1}), s, true}
}

// openLibrary opens an origin. It prints which versions are left out.
func (p *program) openLibrary(ctx context.Context, from origin) (*library, error) {
	switch {
	case from.store != "":
		s, err := p.openPublished(from.store)
		if err != nil {
			return nil, err
		}
		return newLibrary(s), nil
	case from.schemas == "":
		s, err := taxonomies.Store()
		return newLibrary(s), err
	}
	a, err := p.openAuthoring(from.schemas)
	if err != nil {
		return nil, err
	}
	tree, err := p.compile(ctx, a, nil)
	if err != nil {
		return nil, err
	}
	s, err := memstore.New(tree.Publications()...)
	if err != nil {
		return nil, err
	}
	lib := newLibrary(s)
	for _, c := range tree.Versions {
		if c.Release == nil {
			lib.whole = false
			p.complain("%s is left out because it has %s; see 'datachain schema lint %s'", c.Version,
				prose.Count(c.Issues.Count(issue.SeverityError), "error"), a.shown(folder(c.Version)))
		}
	}
	return lib, nil
}

var errNoStore = errors.New("not a store: it has no index.json, which 'datachain schema publish' writes")

// openPublished opens a store in a directory.
func (p *program) openPublished(typed string) (*fsstore.Store, error) {
	if isURL(typed) {
		return nil, advise(fmt.Errorf("--store %s: must be a directory, not a URL", redacted(typed)),
			"Only 'datachain serve', 'datachain mcp' and 'datachain check' read a store at a URL.")
	}
	s, err := fsstore.OpenDir(p.path(typed), nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--store %s: %w", typed, errNoStore)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		wrong := reason(err)
		if !filepath.IsAbs(e.Path) { // a file in the directory
			wrong = e.Path + ": " + wrong
		}
		return nil, fmt.Errorf("--store %s: %s", typed, wrong)
	}
	if err != nil {
		return nil, advise(fmt.Errorf("--store %s: %w", typed, err), "The store is damaged or incomplete: publish or copy it again.")
	}
	p.atEnd(func() { _ = s.Close() }) // only read
	return s, nil
}

// changeStore opens a directory for publishing and changes the store in it. The
// caller knows the name that was typed, so errors do not have it.
func changeStore(ctx context.Context, dir string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	t, err := fsstore.CreateTarget(ctx, dir)
	var report *publish.Report
	if err == nil {
		report, err = change(t)
		err = errors.Join(err, t.Close())
	}
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	return report, err
}

// redacted returns a URL without its password.
func redacted(typed string) string {
	u, err := url.Parse(typed)
	switch {
	case err != nil:
		return "URL"
	case u.User == nil:
		return typed
	}
	return u.Redacted()
}
