package source

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// minContrast is WCAG 2.x level AA for text.
const minContrast = 4.5

// checkContrast finds symbols that can't be seen on what they are drawn on.
// Where a symbol is drawn in currentColor it has the ink of the icon, which is
// black or white, and one of the two always contrasts enough (at least 4.58 to
// 1); so this is about symbols that bring their own colours. One that draws
// nothing at all has been noted.
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
			c.checkPlainLooks(e.SymbolID, sym)
		}
		for _, color := range cat.colors {
			ground, ok := icons.ParseColor(color.id)
			if !ok {
				continue // a tag has no colour
			}
			if message := lowContrast(e.SymbolID, sym, icons.FilledLook(ground)); message != "" {
				c.wrong(issue.SeverityWarning, issue.CodeContrastLow, color, message,
					"draw the symbol in currentColor, or choose another colour")
			}
		}
	}
}

// checkPlainLooks is about the icons that a symbol has in every category.
func (c *compiler) checkPlainLooks(id string, sym symbol) {
	for _, variant := range []string{taxonomy.VariantDefault, taxonomy.VariantDark} {
		look, _ := icons.LookOf(&taxonomy.Category{}, variant)
		if message := lowContrast(id, sym, look); message != "" {
			c.atFile(issue.SeverityWarning, issue.CodeContrastLow, sym.file, message+" in its "+variant+" icon",
				"draw the symbol in currentColor, which is black or white as the icon needs it")
		}
	}
}

// lowContrast says that a symbol can't be seen in a look, or returns "".
func lowContrast(id string, sym symbol, look icons.Look) string {
	contrast := sym.drawing.Contrast(look)
	if contrast >= minContrast {
		return ""
	}
	return fmt.Sprintf("the symbol %s (%s) contrasts only %.2f to 1 with %s", id, strings.Join(sym.drawing.Paints(), ", "), contrast, look.Fill)
}
