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
					fmt.Sprintf("The category %s is required, but has no placement.", name(c.ID)), "place one of "+p.someElements(c.ID))
			}
		}
	},
}

// someElements lists elements of a category for a hint. A snapshot can have a
// category without its elements.
func (p *Pass) someElements(categoryID string) string {
	list, n := listing(func(yield func(string) bool) {
		for _, e := range p.Schema.ElementsOf(categoryID) {
			if !yield(e.ID) {
				return
			}
		}
	})
	if n == 0 {
		return "the elements of the category"
	}
	return list
}
