package engine

import (
	"context"
	"errors"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Upgraded is the result of upgrade: the new text with the verdict on it, and what was
// done and is left to do. It is ok if nothing is left.
type Upgraded struct {
	Verdict
	Text   string          `json:"text"`
	Report *upgrade.Report `json:"report,omitzero"`
}

// upgrade moves a document to another version. JSON that can't be read is a finding.
func (e *Engine) upgrade(ctx context.Context, o *Options, doc []byte) (any, error) {
	if o.To == "" {
		return nil, fail(issue.CodeBadRequest, "name a version or an alias, such as ai@latest", "The option to is missing.")
	}
	schema, err := e.service.Open(ctx, o.To)
	if err != nil {
		return nil, err
	}
	r, err := schema.Upgrade(ctx, doc, &datachain.UpgradeOptions{From: o.From, Drop: o.Drop})
	if failed, ok := errors.AsType[*datachain.Error](err); ok && failed.Kind == datachain.KindSyntax {
		finding, _ := failed.Finding()
		return Upgraded{Verdict: Verdict{Issues: []Finding{newFinding(finding)}}, Text: string(doc)}, nil
	}
	if err != nil {
		return nil, err
	}
	out := Upgraded{
		Verdict: Verdict{OK: r.OK(), Kind: r.Report.Form, Version: r.Report.To.String(), Issues: []Finding{}},
		Text:    string(r.Document.Text()), Report: &r.Report,
	}
	for _, i := range r.Issues {
		out.Issues = append(out.Issues, newFinding(datachain.Finding{Issue: i, Span: place(r.Document, i.Path)}))
	}
	return out, nil
}

// place returns where a finding of a document is.
func place(doc *document.Document, at issue.Path) document.Span { return doc.Locate(at).Value }
