package command

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// translationAnswer is the output of `datachain schema import po --format json`.
type translationAnswer struct {
	console.Outcome
	Version      taxonomy.Version      `json:"version"`
	Language     string                `json:"language"`
	Translations []translation.Change  `json:"translations"`
	Skipped      []translation.Skipped `json:"skipped"`
	Files        []string              `json:"files"`
	Written      bool                  `json:"written"`
	// Issues are the errors that the source would have.
	Issues issue.Issues `json:"issues"`

	file  string
	edits *sources.Edits
}

func schemaExportPOCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "po VERSION --locale LANGUAGE",
		Short: "Write the texts of a version for translators",
		Long: `Write every text of a version with its translation into one language as a PO file of
GNU gettext, which translation tools read. 'datachain schema import po' takes the
translations from it. A text without a translation has an empty one.

A translation that is older than its original is marked as fuzzy, with the text that was
translated. Originals are compared as by 'datachain schema translations': with the newest
older stable version of the type, or what --against names.

VERSION is a version id or an alias. The language must be one
of its locales.`,
		Example: `  datachain schema export po ai@latest-beta --schemas schemas --locale fr -o fr.po`,
	}
	from := c.Reads(cmd)
	out, against := outFlag(cmd, "po"), againstFlag(cmd)
	var locale string
	flags.Add(cmd, flags.New("locale", "language to translate into", flags.Locale(&locale)))
	flags.Require(cmd, "locale")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return exportCatalog(cmd, c, from, args[0], locale, *against, *out)
	}
	return cmd
}

func schemaExportPOTCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pot VERSION",
		Short: "Write the texts of a version as a template for translators",
		Long: `Write every text of a version in its first language as a template (POT) of GNU gettext,
from which translation tools begin or update the PO file of a language.

Comments say where a text is shown, and what authors are told about it.

VERSION is a version id or an alias.`,
		Example: `  datachain schema export pot ai@latest-beta --schemas schemas -o ai.pot
  msgmerge --update fr.po ai.pot`,
	}
	from := c.Reads(cmd)
	out := outFlag(cmd, "pot")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return exportCatalog(cmd, c, from, args[0], "", "", *out)
	}
	return cmd
}

// exportCatalog writes the texts of a version for translation into a language or, without one, as
// a template. Its date is the release date of the version, or else the one in its id.
func exportCatalog(cmd *cobra.Command, c *console.Console, from *console.Versions, typed, locale, against, out string) error {
	ctx := cmd.Context()
	set, err := from.Open(ctx)
	if err != nil {
		return err
	}
	r, err := console.ReleaseOf(cmd, set, typed)
	if err != nil {
		return err
	}
	if locale, err = releaseLocale(r, locale); err != nil {
		return err
	}
	var stale map[string]string
	switch locale {
	case "":
	case r.Locales()[0]:
		return fmt.Errorf("--locale %s: is the language that is translated from", locale)
	default:
		base, err := openBaseline(ctx, from, against, set.Store)
		if err != nil {
			return err
		}
		old, err := console.Await(ctx, func() (*taxonomy.Release, error) { return base.Release(ctx, r.Version()) })
		if err != nil {
			return err
		}
		stale = translation.Check(r, old).Before(locale)
	}
	x, err := set.Store.Index(ctx)
	if err != nil {
		return err
	}
	e, _ := x.Lookup(r.Version().Ref())
	f := translation.NewCatalog(write.FromRelease(r), locale, stale)
	f.Version, f.Date = r.Version().String(), cmp.Or(e.Released, r.Version().Date())
	about := wording.Count(len(f.Entries), "text")
	if locale != "" {
		missing, fuzzy := f.Left()
		about = report.Counted(about, report.Amount{N: missing, State: "without a translation"}, report.Amount{N: fuzzy, State: "older than the original"})
	}
	return c.WriteResult(out, f.Text(), about)
}

func schemaImportPOCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "po FILE --into DIR",
		Short: "Take translations from a PO file",
		Long: `Take translations from a PO file that 'datachain schema export po' wrote, and show as a
diff what they change in a schema source. Use --write to change the files.

A translation changes that text in its file, and nothing else. Entries without a
translation, entries that are marked as fuzzy and those whose original has changed since
are skipped and listed.

FILE is the PO file; - is standard input. DIR is the directory of a version, or one above
if it has a single version or --schema-version names one.

The exit code is 1 if the result would have errors.`,
		Example:           `  datachain schema import po fr.po --into schemas/ai/2026-12-01-beta --write`,
		ValidArgsFunction: completeFiles("po"),
	}
	o := editFlags(c, cmd)
	cmd.RunE = answers(c, o.format, func(cmd *cobra.Command, args []string) (answer, error) { return importPO(cmd.Context(), c, args[0], o) })
	return cmd
}

// importPO reads a PO file and, with --write, makes the changes.
func importPO(ctx context.Context, c *console.Console, typed string, o *editOptions) (*translationAnswer, error) {
	_, text, err := c.ReadInput(ctx, typed)
	if err != nil {
		return nil, err
	}
	file, err := translation.ParseCatalog(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", typed, err)
	}
	a, v, content, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := file.Plan(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", typed, err)
	}
	edits, err := planEdits(ctx, a, v, plan.Source(), func(after *write.Authored) error { return plan.Check(content, after) })
	if err != nil {
		return nil, err
	}
	answer := &translationAnswer{
		Outcome: console.Outcome{OK: len(edits.Issues) == 0}, Version: v, Language: file.Language, file: typed, edits: edits,
		Translations: append([]translation.Change{}, plan.Translations...), Skipped: append([]translation.Skipped{}, plan.Skipped...),
		Files: edits.Shown(), Issues: append(issue.Issues{}, edits.Issues...),
	}
	answer.Written, err = o.apply(edits)
	return answer, err
}

// print prints the changes, and what was skipped.
func (a *translationAnswer) print(c *console.Console, _ string) error {
	for _, k := range a.Skipped {
		c.Say("%s:%d: %s: skipped: %s", a.file, k.Line, k.Context, k.Reason)
	}
	summary := fmt.Sprintf("%s changed in %s", wording.Count(len(a.Translations), "translation"), wording.Count(len(a.Files), "file"))
	return printEdits(c, a.edits, a.OK, a.Written, summary)
}
