package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// listAnswer is the output of `datachain schema list --format json`.
type listAnswer struct {
	// OK reports whether no version was left out.
	OK       bool         `json:"ok"`
	Versions []versionRow `json:"versions"`
}

func (p *program) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the versions of a source or a store",
		Long: `List the versions of a source or a store or, without either, those of the built-in
sample taxonomies.

The exit code is 1 if versions of a source do not compile; they are left out.`,
		Example: `  datachain schema list
  datachain schema list --store dist --format json`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	from := originFlags(cmd, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		answer, err := p.list(cmd.Context(), *from)
		if err != nil {
			return err
		}
		return p.answer(*format, answer, answer.OK, func() error {
			if len(answer.Versions) == 0 {
				_, err := fmt.Fprintln(p.stdout, "no versions")
				return err
			}
			return versionTable(p.stdout, answer.Versions)
		})
	}
	return cmd
}

func (p *program) list(ctx context.Context, from origin) (*listAnswer, error) {
	lib, err := p.openLibrary(ctx, from)
	if err != nil {
		return nil, err
	}
	x, err := lib.Versions(ctx)
	if err != nil {
		return nil, err
	}
	answer := &listAnswer{OK: lib.whole, Versions: []versionRow{}}
	for _, e := range x.Entries() {
		schema, err := lib.Open(ctx, e.ID.String())
		if err != nil {
			return nil, err
		}
		answer.Versions = append(answer.Versions, newVersionRow(e, schema.Release()))
	}
	return answer, nil
}
