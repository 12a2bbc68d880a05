package source

import (
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// minContrast is level AA of WCAG 2.x for text.
const minContrast = 4.5

// checkContrast finds symbols that are hard to see on their background. A
// symbol in currentColor is black or white, and one of them always has a
// contrast of at least 4.58:1, so this concerns symbols with colours of their
// own. Symbols that draw nothing have been reported.
func (c *compiler) checkContrast() {
	type pair struct{ category, symbol string }
	seen := make(map[pair]bool)
	for i := range c.elements {
		e := &c.elements[i]
		p := pair{e.CategoryID, e.SymbolID}
		if seen[p] {
			continue
		}
		seen[p] = true
		cat, sym := c.byCategory[e.CategoryID], c.symbols[e.SymbolID]
		if cat == nil || sym.drawing == nil || len(sym.drawing.Paints()) == 0 {
			continue
		}
		if anywhere := (pair{symbol: e.SymbolID}); !seen[anywhere] {
			seen[anywhere] = true
			for _, variant := range []string{taxonomy.VariantDefault, taxonomy.VariantDark} {
				look, _ := icons.LookOf(&taxonomy.Category{}, variant)
				c.checkLook(e.SymbolID, look, wholeFile(sym.file), " in its "+variant+" icon")
			}
		}
		for _, color := range cat.colors {
			if ground, ok := icons.ParseColor(color.id); ok {
				c.checkLook(e.SymbolID, icons.FilledLook(ground), color.spot, "")
			}
		}
	}
}

// checkLook checks the contrast of a symbol in one of its icons.
func (c *compiler) checkLook(id string, look icons.Look, at spot, where string) {
	drawing := c.symbols[id].drawing
	contrast := drawing.Contrast(look)
	if contrast >= minContrast {
		return
	}
	hint := "draw the symbol in currentColor"
	if where == "" {
		hint += ", or choose another colour"
	} else {
		hint += ", which is black or white as the icon requires"
	}
	c.warnf(issue.CodeContrastLow, at, hint, "The symbol %s (%s) has a contrast of only %.2f:1 with %s%s; at least %.1f:1 is needed.",
		id, strings.Join(drawing.Paints(), ", "), contrast, look.Fill, where, minContrast)
}
