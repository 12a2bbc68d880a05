package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/datachain/internal/dtpr"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/translation"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (p *program) schemaImportCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "import",
		Short: "Import a taxonomy, a table of elements or translations",
		Long:  "Import a taxonomy from another format, or changes that were made elsewhere, into a schema source.",
	}, p.importDTPRCommand(), p.importCSVCommand(), p.importPOCommand())
}

// importOptions are the flags of `datachain schema import dtpr`.
type importOptions struct {
	out       string
	overwrite bool
	format    *string
	dtpr.Options
}

// importAnswer is the output of `datachain schema import dtpr --format json`.
type importAnswer struct {
	findingsAnswer
	Out      string            `json:"out"`
	Versions []importedVersion `json:"versions"`
	Notes    []dtpr.Note       `json:"notes"`
}

type importedVersion struct {
	ID         taxonomy.Version `json:"id"`
	From       string           `json:"from"`
	Folder     string           `json:"folder"`
	Categories int              `json:"categories"`
	Elements   int              `json:"elements"`
	Symbols    int              `json:"symbols"`
}

func (p *program) importDTPRCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dtpr DIR --out DIR",
		Short: "Import taxonomies of the DTPR family",
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

The exit code is 1 if the result has lint errors, or if an element, a category, a symbol
or a file was lost, which the report lists first.`,
		Example: `  datachain schema import dtpr dtpr/api/schemas --out schemas
  datachain schema import dtpr dtpr/app --out schemas --date 2025-08-29 --status stable`,
		ValidArgsFunction: completeDir,
	}
	o := &importOptions{format: formatFlag(cmd, formatText, formatJSON)}
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
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.importDTPR(cmd.Context(), args[0], o) }
	return cmd
}

// importDTPR imports a tree, writes the result and prints the report.
func (p *program) importDTPR(ctx context.Context, dir string, o *importOptions) error {
	if !o.overwrite {
		if err := files.Vacant(p.path(o.out), ", or use --overwrite to replace versions in it"); err != nil {
			return fmt.Errorf("--out %s: %w", o.out, err)
		}
	}
	root, err := os.OpenRoot(p.path(dir))
	if err != nil {
		return fmt.Errorf("%s: %s", dir, wording.Reason(err))
	}
	defer func() { _ = root.Close() }() // only read
	o.Interrupt = ctx.Err
	imported, err := await(ctx, func() (*dtpr.Imported, error) { return dtpr.Import(root.FS(), &o.Options) })
	if err != nil {
		return p.importHint(dir, err)
	}
	answer := importAnswer{Out: o.out, Notes: imported.Notes}
	added := make([]sources.Addition, len(imported.Versions))
	for i, v := range imported.Versions {
		added[i] = sources.Addition{ID: v.ID, Files: v.Files()}
		answer.Versions = append(answer.Versions, importedVersion{
			v.ID, v.From, filepath.ToSlash(filepath.Join(o.out, filepath.FromSlash(source.Directory(v.ID)))),
			len(v.Source.Categories), len(v.Source.Elements), len(v.Source.Symbols),
		})
	}
	var tree *source.Tree
	err = sources.Add(ctx, p.path(o.out), added, func(written fs.FS) error {
		tree, err = await(ctx, func() (*source.Tree, error) { return source.CompileAll(written, nil) })
		return err
	})
	if err != nil {
		return fmt.Errorf("--out %s: %w", o.out, err)
	}
	a, err := p.openSource(o.out)
	if err != nil {
		return err
	}
	answer.findingsAnswer = newFindingsAnswer(a, tree)
	lost := slices.ContainsFunc(answer.Notes, func(n dtpr.Note) bool { return n.Kind == dtpr.Lost })
	answer.OK = answer.OK && !lost
	for i := range answer.Notes {
		answer.Notes[i].Position.File = filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(answer.Notes[i].Position.File)))
	}
	return p.answer(*o.format, answer, answer.OK, func() error { return p.printImport(&answer, a.Report(tree.Issues().With("error"))) })
}

// importHint adds what to do about an error.
func (p *program) importHint(dir string, err error) error {
	switch {
	case errors.Is(err, dtpr.ErrVersionUnknown):
		return advise(fmt.Errorf("%s: %w", dir, err), "Give the missing parts with --type, --date and --status.")
	case errors.Is(err, dtpr.ErrNoTaxonomy):
		return fmt.Errorf("%s: %w", dir, err)
	}
	return err
}

// printImport prints what was imported, with the notes that are alike together.
func (p *program) printImport(a *importAnswer, failures *report.Report) error {
	if err := p.printf("%s", dtpr.NotesText(a.Notes, p.outStyle())); err != nil {
		return err
	}
	if err := report.Text(p.stdout, failures, &report.Options{Color: bool(p.outStyle()), Group: true}); err != nil {
		return err
	}
	rows := [][]string{{"VERSION", "ELEMENTS", "CATEGORIES", "SYMBOLS", "DIRECTORY"}}
	for _, v := range a.Versions {
		rows = append(rows, []string{v.ID.String(), fmt.Sprint(v.Elements), fmt.Sprint(v.Categories), fmt.Sprint(v.Symbols), v.Folder})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	return p.printf("\n%s; lint: %s\n", dtpr.Summary(a.Notes), a.summary())
}

// tableAnswer is the output of `datachain schema import csv --format json`.
type tableAnswer struct {
	OK       bool                       `json:"ok"`
	Version  taxonomy.Version           `json:"version"`
	Changes  []translation.CellChange   `json:"changes"`
	Added    []string                   `json:"added"`
	Removed  []string                   `json:"removed"`
	Files    []string                   `json:"files"`
	Written  bool                       `json:"written"`
	Findings []translation.TableFinding `json:"findings"`
	// Issues are the errors that the source would have. Findings has them, too, if
	// they are about a cell of the table.
	Issues issue.Issues `json:"issues"`
}

func (p *program) importCSVCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "csv FILE --into DIR",
		Short: "Take changes of elements from a table",
		Long: `Take changes of elements from a table that 'datachain schema export csv' wrote and that
