package lsp

import (
	"context"
	"slices"

	"github.com/datachain-go/datachain/internal/tolerant"
)

type foldingRange struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

// maxRanges limits how many ranges and links a document gets.
const maxRanges = 5000

// folding returns the objects and arrays that have more than one line. The line of the
// closing bracket stays visible.
func (q *query) folding(ctx context.Context, _ *documentParams) (any, error) {
	ranges := []foldingRange{}
	q.walk(ctx, q.document(), func(n tolerant.Node) bool {
		if k := n.Kind(); k != '{' && k != '[' {
			return true
		}
		at := q.text.lines().span(n.Range().Start, n.Range().End)
		if n.Closed() {
			at.End.Line--
		}
		if at.End.Line > at.Start.Line {
			ranges = append(ranges, foldingRange{at.Start.Line, at.End.Line})
		}
		return len(ranges) < maxRanges
	})
	return ranges, ctx.Err()
}

// walk calls visit for a node and all below it, in the order of the text, until visit
// returns false.
func (q *query) walk(ctx context.Context, n tolerant.Node, visit func(tolerant.Node) bool) bool {
	if ctx.Err() != nil || !visit(n) {
		return false
	}
	for child := range n.All() {
		if !q.walk(ctx, child, visit) {
			return false
		}
	}
	return true
}

type selectionParams struct {
	documentParams
	Positions []position `json:"positions"`
}

type selectionRange struct {
	Range  span            `json:"range"`
	Parent *selectionRange `json:"parent,omitzero"`
}

// selection returns for each position the ranges around it, the smallest first: a
// string without its quotes, the value, the value with its key, and so on outwards.
func (q *query) selection(ctx context.Context, p *selectionParams) (any, error) {
	lines := q.text.lines()
	list := make([]*selectionRange, len(p.Positions))
	for i, position := range p.Positions {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list[i] = q.around(lines.offset(position))
	}
	return list, nil
}

func (q *query) around(offset int) *selectionRange {
	at := q.text.tree().At(offset)
	var ranges [][2]int // from the smallest
	add := func(from, to int) {
		if n := len(ranges); from <= offset && offset <= to && from < to && (n == 0 || ranges[n-1] != [2]int{from, to}) {
			ranges = append(ranges, [2]int{from, to})
		}
	}
	if inner := at.Replace; inner.End-inner.Start > 1 && q.text.content[inner.Start] == '"' {
		closed := inner.End
		if q.text.content[inner.End-1] == '"' {
			closed--
		}
		add(inner.Start+1, closed)
	}
	add(at.Replace.Start, at.Replace.End)
	n := at.Node
	if !n.Exists() {
		n = at.Container
	}
	for ; n.Exists(); n = n.Parent() {
		add(n.Range().Start, n.Range().End)
		add(n.Whole().Start, n.Whole().End)
	}
	add(0, len(q.text.content))
	var outer *selectionRange
	for _, r := range slices.Backward(ranges) {
		outer = &selectionRange{q.text.lines().span(r[0], r[1]), outer}
	}
	if outer == nil {
		outer = &selectionRange{Range: q.text.lines().span(offset, offset)}
	}
	return outer
}
