package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/schemas"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/usage"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// promoteAnswer is the output of `datachain schema promote --format json`.
type promoteAnswer struct {
	outcome
	From        taxonomy.Version `json:"from"`
	To          taxonomy.Version `json:"to"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	// Folder is the directory of the new version in the source, Store the store
	// that it was published into. One of them is set.
	Folder string `json:"folder,omitempty"`
	Store  string `json:"store,omitempty"`
	// KeptAliases are declared by the beta version and stay with it.
	KeptAliases []string `json:"kept_aliases,omitempty"`
}

func (p *program) promoteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "promote VERSION",
		Short: "Make a beta version stable",
		Long: `Make a beta version stable: publish the same content, with the same content hash,
under a stable version id, which never changes again. The beta version is kept.

In a source, the directory is copied without the declared aliases, if it has no lint
errors. In a store, the release is published again, with its icons. --schemas or --store
says which (default the working directory).`,
		Example: `  datachain schema promote ai@2026-11-01-beta --schemas schemas
  datachain schema promote ai@latest-beta --store dist --date 2026-12-01`,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	p.changes(cmd, "schemas")
	flags.Needs(cmd, "key", "store")
	noIcons, day := noIconsFlag(cmd), dateFlag(cmd, "date of the stable version (default that of the beta version)")
	flags.Needs(cmd, "no-icons", "store")
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		if p.From.Store != "" {
			return p.promoteInStore(cmd.Context(), args[0], *day, *noIcons)
		}
		a, err := p.promoteSource(cmd.Context(), p.schemas(), args[0], *day, *format)
		if (errors.Is(err, sources.ErrNoSource) || errors.Is(err, sources.ErrIsStore)) && p.From.Schemas == "" {
			err = usage.Error(cmd, "the working directory is not a schema source: name one with --schemas, or a store with --store")
		}
		return a, err
	})
	return cmd
}

func (a *promoteAnswer) print(p *program, _ string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Promoted %s to %s in %s.\nContent hash: %s\n", a.From, a.To, cmp.Or(a.Folder, a.Store), a.ContentHash)
	if len(a.KeptAliases) > 0 {
		fmt.Fprintf(&b, "These aliases stay with %s: %s.\n", a.From, strings.Join(a.KeptAliases, ", "))
	}
	return p.printf("%s", b.String())
}

// stableOf returns the version that a beta version becomes.
func stableOf(v taxonomy.Version, date string) (taxonomy.Version, error) {
	if v.Status() != taxonomy.Beta {
		return taxonomy.Version{}, fmt.Errorf("%s is already stable", v)
	}
	return taxonomy.NewVersion(v.Type(), cmp.Or(date, v.Date()), taxonomy.Stable)
}

func (p *program) promoteSource(ctx context.Context, schemas, typed, date string, format string) (*promoteAnswer, error) {
	a, err := p.openSource(schemas)
	if err != nil {
		return nil, err
	}
	a.Within = "" // the version is named by its id, not by its directory
	beta, err := a.Find(typed)
	if err != nil {
		return nil, err
	}
	stable, err := stableOf(beta, date)
	if err == nil {
		err = a.Absent(stable)
	}
	if err != nil {
		return nil, err
	}
	tree, err := p.compileWhole(ctx, a, []string{beta.String()}, nil, format)
	if err != nil {
		return nil, err
	}
	compiled := tree.Versions[0]
	files, err := write.Promotion(a.Root.FS(), beta)
	if err != nil {
		return nil, err
	}
	same := func(written fs.FS) error {
		again, err := source.Compile(written, stable, nil)
		switch {
		case err != nil:
			return err
		case again.Release == nil:
			return fmt.Errorf("%s does not compile: %v", stable, again.Issues[0])
		case again.Release.ContentHash() != compiled.Release.ContentHash():
			return fmt.Errorf("%s: %w: it differs from %s", stable, taxonomy.ErrHashMismatch, beta)
		}
		return nil
	}
	if err := a.Install(ctx, sources.Addition{ID: stable, Files: files}, same); err != nil {
		return nil, err
	}
	return &promoteAnswer{
		outcome: outcome{true}, From: beta, To: stable, ContentHash: compiled.Release.ContentHash(),
		Folder: a.Shown(source.Directory(stable)), KeptAliases: compiled.Aliases,
	}, nil
}

func (p *program) promoteInStore(ctx context.Context, typed, date string, noIcons bool) (*promoteAnswer, error) {
	s, err := p.openChanged(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := schemas.New(s.Store).Open(ctx, typed)
	if err != nil {
		return nil, err
	}
	beta := opened.Release()
	stable, err := stableOf(beta.Version(), date)
	if err != nil {
		return nil, err
	}
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	if _, listed := x.Lookup(stable.Ref()); listed {
		return nil, fmt.Errorf("%s already exists: choose another --date", stable)
	}
	was, _ := x.Lookup(beta.Version().Ref())
	release, err := beta.WithVersion(stable)
	if err != nil {
		return nil, err
	}
	_, err = p.publishInto(ctx, []publish.Publication{{Release: release, Released: promotedOn(was, stable)}}, publishOptions(noIcons, nil))
	if errors.Is(err, publish.ErrRetired) || errors.Is(err, taxonomy.ErrStableChanged) {
		return nil, advise(err, "Choose another --date.")
	}
	if err != nil {
		return nil, err
	}
	return &promoteAnswer{outcome: outcome{true}, From: beta.Version(), To: stable, ContentHash: release.ContentHash(), Store: p.From.Store}, nil
}

// promotedOn returns the release date of a stable version: that of its beta version, but not
// before the date in its id. It is "" if the beta version has none.
func promotedOn(beta taxonomy.Entry, stable taxonomy.Version) string {
	if beta.Released == "" {
		return ""
	}
	return max(beta.Released, stable.Date())
}
