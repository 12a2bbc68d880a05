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

// Mark returns the part of a document that an editor would underline for an
// issue: the value at its path, or the key where the issue is about the key, or
// where the value is an object or a list that may be many lines long. Of one
// without a key it is the bracket that opens it. Where the document has no such
// value, as where a field is missing, it is the object that should have it.
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
