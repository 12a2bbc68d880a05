package check

import (
	"slices"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Upgraded returns the text of a document that is moved to a version. One whose shape is wrong is not
// moved; one that has no answers yet only pins the version, and nothing is to be said about it.
func (q *Request) Upgraded(text, version string) (string, *Moved, error) {
	schema, err := q.Site.Service.Open(q.Ctx, version)
	if err != nil {
		return "", nil, err
	}
	result, err := upgrade.Run(q.Ctx, schema, []byte(text), nil)
	if err != nil {
		return "", nil, err
	}
	doc := result.Document
	if elements, ok := doc.Root().Get("elements"); ok && elements.Kind() == '[' && elements.Len() == 0 {
		editor := edit.New(doc)
		if pinned, ok := doc.Root().Get("schema_version"); ok {
			editor.Replace(pinned, jcs.AppendQuote(nil, schema.Release().Version().String()))
		}
		after, err := document.ApplyEdits(doc.Text(), editor.Edits())
		return string(after), nil, err
	}
	moved := &Moved{Upgraded: result.Report.Changed}
	shown := make(map[string]bool) // findings, which the page shows anyway
	for _, i := range result.Issues {
		shown[i.Path.String()+" "+i.Message] = true
	}
	for _, e := range result.Report.Entries {
		if shown[e.Path.String()+" "+e.Message] {
			continue
		}
		said := e.Message
		if e.FixHint != "" && !slices.Contains(ShapeCodes, e.Code) {
			said += " " + wording.Sentence(e.FixHint) + "."
		}
		switch e.Class {
		case upgrade.Cannot, upgrade.NeedsPerson:
			moved.Remains = append(moved.Remains, said)
		case upgrade.Review:
			moved.Review = append(moved.Review, said)
		case upgrade.Done: // the document shows it
		}
	}
	return string(doc.Text()), moved, nil
}

// Moved describes a document that was just moved to another version: Remains is what is left to do,
// and Review what a person should check, such as reworded texts.
type Moved struct {
	Upgraded        bool
	Remains, Review []string
}

// Newer returns the version that a document can be moved to, or "".
func (q *Request) Newer(doc *document.Document) string {
	version, err := taxonomy.ParseVersion(core.TextAt(doc.Root(), "schema_version"))
	if err != nil {
		return ""
	}
	next, _ := upgrade.Newer(q.Index, version)
	return next.String()
}

// ShapeCodes are the codes of findings about the JSON of a document. Their hints say which JSON to
// write, which helps only if the field holds the JSON value itself.
var ShapeCodes = []issue.Code{codes.ParseError, codes.InstanceVariableValueShape, codes.RegisterInvalid}
