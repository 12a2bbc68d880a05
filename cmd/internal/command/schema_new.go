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

Existing files are never overwritten.`,
		Example: `  datachain schema new ai --schemas schemas
  datachain schema new bikes --schemas schemas --date 2026-09-01`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	in := c.Requires(cmd, nil, "schemas")
	day := dateFlag(cmd, "date of the version (default today)")
	var from string
	flags.Add(cmd, flags.New("from", "version to copy (default the newest one of the type)", flags.Version(&from).
		Completed(completeSource(in, func([]string) (stores.Location, error) { return in.Changed(), nil }))))
	cmd.RunE = answers(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		if !ident.IsID(args[0]) {
			return nil, usage.Error(cmd, "TYPE must be 1 to %d letters, digits, '_' and '-', not %q", ident.MaxIDLength, args[0])
		}
		v, err := taxonomy.NewVersion(args[0], cmp.Or(*day, c.Now().Format(time.DateOnly)), taxonomy.Beta)
		if err != nil {
			return nil, err
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
	a, err := in.OpenSource(in.Changed())
	if from == "" && (errors.Is(err, sources.ErrNoDir) || errors.Is(err, sources.ErrNoSource)) {
		if a, err = sources.Create(c.Dir, in.Changed().Schemas); err == nil {
			c.AtEnd(func() { _ = a.Root.Close() }) // files are closed already
		}
	}
	if err != nil {
		return nil, err
	}
	base, files, err := a.Draft(ctx, v, from)
	if err != nil {
		return nil, err
	}
	return &schemaNewAnswer{Outcome: console.Outcome{OK: true}, Version: v, From: base, Folder: a.Shown(source.Directory(v)), Files: files}, nil
}
