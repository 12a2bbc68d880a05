package lsp

import (
	"cmp"
	"context"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Kinds of symbols.
const (
	symbolProperty = 7
	symbolString   = 15
	symbolArray    = 18
	symbolObject   = 19
)

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange span             `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

// symbolInformation is a symbol for clients that do not show a tree.
type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

// symbols lists the fields of a document, and its placements by title.
func (q *query) symbols(ctx context.Context, _ *documentParams) (any, error) {
	var list []documentSymbol
	for n := range q.document().All() {
		if !n.IsMember() {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := q.symbol(n, n.Key(), n.Text())
		switch n.Key() {
		case "elements":
			for p := range n.All() {
				s.Children = append(s.Children, q.placementSymbol(ctx, p))
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
		case "subchain_instances":
			for i := range n.All() {
				id, _ := i.Get("id")
				subchain, _ := i.Get("subchain_id")
				s.Children = append(s.Children, q.symbol(i, id.Text(), subchain.Text()))
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
		}
		list = append(list, s)
	}
	return q.session.symbols(q.text, list), nil
}

func (q *query) symbol(n document.Value, name, detail string) documentSymbol {
	kinds := map[byte]int{'{': symbolObject, '[': symbolArray, '"': symbolString}
	kind, ok := kinds[n.Kind()]
	if !ok {
		kind = symbolProperty
	}
	whole := q.text.lines().span(n.Whole().Start, n.Whole().End)
	selected := whole
	if n.IsMember() {
		selected = q.text.lines().span(n.KeyRange().Start, n.KeyRange().End)
	}
	if name == "" {
		name = "…" // clients refuse an empty one
	}
	return documentSymbol{Name: name, Detail: wording.Clip(detail), Kind: kind, Range: whole, SelectionRange: selected}
}

func (q *query) placementSymbol(ctx context.Context, n document.Value) documentSymbol {
	id, _ := n.Get("element_id")
	name := id.Text()
	if e := q.element(id.Text()); e != nil {
		name = q.title(e)
	}
	s := q.symbol(n, name, id.Text())
	if id.Exists() {
		s.SelectionRange = q.text.lines().span(id.Range().Start, id.Range().End)
	}
	variables, _ := n.Get("variables")
	for v := range variables.All() {
		if ctx.Err() != nil {
			break // the caller returns it
		}
		id, _ := v.Get("id")
		value, _ := v.Get("value")
		name := id.Text()
		if declared := q.variable(v.Path()); declared != nil {
			name = q.pick(declared.Label)
		}
		s.Children = append(s.Children, q.symbol(v, name, valueText(value)))
	}
	return s
}

// valueText returns the first text of a variable's value.
func valueText(value document.Value) string {
	for item := range value.All() {
		if text, ok := item.Get("value"); ok {
			return text.Text()
		}
		return item.Text()
	}
	return value.Text()
}

// symbols lists what a file of the source defines, by title: elements and categories with
// their variables, options and context values.
func (q *sourceQuery) symbols(ctx context.Context, _ *documentParams) (any, error) {
	kinds := map[source.Kind]int{source.KindVariable: symbolProperty, source.KindOption: symbolString, source.KindContextValue: symbolString}
	inside := make(map[*outline.Definition][]*outline.Definition)
	for _, d := range q.outline.Definitions {
		if d.File != q.file || d.Range.Start == d.Range.End {
			continue // of another file, or a symbol
		}
		if d.In != nil && d.In.File == q.file {
			inside[d.In] = append(inside[d.In], d)
		} else {
			inside[nil] = append(inside[nil], d)
		}
	}
	lines := q.text.lines()
	var list func(in *outline.Definition) []documentSymbol
	list = func(in *outline.Definition) []documentSymbol {
		var symbols []documentSymbol
		for _, d := range inside[in] {
			s := documentSymbol{
				Name: cmp.Or(q.titleOf(d), d.ID, "…"), Detail: wording.Clip(d.ID), Kind: cmp.Or(kinds[d.Kind], symbolObject),
				Range: lines.span(d.Range.Start, d.Range.End), Children: list(d),
			}
			s.SelectionRange = s.Range
			if d.IDRange.Start >= d.Range.Start && d.IDRange.End <= d.Range.End {
				s.SelectionRange = lines.span(d.IDRange.Start, d.IDRange.End)
			}
			symbols = append(symbols, s)
		}
		return symbols
	}
	return q.session.symbols(q.text, list(nil)), ctx.Err()
}

// symbols returns a tree of symbols as the client shows it.
func (s *session) symbols(t *text, tree []documentSymbol) any {
	if s.client.symbolTree {
		return orEmpty(tree)
	}
	return t.flat(nil, tree, "")
}

func (t *text) flat(list []symbolInformation, tree []documentSymbol, container string) []symbolInformation {
	for _, s := range tree {
		list = append(list, symbolInformation{s.Name, s.Kind, location{t.uri, s.Range}, container})
		list = t.flat(list, s.Children, s.Name)
	}
	return orEmpty(list)
}