was edited since, and show as a diff what they change in a schema source. Use --write to
change the files.

A changed cell changes that text in its file, and nothing else; an emptied one removes it.
A row with a new id adds an element in a file of its own. Elements without a row are kept
unless --prune is set. Texts of missing columns are kept, and unknown columns are
ignored.

FILE is CSV in UTF-8 with commas, semicolons or tabs; - is standard input. DIR is the
directory of a version, or one above if it has a single version or --schema-version names
one. Nothing is written if the result has errors.

The exit code is 1 if the table has problems, or if the result would have errors.`,
		Example: `  datachain schema import csv ai.csv --into schemas/ai/2026-12-01-beta
  datachain schema import csv ai.csv --into schemas --schema-version ai@latest-beta --write`,
	}
	o := p.editFlags(cmd)
	prune := switchFlag(cmd, "prune", "remove elements that the table does not have")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.importCSV(cmd.Context(), args[0], o, *prune) }
	return cmd
}

// importCSV reads a table, and shows or makes the changes.
func (p *program) importCSV(ctx context.Context, typed string, o *editOptions, prune bool) error {
	_, text, err := p.readOne(ctx, typed)
	if err != nil {
		return err
	}
	a, v, content, err := p.openEdited(ctx, o)
	if err != nil {
		return err
	}
	now := translation.NewTable(content)
	answer := &tableAnswer{Version: v, Changes: []translation.CellChange{}, Added: []string{}, Removed: []string{}, Files: []string{}, Findings: []translation.TableFinding{}, Issues: issue.Issues{}}
	read, found := translation.ReadTable(text)
	plan, more := read.Plan(now, &translation.PlanOptions{Prune: prune})
	answer.Findings = append(append(answer.Findings, found...), more...)
	answer.OK = !slices.ContainsFunc(answer.Findings, func(f translation.TableFinding) bool { return !f.Ignored })
	var edits *sources.Edits
	if answer.OK {
		answer.Changes, answer.Added, answer.Removed = append(answer.Changes, plan.Changes...), append(answer.Added, plan.Added...), append(answer.Removed, plan.Removed...)
		edits, err = planEdits(ctx, a, v, plan.Source(), func(after *write.Authored) error { return plan.Check(now, translation.NewTable(after)) })
		if err != nil {
			p.sayFindings(typed, answer.Findings)
			return err
		}
		answer.Files, answer.Issues = edits.Shown(), append(answer.Issues, edits.Issues...)
		answer.OK = len(edits.Issues) == 0
		if answer.Written, err = o.apply(edits); err != nil {
			return err
		}
		edits.Issues = slices.DeleteFunc(edits.Issues, func(i issue.Issue) bool {
			f, inTable := plan.Finding(edits.Files, i)
			if inTable {
				answer.Findings = append(answer.Findings, f)
			}
			return inTable
		})
	}
	return p.answer(*o.format, answer, answer.OK, func() error {
		p.sayFindings(typed, answer.Findings)
		return p.printTable(a, edits, answer)
	})
}

func (p *program) sayFindings(typed string, findings []translation.TableFinding) {
	for _, f := range findings {
		p.say("%s: %s", typed, f)
	}
}

// printTable prints the changes, and how many there are.
func (p *program) printTable(a *sources.Source, s *sources.Edits, answer *tableAnswer) error {
	summary := strings.TrimPrefix(counted("", amount{len(answer.Changes), "changed"}, amount{len(answer.Added), "added"}, amount{len(answer.Removed), "removed"}), ", ") +
		" in " + wording.Count(len(answer.Files), "file")
	if err := p.sumUp(s, answer.OK, answer.Written, summary); err != nil {
		return err
	}
	if len(answer.Removed) > 0 && answer.Written {
		p.say("If older versions have what was removed, record what became of it: 'datachain schema evolve %s --schemas %s' proposes entries.", answer.Version.Type(), a.Shown("."))
	}
	return nil
}

// translationAnswer is the output of `datachain schema import po --format json`.
type translationAnswer struct {
	OK           bool                  `json:"ok"`
	Version      taxonomy.Version      `json:"version"`
	Language     string                `json:"language"`
	Translations []translation.Change  `json:"translations"`
	Skipped      []translation.Skipped `json:"skipped"`
	Files        []string              `json:"files"`
	Written      bool                  `json:"written"`
	// Issues are the errors that the source would have.
	Issues issue.Issues `json:"issues"`
}

func (p *program) exportPOCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "po VERSION --locale LANGUAGE",
		Short: "Write the texts of a version for translators",
		Long: `Write every text of a version with its translation into one language as a PO file of
