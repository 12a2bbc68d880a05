package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/publish"
)

// publishAnswer is what `datachain schema publish --format json` prints.
type publishAnswer struct {
	findingsAnswer
	Store    string             `json:"store"`
	Versions []publishedVersion `json:"versions"`
}

type publishedVersion struct {
	versionRow
	Result publishResult `json:"result"`
}

// publishResult says what publishing did to a version of the store.
type publishResult string

const (
	resultNew       publishResult = "new"
	resultChanged   publishResult = "changed"
	resultAliases   publishResult = "aliases" // the content is the same
	resultUnchanged publishResult = "unchanged"
)

func (p *program) publishCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publish [DIR] --store DIR",
		Short: "Compile a schema source and publish it into a store",
		Long: `Compile a schema source and publish it into a store, which is made if need be.

DIR is the root of a source tree, the folder of a datachain type or the folder of
one version; without it, the working folder. Findings are printed as lint does,
on standard error; errors refuse the publication.

All versions are published or none. Those of the store that the source does not
have stay as they are. A stable version never changes: other content for it is
refused. Icons are drawn into the store, too.`,
		Example: `  datachain schema publish schemas --store dist
  datachain schema publish schemas --store dist --version ai@2026-11-01-beta`,
		Args:              takes(0, "DIR"),
		ValidArgsFunction: completeDir,
	}
	p.sourceIsArgument(cmd)
	form := formatFlag(cmd)
	store := cmd.Flags().String("store", "", "store: a `folder` of published versions (required)")
	versions := cmd.Flags().StringArray("version", nil, "only this `version`; may be repeated")
	noIcons := noIconsFlag(cmd)
	dirFlag(cmd, "store")
	p.versionFlag(cmd, "version", func(args []string) origin { return origin{schemas: dirArgument(args)} })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *store == "" {
			return badUsage(cmd, "--store is missing: name the folder to publish into")
		}
		a, err := p.openAuthoring(dirArgument(args))
		if err != nil {
			return err
		}
		defer a.close()
		tree, err := p.compileWhole(cmd.Context(), a, *versions, *form)
		if err != nil {
			return err
		}
		answer := publishAnswer{findingsAnswer: newFindingsAnswer(a, tree), Store: *store}
		if answer.Versions, err = p.publish(cmd.Context(), *store, tree.Publications(), bakery(*noIcons)); err != nil {
			return err
		}
		return p.answer(*form, answer, true, func() error {
			rows := [][]string{{"VERSION", "CONTENT HASH", "RESULT"}}
			for _, v := range answer.Versions {
				rows = append(rows, []string{v.ID.String(), shortHash(v.ContentHash), string(v.Result)})
			}
			return table(p.stdout, rows)
		})
	}
	return cmd
}

// publish publishes into a store and compares it with what was there before.
func (p *program) publish(ctx context.Context, typed string, pubs []taxonomy.Publication, icon publish.IconFunc) ([]publishedVersion, error) {
	before, err := p.storeIndex(ctx, typed)
	if err != nil {
		return nil, err
	}
	// What the store would refuse is refused before it is touched.
	if _, err := before.With(pubs...); errors.Is(err, taxonomy.ErrStableChanged) {
		return nil, &adviceError{fmt.Errorf("--store %s: %w", typed, err), "Give the new content a version of its own; 'datachain schema new TYPE' drafts it."}
	} else if err != nil {
		return nil, fmt.Errorf("--store %s: %w", typed, err)
	}
	bar := p.progress("publishing")
	defer bar.end()
	report, err := changeStore(ctx, p.path(typed), func(t publish.Target) (*publish.Report, error) {
		return publish.Publish(ctx, t, pubs, &publish.Options{Icon: icon, SearchIndex: searchIndex, Progress: bar.update})
	})
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", typed, err)
	}
	if report.Uncollected != nil {
		p.complain("published, but old files could not be removed: %v", report.Uncollected)
	}
	list := []publishedVersion{}
	for _, pub := range pubs {
		now, _ := report.Index.Lookup(pub.Release.Version().Ref())
		row := publishedVersion{newVersionRow(now, pub.Release), resultNew}
		if then, listed := report.Before.Lookup(now.ID.Ref()); listed {
			switch {
			case then.ContentHash != now.ContentHash:
				row.Result = resultChanged
			case !slices.Equal(then.Aliases, now.Aliases):
				row.Result = resultAliases
			default:
				row.Result = resultUnchanged
			}
		}
		list = append(list, row)
	}
	return list, nil
}

// storeIndex returns the index of a store, empty where there is none yet.
func (p *program) storeIndex(ctx context.Context, typed string) (*taxonomy.Index, error) {
	s, err := p.openPublished(typed)
	if errors.Is(err, errNoStore) {
		return new(taxonomy.Index), nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // only read
	return s.Index(ctx)
}
