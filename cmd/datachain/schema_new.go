package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/usage"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// newAnswer is the output of `datachain schema new --format json`.
type newAnswer struct {
	outcome
	Version taxonomy.Version `json:"version"`
	// From is the version that was copied; a new type has none.
	From   taxonomy.Version `json:"from,omitzero"`
	Folder string           `json:"folder"`
	Files  []string         `json:"files"`
}

func (p *program) newCommand() *cobra.Command {
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
	format := formatFlag(cmd, formatText, formatJSON)
	p.Require(cmd, nil, "schemas")
	day := dateFlag(cmd, "date of the version (default today)")
	var from string
	flags.Add(cmd, flags.New("from", "version to copy (default the newest one of the type)", flags.Version(&from).
		Completed(p.completeSource(func([]string) (location.Location, error) { return location.Location{Schemas: p.schemas()}, nil }))))
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		if !ident.IsID(args[0]) {
			return nil, usage.Error(cmd, "TYPE must be 1 to %d letters, digits, '_' and '-', not %q", ident.MaxIDLength, args[0])
		}
		v, err := taxonomy.NewVersion(args[0], cmp.Or(*day, p.now().Format(time.DateOnly)), taxonomy.Beta)
		if err != nil {
			return nil, err
		}
		return p.draft(cmd.Context(), p.schemas(), v, from)
	})
	return cmd
}

func (a *newAnswer) print(p *program, _ string) error {
	drafted := a.Version.String()
	if !a.From.IsZero() {
		drafted += " from " + a.From.String()
	}
	return p.printf("Drafted %s: %s in %s.\n\nEdit them, then run\n  datachain schema lint %s\n",
		drafted, wording.Count(len(a.Files), "file"), a.Folder, a.Folder)
}

// draft writes a new version into a source, which is created if it does not exist.
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
	files := write.Starter(v)
	if !base.IsZero() {
		if files, err = write.Draft(a.Root.FS(), base); err != nil {
			return nil, err
		}
	}
	if err := a.Install(ctx, sources.Addition{ID: v, Files: files}, func(fs.FS) error { return nil }); err != nil {
		return nil, err
	}
	return &newAnswer{outcome: outcome{true}, Version: v, From: base, Folder: a.Shown(source.Directory(v)), Files: slices.Sorted(maps.Keys(files))}, nil
}

// draftBase returns the version to copy: the one of --from, else the newest of the type, or none
// for a new type.
func draftBase(a *sources.Source, v taxonomy.Version, typed string) (taxonomy.Version, error) {
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
func (p *program) openOrMake(typed string) (*sources.Source, error) {
	a, err := p.openSource(typed)
	if !errors.Is(err, sources.ErrNoDir) && !errors.Is(err, sources.ErrNoSource) {
		return a, err
	}
	if err := os.MkdirAll(p.path(typed), 0o777); err != nil {
		return nil, fmt.Errorf("--schemas %s: %s", typed, wording.Reason(err))
	}
	root, err := os.OpenRoot(p.path(typed))
	if err != nil {
		return nil, fmt.Errorf("--schemas %s: %s", typed, wording.Reason(err))
	}
	p.atEnd(func() { _ = root.Close() }) // files are closed already
	return sources.New(root, p.dir, typed), nil
}
