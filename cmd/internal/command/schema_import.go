package command

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/taxonomy"
)

// importOptions are the flags of `datachain schema import`.
type importOptions struct {
	into, version string
	fileType      string
	write, prune  bool
	from          *console.Versions
}

func schemaImportCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE --into DIR",
		Short: "Take changes from a table or a file of translations",
		Long: `Take changes from a file that 'datachain schema export' wrote and that was edited since, and
show as a diff what they change in a schema source. Use --write to change the files. A changed
text is changed in its file, and nothing else.

FILE is a table of elements (.csv) or a file of translations (.po). - is standard input, with
--type.

In a table, an emptied cell removes the text, and a row with a new id adds an element in a file
of its own. Elements without a row are kept unless --prune is set. Texts of missing columns are
kept, and unknown columns are ignored. A table is in UTF-8, with commas, semicolons or tabs.

In a file of translations, entries without a translation, entries that are marked as fuzzy and
those whose original has changed since are skipped and listed.

DIR is the directory of a version, or one above if it has a single version or --schema-version
names one. Nothing is written if the result has errors.

The exit code is 1 if a table has problems, or if the result would have errors.`,
		Example: `  datachain schema import ai.csv --into schemas/ai/2026-12-01-beta
  datachain schema import ai.csv --into schemas --schema-version ai@latest-beta --write
  datachain schema import fr.po --into schemas/ai/2026-12-01-beta --write`,
		ValidArgsFunction: completeFiles(formatCSV, formatPO),
	}
	format, o := console.FormatFlag(cmd, formatText, formatJSON), &importOptions{from: c.Versions()}
	flags.Add(cmd,
		flags.New("into", "schema source directory", flags.Dir(&o.into)),
		flags.New(versionFlagName, "version to change", flags.Version(&o.version).
			Completed(completeSource(o.from, func([]string) (stores.Location, error) { return stores.Location{Schemas: o.into}, nil }))),
		flags.New("type", "type of FILE (default its extension)", flags.OneOf(&o.fileType, formatCSV, formatPO)),
		flags.New("prune", "remove elements that a table does not have", flags.Switch(&o.prune)),
		flags.New("write", "change the files, instead of showing the changes", flags.Switch(&o.write)),
	)
	flags.Require(cmd, "into")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		if o.fileType == "" {
			o.fileType = strings.ToLower(strings.TrimPrefix(filepath.Ext(args[0]), "."))
		}
		switch {
		case o.fileType != formatCSV && o.fileType != formatPO:
			return nil, usage.Error(cmd, "FILE must have the extension .csv or .po unless --type is given, not %q", args[0])
		case o.prune && o.fileType != formatCSV:
			return nil, usage.Error(cmd, "--prune requires a table")
		}
		d, text, err := c.ReadInput(cmd.Context(), args[0])
		if err != nil {
			return nil, err
		}
		if o.fileType == formatCSV {
			return importTable(cmd.Context(), c, d.Name, text, o)
		}
		return importCatalog(cmd.Context(), d.Name, text, o)
	})
	return cmd
}

// open opens the source and the version that are to be changed, which must be valid
// but for the elements that its categories need.
func (o *importOptions) open(ctx context.Context) (*sources.Source, taxonomy.Version, *write.Authored, error) {
	a, err := o.from.OpenSource(stores.Location{Schemas: o.into})
	if err != nil {
		return nil, taxonomy.Version{}, nil, err
	}
	a.Freeze()
	v, err := a.One(o.version)
	if err != nil {
		return nil, taxonomy.Version{}, nil, err
	}
	c, err := console.Await(ctx, func() (*source.Compiled, error) { return a.Unfinished(v) })
	if err != nil {
		return nil, v, nil, err
	}
	return a, v, write.FromRelease(c.Release), nil
}

// planEdits makes changes in memory. The check looks at the result if it is valid.
func planEdits(ctx context.Context, a *sources.Source, v taxonomy.Version, changes *edit.Changes, check func(after *write.Authored) error) (*sources.Edits, error) {
	e, err := console.Await(ctx, func() (*sources.Edits, error) { return a.Edit(v, changes) })
	if err != nil || len(e.Issues) > 0 {
		return e, err
	}
	return e, check(write.FromRelease(e.Release))
}

// apply makes the changes with --write if they cause no errors, and reports whether it did.
func (o *importOptions) apply(e *sources.Edits) (written bool, err error) {
	if !o.write || len(e.Issues) > 0 {
		return false, nil
	}
	return len(e.Files) > 0, e.Write()
}

// printEdits prints the changes unless they were written, and a summary.
func printEdits(c *console.Console, e *sources.Edits, ok, written bool, summary string) error {
	if e != nil && !written {
		if err := c.Printf("%s", e.Diff(c.OutStyle())); err != nil {
			return err
		}
		for _, i := range e.Issues {
			c.PrintError("%s", i)
		}
	}
	switch {
	case !ok:
		c.PrintError("nothing was changed")
		return nil
	case len(e.Files) == 0:
		summary = "nothing to change"
	case !written:
		summary += "; use --write to change the files"
	}
	return c.Printf("%s\n", summary)
}
