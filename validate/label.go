package validate

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

var label = &Rule{
	Name:  "label",
	Doc:   "A label is not empty.",
	Codes: []issue.Code{issue.CodePlacementLabelEmpty},
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			if placed.Label != nil && strings.TrimSpace(*placed.Label) == "" {
				p.warn(issue.CodePlacementLabelEmpty, placed.Path().Key("label"),
					fmt.Sprintf("The label of the placement of %s is empty.", name(placed.ElementID)), "write a label, or remove the field")
			}
		}
	},
}
