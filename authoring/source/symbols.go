package source

import (
	"cmp"
	"fmt"

	"github.com/datachain-go/datachain/icons"
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
		d.warnf(issue.CodeSymbolBlank, wholeFile(d.file.name), `draw it with a visible fill or stroke, such as fill="currentColor"`,
			"The symbol draws nothing visible, so its icons are bare shapes.")
	}
	return drawing
}

// symbolID returns the id of a symbol. If the name of the file is not a valid
// id, it reports that and returns what the name should be.
func (c *compiler) symbolID(f file) string {
	if taxonomy.ValidID(f.stem()) {
		return f.stem()
	}
	fixed := toID(f.stem(), taxonomy.ValidID)
	hint := fmt.Sprintf("rename the file to 1 to %d letters, digits, _ and -", taxonomy.MaxIDLength)
	if fixed != "" {
		hint = "rename the file to " + fixed + symbolExt
	}
	c.errorf(issue.CodeIDMalformed, wholeFile(f.name), hint, "%s is not a valid symbol id.", prose.Quote(f.stem()))
	return cmp.Or(fixed, f.stem())
}
