package validate

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var schemaVersion = &Rule{
	Name:         "schema_version",
	Doc:          "A document is validated against the version that it pins.",
	Codes:        []issue.Code{codes.SchemaVersionMismatch},
	DespiteShape: true,
	Needs:        Pin,
	Run: func(_ context.Context, p *Pass) error {
		pinned := p.Instance.SchemaVersion
		if pinned == p.Version.String() {
			return nil
		}
		report := p.warn
		if p.opts.MustPin {
			report = p.fail
		}
		report(codes.SchemaVersionMismatch, pinPath,
			fmt.Sprintf("The document pins %s, but is validated against %s.", wording.Clip(pinned), p.Version), p.otherPin(pinned))
		return nil
	},
}

var pinPath = issue.Root.Key("schema_version")

// otherPin is the hint for a document that pins another version.
func (p *Pass) otherPin(pinned string) string {
	return fmt.Sprintf("write %s, or use the version %s instead", p.Version, wording.Clip(pinned))
}
