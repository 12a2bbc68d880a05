package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/baking"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// bakeAnswer is the output of `datachain icons bake --format json`.
type bakeAnswer struct {
	console.Outcome
	// Store or Out is the directory that has the icons now.
	Store    string          `json:"store,omitempty"`
	Out      string          `json:"out,omitempty"`
	Versions []baking.Result `json:"versions"`
}

func iconsBakeCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bake [VERSION]...",
		Short: "Write the icons of versions to files",
		Long: `Write the icons of versions to files: every variant of every element.

With --store, they are added to that store, and damaged icons are replaced. The
default is all versions of the store. Publishing does the same.

With --out, they are written as ELEMENT/VARIANT.svg into a directory, which must be
empty or not exist. This takes one version of a source, a store or the samples.`,
		Example: `  datachain icons bake --store dist
  datachain icons bake ai@latest --out icons`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	from := c.Reads(cmd)
	var out string
	flags.Add(cmd, flags.New("out", "write plain files into this directory", flags.Dir(&out).Letter("o")))
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		switch {
		case out != "" && len(args) > 1:
			return nil, usage.Error(cmd, "--out takes one version")
		case out != "":
			return bakeFiles(cmd, c, from, strings.Join(args, ""), out)
		case from.Location.By == "--store": // what is changed is named
			return bakeStore(cmd.Context(), c, &publisher{Versions: from}, args) // without a key: icons are not in the log
		}
		return nil, usage.Error(cmd, "--store or --out is required: where the icons are written")
	})
	return cmd
}

func (a *bakeAnswer) print(c *console.Console, _ string) error {
	rows := [][]string{{"VERSION", "ICONS", "RESULT"}}
	for _, v := range a.Versions {
		rows = append(rows, []string{v.ID.String(), fmt.Sprint(v.Icons), v.Result})
	}
	return c.Table(rows)
}

// bakeStore adds icons to a store.
func bakeStore(ctx context.Context, c *console.Console, to *publisher, versions []string) (*bakeAnswer, error) {
	s, err := to.open(ctx)
	if err != nil {
		return nil, err
	}
	set, err := stores.NewSet(s.Store).Each(ctx, versions, func(context.Context) (ids []string, err error) {
		x, err := s.Index(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range x.Entries() {
			ids = append(ids, e.ID.String())
		}
		return ids, nil
	})
	if err != nil {
		return nil, err
	}
	var releases []*taxonomy.Release
	for _, schema := range set {
		releases = append(releases, schema.Release())
	}
	slices.SortFunc(releases, func(a, b *taxonomy.Release) int { return a.Version().Compare(b.Version()) })
	answer := &bakeAnswer{Outcome: console.Outcome{OK: true}, Store: to.Location.Store, Versions: []baking.Result{}}
	if len(releases) == 0 {
		return answer, nil
	}
	bar := c.Progress("baking")
	defer bar.End()
	report, err := to.change(ctx, func(t publish.Target) (*publish.Report, error) {
		return publish.Bake(ctx, t, releases, &publish.Options{Icon: baking.Icons(), Progress: bar.Update})
	})
	if err != nil {
		return nil, err
	}
	for _, r := range releases {
		answer.Versions = append(answer.Versions, baking.NewResult(r, slices.Contains(report.Written, r.Version())))
	}
	return answer, nil
}

// bakeFiles writes the icons of a version to plain files, all of them or none.
func bakeFiles(cmd *cobra.Command, c *console.Console, from *console.Versions, version, typed string) (*bakeAnswer, error) {
	dir := c.Path(typed)
	if err := files.Vacant(dir, ""); err != nil {
		return nil, fmt.Errorf("--out %s: %w", typed, err)
	}
	r, err := from.Release(cmd, version)
	if err != nil {
		return nil, err
	}
	bar := c.Progress("baking")
	defer bar.End()
	err = files.Fill(dir, func(dir string) error { return baking.Write(cmd.Context(), r, dir, bar.Update) })
	if err != nil {
		return nil, fmt.Errorf("--out %s: %w", typed, err)
	}
	return &bakeAnswer{Outcome: console.Outcome{OK: true}, Out: typed, Versions: []baking.Result{baking.NewResult(r, true)}}, nil
}