GNU gettext, which translation tools read. 'datachain schema import po' takes the
translations from it. A text without a translation has an empty one.

A translation that is older than its original is marked as fuzzy, with the text that was
translated. Originals are compared as by 'datachain schema translations': with the newest
older stable version of the type, or what --against names.

VERSION is a version id or an alias; see --schemas and --store. The language must be one
of its locales.`,
		Example: `  datachain schema export po ai@latest-beta --schemas schemas --locale fr -o fr.po`,
	}
	p.reads(cmd)
	out, against := outFlag(cmd, "po"), againstFlag(cmd)
	var locale string
	flags.Add(cmd, flags.New("locale", "language to translate into", flags.Locale(&locale)))
	flags.Require(cmd, "locale")
	cmd.ValidArgsFunction = p.completeVersions(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.exportCatalog(cmd, args[0], locale, *against, *out)
	}
	return cmd
}

func (p *program) exportPOTCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pot VERSION",
		Short: "Write the texts of a version as a template for translators",
		Long: `Write every text of a version in its first language as a template (POT) of GNU gettext,
from which translation tools begin or update the PO file of a language.

Comments say where a text is shown, how long it may be, and what authors are told about it.

VERSION is a version id or an alias; see --schemas and --store.`,
		Example: `  datachain schema export pot ai@latest-beta --schemas schemas -o ai.pot
  msgmerge --update fr.po ai.pot`,
	}
	p.reads(cmd)
	out := outFlag(cmd, "pot")
	cmd.ValidArgsFunction = p.completeVersions(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.exportCatalog(cmd, args[0], "", "", *out)
	}
	return cmd
}

// exportCatalog writes the texts of a version for translators into a language or, without one, a
// template. It is of the day on which the version was released, or else that in its id.
func (p *program) exportCatalog(cmd *cobra.Command, typed, locale, against, out string) error {
	ctx := cmd.Context()
	schemas, err := p.open(ctx)
	if err != nil {
		return err
	}
	r, err := schemas.release(cmd, typed)
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
		base, err := p.openBaseline(ctx, against, schemas.store)
		if err != nil {
			return err
		}
		old, err := await(ctx, func() (*taxonomy.Release, error) { return base.Release(ctx, r.Version()) })
		if err != nil {
			return err
		}
		stale = translation.Check(r, old).Before(locale)
	}
	x, err := schemas.store.Index(ctx)
	if err != nil {
		return err
	}
	e, _ := x.Lookup(r.Version().Ref())
	f := translation.NewCatalog(write.FromRelease(r), locale, stale)
	f.Version, f.Date = r.Version().String(), cmp.Or(e.Released, r.Version().Date())
	about := wording.Count(len(f.Entries), "text")
	if locale != "" {
		missing, fuzzy := f.Left()
		about = counted(about, amount{missing, "without a translation"}, amount{fuzzy, "older than the original"})
	}
	return p.writeResult(out, f.Text(), about)
}

func (p *program) importPOCommand() *cobra.Command {
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
		Example: `  datachain schema import po fr.po --into schemas/ai/2026-12-01-beta --write`,
	}
	o := p.editFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.importPO(cmd.Context(), args[0], o) }
	return cmd
}

// importPO reads a PO file, and shows or makes the changes.
func (p *program) importPO(ctx context.Context, typed string, o *editOptions) error {
	_, text, err := p.readOne(ctx, typed)
	if err != nil {
		return err
	}
	file, err := translation.ParseCatalog(text)
	if err != nil {
		return fmt.Errorf("%s: %w", typed, err)
	}
	a, v, content, err := p.openEdited(ctx, o)
	if err != nil {
		return err
	}
	plan, err := file.Plan(content)
	if err != nil {
		return fmt.Errorf("%s: %w", typed, err)
	}
	edits, err := planEdits(ctx, a, v, plan.Source(), func(after *write.Authored) error { return plan.Check(content, after) })
	if err != nil {
		return err
	}
	answer := &translationAnswer{
		OK: len(edits.Issues) == 0, Version: v, Language: file.Language,
		Translations: append([]translation.Change{}, plan.Translations...), Skipped: append([]translation.Skipped{}, plan.Skipped...),
		Files: edits.Shown(), Issues: append(issue.Issues{}, edits.Issues...),
	}
	if answer.Written, err = o.apply(edits); err != nil {
		return err
	}
	return p.answer(*o.format, answer, answer.OK, func() error { return p.printTranslations(typed, edits, answer) })
}

// printTranslations prints the changes, and what was skipped.
func (p *program) printTranslations(typed string, s *sources.Edits, answer *translationAnswer) error {
	for _, k := range answer.Skipped {
		p.say("%s:%d: %s: skipped: %s", typed, k.Line, k.Context, k.Reason)
	}
	summary := fmt.Sprintf("%s changed in %s", wording.Count(len(answer.Translations), "translation"), wording.Count(len(answer.Files), "file"))
	return p.sumUp(s, answer.OK, answer.Written, summary)
}
