package command

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// publishAnswer is the output of `datachain schema publish --format json`.
type publishAnswer struct {
	console.Findings
	Store    string             `json:"store"`
	Versions []stores.Published `json:"versions"`
}

func schemaPublishCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publish [DIR] --store STORE",
		Short: "Compile a schema source and publish it into a store",
		Long: `Compile a schema source and publish it into a store: a directory, which is created if
it does not exist, or a bucket, which several publishers can use at the same time.

DIR is a schema source, or the directory of a datachain type or a version in it. The
default is the working directory, or schemas of datachain.yaml; --samples publishes the
built-in samples instead. Findings are printed
on standard error, as lint does; nothing is published if there are errors. Ids are compared
with older versions in the store, too: one that was removed can't come back with another
meaning (id_reused).

Either all versions are published or none. Other versions in the store are kept. A
stable version never changes: different content is refused, even after the version
was retired. A retired version is published again only with --again.

A release is one ZIP archive with its symbols and icons, which any program can open.`,
		Example: `  datachain schema publish schemas --store dist
  datachain schema publish --samples --store dist --schema-version ai@latest
  datachain schema publish schemas --store s3://releases/public --s3-region eu-central-1`,
	}
	to := publishes(c, cmd)
	c.Requires(cmd, []string{"store"}, "samples", "s3-endpoint", "s3-region")
	format, noIcons := console.FormatFlag(cmd, formatText, formatJSON), noIconsFlag(cmd)
	versions := versionsFlag(cmd, "only this version; can be repeated", completeSource(to.Versions, func(args []string) (stores.Location, error) { return to.Source(strings.Join(args, "")) }))
	again := switchFlag(cmd, "again", "publish versions again that were retired")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		src, err := openPublished(cmd, to, args)
		if err != nil {
			return nil, err
		}
		published, err := publishedBefore(cmd.Context(), c, to, src)
		if err != nil {
			return nil, err
		}
		tree, err := compileWhole(cmd.Context(), c, src, *versions, published, *format)
		if err != nil {
			return nil, err
		}
		a := &publishAnswer{Findings: console.NewFindings(src, tree), Store: to.Location.Store}
		pubs := tree.Publications()
		for i := range pubs {
			pubs[i].Again = *again
		}
		evolutions, err := history.Texts(tree.Evolutions)
		if err != nil {
			return nil, err
		}
		a.Versions, err = publishAll(cmd.Context(), c, to, pubs, publishOptions(*noIcons, evolutions))
		return a, err
	})
	return cmd
}

// openPublished opens the source that is an argument, or the samples.
func openPublished(cmd *cobra.Command, to *publisher, args []string) (*sources.Source, error) {
	if to.Location.Samples {
		if len(args) > 0 {
			return nil, usage.Error(cmd, "--samples can't be used with the directory %s", args[0])
		}
		return sources.SampleSource(), nil
	}
	src, err := to.OpenArgument(args)
	if errors.Is(err, sources.ErrNoSource) {
		err = advice.Add(err, "Publish the built-in samples with --samples.")
	}
	return src, err
}

// publishedBefore returns the versions of the store that a source lacks, with which its ids
// are compared.
func publishedBefore(ctx context.Context, c *console.Console, to *publisher, a *sources.Source) (*sources.Published, error) {
	if !to.Location.Bucket() && (to.Location.Remote() || !sources.IsStore(c.Path(to.Location.Store))) {
		return nil, nil
	}
	opened, err := to.OpenStore(ctx, to.store(), nil)
	switch {
	case ctx.Err() != nil || errors.Is(err, stores.ErrNoStore):
		return nil, ctx.Err()
	case err != nil: // publishing can repair it
		c.PrintError("ids are not compared with those of published versions: %v", err)
		return nil, nil
	}
	return a.Published(ctx, opened.Store, func(v taxonomy.Version, err error) {
		if errors.Is(err, sources.ErrUnknownIDs) {
			c.PrintError("ids are not compared with those of %s, which are unknown: %v; if it removed ids, record that in evolution.yaml", v, err)
			return
		}
		c.PrintError("ids are not compared with those of %s, which can't be read: %v", v, err)
	})
}

func (a *publishAnswer) print(c *console.Console, _ string) error {
	rows := [][]string{{"VERSION", "HASH", "RESULT"}}
	for _, v := range a.Versions {
		rows = append(rows, []string{v.ID.String(), report.ShortHash(v.ContentHash), v.Result})
	}
	return c.Table(rows)
}

// publishAll publishes into a store and compares it with what was there before.
func publishAll(ctx context.Context, c *console.Console, to *publisher, pubs []listing.Publication, o *publish.Options) ([]stores.Published, error) {
	report, err := publishVersions(ctx, c, to, pubs, o)
	switch {
	case errors.Is(err, taxonomy.ErrStableChanged):
		return nil, advice.Add(err, "Publish the new content as a new version; 'datachain schema new TYPE' drafts one.")
	case errors.Is(err, listing.ErrRetired):
		return nil, advice.Add(err, "Remove what was retired from the source, choose what to publish with --schema-version,\nor publish it again with --again.")
	case err != nil:
		return nil, err
	}
	return stores.PublishedRows(pubs, report), nil
}

// publishVersions publishes into the store.
func publishVersions(ctx context.Context, c *console.Console, to *publisher, pubs []listing.Publication, o *publish.Options) (*publish.Report, error) {
	bar := c.Progress("publishing")
	defer bar.End()
	o.Progress = bar.Update
	return to.change(ctx, func(t publish.Target) (*publish.Report, error) {
		return publish.Publish(ctx, t, pubs, o)
	})
}
