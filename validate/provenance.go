package validate

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var provenance = &Rule{
	Name: "provenance",
	Doc:  "What authoring_provenance says of elements and variables is about elements and variables that are there.",
	Codes: []issue.Code{
		issue.CodeElementProvenanceUnknownElement, issue.CodeElementProvenanceAmbiguous,
		issue.CodeVariableRationaleUnknownVariable,
	},
	Run: func(p *Pass) {
		// Go maps forget the order of the document, so its values are asked.
		entries, ok := p.Document.Find(provenancePath)
		if !ok {
			return
		}
		byInstance := p.instancePlaces()
		i := 0
		for entry := range entries.All() {
			if i++; !p.goOnAt(i) {
				return
			}
			if placed := p.keyed(entry.Key(), byInstance); placed != nil && placed.Element != nil {
				checkRationale(p, entry, placed)
			}
		}
	},
}

var provenancePath = issue.Root.Key("authoring_provenance").Key("element_provenance")

// keyed returns the placement that a key of element_provenance means, or
// reports why there is none.
func (p *Pass) keyed(key string, byInstance map[string]int) *Placed {
	if i, ok := byInstance[key]; ok {
		return &p.placed[i]
	}
	switch at := p.elementPlaces()[key]; at.count {
	case 1:
		return &p.placed[at.first]
	case 0:
		p.alike(issue.Issue{
			Code: issue.CodeElementProvenanceUnknownElement, Path: provenancePath.Key(key),
			Message: fmt.Sprintf("The key %q is neither the element_instance_id nor the element_id of a placement.", prose.Clip(key)),
			FixHint: "write the element_instance_id of a placement, or its element_id if that is placed once",
		}, key, p.provenanceKeys)
	default:
		p.fail(issue.CodeElementProvenanceAmbiguous, provenancePath.Key(key),
			fmt.Sprintf("The element %s is placed %d times, so the key does not say which placement is meant.", name(key), at.count),
			"give each of the placements an element_instance_id, and write that as the key")
	}
	return nil
}

// instancePlaces returns the places of the placements that have an
// element_instance_id.
func (p *Pass) instancePlaces() map[string]int {
	at := make(map[string]int)
	for i := range p.placed {
		id := p.placed[i].ElementInstanceID
		if _, taken := at[id]; id != "" && !taken {
			at[id] = i
		}
	}
	return at
}

// provenanceKeys yields what the keys of element_provenance can be.
func (p *Pass) provenanceKeys(yield func(string) bool) {
	for i := range p.placed {
		placed := &p.placed[i]
		if id := placed.ElementInstanceID; id != "" && !yield(id) {
			return
		}
		if p.elementPlaces()[placed.ElementID].count == 1 && !yield(placed.ElementID) {
			return
		}
	}
}

// checkRationale holds the keys of variable_rationale against the effective
// variables of the placed element. A suggested element may leave out those that
// its category declares.
func checkRationale(p *Pass, entry document.Value, placed *Placed) {
	rationale, ok := entry.Get("variable_rationale")
	if !ok {
		return
	}
	i := 0
	for m := range rationale.All() {
		if i++; !p.goOnAt(i) {
			return
		}
		id := m.Key()
		if p.variable(placed.Element, id) != nil || p.categoryVariable(placed.Category, id) {
			continue
		}
		p.misspeltKey(issue.Issue{
			Code: issue.CodeVariableRationaleUnknownVariable, Path: m.Path(),
			Message: unknownVariable(placed.Element, id),
			FixHint: oneOf(variableIDs(placed.Element), "remove the key"),
		}, id, variableIDs(placed.Element))
	}
}

// categoryVariable reports whether a category declares a variable.
func (p *Pass) categoryVariable(c *taxonomy.Category, id string) bool {
	return c != nil && p.index.find(&c.Variables, len(c.Variables), func(i int) string { return c.Variables[i].ID }, id) >= 0
}

var provenanceKind = &Rule{
	Name:  "provenance_kind",
	Doc:   "In strict mode, the kind of provenance is one that is known.",
	Codes: []issue.Code{issue.CodeUnknownProvenanceKind},
	Run: func(p *Pass) {
		a := p.Instance.AuthoringProvenance
		if a == nil || a.Kind == "" || slices.Contains(knownKinds(), a.Kind) {
			return
		}
		p.misspelt(issue.Issue{
			Code: issue.CodeUnknownProvenanceKind, Severity: issue.SeverityWarning,
			Path:    issue.Root.Key("authoring_provenance").Key("kind"),
			Message: fmt.Sprintf("The kind %q is none of those that are known: %s.", prose.Clip(a.Kind), some(slices.Values(knownKinds()))),
			FixHint: "write human or ai_generated if one of them is meant",
		}, a.Kind, slices.Values(knownKinds()))
	},
}

func knownKinds() []string { return []string{taxonomy.KindHuman, taxonomy.KindAIGenerated} }
