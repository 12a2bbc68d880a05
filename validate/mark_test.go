package validate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

func TestMark(t *testing.T) {
	doc := parsed(t, []byte("{\n  \"id\": \"🚲\", \"odd\": true,\n  \"elements\": [\n    {\"element_id\": 1}\n  ],\n  \"authoring_provenance\": {\"element_provenance\": {\"a.b\": {}}}\n}"))
	for _, c := range []struct {
		name string
		code issue.Code
		path string
		want string // the part of the text
	}{
		{"a text", "x", "id", `"🚲"`},
		{"a number", "x", "elements[0].element_id", "1"},
		{"an unknown field", codes.UnknownField, "odd", `"odd"`},
		{"a list", "x", "elements", `"elements"`},
		{"an object in a list", "x", "elements[0]", "{"},
		{"the document", "x", "", "{"},
		{"a missing field of the document", "x", "created_at", "{"},
		{"a missing field of an item", "x", "elements[0].label", "{"},
		{"a missing item", "x", "elements[7]", `"elements"`},
		{"a missing field of a field", "x", "authoring_provenance.kind", `"authoring_provenance"`},
		{"below a text", "x", "id.value", `"id"`},
		{"a key of a map", codes.ElementProvenanceUnknownElement, `authoring_provenance.element_provenance["a.b"]`, `"a.b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, err := issue.ParsePath(c.path)
			require.NoError(t, err)
			span := validate.Mark(doc, issue.Issue{Code: c.code, Path: path})
			require.Equal(t, c.want, string(doc.Text()[span.Start.Offset:span.End.Offset]))
			require.Equal(t, span.Start.Line, span.End.Line)
		})
	}
	id := validate.Mark(doc, issue.Issue{Path: issue.Root.Key("id")})
	require.Equal(t, document.Point{Offset: 10, Line: 2, Column: 9, UTF8: 9, UTF16: 9}, id.Start)
	require.Equal(t, document.Point{Offset: 16, Line: 2, Column: 12, UTF8: 15, UTF16: 13}, id.End)
}
