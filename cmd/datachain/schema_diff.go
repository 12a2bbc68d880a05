package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/diff"
	"github.com/datachain-go/datachain/internal/stores"
)

// diffAnswer is the output of `datachain schema diff --format json`.
type diffAnswer struct {
	// OK reports whether no change is breaking.
	OK         bool `json:"ok"`
	Breaking   int  `json:"breaking"`
	Notable    int  `json:"notable"`
	Compatible int  `json:"compatible"`
	// Warnings is how many of the compatible changes give documents a warning.
	Warnings int `json:"warnings"`
	*diff.Report
}

func newDiffAnswer(r *diff.Report) diffAnswer {
	return diffAnswer{
		Breaking: len(r.With(diff.Breaking)), Notable: len(r.With(diff.Notable)), Compatible: len(r.With(diff.Compatible)), Warnings: len(r.Warnings()),
		Report: r, OK: len(r.With(diff.Breaking)) == 0,
	}
}

func (p *program) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show the changes between two versions",
		Long: `Show the changes between two versions, and what they mean for documents that move from
the old version to the new one. A change is breaking if it can make such a document
invalid, notable if documents stay valid but mean something else, or those of older
versions can no longer follow, and compatible otherwise. Documents name elements, not
categories: renaming a category is not breaking. Each change has the id of the rule that
judged it, in brackets.

OLD and NEW are version ids or aliases; see --schemas and --store. With --format
markdown the output is release notes.

With --documents, validate documents that pin OLD as they are and as if they pinned NEW,
and report how many become invalid, by which change and where, and how many stay valid
but mean something else. Documents can be thin or resolved. The flag can be repeated.

The exit code is 1 if there are breaking changes, or with --documents, if a document
becomes invalid.`,
		Example: `  datachain schema diff ai@latest ai@latest-beta
  datachain schema diff ai@2026-09-01-stable ai@2026-11-01-beta --schemas schemas
  datachain schema diff ai@latest ai@latest-beta --format markdown --locale fr
  datachain schema diff ai@latest ai@latest-beta --documents documents`,
		Args: takes(2, "OLD", "NEW"),
	}
	format := formatFlag(cmd, formatText, formatJSON, formatMarkdown)
	locale := cmd.Flags().String("locale", "", "`language` of titles, such as fr or pt-BR (default the first one of the version)")
	localeFlag(cmd)
	documents := cmd.Flags().StringArray("documents", nil, "`file` or directory of documents to judge")
	from := p.locationFlags(cmd)
	cmd.ValidArgsFunction = p.completeVersions(2, from)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(*documents) > 0 && *format == formatMarkdown {
			return badUsage(cmd, "--documents requires --format text or json")
		}
		changes, err := p.diff(cmd.Context(), *from, args[0], args[1], *locale)
		if err != nil {
			return err
		}
		if len(*documents) > 0 {
			answer, err := p.effect(cmd, changes, *documents)
			if err != nil {
				return err
			}
			return p.answer(*format, answer, answer.OK, func() error { return p.writeEffect(changes, answer) })
		}
		answer := newDiffAnswer(changes.Report)
		return p.answer(*format, answer, answer.OK, func() error {
			if *format == formatMarkdown {
				return changes.WriteNotes(cmd.Context(), p.stdout, &changes.NotesOptions)
			}
			return writeChanges(cmd.Context(), p.stdout, p.outStyle(), changes)
		})
	}
	return cmd
}

// diff compares two versions.
func (p *program) diff(ctx context.Context, from stores.Location, before, after, locale string) (*changeSet, error) {
	schemas, err := p.open(ctx, from)
	if err != nil {
		return nil, err
	}
	older, err := schemas.Open(ctx, before)
	if err != nil {
		return nil, err
	}
	newer, err := schemas.Open(ctx, after)
	if err != nil {
		return nil, err
	}
	if a, b := older.Release().Version(), newer.Release().Version(); a.Type() != b.Type() {
		return nil, advise(fmt.Errorf("%s and %s are versions of different datachain types, so they can't be compared", a, b), "Name two versions of "+b.Type()+".")
	}
	if locale, err = newer.MatchLocale(locale); err != nil {
		return nil, err
	}
	x, err := schemas.Versions(ctx)
	if err != nil {
		return nil, err
	}
	entry, _ := x.Lookup(newer.Release().Version().Ref())
	report, err := diff.Compare(older.Release(), newer.Release(), &diff.Options{Interrupt: ctx.Err, Between: schemas.Between(ctx, older.Release(), newer.Release())})
	if err != nil {
		return nil, err
	}
	return &changeSet{
		Set:    diff.NewSet(older.Release(), newer.Release(), report),
		before: older.Release(), after: newer.Release(), NotesOptions: diff.NotesOptions{Locale: locale, Released: entry.Released},
	}, nil
}
