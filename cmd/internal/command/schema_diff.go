package command

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/changes"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/history/upgrade"
)

// diffAnswer is the output of `datachain schema diff --format json`.
type diffAnswer struct {
	console.Outcome
	Breaking   int `json:"breaking"`
	Notable    int `json:"notable"`
	Compatible int `json:"compatible"`
	// Warnings is how many of the compatible changes give documents a warning.
	Warnings int `json:"warnings"`
	*diff.Report

	text bytes.Buffer
}

func schemaDiffCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show the changes between two versions",
		Long: `Show the changes between two versions, and what they mean for documents that move from
the old version to the new one. A change is breaking if it can make such a document
invalid, notable if documents stay valid but mean something else, or those of older
versions can no longer follow, and compatible otherwise. Documents name elements, not
categories: renaming a category is not breaking. Each change has the id of the rule that
judged it, in brackets.

OLD and NEW are version ids or aliases. With --format md the output is release notes.

With --documents, validate documents that pin OLD as they are and as if they pinned NEW,
and report how many become invalid, by which change and where, and how many stay valid
but mean something else. Documents can be thin or resolved.

The exit code is 1 if there are breaking changes, or with --documents, if a document
becomes invalid.`,
		Example: `  datachain schema diff ai@latest ai@latest-beta
  datachain schema diff ai@2026-11-15-stable ai@2026-11-18-beta --schemas schemas
  datachain schema diff ai@latest ai@latest-beta --format md --locale fr
  datachain schema diff ai@latest ai@latest-beta --documents documents`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON, formatMarkdown)
	locale := localeFlag(cmd, "language of titles, such as fr or pt-BR (default the first one of the version)")
	var documents []string
	flags.Add(cmd, flags.New("documents", "file or directory of documents to judge; can be repeated", flags.Repeated(&documents, func(at *string) *flags.Value { return flags.DirOr(at, "file|dir", "a file or a directory") })))
	from := c.Reads(cmd)
	cmd.ValidArgsFunction = completeVersions(from, 2)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		if len(documents) > 0 && *format == formatMarkdown {
			return nil, usage.Error(cmd, "--documents requires --format text or json")
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		changed, err := compareVersions(cmd.Context(), set, args[0], args[1], *locale)
		if err != nil {
			return nil, err
		}
		if len(documents) > 0 {
			docs, err := from.Documents(cmd, documents)
			if err != nil {
				return nil, err
			}
			return effectOn(cmd.Context(), c, changed, docs)
		}
		r := changed.Report
		breaking := len(r.With(diff.Breaking))
		a := &diffAnswer{
			Outcome: console.Outcome{OK: breaking == 0}, Breaking: breaking, Notable: len(r.With(diff.Notable)),
			Compatible: len(r.With(diff.Compatible)), Warnings: len(r.Warnings()), Report: r,
		}
		switch *format {
		case formatText:
			err = changes.Write(cmd.Context(), &a.text, changed.Set, changed.notes.Locale, c.OutStyle())
		case formatMarkdown:
			err = changed.WriteNotes(cmd.Context(), &a.text, &changed.notes)
		}
		return a, err
	})
	return cmd
}

func (a *diffAnswer) print(c *console.Console, format string) error {
	text := a.text.String()
	if format == formatText {
		text = report.Wrap(text, c.OutWidth())
	}
	return c.Printf("%s", text)
}

// effectAnswer is the output of `datachain schema diff --documents --format json`.
type effectAnswer struct {
	*changes.Effect
	comparison *comparison
}

func (a *effectAnswer) Good() bool { return a.OK }

func (a *effectAnswer) print(c *console.Console, _ string) error {
	text := a.Text(a.comparison.Set, a.comparison.notes.Locale, c.OutStyle())
	return c.Printf("%s", report.Wrap(text, c.OutWidth()))
}

// comparison is the changes between two versions.
type comparison struct {
	*diff.Set
	impact *diff.Impact // of documents
	notes  diff.NotesOptions
}

// compareVersions compares two versions.
func compareVersions(ctx context.Context, set *stores.Set, before, after, locale string) (*comparison, error) {
	older, err := set.Open(ctx, before)
	if err != nil {
		return nil, err
	}
	newer, err := set.Open(ctx, after)
	if err != nil {
		return nil, err
	}
	if a, b := older.Release().Version(), newer.Release().Version(); a.Type() != b.Type() {
		return nil, advice.Add(fmt.Errorf("%s and %s are versions of different datachain types, so they can't be compared", a, b), "Name two versions of %s.", b.Type())
	}
	if locale, err = releaseLocale(newer.Release(), locale); err != nil {
		return nil, err
	}
	locale = cmp.Or(locale, newer.Release().Locales()[0])
	x, err := set.Versions(ctx)
	if err != nil {
		return nil, err
	}
	entry, _ := x.Lookup(newer.Release().Version().Ref())
	report, err := diff.Compare(older.Release(), newer.Release(), &diff.Options{Interrupt: ctx.Err, Between: upgrade.Between(ctx, set.Service, older.Release(), newer.Release())})
	if err != nil {
		return nil, err
	}
	return &comparison{
		diff.NewSet(older.Release(), newer.Release(), report), diff.NewImpact(older.Release(), newer.Release(), report),
		diff.NotesOptions{Locale: locale, Released: entry.Released},
	}, nil
}

// effectOn returns what changes do to documents. Those that can't be read are skipped.
func effectOn(ctx context.Context, c *console.Console, changed *comparison, docs []inputs.Input) (*effectAnswer, error) {
	files := make([]changes.EffectFile, len(docs))
	err := inParallel(ctx, c, "checking", len(docs), func(i int) error {
		name := filepath.ToSlash(docs[i].Name)
		read, err := docs[i].Read(c.Stdin)
		if err != nil {
			files[i] = changes.EffectFile{File: name, Outcome: diff.Skipped, Reason: err.Error()}
			return nil //nolint:nilerr // it is the reason
		}
		files[i], err = changes.EffectOn(changed.impact, name, read.Text)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &effectAnswer{changes.NewEffect(changed.Report, files), changed}, nil
}
