package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy/diff"
)

// diffAnswer is what `datachain schema diff --format json` prints.
type diffAnswer struct {
	// OK means that no change breaks documents.
	OK       bool `json:"ok"`
	Breaking int  `json:"breaking"`
	Warnings int  `json:"warnings"`
	*diff.Report
}

func (p *program) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say what changed between two versions",
		Long: `Say what changed between two versions, and what that means for documents that are
pinned to the old one and move to the new.

OLD and NEW are version ids or aliases, of a source, a store, or without either
of the sample taxonomies in this program.

Exits with 1 where there are changes that break documents.`,
		Example: `  datachain schema diff ai@latest ai@latest-beta
  datachain schema diff ai@2026-09-01-stable ai@2026-11-01-beta --schemas schemas`,
		Args: takes(2, "OLD", "NEW"),
	}
	form := formatFlag(cmd)
	from := originFlags(cmd, "")
	cmd.ValidArgsFunction = p.completeVersions(2, func([]string) origin { return *from })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := from.check(cmd); err != nil {
			return err
		}
		report, err := p.diff(cmd.Context(), *from, args[0], args[1])
		if err != nil {
			return err
		}
		answer := diffAnswer{
			Breaking: len(report.Breaking()), Warnings: len(report.Warnings()), Report: report,
			OK: len(report.Breaking()) == 0,
		}
		return p.answer(*form, answer, answer.OK, func() error { return writeReport(p.stdout, p.outStyle(), report) })
	}
	return cmd
}

func (p *program) diff(ctx context.Context, from origin, before, after string) (*diff.Report, error) {
	s, err := p.openLibrary(ctx, from)
	if err != nil {
		return nil, err
	}
	defer s.close()
	older, err := openTyped(ctx, s, before)
	if err != nil {
		return nil, err
	}
	newer, err := openTyped(ctx, s, after)
	if err != nil {
		return nil, err
	}
	return diff.Releases(older, newer), nil
}
