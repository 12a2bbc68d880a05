package command

import (
	"context"
	"slices"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// tableAnswer is the output of `datachain schema import --format json` of a table.
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

// importTable takes changes from a table and, with --write, makes them.
func importTable(ctx context.Context, c *console.Console, typed string, text []byte, o *importOptions) (*tableAnswer, error) {
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
	plan, more := read.Plan(now, &translation.PlanOptions{Prune: o.prune})
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
