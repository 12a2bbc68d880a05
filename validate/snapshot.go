package validate

import (
	"context"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var snapshot = &Rule{
	Name:         "snapshot",
	Doc:          "A document with a snapshot is validated by its snapshot.",
	Codes:        []issue.Code{codes.SnapshotNotChecked},
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		if p.opts.MustPin { // resolving replaces the snapshot
			return nil
		}
		if _, ok := p.Document.Root().Get("schema_snapshot"); ok {
			p.warn(codes.SnapshotNotChecked, snapshotPath,
				"The document was validated as a thin one: its schema_snapshot was not checked.",
				"use validate_resolved, in Go Service.Validate, or remove schema_snapshot")
		}
		return nil
	},
}
