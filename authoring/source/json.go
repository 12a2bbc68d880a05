package source

import (
	"errors"
	"unicode/utf8"

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
	c := jsonConverter{text: data, at: place{1, 1}}
	root := new(node)
	c.convert(doc.Root(), root)
	return root, nil
}

// jsonConverter walks a document in order and counts lines and columns as it
// goes, because a file may be one long line.
type jsonConverter struct {
	text   []byte // the rest of the document
	offset int    // of text in the document
	at     place
}

// locate returns the place of an offset. Offsets must not decrease.
func (c *jsonConverter) locate(offset int) place {
	for c.offset < offset {
		r, size := utf8.DecodeRune(c.text)
		if c.at.col++; r == '\n' {
			c.at = place{c.at.line + 1, 1}
		}
		c.text, c.offset = c.text[size:], c.offset+size
	}
	return c.at
}

// convert fills in n. [document.Parse] limits the depth.
func (c *jsonConverter) convert(v document.Value, n *node) {
	n.place = c.locate(v.Range().Start)
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
			child.key, child.keyAt = item.Key(), c.locate(item.KeyRange().Start)
		}
		c.convert(item, child)
		i++
	}
}
