package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var errNoVersions = errors.New("the source or store has no versions")

// schemaSet is the schema versions at a location, opened for reading.
type schemaSet struct {
	*datachain.Service
	store taxonomy.Store
	from  location.Location
	// whole is false if versions of a source do not compile and are left out.
	whole bool
	// elsewhere returns the flag that would find a version, or "" if none is known.
	elsewhere func(taxonomy.Ref) string
}

// open opens the location of the command. It says which one if the command line does not name it,
// and which versions are left out.
func (p *program) open(ctx context.Context) (*schemaSet, error) { return p.openAt(ctx, p.from) }

func (p *program) openAt(ctx context.Context, from location.Location) (*schemaSet, error) {
	opened, err := p.openStore(ctx, from)
	if err != nil {
		return nil, err
	}
	p.announceLocation(from)
	for _, c := range opened.Broken {
		p.printError("%s is left out because it has %s; see 'datachain schema lint %s'", c.Version,
			wording.Count(len(c.Issues.With(issue.SeverityError)), "error"), opened.Source.Shown(source.Directory(c.Version)))
	}
	s := newSchemaSet(opened.Store)
	s.from, s.whole, s.elsewhere = from, len(opened.Broken) == 0, stores.Elsewhere(from, p.storeOptions())
	return s, nil
}

// newSchemaSet returns the versions of a store. Errors give no hint about other locations.
func newSchemaSet(s taxonomy.Store) *schemaSet {
	service, _ := datachain.New(s, &datachain.Options{MaxInput: -1, MaxCPU: -1}) // valid options
	return &schemaSet{
		Service: service, store: s, whole: true,
		from: location.Location{By: "--store"}, elsewhere: func(taxonomy.Ref) string { return "" },
	}
}

// Open opens a version. The error for an unknown one names the flag that would find
// it.
func (s *schemaSet) Open(ctx context.Context, typed string) (*datachain.Schema, error) {
	schema, err := s.Service.Open(ctx, typed)
	e, ok := errors.AsType[*datachain.Error](err)
	if !ok || e.Kind != datachain.KindUnknown {
		return schema, err
	}
	hinted := *e
	hinted.Issue.FixHint = s.hint(e.Issue.FixHint, typed)
	return nil, &hinted
}

// hint adds the flag that would find a version to the hint of an error, and says so if
// only the samples were searched because nothing else was named.
func (s *schemaSet) hint(hint, version string) string {
	flag := ""
	if ref, err := taxonomy.ParseRef(version); err == nil {
		flag = s.elsewhere(ref)
	}
	switch {
	case flag != "":
		return hint + ", or use " + flag + ", which has " + version
	case s.from.By != "":
		return hint
	case s.from.Samples:
		return hint + ", or name the taxonomies that have it with --schemas, --store or " + location.ProjectFile + "; only the built-in samples were searched"
	}
	return hint + ", or use --schemas or --store to name the taxonomies that have it"
}

// openRelease opens the location of the command, and in it a version; see [schemaSet.release].
func (p *program) openRelease(cmd *cobra.Command, typed string) (*taxonomy.Release, error) {
	schemas, err := p.open(cmd.Context())
	if err != nil {
		return nil, err
	}
	return schemas.release(cmd, typed)
}

// release opens the version that was typed or, if none was, the latest version of
// the only datachain type.
func (s *schemaSet) release(cmd *cobra.Command, typed string) (*taxonomy.Release, error) {
	if typed == "" {
		latest, err := s.latest(cmd.Context())
		if err != nil {
			return nil, err
		}
		if len(latest) > 1 {
			return nil, badUsage(cmd, "missing VERSION: choose one, such as %s", strings.Join(latest, ", "))
		}
		typed = latest[0]
	}
	schema, err := s.Open(cmd.Context(), typed)
	if err != nil {
		return nil, err
	}
	return schema.Release(), nil
}

// versions opens the versions that were typed, each once. If none was, standard
// names them.
func (s *schemaSet) versions(ctx context.Context, typed []string, standard func(context.Context) ([]string, error)) ([]*datachain.Schema, error) {
	if len(typed) == 0 {
		var err error
		if typed, err = standard(ctx); err != nil {
			return nil, err
		}
	}
	var list []*datachain.Schema
	for _, t := range typed {
		schema, err := s.Open(ctx, t)
		if err != nil {
			return nil, err
		}
		same := func(other *datachain.Schema) bool { return other.Release() == schema.Release() }
		if !slices.ContainsFunc(list, same) {
			list = append(list, schema)
		}
	}
	return list, nil
}

// latest returns the alias of the latest version of each datachain type.
func (s *schemaSet) latest(ctx context.Context) ([]string, error) {
	x, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	if x.Len() == 0 {
		return nil, errNoVersions
	}
	return sources.Latest(x), nil
}
