package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

var schemaVersion = &Rule{
	Name:  "schema_version",
	Doc:   "A document is judged by the version that it pins.",
	Codes: []taxonomy.Code{taxonomy.CodeSchemaVersionMismatch},
	Run: func(p *Pass) {
		pinned := p.Instance.SchemaVersion
		if pinned == p.Version.String() {
			return
		}
		report := p.warn
		if p.opts.MustPin {
			report = p.fail
		}
		report(taxonomy.CodeSchemaVersionMismatch, taxonomy.Root.Key("schema_version"),
			fmt.Sprintf("The document is written for %s, but is judged by %s.", shorten(pinned), p.Version),
			fmt.Sprintf("write %s, or ask for %s instead", p.Version, shorten(pinned)))
	},
}
