package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// minContrast is WCAG 2.x level AA for text.
const minContrast = 4.5

// checkContrast finds symbols that can't be seen on a colour of their
// category. Where a symbol is drawn in currentColor the composer picks black
// or white, and one of the two always contrasts enough (at least 4.58 to 1);
// so this is about symbols that bring their own colours.
func (c *compiler) checkContrast() {
	type pair struct{ category, symbol string }
	seen := make(map[pair]bool)
	for i := range c.elements {
		e := &c.elements[i]
		cat, sym := c.byCategory[e.CategoryID], c.symbols[e.SymbolID]
		p := pair{e.CategoryID, e.SymbolID}
		if cat == nil || seen[p] || len(sym.paints) == 0 || slices.Contains(sym.paints, "currentColor") {
			continue
		}
		seen[p] = true
		for _, color := range cat.colors {
			ground, ok := icons.ParseColor(color.id)
			if !ok {
				continue // a tag has no colour
			}
			if best := bestContrast(sym.paints, ground); best < minContrast {
				c.wrong(taxonomy.SeverityWarning, taxonomy.CodeContrastLow, color,
					fmt.Sprintf("the symbol %s (%s) contrasts only %.2f to 1 with %s", e.SymbolID, strings.Join(sym.paints, ", "), best, ground),
					"draw the symbol in currentColor, or choose another colour")
			}
		}
	}
}

func bestContrast(paints []string, ground icons.Color) float64 {
	best := 1.0
	for _, p := range paints {
		if color, ok := icons.ParseColor(p); ok {
			best = max(best, color.Contrast(ground))
		}
	}
	return best
}
