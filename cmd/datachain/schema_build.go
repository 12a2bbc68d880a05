package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/schemas"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/publish"
)

// buildAnswer is the output of `datachain schema build --format json`.
type buildAnswer struct {
	console.Findings
	Versions []schemas.Row `json:"versions"`
	// Out is the directory that was written, if any.
	Out string `json:"out,omitempty"`
}

func (p *program) buildCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Compile a schema source into releases",
		Long: `Compile a schema source into releases and list them.

DIR is a schema source, or the directory of a datachain type or a version in it. The
default is the working directory, or schemas of datachain.yaml. Findings are printed
on standard error, as lint does; nothing is built if there are errors.

With --out, the releases and their icons are written as a store that can be served or
copied. The directory must be empty or not exist; use publish to add to a store.`,
		Example: `  datachain schema build schemas
  datachain schema build schemas --schema-version ai@latest --out dist`,
	}
	format, noIcons := console.FormatFlag(cmd, formatText, formatJSON), noIconsFlag(cmd)
	versions := versionsFlag(cmd, "only this version; can be repeated", p.completeSource(func(args []string) (location.Location, error) { return p.Source(strings.Join(args, "")) }))
	var out string
	flags.Add(cmd, flags.New("out", "write a store into this directory", flags.Dir(&out).Letter("o")))
	flags.Needs(cmd, "no-icons", "out")
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		if out != "" {
			if err := files.Vacant(p.Path(out), ", or use 'datachain schema publish' to add to a store"); err != nil {
				return nil, fmt.Errorf("--out %s: %w", out, err)
			}
		}
		src, err := p.openArgument(args)
		if err != nil {
			return nil, err
		}
		tree, err := p.compileWhole(cmd.Context(), src, *versions, nil, *format)
		if err != nil {
			return nil, err
		}
		a := &buildAnswer{Findings: console.NewFindings(src, tree), Out: out}
		if a.Versions, err = schemas.Rows(tree.Publications()); err != nil {
			return nil, err
		}
		if out != "" {
			if err := p.writeStore(cmd.Context(), p.Path(out), tree.Publications(), publishOptions(*noIcons, tree.Evolutions)); err != nil {
				return nil, fmt.Errorf("--out %s: %w", out, err)
			}
		}
		return a, nil
	})
	return cmd
}

func (a *buildAnswer) print(p *program, _ string) error {
	if err := p.Table(schemas.Table(a.Versions)); err != nil || a.Out == "" {
		return err
	}
	return p.Printf("\nWrote %s to %s.\n", wording.Count(len(a.Versions), "version"), a.Out)
}

// writeStore writes a store into a vacant directory.
func (p *program) writeStore(ctx context.Context, dir string, pubs []publish.Publication, o *publish.Options) error {
	return files.Fill(dir, func(dir string) error {
		bar := p.Progress("writing")
		defer bar.End()
		o.Progress = bar.Update
		_, err := stores.Change(ctx, location.Location{Store: dir}, new(stores.Options), nil, func(t publish.Target) (*publish.Report, error) {
			return publish.Publish(ctx, t, pubs, o)
		})
		return err
	})
}
