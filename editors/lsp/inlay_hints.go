package lsp

import (
	"context"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

type hintParams struct {
	documentParams
	Range span `json:"range"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// maxHints limits how many hints a document gets.
const maxHints = 5000

// hints shows titles and labels beside the ids in a range.
func (q *query) hints(ctx context.Context, p *hintParams) (any, error) {
	lines := q.text.lines()
	from, to := lines.offset(p.Range.Start), lines.offset(p.Range.End)
	hints := []inlayHint{}
	q.walk(ctx, q.document(), func(n document.Value) bool {
		if end := n.Range().End; n.Kind() == '"' && end >= from && end <= to {
			if label := q.label(n.Path(), n.Text()); label != "" {
				hints = append(hints, inlayHint{lines.at(end), label, true})
			}
		}
		return len(hints) < maxHints
	})
	return hints, ctx.Err()
}

// label returns the title or label of an id, or "".
func (q *query) label(path issue.Path, id string) string {
	switch placeOf(path) {
	case elementPlace:
		if e := q.element(id); e != nil {
			return q.title(e)
		}
	case contextPlace:
		if c := q.context(path); c != nil {
			if v, ok := c.Value(id); ok {
				return q.pick(v.Label)
			}
		}
	case variablePlace:
		if v := q.variable(path); v != nil {
			return q.pick(v.Label)
		}
	case optionPlace:
		if o := q.option(path, id); o != nil {
			return q.pick(o.Label)
		}
	case categoryPlace:
		if c := q.category(id); c != nil {
			return q.pick(c.Name)
		}
	}
	return ""
}
