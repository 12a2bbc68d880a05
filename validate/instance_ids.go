package validate

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var instanceIDs = &Rule{
	Name:  "instance_ids",
	Doc:   "An element_instance_id is unique in the document, and is not an element_id that is placed in it.",
	Codes: []issue.Code{codes.InstanceElementInstanceIDDuplicate, codes.InstanceElementInstanceIDCollides},
	// More ids only add findings.
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		for placed := range p.Placements() {
			id := placed.ElementInstanceID
			if id == "" {
				continue
			}
			if i := p.instancePositions()[id]; i != placed.Index {
				p.clash(codes.InstanceElementInstanceIDDuplicate, placed.Path().Key("element_instance_id"), p.placed[i].Path().Key("element_instance_id"),
					fmt.Sprintf("The element_instance_id %q is already used by elements[%d].", wording.Clip(id), i),
					"write an id that no other placement has")
			}
			if at, collides := p.elementOccurrences()[id]; collides {
				p.clash(codes.InstanceElementInstanceIDCollides, placed.Path().Key("element_instance_id"), p.placed[at.first].Path().Key("element_id"),
					fmt.Sprintf("The element_instance_id %q is also the element_id of elements[%d].", wording.Clip(id), at.first),
					"write an id that is not an element_id of the document")
			}
		}
		return nil
	},
}
