package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var collision = &Rule{
	Name:  "collision",
	Doc:   "No suggested element has the id of another, or of an element of the snapshot (R15a).",
	Codes: []issue.Code{issue.CodeElementIDCollision},
	Run: func(p *Pass) {
		suggested := p.Resolved.SuggestedElements
		if len(suggested) == 0 {
			return
		}
		taken := make(map[string]string)
		for i := range p.Resolved.SchemaSnapshot.Elements {
			taken[p.Resolved.SchemaSnapshot.Elements[i].ID] = "schema_snapshot.elements"
		}
		for i := range suggested {
			if !p.goOnAt(i) {
				return
			}
			id := suggested[i].ID
			where, collides := taken[id]
			if !collides {
				taken[id] = fmt.Sprintf("suggested_elements[%d]", i)
				continue
			}
			p.fail(issue.CodeElementIDCollision, suggestedPath.Index(i).Key("id"),
				fmt.Sprintf("The id of the suggested element %s is already used in %s.", name(id), where),
				"write another id, or remove the suggested element")
		}
	},
}

var suggestedPath = issue.Root.Key("suggested_elements")

var suggestedProvenance = &Rule{
	Name:  "suggested_provenance",
	Doc:   "A document with suggested elements has an authoring_provenance of kind ai_generated (R14).",
	Codes: []issue.Code{issue.CodeProvenanceRequired},
	Run: func(p *Pass) {
		a := p.Instance.AuthoringProvenance
		if len(p.Resolved.SuggestedElements) == 0 || a != nil && a.Kind == taxonomy.KindAIGenerated {
			return
		}
		p.fail(issue.CodeProvenanceRequired, issue.Root.Key("authoring_provenance").Key("kind"),
			"A document with suggested elements must have an authoring_provenance of kind ai_generated.",
			`write "kind": "ai_generated" in authoring_provenance, or remove suggested_elements`)
	},
}
