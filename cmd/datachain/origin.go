package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/publish"
)

// origin is where a command reads versions from: a schema source, a store, or
// the samples in this program where neither is named.
type origin struct{ schemas, store string }

// originFlags adds --schemas and --store to a command.
func originFlags(cmd *cobra.Command, schemas string) *origin {
	o := new(origin)
	cmd.Flags().StringVar(&o.schemas, "schemas", schemas, "schema source: a `folder` <type>/<date>-<status>")
	cmd.Flags().StringVar(&o.store, "store", "", "store: a `folder` of published versions")
	dirFlag(cmd, "schemas")
	dirFlag(cmd, "store")
	return o
}

// check refuses both flags at once, and a name that is empty: in a script it is
// a variable that was not set, and would be taken for the samples.
func (o *origin) check(cmd *cobra.Command) error {
	schemas, store := cmd.Flags().Changed("schemas"), cmd.Flags().Changed("store")
	switch {
	case schemas && store:
		return badUsage(cmd, "--schemas and --store exclude each other: give one of them")
	case schemas && o.schemas == "":
		return badUsage(cmd, "--schemas is empty: name a folder, or leave it away")
	case store && o.store == "":
		return badUsage(cmd, "--store is empty: name a folder, or leave it away")
	}
	return nil
}

// library is an origin opened for reading.
type library struct {
	taxonomy.Store
	// whole is false where versions of a source do not compile, and are left
	// out.
	whole bool
	close func()
}

// openLibrary opens an origin. It says which versions are left out.
func (p *program) openLibrary(ctx context.Context, from origin) (*library, error) {
	switch {
	case from.store != "":
		s, err := p.openPublished(from.store)
		if err != nil {
			return nil, err
		}
		return &library{s, true, func() { _ = s.Close() }}, nil // only read
	case from.schemas == "":
		s, err := taxonomies.Store()
		return &library{s, true, func() {}}, err
	}
	a, err := p.openAuthoring(from.schemas)
	if err != nil {
		return nil, err
	}
	defer a.close()
	tree, err := p.compile(ctx, a, nil)
	if err != nil {
		return nil, err
	}
	whole := true
	for _, c := range tree.Versions {
		if c.Release == nil {
			whole = false
			p.complain("%s is left out: it has %s. See 'datachain schema lint %s'.", c.Version,
				prose.Count(c.Issues.Count(issue.SeverityError), "error"), a.shown(folder(c.Version)))
		}
	}
	s, err := memstore.New(tree.Publications()...)
	return &library{s, whole, func() {}}, err
}

var errNoStore = errors.New("no store here: want a folder with index.json, such as 'datachain schema publish' makes")

// openPublished opens a store in a folder.
func (p *program) openPublished(typed string) (*fsstore.Store, error) {
	if isAddress(typed) {
		return nil, &adviceError{
			fmt.Errorf("--store %s: want a folder here, not an address", redacted(typed)),
			"Servers are read by 'datachain serve' and 'datachain check'.",
		}
	}
	s, err := fsstore.OpenDir(p.path(typed), nil)
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--store %s: %w", typed, errNoStore)
	}
	wrong, advice := p.saidOf(typed, err), "It is damaged, or there only in part: publish or copy it again."
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		wrong, advice = reason(err), "Give a folder that can be read, and all that is in it."
		if !filepath.IsAbs(e.Path) { // not the folder itself, but a file in it
			wrong = e.Path + ": " + wrong
		}
	}
	return nil, &adviceError{fmt.Errorf("--store %s: %s", typed, wrong), advice}
}

// saidOf is what an error of a store says, without the path that was typed: who
// names the store with it says it already.
func (p *program) saidOf(typed string, err error) string {
	return strings.TrimPrefix(said(err), p.path(typed)+": ")
}

// changeStore opens a directory for publishing, changes the store in it and closes
// it. The caller knows by what name the directory was typed, so errors do not
// name it.
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
