package validate

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// keyCodes are about the key of a value, not about the value.
var keyCodes = []issue.Code{
	issue.CodeUnknownField, issue.CodeElementProvenanceUnknownElement,
	issue.CodeElementProvenanceAmbiguous, issue.CodeVariableRationaleUnknownVariable,
}

// Mark returns the part of a document that an editor underlines for an issue. This
// is the value at its path, or the key if the issue is about the key or the value is
// an object or array, which can have many lines. If there is no key, it is the
// opening bracket. If the document has no such value, such as a missing field, it is
// marked at the object that should have it.
func Mark(doc *document.Document, i issue.Issue) document.Span {
	at := doc.Locate(i.Path)
	long := true
	if at.Exact {
		kind := doc.Text()[at.Value.Start.Offset]
		long = kind == '{' || kind == '['
	}
	switch keyed := at.Key != (document.Span{}); {
	case keyed && (long || slices.Contains(keyCodes, i.Code)):
		return at.Key
	case long:
		return document.Span{Start: at.Value.Start, End: doc.Point(at.Value.Start.Offset + 1)}
	}
	return at.Value
}
