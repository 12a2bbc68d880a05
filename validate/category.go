package validate

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// categoryResolved reports what the rules on categories can't say anything about.
var categoryResolved = &Rule{
	Name:         "category_resolved",
	Doc:          "The category of an element is in the snapshot or in the version that the document pins.",
	Codes:        []issue.Code{codes.UnknownCategoryID},
	DespiteShape: true,
	Needs:        Limits,
	Run: func(_ context.Context, p *Pass) error {
		if p.snapshot.complete {
			return nil
		}
		checkCategories(p, p.Resolved.SchemaSnapshot.Elements, snapshotPath.Key("elements"))
		checkCategories(p, p.Resolved.SuggestedElements, suggestedPath)
		return nil
	},
}

// checkCategories reports the elements of a list that have no category.
func checkCategories(p *Pass, list []taxonomy.Element, at issue.Path) {
	for i := range list {
		if !p.Next() {
			return
		}
		e := &list[i]
		if _, known := p.Schema.Category(e.CategoryID); known {
			continue
		}
		where := "not in schema_snapshot.categories"
		if p.Live != nil {
			where = "neither in schema_snapshot.categories nor in " + p.Live.Version().String()
		}
		p.reportMisspelled(issue.Issue{
			Code: codes.UnknownCategoryID, Path: at.Index(i).Key("category_id"),
			Message: fmt.Sprintf("The category %q of the element %s is %s.", wording.Clip(e.CategoryID), ident.Name(e.ID), where),
			FixHint: "write the id of a category, or resolve the document again",
		}, e.CategoryID, p.categoryIDs)
	}
}

// categoryIDs yields the known categories.
func (p *Pass) categoryIDs(yield func(string) bool) {
	for _, schema := range []Definitions{p.countingSchema(), p.Schema} {
		for _, c := range schema.Categories() {
			if !yield(c.ID) {
				return
			}
		}
	}
}
