package command

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// translationAnswer is the output of `datachain schema import --format json` of a file of translations.
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

// importCatalog takes translations from a PO file and, with --write, makes the changes.
func importCatalog(ctx context.Context, typed string, text []byte, o *importOptions) (*translationAnswer, error) {
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
