package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

var schemaVersion = &Rule{
	Name:  "schema_version",
	Doc:   "A document is judged by the version that it pins.",
	Codes: []issue.Code{issue.CodeSchemaVersionMismatch},
	Run: func(p *Pass) {
		pinned := p.Instance.SchemaVersion
		if pinned == p.Version.String() {
			return
		}
		report := p.warn
		if p.opts.MustPin {
			report = p.fail
		}
		report(issue.CodeSchemaVersionMismatch, issue.Root.Key("schema_version"),
			fmt.Sprintf("The document is written for %s, but is judged by %s.", prose.Clip(pinned), p.Version),
			fmt.Sprintf("write %s, or ask for %s instead", p.Version, prose.Clip(pinned)))
	},
}
