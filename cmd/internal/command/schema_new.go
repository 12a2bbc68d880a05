package command

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// schemaNewAnswer is the output of `datachain schema new --format json`.
type schemaNewAnswer struct {
	console.Outcome
	Version taxonomy.Version `json:"version"`
	// From is the version that was copied; a new type has none.
	From   taxonomy.Version `json:"from,omitzero"`
	Folder string           `json:"folder"`
	Files  []string         `json:"files"`
}

func schemaNewCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new TYPE",
		Short: "Start a taxonomy, or the next version of one",
		Long: `Start a taxonomy, which documents are written with, or the next version of one: draft a
beta version of a datachain type. It is a copy of the newest version, without the declared
aliases, or for a new type, a small taxonomy to start from. 'datachain new' starts a
document instead. --schemas is the source, which is created if it does not exist (default
the working directory).

With --from a version of another type, the new type is a copy of that version, to be
extended. It keeps the licence and credits the version, and nothing connects the two after
that; documents can follow with 'datachain upgrade --other-type'. The version is looked up in
the store that --store names, else in the source, else in the built-in samples.

Existing files are never overwritten.`,
		Example: `  datachain schema new ai --schemas schemas
  datachain schema new bikes --schemas schemas --date 2026-09-01
  datachain schema new lindenau-ai --from ai@2026-11-15-stable`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	in := c.Requires(cmd, nil, "schemas", "store", "samples", "s3-endpoint", "s3-region")
	day := dateFlag(cmd, "date of the version (default today)")
	var from string
	flags.Add(cmd, flags.New("from", "version to copy (default the newest one of the type)", flags.Version(&from).
		Completed(completeSource(in, func([]string) (stores.Location, error) { return in.Changed(), nil }))))
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		if !ident.IsID(args[0]) {
			return nil, usage.Error(cmd, "TYPE must be 1 to %d letters, digits, '_' and '-', not %q", ident.MaxIDLength, args[0])
		}
		v, err := taxonomy.NewVersion(args[0], cmp.Or(*day, c.Now().Format(time.DateOnly)), taxonomy.Beta)
		if err != nil {
			return nil, err
		}
		ref, _ := taxonomy.ParseRef(from) // a flag checks it
		switch other := from != "" && ref.Type() != v.Type(); {
		case other:
			return fork(cmd.Context(), c, in, v, from)
		case in.Location.Store != "" || in.Location.Samples:
			return nil, usage.Error(cmd, "--store and --samples require --from with a version of another type")
		}
		return draft(cmd.Context(), c, in, v, from)
	})
	return cmd
}

func (a *schemaNewAnswer) print(c *console.Console, _ string) error {
	drafted := a.Version.String()
	if !a.From.IsZero() {
		drafted += " from " + a.From.String()
	}
	return c.Printf("Drafted %s.\nIt has %s in %s.\n\nEdit them, then run\n  %s\n",
		drafted, wording.Count(len(a.Files), "file"), a.Folder, report.Command("schema", "lint", a.Folder))
}

// draft writes a new version into a source, which is created if it does not exist.
func draft(ctx context.Context, c *console.Console, in *console.Versions, v taxonomy.Version, from string) (*schemaNewAnswer, error) {
	a, err := openDrafts(c, in, from == "")
	if err != nil {
		return nil, err
	}
	base, files, err := a.Draft(ctx, v, from)
	if err != nil {
		return nil, err
	}
	return newSchemaAnswer(a, v, base, files), nil
}

// openDrafts opens the source to write into. It can be created if it does not exist.
func openDrafts(c *console.Console, in *console.Versions, create bool) (*sources.Source, error) {
	a, err := in.OpenSource(in.Changed())
	if create && (errors.Is(err, sources.ErrNoDir) || errors.Is(err, sources.ErrNoSource)) {
		if a, err = sources.Create(c.Dir, in.Changed().Schemas); err == nil {
			c.AtEnd(func() { _ = a.Root.Close() }) // files are closed already
		}
	}
	return a, err
}

func newSchemaAnswer(a *sources.Source, v, base taxonomy.Version, files []string) *schemaNewAnswer {
	return &schemaNewAnswer{Outcome: console.Outcome{OK: true}, Version: v, From: base, Folder: a.Shown(source.Directory(v)), Files: files}
}

// fork writes a copy of a version of another type into a source, which is created if it does not exist.
func fork(ctx context.Context, c *console.Console, in *console.Versions, v taxonomy.Version, from string) (*schemaNewAnswer, error) {
	base, err := forked(ctx, in, from)
	if err != nil {
		return nil, err
	}
	a, err := openDrafts(c, in, true)
	if err != nil {
		return nil, err
	}
	files, err := a.Fork(ctx, v, base)
	if err != nil {
		return nil, err
	}
	return newSchemaAnswer(a, v, base.Version(), files), nil
}

// forked opens the version to copy: in the store that was named, else in the source, else in the
// samples.
func forked(ctx context.Context, in *console.Versions, from string) (*taxonomy.Release, error) {
	l := in.Location
	if l.Store == "" && !l.Samples {
		l = stores.Location{Samples: true}
		if a, err := in.OpenSource(in.Changed()); err == nil {
			if _, err := a.Find(from); err == nil {
				l = in.Changed()
				l.By = in.Location.By
			}
		} else if !errors.Is(err, sources.ErrNoDir) && !errors.Is(err, sources.ErrNoSource) {
			return nil, err
		}
	}
	set, err := in.OpenAt(ctx, l, nil)
	if err != nil {
		return nil, err
	}
	schema, err := set.Open(ctx, from)
	if err != nil {
		return nil, err
	}
	return schema.Release(), nil
}
