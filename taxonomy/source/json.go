package source

import (
	"errors"

	"github.com/datachain-go/datachain/taxonomy"
)

// parseJSON reads a JSON file into nodes, through the strict decoder.
func parseJSON(data []byte) (*node, error) {
	doc, err := taxonomy.ParseDocument(data)
	if err != nil {
		var bad *taxonomy.SyntaxError
		if !errors.As(err, &bad) {
			return nil, err
		}
		e := &syntaxError{
			code: taxonomy.CodeSourceSyntax, line: max(bad.Position.Line, 1), col: max(bad.Position.Column, 1),
			message: "bad JSON: " + bad.Reason, hint: "mend the JSON syntax",
		}
		if bad.DuplicateKey {
			e.code, e.message, e.hint = taxonomy.CodeSourceDuplicateKey, bad.Reason, "remove one of the two"
		}
		return nil, e
	}
	return fromJSON(doc, doc.Root()), nil
}

func fromJSON(doc *taxonomy.Document, v taxonomy.Value) *node {
	pos := doc.Position(v.Range().Start)
	n := &node{line: pos.Line, col: pos.Column}
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
		for item := range v.All() {
			n.add(nil, fromJSON(doc, item))
		}
	case '{':
		n.kind = object
		for member := range v.All() {
			at := doc.Position(member.KeyRange().Start)
			n.add(&node{kind: text, value: member.Key(), line: at.Line, col: at.Column}, fromJSON(doc, member))
		}
	}
	return n
}
