package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// promoteAnswer is the output of `datachain schema promote --format json`.
type promoteAnswer struct {
	console.Outcome
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

func schemaPromoteCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "promote VERSION",
		Short: "Make a beta version stable",
		Long: `Make a beta version stable: publish the same content, with the same content hash,
under a stable version id, which never changes again. The beta version is kept.

In a source, the directory is copied without the declared aliases, if it has no lint
errors. In a store, the release is published again, with its icons. --schemas or --store
says which (default the working directory).`,
		Example: `  datachain schema promote ai@2026-11-18-beta --schemas schemas
  datachain schema promote ai@latest-beta --store dist --date 2026-12-01`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	to := publishes(c, cmd, "schemas")
	flags.Needs(cmd, "key", "store")
	noIcons, day := noIconsFlag(cmd), dateFlag(cmd, "date of the stable version (default that of the beta version)")
	flags.Needs(cmd, "no-icons", "store")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		if to.Location.Store != "" {
			return promoteInStore(cmd.Context(), c, to, args[0], *day, *noIcons)
		}
		a, err := promoteSource(cmd.Context(), c, to.Versions, args[0], *day, *format)
		if (errors.Is(err, sources.ErrNoSource) || errors.Is(err, sources.ErrIsStore)) && to.Location.Schemas == "" {
			err = usage.Error(cmd, "the working directory is not a schema source: name one with --schemas, or a store with --store")
		}
		return a, err
	})
	return cmd
}

func (a *promoteAnswer) print(c *console.Console, _ string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Promoted %s to %s.\nIt is in %s, content hash %s.\n", a.From, a.To, cmp.Or(a.Folder, a.Store), report.ShortHash(a.ContentHash))
	if len(a.KeptAliases) > 0 {
		fmt.Fprintf(&b, "These aliases stay with %s: %s.\n", a.From, strings.Join(a.KeptAliases, ", "))
	}
	return c.Printf("%s", b.String())
}

func promoteSource(ctx context.Context, c *console.Console, in *console.Versions, typed, date, format string) (*promoteAnswer, error) {
	a, err := in.OpenSource(in.Changed())
	if err != nil {
		return nil, err
	}
	a.Within = "" // the version is named by its id, not by its directory
	beta, err := a.Find(typed)
	if err != nil {
		return nil, err
	}
	stable, err := sources.Stable(beta, date)
	if err == nil {
		err = a.Absent(stable)
	}
	if err != nil {
		return nil, err
	}
	tree, err := compileWhole(ctx, c, a, []string{beta.String()}, nil, format)
	if err != nil {
		return nil, err
	}
	compiled := tree.Versions[0]
	if err := a.Promote(ctx, compiled, stable); err != nil {
		return nil, err
	}
	return &promoteAnswer{
		Outcome: console.Outcome{OK: true}, From: beta, To: stable, ContentHash: compiled.Release.ContentHash(),
		Folder: a.Shown(source.Directory(stable)), KeptAliases: compiled.Aliases,
	}, nil
}

func promoteInStore(ctx context.Context, c *console.Console, to *publisher, typed, date string, noIcons bool) (*promoteAnswer, error) {
	s, err := to.open(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := stores.NewSet(s.Store).Open(ctx, typed)
	if err != nil {
		return nil, err
	}
	beta := opened.Release()
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	promoted, err := sources.Promoted(x, beta, date)
	if err != nil {
		return nil, err
	}
	_, err = publishVersions(ctx, c, to, []listing.Publication{promoted}, publishOptions(noIcons, nil))
	if errors.Is(err, listing.ErrRetired) || errors.Is(err, taxonomy.ErrStableChanged) {
		return nil, advice.Add(err, "Choose another --date.")
	}
	if err != nil {
		return nil, err
	}
	return &promoteAnswer{Outcome: console.Outcome{OK: true}, From: beta.Version(), To: promoted.Release.Version(), ContentHash: promoted.Release.ContentHash(), Store: to.Location.Store}, nil
}
