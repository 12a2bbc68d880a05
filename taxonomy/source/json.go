package source

import (
	"errors"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// parseJSON reads a JSON file into nodes, through the strict decoder.
func parseJSON(data []byte) (*node, error) {
	doc, err := document.Parse(data)
	if err != nil {
		var bad *document.SyntaxError
		if !errors.As(err, &bad) {
			return nil, err
		}
		e := &syntaxError{
			code: issue.CodeSourceSyntax, place: place{max(bad.Point.Line, 1), max(bad.Point.Column, 1)},
			message: "bad JSON: " + bad.Reason, hint: "mend the JSON syntax",
		}
		if bad.DuplicateKey {
			e.code, e.message, e.hint = issue.CodeSourceDuplicateKey, bad.Reason, "remove one of the two"
		}
		return nil, e
	}
	c := jsonConverter{text: data, at: place{1, 1}}
	root := new(node)
	c.convert(doc.Root(), root)
	return root, nil
}

// jsonConverter walks a document once, in order, and counts lines and columns
// on the way: a file may well be one long line.
type jsonConverter struct {
	text   []byte // not yet walked
	offset int    // of text in the document
	at     place
}

// locate returns the place of an offset, which is not before the last one.
func (c *jsonConverter) locate(offset int) place {
	for n := offset - c.offset; n > 0; {
		r, size := utf8.DecodeRune(c.text)
		if c.at.col++; r == '\n' {
			c.at = place{c.at.line + 1, 1}
		}
		c.text, c.offset, n = c.text[size:], c.offset+size, n-size
	}
	return c.at
}

// convert fills in n. The depth is bounded by the strict decoder.
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
		c.children(v, n)
	case '{':
		n.kind = object
		c.children(v, n)
	}
}

func (c *jsonConverter) children(v document.Value, n *node) {
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
