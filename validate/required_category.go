package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

var requiredCategory = &Rule{
	Name:  "required_category",
	Doc:   "Each required category has a placement.",
	Codes: []issue.Code{issue.CodeRequiredCategoryMissing},
	Run: func(p *Pass) {
		for _, c := range p.Schema.Categories() {
			if c.Required && p.perCategory[c] == 0 {
				p.fail(issue.CodeRequiredCategoryMissing, elementsPath,
					fmt.Sprintf("The category %s is required, but no placement has an element of it.", name(c.ID)),
					"place one of "+p.someElements(c.ID))
			}
		}
	},
}

// someElements names a few elements of a category, for a hint.
func (p *Pass) someElements(categoryID string) string {
	list := some(func(yield func(string) bool) {
		for _, e := range p.Schema.ElementsOf(categoryID) {
			if !yield(e.ID) {
				return
			}
		}
	})
	if list == "" { // a snapshot may have a category and none of its elements
		return "the elements of the category"
	}
	return list
}
