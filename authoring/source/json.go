package source

import (
	"errors"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// parseJSON reads a JSON file into nodes.
func parseJSON(data []byte) (*node, *problem) {
	doc, err := document.Parse(data)
	if e, ok := errors.AsType[*document.SyntaxError](err); ok {
		p := invalid(place{max(e.Point.Line, 1), max(e.Point.Column, 1)}, "fix the JSON syntax", "Invalid JSON: %s.", e.Reason)
		if e.DuplicateKey {
			p.code, p.hint = issue.CodeSourceDuplicateKey, "remove one of them"
		}
		return nil, p
	}
	root := new(node)
	convert(doc, doc.Root(), root)
	return root, nil
}

// placeIn returns the place of an offset.
func placeIn(doc *document.Document, offset int) place {
	p := doc.Point(offset)
	return place{p.Line, p.Column}
}

// convert fills in n. [document.Parse] limits the depth.
func convert(doc *document.Document, v document.Value, n *node) {
	n.place = placeIn(doc, v.Range().Start)
	switch v.Kind() {
	case 'n':
		n.kind = null
	case 't', 'f':
		n.kind, n.value = boolean, string(v.Raw())
	case '0':
		n.kind, n.value = number, string(v.Raw())
	case '"':
		n.kind, n.value = text, v.Text()
	case '[':
		n.kind = list
	case '{':
		n.kind = object
	}
	n.items = make([]node, v.Len())
	i := 0
	for item := range v.All() {
		child := &n.items[i]
		child.parent, child.index = n, i
		if n.kind == object {
			child.key, child.keyAt = item.Key(), placeIn(doc, item.KeyRange().Start)
		}
		convert(doc, item, child)
		i++
	}
}
