package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var requiredCategory = &Rule{
	Name:  "required_category",
	Doc:   "Each required category has a placement, if only with a misspelled element_id.",
	Codes: []issue.Code{codes.RequiredCategoryMissing},
	Needs: "the element_id of every placement, since any could be of the category; in a resolved document also the pin, the snapshot and the suggested elements",
	Run: func(p *Pass) {
		if p.unread.counts() {
			return
		}
		for _, c := range p.counting().Categories() {
			if c.Required && p.meantFor(c, 1) == 0 {
				p.fail(codes.RequiredCategoryMissing, elementsPath,
					fmt.Sprintf("The category %s is required, but has no placement.", name(c.ID)), p.placeMore("one", c.ID))
			}
		}
	},
}

// placeMore is the hint to place elements of a category. A snapshot can have a
// category without its elements, and lacks the elements that were not placed.
func (p *Pass) placeMore(howMany, categoryID string) string {
	list, n := listing(elementIDs(p.counting().ElementsOf(categoryID)))
	if n == 0 {
		list = "the elements of the category"
	}
	hint := fmt.Sprintf("place %s of %s", howMany, list)
	if p.Live != nil {
		hint += "; then resolve the document again"
	}
	return hint
}
