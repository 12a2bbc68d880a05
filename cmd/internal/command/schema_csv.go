package command

import (
	"context"
	"slices"

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

func schemaExportCSVCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "csv VERSION",
		Short: "Write the elements of a version as a table",
		Long: `Write the elements of a version as a table for spreadsheets: CSV in UTF-8, one row per
element. 'datachain schema import csv' takes changes from it.

The columns are id, category_id, symbol_id and order, then the texts of each language,
such as title:en, then the variables that elements have of their own. Successors and
sources are not part of the table.

VERSION is a version id or an alias.`,
		Example: `  datachain schema export csv ai@latest -o ai.csv
  datachain schema export csv ai@latest-beta --schemas schemas --locale fr -o french.csv`,
	}
	from := c.Reads(cmd)
	out, bom := outFlag(cmd, "csv"), switchFlag(cmd, "bom", "begin with a byte order mark, which Excel needs to recognize UTF-8")
	var locales []string
	flags.Add(cmd, flags.New("locale", "only this language, and the first one of the version; can be repeated", flags.List(&locales, flags.Locale)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := from.Release(cmd, args[0])
		if err != nil {
			return err
		}
		for i, l := range locales {
			if locales[i], err = releaseLocale(r, l); err != nil {
				return err
			}
		}
		t := translation.NewTable(write.FromRelease(r), locales...)
		text, err := t.CSV()
		if err != nil {
			return err
		}
		if *bom {
			text = append([]byte("\ufeff"), text...)
		}
		return c.WriteResult(*out, text, wording.Count(len(t.Rows), "element")+", "+wording.Count(len(t.Columns), "column"))
	}
	return cmd
}

// tableAnswer is the output of `datachain schema import csv --format json`.
type tableAnswer struct {
	console.Outcome
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

	file  string
	in    *sources.Source
	edits *sources.Edits
}

func schemaImportCSVCommand(c *console.Console) *cobra.Command {
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
		ValidArgsFunction: completeFiles("csv"),
	}
	o := editFlags(c, cmd)
	prune := switchFlag(cmd, "prune", "remove elements that the table does not have")
	cmd.RunE = answers(c, o.format, func(cmd *cobra.Command, args []string) (answer, error) {
		return importCSV(cmd.Context(), c, args[0], o, *prune)
	})
	return cmd
}

// importCSV reads a table and, with --write, makes the changes.
func importCSV(ctx context.Context, c *console.Console, typed string, o *editOptions, prune bool) (*tableAnswer, error) {
	_, text, err := c.ReadInput(ctx, typed)
	if err != nil {
		return nil, err
	}
	a, v, content, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	now := translation.NewTable(content)
	answer := &tableAnswer{
		Version: v, Changes: []translation.CellChange{}, Added: []string{}, Removed: []string{}, Files: []string{},
		Findings: []translation.TableFinding{}, Issues: issue.Issues{}, file: typed, in: a,
	}
	read, found := translation.ReadTable(text)
	plan, more := read.Plan(now, &translation.PlanOptions{Prune: prune})
	answer.Findings = append(append(answer.Findings, found...), more...)
	answer.OK = !slices.ContainsFunc(answer.Findings, func(f translation.TableFinding) bool { return !f.Ignored })
	if !answer.OK {
		return answer, nil
	}
	answer.Changes, answer.Added, answer.Removed = append(answer.Changes, plan.Changes...), append(answer.Added, plan.Added...), append(answer.Removed, plan.Removed...)
	edits, err := planEdits(ctx, a, v, plan.Source(), func(after *write.Authored) error {
		table := translation.NewTable(after)
		if f, differs := plan.Order(table); differs {
			answer.Findings = append(answer.Findings, f)
		}
		return plan.Check(now, table)
	})
	if err != nil {
		answer.sayFindings(c)
		return nil, err
	}
	answer.edits, answer.Files, answer.Issues = edits, edits.Shown(), append(answer.Issues, edits.Issues...)
	answer.OK = len(edits.Issues) == 0
	if answer.Written, err = o.apply(edits); err != nil {
		return nil, err
	}
	edits.Issues = slices.DeleteFunc(edits.Issues, func(i issue.Issue) bool {
		f, inTable := plan.Finding(edits.Files, i)
		if inTable {
			answer.Findings = append(answer.Findings, f)
		}
		return inTable
	})
	return answer, nil
}

func (a *tableAnswer) sayFindings(c *console.Console) {
	for _, f := range a.Findings {
		c.Say("%s: %s", a.file, f)
	}
}

// print prints the changes, and how many there are.
func (a *tableAnswer) print(c *console.Console, _ string) error {
	a.sayFindings(c)
	summary := report.Counted("", report.Amount{N: len(a.Changes), State: "changed"}, report.Amount{N: len(a.Added), State: "added"}, report.Amount{N: len(a.Removed), State: "removed"}) +
		" in " + wording.Count(len(a.Files), "file")
	if err := printEdits(c, a.edits, a.OK, a.Written, summary); err != nil {
		return err
	}
	if len(a.Removed) > 0 && a.Written {
		c.Say("If older versions have what was removed, record what became of it: '%s' proposes entries.", report.Command("schema", "evolve", a.Version.Type(), "--schemas", a.in.Shown(".")))
	}
	return nil
}
