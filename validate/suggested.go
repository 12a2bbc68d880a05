package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var suggestedPath = issue.Root.Key("suggested_elements")

var collision = &Rule{
	Name:  "collision",
	Doc:   "No suggested element has the id of another, or of an element of the snapshot.",
	Codes: []issue.Code{codes.ElementIDCollision},
	Needs: "the ids that are the same",
	Run: func(p *Pass) {
		suggested, _ := p.Document.Find(suggestedPath)
		if suggested.Kind() != '[' || suggested.Len() == 0 {
			return
		}
		type user struct {
			list string
			id   document.Value
		}
		taken := make(map[string]user)
		snapshot, _ := p.Document.Find(snapshotPath.Key("elements"))
		for e := range snapshot.All() {
			id, _ := e.Get("id")
			taken[id.Text()] = user{"schema_snapshot.elements", id}
		}
		delete(taken, "") // an id of the wrong shape
		i := -1
		for e := range suggested.All() {
			if i++; !p.goOnAt(i) {
				return
			}
			value, _ := e.Get("id")
			id := value.Text()
			first, collides := taken[id]
			if !collides {
				if id != "" {
					taken[id] = user{fmt.Sprintf("suggested_elements[%d]", i), value}
				}
				continue
			}
			p.clash(codes.ElementIDCollision, suggestedPath.Index(i).Key("id"), first.id.Path(),
				fmt.Sprintf("The id of the suggested element %s is already used in %s.", ident.Name(id), first.list),
				"write another id, or remove the suggested element")
		}
	},
}

var suggestedProvenance = &Rule{
	Name:  "suggested_provenance",
	Doc:   "A document with suggested elements has an authoring_provenance of kind ai_generated.",
	Codes: []issue.Code{codes.ProvenanceRequired},
	Needs: "suggested_elements and the kind",
	Run: func(p *Pass) {
		suggested, _ := p.Document.Find(suggestedPath)
		if suggested.Kind() != '[' || suggested.Len() == 0 {
			return
		}
		provenance, there := p.Document.Root().Get("authoring_provenance")
		kind, given := provenance.Get("kind")
		if there && provenance.Kind() != '{' || given && (kind.Kind() != '"' || kind.Text() == codes.KindAIGenerated) {
			return // of the wrong shape, or all is well
		}
		p.fail(codes.ProvenanceRequired, issue.Root.Key("authoring_provenance").Key("kind"),
			"A document with suggested elements must have an authoring_provenance of kind ai_generated.",
			`write "kind": "ai_generated" in authoring_provenance, or remove suggested_elements`)
	},
}
