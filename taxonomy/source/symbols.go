package source

import (
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

const symbolExt = ".svg"

// maxSymbolSize is where reading a symbol ends; a little more than what
// icons.Sanitize takes, which says best that a symbol is too large.
const maxSymbolSize = 1 << 20

// symbol is a sanitised symbol.
type symbol struct {
	text   string
	paints []string
	file   string
}

// readSymbols sanitises the symbols. The id of a symbol is its file's name.
func (c *compiler) readSymbols() {
	read := make([]*symbol, len(c.files.symbols))
	c.each(c.files.symbols, func(d *decoder, i int, f file, data []byte) {
		clean, issues := icons.Sanitize(data)
		for _, issue := range issues {
			issue.Position.File = f.name
			d.add(issue)
		}
		if clean == nil {
			clean = new(icons.Symbol) // so that a bad symbol is not also a missing one
		}
		read[i] = &symbol{text: clean.String(), paints: clean.Paints(), file: f.name}
	})
	c.symbols = make(map[string]symbol, len(read))
	ids := newIDSet("symbol")
	for i, f := range c.files.symbols {
		at := taxonomy.Position{File: f.name}
		if !taxonomy.ValidID(f.stem()) {
			hint := "rename the file; ids hold 1 to 128 letters, digits, _ and -"
			if fixed := toID(f.stem(), taxonomy.ValidID); fixed != "" {
				hint = "rename the file to " + fixed + symbolExt
			}
			c.atFile(taxonomy.SeverityError, taxonomy.CodeIDMalformed, f.name, "the name of the file can't be a symbol id", hint)
			continue
		}
		if issue, ok := ids.add(f.stem(), at, taxonomy.Root); !ok {
			c.add(issue)
			continue
		}
		if read[i] == nil {
			read[i] = &symbol{file: f.name}
		}
		c.symbols[f.stem()] = *read[i]
	}
}
