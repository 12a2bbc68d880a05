package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

var instanceIDs = &Rule{
	Name:  "instance_ids",
	Doc:   "An element_instance_id is unique in the document, and is no element_id that is placed in it.",
	Codes: []taxonomy.Code{taxonomy.CodeInstanceElementInstanceIDDuplicate, taxonomy.CodeInstanceElementInstanceIDCollides},
	Run: func(p *Pass) {
		var first map[string]int
		for placed := range p.Placements() {
			id := placed.ElementInstanceID
			if id == "" {
				continue
			}
			if first == nil {
				first = make(map[string]int)
			}
			if i, taken := first[id]; taken {
				p.fail(taxonomy.CodeInstanceElementInstanceIDDuplicate, placed.Path().Key("element_instance_id"),
					fmt.Sprintf("The element_instance_id %q is that of elements[%d] already.", shorten(id), i),
					"write another id, one that no other placement has")
			} else {
				first[id] = placed.Index
			}
			if at, collides := p.elementPlaces()[id]; collides {
				p.fail(taxonomy.CodeInstanceElementInstanceIDCollides, placed.Path().Key("element_instance_id"),
					fmt.Sprintf("The element_instance_id %q is also the element_id of elements[%d].", shorten(id), at.first),
					"write another id, one that is no element_id of the document")
			}
		}
	},
}
