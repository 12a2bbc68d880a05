package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
)

// bakeAnswer is the output of `datachain icons bake --format json`.
type bakeAnswer struct {
	OK bool `json:"ok"`
	// Store or Out is the directory that has the icons now.
	Store    string         `json:"store,omitempty"`
	Out      string         `json:"out,omitempty"`
	Versions []bakedVersion `json:"versions"`
}

type bakedVersion struct {
	ID    taxonomy.Version `json:"id"`
	Icons int              `json:"icons"`
	// Result is "baked", or "unchanged" if the icons were there already.
	Result string `json:"result"`
}

func (p *program) bakeCommand() *cobra.Command {
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
		Args: cobra.ArbitraryArgs,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	from := p.locationFlags(cmd)
	out := cmd.Flags().String("out", "", "write plain files into this `dir`ectory")
	dirFlag(cmd, "out")
	cmd.ValidArgsFunction = p.completeVersions(-1, from)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var answer *bakeAnswer
		var err error
		switch {
		case *out != "" && len(args) > 1:
			return badUsage(cmd, "--out takes one version")
		case *out != "":
			answer, err = p.bakeFiles(cmd, *from, append(args, "")[0], *out)
		case from.By == "--store": // what is changed is named
			answer, err = p.bakeStore(cmd.Context(), from.Store, args)
		default:
			return badUsage(cmd, "missing --store or --out, the directory for the icons")
		}
		if err != nil {
			return err
		}
		return p.answer(*format, answer, true, func() error {
			rows := [][]string{{"VERSION", "ICONS", "RESULT"}}
			for _, v := range answer.Versions {
				rows = append(rows, []string{v.ID.String(), fmt.Sprint(v.Icons), v.Result})
			}
			return p.table(rows)
		})
	}
	return cmd
}

func newBakedVersion(r *taxonomy.Release, baked bool) bakedVersion {
	v := bakedVersion{ID: r.Version(), Result: "unchanged"}
	if baked {
		v.Result = "baked"
	}
	for _, c := range r.Categories() {
		begin, end := r.CategoryRange(c.ID)
		v.Icons += (end - begin) * len(c.IconVariants())
	}
	return v
}

// bakeStore adds icons to a store.
func (p *program) bakeStore(ctx context.Context, typed string, versions []string) (*bakeAnswer, error) {
	s, err := p.openChanged(ctx, typed)
	if err != nil {
		return nil, err
	}
	releases, err := newSchemaSet(s.Store).releases(ctx, versions, func(context.Context) (ids []string, err error) {
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
	slices.SortFunc(releases, func(a, b *taxonomy.Release) int { return a.Version().Compare(b.Version()) })
	answer := &bakeAnswer{OK: true, Store: typed, Versions: []bakedVersion{}}
	if len(releases) == 0 {
		return answer, nil
	}
	bar := p.progress("baking")
	defer bar.end()
	report, err := p.changeStore(ctx, typed, func(t publish.Target) (*publish.Report, error) {
		return publish.Bake(ctx, t, releases, &publish.Options{Icon: bakery(), Progress: bar.update})
	})
	if err != nil {
		return nil, err
	}
	if report.Uncollected != nil {
		p.complain("baked, but old files could not be removed: %v", report.Uncollected)
	}
	for _, r := range releases {
		answer.Versions = append(answer.Versions, newBakedVersion(r, slices.Contains(report.Written, r.Version())))
	}
	return answer, nil
}

// bakeFiles writes the icons of a version to plain files, all of them or none.
func (p *program) bakeFiles(cmd *cobra.Command, from stores.Location, version, typed string) (*bakeAnswer, error) {
	dir := p.path(typed)
	if err := vacant(dir, ""); err != nil {
		return nil, fmt.Errorf("--out %s: %w", typed, err)
	}
	r, err := p.openRelease(cmd, from, version)
	if err != nil {
		return nil, err
	}
	err = fill(dir, func(dir string) error { return p.writeIcons(cmd.Context(), r, dir) })
	if err != nil {
		return nil, fmt.Errorf("--out %s: %w", typed, err)
	}
	return &bakeAnswer{OK: true, Out: typed, Versions: []bakedVersion{newBakedVersion(r, true)}}, nil
}

func (p *program) writeIcons(ctx context.Context, r *taxonomy.Release, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	bar := p.progress("baking")
	defer bar.end()
	return icons.Bake(r, func(e *taxonomy.Element, variant string, svg []byte) error {
		if err := root.Mkdir(e.ID, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
		return root.WriteFile(filepath.Join(e.ID, variant+".svg"), svg, 0o666)
	}, &icons.BakeOptions{Progress: bar.update, Interrupt: ctx.Err})
}
