package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var categoryCount = &Rule{
	Name:  "category_count",
	Doc:   "A category has as many placements as its cardinality allows.",
	Codes: []issue.Code{codes.ElementRequired, codes.InstanceCategoryTooMany},
	Needs: "for the least, what required_category needs; for the most, nothing else: more placements only add findings",
	Run: func(p *Pass) {
		if p.unread.limits() {
			return
		}
		for _, c := range p.counting().Categories() {
			if p.unread.elements {
				break
			}
			least := c.Cardinality.Min
			if least == 0 {
				continue
			}
			n := p.meantFor(c, least)
			// The rule required_category reports a required category without any.
			if n < least && (n > 0 || !c.Required) {
				p.fail(codes.ElementRequired, elementsPath,
					fmt.Sprintf("The category %s needs at least %s, but has %d.", name(c.ID), placements(least), n),
					p.placeMore(fmt.Sprintf("%d more", least-n), c.ID))
			}
		}
		var count map[*taxonomy.Category]int
		for placed := range p.Placements() {
			c := placed.counted.category
			if c == nil || c.Cardinality.Max == 0 || p.perCategory[c] <= c.Cardinality.Max {
				continue
			}
			if count == nil {
				count = make(map[*taxonomy.Category]int)
			}
			if count[c]++; count[c] > c.Cardinality.Max {
				p.fail(codes.InstanceCategoryTooMany, placed.Path(),
					fmt.Sprintf("The category %s can have at most %s; this is number %d.", name(c.ID), placements(c.Cardinality.Max), count[c]),
					"remove this placement, or another one of the category")
			}
		}
	},
}

func placements(n int) string {
	if n == 1 {
		return "1 placement"
	}
	return fmt.Sprintf("%d placements", n)
}
