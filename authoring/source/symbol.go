package source

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// symbol is a sanitised symbol.
type symbol struct {
	drawing *icons.Symbol // nil if the symbol has errors
	file    string
}

// readSymbols reads the symbols. The id of a symbol is the name of its file.
func (c *compiler) readSymbols() {
	drawings := readAll(c, folder.Symbols, (*decoder).symbol)
	ids := newIDSet("symbol id")
	for i, f := range c.Files[folder.Symbols] {
		// A symbol with errors still exists.
		id := c.symbolID(f)
		c.symbols[id] = symbol{drawings[i], f.Name}
		at := folder.WholeFile(f.Name)
		ids.add(&c.Findings, id, at.At, func() issue.Path { return at.Path })
	}
}

// symbol sanitises a symbol. It returns nil if the symbol has errors.
func (d *decoder) symbol() *icons.Symbol {
	data, ok := d.Load()
	if !ok {
		return nil
	}
	drawing, issues := icons.Sanitize(data)
	for _, i := range issues {
		i.Path, i.Position.File = issue.Root, d.Name
		d.Add(i)
	}
	if drawing != nil && len(drawing.Paints()) == 0 {
		d.Warnf(codes.SymbolBlank, folder.WholeFile(d.Name), `draw it with a visible fill or stroke, such as fill="currentColor"`,
			"The symbol draws nothing visible, so its icons are bare shapes.")
	}
	return drawing
}

// symbolID returns the id of a symbol. If the name of the file is not a valid
// id, it reports that and returns what the name should be.
func (c *compiler) symbolID(f folder.Entry) string {
	if ident.IsID(f.Stem()) {
		return f.Stem()
	}
	fixed := toID(f.Stem(), ident.IsID)
	hint := fmt.Sprintf("rename the file to 1 to %d letters, digits, _ and -", ident.MaxIDLength)
	if fixed != "" {
		hint = "rename the file to " + fixed + folder.SymbolExt
	}
	c.Errorf(codes.IDMalformed, folder.WholeFile(f.Name), hint, "%s is not a valid symbol id.", wording.Quote(f.Stem()))
	return cmp.Or(fixed, f.Stem())
}

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
				colors, _ := icons.ColorsOf(&taxonomy.Category{}, variant)
				c.checkColors(e.SymbolID, colors, folder.WholeFile(sym.file), " in its "+variant+" icon")
			}
		}
		for _, color := range cat.colors {
			if background, ok := icons.ParseColor(color.id); ok {
				c.checkColors(e.SymbolID, icons.FilledColors(background), color.Location, "")
			}
		}
	}
}

// checkColors checks the contrast of a symbol in one of its icons.
func (c *compiler) checkColors(id string, colors icons.Colors, at folder.Location, where string) {
	drawing := c.symbols[id].drawing
	contrast := drawing.Contrast(colors)
	if contrast >= minContrast {
		return
	}
	hint := "draw the symbol in currentColor"
	if where == "" {
		hint += ", or choose another colour"
	} else {
		hint += ", which is black or white as the icon requires"
	}
	c.Warnf(codes.ContrastLow, at, hint, "The symbol %s (%s) has a contrast of only %.2f:1 with %s%s; at least %.1f:1 is needed.",
		id, strings.Join(drawing.Paints(), ", "), contrast, colors.Fill, where, minContrast)
}
