package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/internal/table"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// tableAnswer is the output of `datachain schema import csv --format json`.
type tableAnswer struct {
	OK       bool               `json:"ok"`
	Version  taxonomy.Version   `json:"version"`
	Changes  []table.CellChange `json:"changes"`
	Added    []string           `json:"added"`
	Removed  []string           `json:"removed"`
	Files    []string           `json:"files"`
	Written  bool               `json:"written"`
	Findings []table.Finding    `json:"findings"`
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
unless --prune is set. Columns that are not there are left alone, and unknown ones are
ignored.

FILE is CSV in UTF-8 with commas, semicolons or tabs; - is standard input. DIR is the
directory of a version, or one above if it has a single version or --schema-version names
one. Nothing is written if the result has errors.

The exit code is 1 if the table has problems, or if the result would have errors.`,
		Example: `  datachain schema import csv ai.csv --into schemas/ai/2026-12-01-beta
  datachain schema import csv ai.csv --into schemas --schema-version ai@latest-beta --write`,
		Args: takes(1, "FILE"),
	}
	o := p.editFlags(cmd)
	prune := cmd.Flags().Bool("prune", false, "remove elements that the table does not have")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		return p.importCSV(cmd.Context(), args[0], o, *prune)
	}
	return cmd
}

// importCSV reads a table, and shows or makes the changes.
func (p *program) importCSV(ctx context.Context, typed string, o *editOptions, prune bool) error {
	text, err := p.readTable(ctx, typed)
	if err != nil {
		return err
	}
	a, v, content, err := p.openEdited(ctx, o)
	if err != nil {
		return err
	}
	now := table.New(content)
	answer := &tableAnswer{Version: v, Changes: []table.CellChange{}, Added: []string{}, Removed: []string{}, Files: []string{}, Findings: []table.Finding{}, Issues: issue.Issues{}}
	read, found := table.Read(text)
	plan, more := read.Plan(now, &table.PlanOptions{Prune: prune})
	answer.Findings = append(append(answer.Findings, found...), more...)
	answer.OK = !slices.ContainsFunc(answer.Findings, func(f table.Finding) bool { return !f.Ignored })
	var edits *sourceEdits
	if answer.OK {
		answer.Changes, answer.Added, answer.Removed = append(answer.Changes, plan.Changes...), append(answer.Added, plan.Added...), append(answer.Removed, plan.Removed...)
		edits, err = p.planEdits(ctx, a, v, plan.Source(), func(after *source.Authored) error { return plan.Check(now, table.New(after)) })
		if err != nil {
			p.sayFindings(typed, answer.Findings)
			return err
		}
		answer.Files, answer.Issues = edits.shown(), append(answer.Issues, edits.issues...)
		answer.OK = len(edits.issues) == 0
		edits.issues = slices.DeleteFunc(edits.issues, func(i issue.Issue) bool {
			f, inTable := plan.Finding(edits.files, i)
			if inTable {
				answer.Findings = append(answer.Findings, f)
			}
			return inTable
		})
	}
	if answer.OK && o.write {
		if err := edits.write(); err != nil {
			return err
		}
		answer.Written = len(answer.Files) > 0
	}
	return p.answer(*o.format, answer, answer.OK, func() error {
		p.sayFindings(typed, answer.Findings)
		return p.printTable(edits, answer)
	})
}

func (p *program) sayFindings(typed string, findings []table.Finding) {
	for _, f := range findings {
		p.say("%s: %s", typed, f)
	}
}

// printTable prints the changes, and how many there are.
func (p *program) printTable(s *sourceEdits, answer *tableAnswer) error {
	if s != nil && !answer.Written {
		if err := p.printEdits(s); err != nil {
			return err
		}
	}
	if !answer.OK {
		p.complain("nothing was changed")
		return nil
	}
	summary := fmt.Sprintf("%s changed, %d added, %d removed in %s", prose.Count(len(answer.Changes), "cell"), len(answer.Added), len(answer.Removed), prose.Count(len(answer.Files), "file"))
	if err := p.sumUp(summary, len(answer.Files), answer.Written); err != nil {
		return err
	}
	if len(answer.Removed) > 0 && answer.Written {
		p.say("If older versions have what was removed, record what became of it: 'datachain schema evolve %s --schemas %s' proposes entries.", answer.Version.Type(), s.a.Shown("."))
	}
	return nil
}
