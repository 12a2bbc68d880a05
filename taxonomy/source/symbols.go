package source

import (
	"cmp"
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const symbolExt = ".svg"

// maxSymbolSize is where reading a symbol ends; a little more than what
// icons.Sanitize takes, which says best that a symbol is too large.
const maxSymbolSize = 1 << 20

// symbol is a sanitised symbol.
type symbol struct {
	drawing *icons.Symbol // nil where something is wrong with it
	file    string
}

// readSymbols sanitises the symbols. The id of a symbol is its file's name.
func (c *compiler) readSymbols() {
	read := make([]symbol, len(c.files.symbols))
	c.each(c.files.symbols, func(d *decoder, i int, data []byte) {
		clean, issues := icons.Sanitize(data)
		for _, finding := range issues {
			finding.Path, finding.Position.File = issue.Root, d.file.name
			d.add(finding)
		}
		read[i].drawing = clean
		if clean != nil && len(clean.Paints()) == 0 {
			d.add(issue.Issue{
				Code: issue.CodeSymbolBlank, Severity: issue.SeverityWarning,
				Message: "The symbol draws nothing that can be seen, so that its icons are bare shapes.",
				FixHint: `draw it with a fill or a stroke, such as fill="currentColor", and neither hidden nor transparent`,
				Path:    issue.Root, Position: issue.Position{File: d.file.name},
			})
		}
	})
	ids := newIDSet("symbol")
	for i, f := range c.files.symbols {
		// A symbol with something wrong is known all the same, so that it is
		// not also missing.
		id := c.symbolID(f)
		read[i].file = f.name
		c.symbols[id] = read[i]
		if issue, ok := ids.add(id, issue.Position{File: f.name}, issue.Root); !ok {
			c.add(issue)
		}
	}
}

// symbolID returns the id that a file of symbols/ stands for, which is what its
// name should be.
func (c *compiler) symbolID(f file) string {
	if taxonomy.ValidID(f.stem()) {
		return f.stem()
	}
	fixed := toID(f.stem(), taxonomy.ValidID)
	hint := "rename the file; ids hold 1 to 128 letters, digits, _ and -"
	if fixed != "" {
		hint = "rename the file to " + fixed + symbolExt
	}
	c.atFile(issue.SeverityError, issue.CodeIDMalformed, f.name, fmt.Sprintf("%q can't be the id of a symbol", prose.Clip(f.stem())), hint)
	return cmp.Or(fixed, f.stem())
}
