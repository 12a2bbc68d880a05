package source

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const symbolExt = ".svg"

// maxSymbolSize limits how much of a symbol is read. It is above the limit of
// [icons.Sanitize], whose message is more helpful.
const maxSymbolSize = 1 << 20

// symbol is a sanitised symbol.
type symbol struct {
	drawing *icons.Symbol // nil if the symbol has errors
	file    string
}

// readSymbols reads the symbols. The id of a symbol is the name of its file.
func (c *compiler) readSymbols() {
	drawings := readAll(c, symbolFiles, (*decoder).symbol)
	ids := newIDSet("symbol id")
	for i, f := range c.files[symbolFiles] {
		// A symbol with errors still exists.
		id := c.symbolID(f)
		c.symbols[id] = symbol{drawings[i], f.name}
		at := wholeFile(f.name)
		ids.add(&c.findings, id, at.at, func() issue.Path { return at.path })
	}
}

// symbol sanitises a symbol. It returns nil if the symbol has errors.
func (d *decoder) symbol(data []byte) *icons.Symbol {
	drawing, issues := icons.Sanitize(data)
	for _, i := range issues {
		i.Path, i.Position.File = issue.Root, d.file.name
		d.add(i)
	}
	if drawing != nil && len(drawing.Paints()) == 0 {
		d.warnf(codes.SymbolBlank, wholeFile(d.file.name), `draw it with a visible fill or stroke, such as fill="currentColor"`,
			"The symbol draws nothing visible, so its icons are bare shapes.")
	}
	return drawing
}

// symbolID returns the id of a symbol. If the name of the file is not a valid
// id, it reports that and returns what the name should be.
func (c *compiler) symbolID(f file) string {
	if prose.IsID(f.stem()) {
		return f.stem()
	}
	fixed := toID(f.stem(), prose.IsID)
	hint := fmt.Sprintf("rename the file to 1 to %d letters, digits, _ and -", prose.MaxIDLength)
	if fixed != "" {
		hint = "rename the file to " + fixed + symbolExt
	}
	c.errorf(codes.IDMalformed, wholeFile(f.name), hint, "%s is not a valid symbol id.", prose.Quote(f.stem()))
	return cmp.Or(fixed, f.stem())
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
	c.warnf(codes.ContrastLow, at, hint, "The symbol %s (%s) has a contrast of only %.2f:1 with %s%s; at least %.1f:1 is needed.",
		id, strings.Join(drawing.Paints(), ", "), contrast, look.Fill, where, minContrast)
}
