package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy/diff"
)

// diffAnswer is the output of `datachain schema diff --format json`.
type diffAnswer struct {
	// OK reports whether no change is breaking.
	OK       bool `json:"ok"`
	Breaking int  `json:"breaking"`
	Notable  int  `json:"notable"`
	Warnings int  `json:"warnings"`
	*diff.Report
}

func (p *program) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show the changes between two versions",
		Long: `Show the changes between two versions, and what they mean for documents that move from
the old version to the new one. A change is breaking if it can make such a document
invalid, and notable if documents stay valid but mean something else. Documents name
elements, not categories: renaming a category is not breaking.

OLD and NEW are version ids or aliases; see --schemas and --store.

The exit code is 1 if there are breaking changes.`,
		Example: `  datachain schema diff ai@latest ai@latest-beta
  datachain schema diff ai@2026-09-01-stable ai@2026-11-01-beta --schemas schemas`,
		Args: takes(2, "OLD", "NEW"),
	}
	format := formatFlag(cmd, formatText, formatJSON)
	from := originFlags(cmd)
	cmd.ValidArgsFunction = p.completeVersions(2, func([]string) origin { return *from })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		report, err := p.diff(cmd.Context(), *from, args[0], args[1])
		if err != nil {
			return err
		}
		answer := diffAnswer{
			Breaking: len(report.Breaking()), Notable: len(report.Notable()), Warnings: len(report.Warnings()),
			Report: report, OK: len(report.Breaking()) == 0,
		}
		return p.answer(*format, answer, answer.OK, func() error { return writeChanges(p.stdout, p.outStyle(), report) })
	}
	return cmd
}

func (p *program) diff(ctx context.Context, from origin, before, after string) (*diff.Report, error) {
	lib, err := p.openLibrary(ctx, from)
	if err != nil {
		return nil, err
	}
	older, err := lib.Open(ctx, before)
	if err != nil {
		return nil, err
	}
	newer, err := lib.Open(ctx, after)
	if err != nil {
		return nil, err
	}
	return diff.Releases(older.Release(), newer.Release()), nil
}
