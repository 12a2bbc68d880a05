package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain-dtpr/internal/dtpr"
	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// importOptions are the flags of `datachain-dtpr schema`.
type importOptions struct {
	out       string
	overwrite bool
	dtpr.Options
}

// importAnswer is the output of `datachain-dtpr schema --format json`.
type importAnswer struct {
	console.Findings
	Out      string            `json:"out"`
	Versions []importedVersion `json:"versions"`
	Notes    []dtpr.Note       `json:"notes"`

	report *report.Report
}

type importedVersion struct {
	ID         taxonomy.Version `json:"id"`
	From       string           `json:"from"`
	Folder     string           `json:"folder"`
	Categories int              `json:"categories"`
	Elements   int              `json:"elements"`
	Symbols    int              `json:"symbols"`
}

func (p *program) schemaCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema DIR --out DIR",
		Short: "Import taxonomies",
		Long: `Import the taxonomies of a DTPR source tree as schema source, and report everything
that was lost, changed, filled in or dropped, with its position. If sources cite articles
of laws, mappings to them are proposed, as comments at the ends of files.

DIR is the directory of a version, or any directory above: every version below it is
imported. The older layout, Markdown files for each language, does not say which version
it is: give --date if its files have no dates, and --type if they name no datachain type
(default the name of the directory).

The directory of --out must be empty or not exist. With --overwrite, versions that it
has already are replaced; other files are not changed. Nothing is written if the import
fails.

The exit code is 1 if the result has lint errors, or if an element, a category, a symbol,
a file or the context of an element was lost, which the report lists first.`,
		Example: `  datachain-dtpr schema dtpr/api/schemas --out schemas
  datachain-dtpr schema dtpr/app --out schemas --date 2025-08-29 --status stable`,
	}
	format, o := console.FormatFlag(cmd, console.FormatText, console.FormatJSON), new(importOptions)
	flags.Add(cmd,
		flags.New("out", "write the schema source into this directory", flags.Dir(&o.out).Letter("o")),
		flags.New("overwrite", "replace versions that the directory of --out has already", flags.Switch(&o.overwrite)),
		flags.New("date", "date of versions without one", flags.Date(&o.Date)),
		flags.New("type", "datachain type of a taxonomy without one", flags.TypeID(&o.Type)),
		flags.New("status", "status of versions without one", flags.OneOf((*string)(&o.Status), string(taxonomy.Beta), string(taxonomy.Stable)).Default(string(taxonomy.Beta))),
		flags.New("licence", "licence of the taxonomy", flags.Text(&o.Licence, "licence", "an SPDX expression or a URL")),
		flags.New("attribution", "credit for the taxonomy", flags.Text(&o.Attribution, "credit", "a text")),
	)
	flags.Require(cmd, "out")
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := p.importSchemas(cmd.Context(), args[0], o)
		if err != nil {
			return err
		}
		return p.PrintAnswer(a, *format, func() error { return a.print(p) })
	}
	return cmd
}

// importSchemas imports a tree and writes the result.
func (p *program) importSchemas(ctx context.Context, dir string, o *importOptions) (*importAnswer, error) {
	if !o.overwrite {
		if err := files.Vacant(p.Path(o.out), ", or use --overwrite to replace versions in it"); err != nil {
			return nil, fmt.Errorf("--out %s: %w", o.out, err)
		}
	}
	root, err := os.OpenRoot(p.Path(dir))
	if err != nil {
		return nil, fmt.Errorf("%s: %s", dir, wording.Reason(err))
	}
	defer func() { _ = root.Close() }() // only read
	o.Interrupt = ctx.Err
	imported, err := console.Await(ctx, func() (*dtpr.Imported, error) { return dtpr.Import(root.FS(), &o.Options) })
	if err != nil {
		return nil, importHint(dir, err)
	}
	answer := &importAnswer{Out: o.out, Notes: imported.Notes}
	added := make([]sources.Addition, len(imported.Versions))
	for i, v := range imported.Versions {
		added[i] = sources.Addition{ID: v.ID, Files: v.Files()}
		answer.Versions = append(answer.Versions, importedVersion{
			v.ID, v.From, filepath.ToSlash(filepath.Join(o.out, filepath.FromSlash(source.Directory(v.ID)))),
			len(v.Source.Categories), len(v.Source.Elements), len(v.Source.Symbols),
		})
	}
	var tree *source.Tree
	err = sources.Add(ctx, p.Path(o.out), added, func(written fs.FS) error {
		tree, err = console.Await(ctx, func() (*source.Tree, error) { return source.CompileAll(written, nil) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("--out %s: %w", o.out, err)
	}
	a, err := p.Versions().OpenSource(stores.Location{Schemas: o.out})
	if err != nil {
		return nil, err
	}
	answer.Findings = console.NewFindings(a, tree)
	lost := slices.ContainsFunc(answer.Notes, func(n dtpr.Note) bool { return n.Kind == dtpr.Lost })
	answer.OK = answer.OK && !lost
	for i := range answer.Notes {
		answer.Notes[i].Position.File = filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(answer.Notes[i].Position.File)))
	}
	answer.report = a.Report(tree.Issues().With(issue.SeverityError))
	return answer, nil
}

// importHint adds what to do about an error.
func importHint(dir string, err error) error {
	switch {
	case errors.Is(err, dtpr.ErrVersionUnknown):
		return advice.Add(fmt.Errorf("%s: %w", dir, err), "Give the missing parts with --type, --date and --status.")
	case errors.Is(err, dtpr.ErrNoTaxonomy):
		return fmt.Errorf("%s: %w", dir, err)
	}
	return err
}

// print prints what was imported. Similar notes are grouped.
func (a *importAnswer) print(p *program) error {
	if err := p.Printf("%s", dtpr.NotesText(a.Notes, p.OutStyle())); err != nil {
		return err
	}
	if err := report.Text(p.Stdout, a.report, &report.Options{Color: bool(p.OutStyle()), Group: true}); err != nil {
		return err
	}
	rows := [][]string{{"VERSION", "ELEMENTS", "CATEGORIES", "SYMBOLS", "DIRECTORY"}}
	for _, v := range a.Versions {
		rows = append(rows, []string{v.ID.String(), fmt.Sprint(v.Elements), fmt.Sprint(v.Categories), fmt.Sprint(v.Symbols), v.Folder})
	}
	if err := p.Table(rows); err != nil {
		return err
	}
	return p.Printf("\n%s; lint: %s\n", dtpr.Summary(a.Notes), a.Summary())
}
