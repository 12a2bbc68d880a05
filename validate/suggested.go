package validate

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var suggestedPath = issue.Root.Key("suggested_elements")

var collision = &Rule{
	Name:         "collision",
	Doc:          "No suggested element has the id of another, or of an element of the snapshot.",
	Codes:        []issue.Code{codes.ElementIDCollision},
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		suggested := p.Resolved.SuggestedElements
		if len(suggested) == 0 {
			return nil
		}
		type user struct {
			list string
			at   issue.Path
		}
		taken := make(map[string]user)
		for i, e := range p.Resolved.SchemaSnapshot.Elements {
			taken[e.ID] = user{"schema_snapshot.elements", snapshotPath.Key("elements").Index(i)}
		}
		delete(taken, "") // an id of the wrong shape
		for i := range suggested {
			if !p.Next() {
				return nil
			}
			id, at := suggested[i].ID, suggestedPath.Index(i)
			first, collides := taken[id]
			if !collides {
				if id != "" {
					taken[id] = user{at.String(), at}
				}
				continue
			}
			p.clash(codes.ElementIDCollision, at.Key("id"), first.at.Key("id"),
				fmt.Sprintf("The id of the suggested element %s is already used in %s.", ident.Name(id), first.list),
				"write another id, or remove the suggested element")
		}
		return nil
	},
}

var suggestedProvenance = &Rule{
	Name:         "suggested_provenance",
	Doc:          "A document with suggested elements has an authoring_provenance of kind ai_generated.",
	Codes:        []issue.Code{codes.ProvenanceRequired},
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		n := len(p.Resolved.SuggestedElements)
		for n > 0 && p.Broken(suggestedPath.Index(n-1)) { // and could be removed
			n--
		}
		if n == 0 {
			return nil
		}
		at := issue.Root.Key("authoring_provenance").Key("kind")
		if a := p.Instance.AuthoringProvenance; a != nil && a.Kind == codes.KindAIGenerated || p.Open(at) {
			return nil
		}
		p.fail(codes.ProvenanceRequired, at,
			"A document with suggested elements must have an authoring_provenance of kind ai_generated.",
			`write "kind": "ai_generated" in authoring_provenance, or remove suggested_elements`)
		return nil
	},
}
