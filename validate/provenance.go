package validate

import (
	"context"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var provenance = &Rule{
	Name: "provenance",
	Doc:  "The keys in authoring_provenance are those of placements and of their variables.",
	Codes: []issue.Code{
		codes.ElementProvenanceUnknownElement, codes.ElementProvenanceAmbiguous,
		codes.VariableRationaleUnknownVariable,
	},
	// Any element_id and element_instance_id could be the key.
	DespiteShape: true,
	Needs:        AllInstances,
	Run: func(_ context.Context, p *Pass) error {
		// The values of the document are in order, those of a Go map are not.
		entries, ok := p.Document.Find(provenancePath)
		if !ok {
			return nil
		}
		for entry := range entries.All() {
			if !p.Next() {
				return nil
			}
			if placed := p.keyed(entry.Key()); placed != nil && p.variablesKnown(placed) {
				checkRationale(p, entry, placed)
			}
		}
		return nil
	},
}

var provenancePath = issue.Root.Key("authoring_provenance").Key("element_provenance")

// keyed returns the placement that a key of element_provenance names. If there is none, it
// reports that and returns nil.
func (p *Pass) keyed(key string) *Placed {
	if i, ok := p.instancePositions()[key]; ok {
		return &p.placed[i]
	}
	if p.unknown.has(AllElements) && p.elementOccurrences()[key].count < 2 {
		return nil
	}
	switch at := p.elementOccurrences()[key]; at.count {
	case 1:
		return &p.placed[at.first]
	case 0:
		if p.typos().elements[key] {
			return nil // its placement is reported
		}
		p.reportSimilarID(issue.Issue{
			Code: codes.ElementProvenanceUnknownElement, Path: provenancePath.Key(key),
			Message: fmt.Sprintf("The key %q is neither the element_instance_id nor the element_id of a placement.", wording.Clip(key)),
			FixHint: "write the element_instance_id of a placement, or its element_id if that is placed once",
		}, key, p.provenanceKeys)
	default:
		p.clash(codes.ElementProvenanceAmbiguous, provenancePath.Key(key), p.placed[at.first].Path().Key("element_id"),
			fmt.Sprintf("The element %s is placed %d times, so the key does not say which placement is meant.", ident.Name(key), at.count),
			"give each placement an element_instance_id, and write that as the key")
	}
	return nil
}

// provenanceKeys yields the possible keys of element_provenance.
func (p *Pass) provenanceKeys(yield func(string) bool) {
	for i := range p.placed {
		placed := &p.placed[i]
		if id := placed.ElementInstanceID; id != "" && !yield(id) {
			return
		}
		if p.elementOccurrences()[placed.ElementID].count == 1 && !yield(placed.ElementID) {
			return
		}
	}
}

// checkRationale compares the keys of variable_rationale with the variables of the
// placement.
func checkRationale(p *Pass, entry document.Value, placed *Placed) {
	rationale, _ := entry.Get("variable_rationale")
	for m := range rationale.All() {
		if !p.Next() {
			return
		}
		id := m.Key()
		if p.variable(placed, id) != nil {
			continue
		}
		near, _ := p.meantVariable(placed, id)
		p.reportMeantKey(issue.Issue{
			Code: codes.VariableRationaleUnknownVariable, Path: m.Path(),
			Message: p.unknownVariable(placed, id),
			FixHint: oneOf(p.variableIDs(placed), "remove the key"),
		}, near)
	}
}

var provenanceKind = &Rule{
	Name:         "provenance_kind",
	Doc:          "In strict mode, the kind of provenance is a known kind.",
	Codes:        []issue.Code{codes.UnknownProvenanceKind},
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		known := []string{codes.KindHuman, codes.KindAIGenerated}
		a := p.Instance.AuthoringProvenance
		if a == nil || a.Kind == "" || slices.Contains(known, a.Kind) {
			return nil
		}
		p.reportMisspelled(issue.Issue{
			Code: codes.UnknownProvenanceKind, Severity: issue.SeverityWarning,
			Path:    issue.Root.Key("authoring_provenance").Key("kind"),
			Message: fmt.Sprintf("The kind %q is not one of the known kinds: %s.", wording.Clip(a.Kind), some(slices.Values(known))),
			FixHint: "write " + wording.Or(known) + " if one of them is meant",
		}, a.Kind, slices.Values(known))
		return nil
	},
}
