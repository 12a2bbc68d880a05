package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var elementCount = &Rule{
	Name:  "element_count",
	Doc:   "An element is placed no more often than its max_placements allows.",
	Codes: []issue.Code{codes.InstanceElementTooMany},
	Needs: "in a resolved document the pin, the snapshot and the suggested elements; more placements only add findings",
	Run: func(p *Pass) {
		if p.unread.limits() {
			return
		}
		var count map[*taxonomy.Element]int
		for placed := range p.Placements() {
			e := placed.counted.element
			if e == nil || e.MaxPlacements == 0 {
				continue
			}
			if count == nil {
				count = make(map[*taxonomy.Element]int)
			}
			if count[e]++; count[e] > e.MaxPlacements {
				p.fail(codes.InstanceElementTooMany, placed.Path(),
					fmt.Sprintf("The element %s can have at most %s; this is number %d.", name(e.ID), placements(e.MaxPlacements), count[e]),
					"remove this placement, or another one of the element")
			}
		}
	},
}
