package validate

import (
	"context"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var label = &Rule{
	Name:  "label",
	Doc:   "A label is not empty.",
	Codes: []issue.Code{codes.PlacementLabelEmpty},
	// A finding depends on the element_id, which the message names, and the text; that there
	// is no text at all depends on all texts of the label.
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		for placed := range p.Placements() {
			if placed.Label != nil && !placed.brokenID {
				checkLabel(p, placed, placed.Label)
			}
		}
		return nil
	},
}

// checkLabel reports a label without any text, or else the locales without a text.
func checkLabel(p *Pass, placed *Placed, l *taxonomy.Label) {
	at := func() issue.Path { return placed.Path().Key("label") }
	blank := 0
	for _, t := range l.Text {
		if strings.TrimSpace(t.Value) == "" {
			blank++
		}
	}
	if blank == len(l.Text) {
		if strings.TrimSpace(l.Plain) == "" && !p.brokenInside(at()) { // not a text that is broken
			p.warn(codes.PlacementLabelEmpty, at(),
				fmt.Sprintf("The label of the placement of %s is empty.", ident.Name(placed.ElementID)), "write a label, or remove the field")
		}
		return
	}
	for i, t := range l.Text {
		// These are warnings, so a full list is enough to end.
		if blank == 0 || p.findings.truncated || !p.Next() {
			return
		}
		if strings.TrimSpace(t.Value) == "" && !p.brokenInside(at().Index(i)) {
			p.warn(codes.PlacementLabelEmpty, at().Index(i).Key("value"),
				fmt.Sprintf("The label of the placement of %s has no text for the locale %q.", ident.Name(placed.ElementID), wording.Clip(t.Locale)),
				"write the text, or remove the locale")
		}
	}
}
