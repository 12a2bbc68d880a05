package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
)

// newAnswer is the output of `datachain schema new --format json`.
type newAnswer struct {
	OK      bool             `json:"ok"`
	Version taxonomy.Version `json:"version"`
	// From is the version that was copied; a new type has none.
	From   taxonomy.Version `json:"from,omitzero"`
	Folder string           `json:"folder"`
	Files  []string         `json:"files"`
}

func (p *program) newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new TYPE",
		Short: "Draft a beta version of a datachain type",
		Long: `Draft a beta version of a datachain type: a copy of its newest version, without the
declared aliases, or for a new type, a small taxonomy to start from.

Existing files are never overwritten.`,
		Example: `  datachain schema new ai --schemas schemas
  datachain schema new bikes --schemas schemas --date 2026-09-01`,
		Args:              takes(1, "TYPE"),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	schemas := cmd.Flags().String("schemas", ".", "schema source `dir`ectory; created if it does not exist")
	day := dateFlag(cmd, "date of the version (default today)")
	from := cmd.Flags().String("from", "", "`version` to copy (default the newest one of the type)")
	dirFlag(cmd, "schemas")
	completeFlag(cmd, "from", p.completeSource(func([]string) (stores.Location, error) { return stores.Location{Schemas: *schemas}, nil }))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !taxonomy.ValidID(args[0]) {
			return badUsage(cmd, "invalid TYPE %q: must be 1 to %d letters, digits, '_' and '-'", args[0], taxonomy.MaxIDLength)
		}
		v, err := taxonomy.NewVersion(args[0], cmp.Or(*day, p.now().Format(time.DateOnly)), taxonomy.Beta)
		if err != nil {
			return err
		}
		answer, err := p.draft(cmd.Context(), *schemas, v, *from)
		if err != nil {
			return err
		}
		return p.answer(*format, answer, true, func() error {
			drafted := v.String()
			if !answer.From.IsZero() {
				drafted += " from " + answer.From.String()
			}
			_, err = fmt.Fprintf(p.stdout, "Drafted %s: %s in %s.\n\nEdit them, then run\n  datachain schema lint %s\n",
				drafted, prose.Count(len(answer.Files), "file"), answer.Folder, answer.Folder)
			return err
		})
	}
	return cmd
}

// draft writes a new version into a source, which may be new, too.
func (p *program) draft(ctx context.Context, schemas string, v taxonomy.Version, from string) (*newAnswer, error) {
	open := p.openOrMake
	if from != "" {
		open = p.openSource // which has it
	}
	a, err := open(schemas)
	if err != nil {
		return nil, err
	}
	base, err := draftBase(a, v, from)
	if err != nil {
		return nil, err
	}
	files := source.Starter(v)
	if !base.IsZero() {
		if files, err = source.Draft(a.Root.FS(), base, nil); err != nil {
			return nil, err
		}
	}
	if err := install(ctx, a.Root, v, files, nil); err != nil {
		return nil, err
	}
	return &newAnswer{OK: true, Version: v, From: base, Folder: a.Shown(stores.Folder(v)), Files: slices.Sorted(maps.Keys(files))}, nil
}

// draftBase returns the version that a new one is made from: the one that was typed,
// or the newest, or none for a new type.
func draftBase(a *stores.Source, v taxonomy.Version, typed string) (taxonomy.Version, error) {
	versions, _, err := source.Versions(a.Root.FS())
	if err != nil {
		return taxonomy.Version{}, err
	}
	if typed != "" {
		base, err := a.Find(typed)
		if err == nil && base.Type() != v.Type() {
			err = fmt.Errorf("--from %s: is of another datachain type than %s", typed, v.Type())
		}
		return base, err
	}
	for _, w := range versions { // the newest of a type comes first
		switch {
		case w.Type() == v.Type():
			return w, nil
		case strings.EqualFold(w.Type(), v.Type()):
			return taxonomy.Version{}, fmt.Errorf("the type %s is there already: %s differs from it only in case", w.Type(), v.Type())
		}
	}
	return taxonomy.Version{}, nil
}

// openOrMake opens the source that a directory is or belongs to, or creates one.
func (p *program) openOrMake(typed string) (*stores.Source, error) {
	a, err := p.openSource(typed)
	if !errors.Is(err, stores.ErrNoDir) && !errors.Is(err, stores.ErrNoSource) {
		return a, err
	}
	if err := os.MkdirAll(p.path(typed), 0o777); err != nil {
		return nil, fmt.Errorf("--schemas %s: %s", typed, reason(err))
	}
	root, err := os.OpenRoot(p.path(typed))
	if err != nil {
		return nil, fmt.Errorf("--schemas %s: %s", typed, reason(err))
	}
	p.atEnd(func() { _ = root.Close() }) // files are closed already
	return stores.NewSource(root, p.dir, typed), nil
}
