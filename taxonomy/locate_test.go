package taxonomy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestLocate(t *testing.T) {
	const text = "{\n  \"é\": [1, \"😀\", {\"a b\": true}],\r\n  \"x\": {\"😀é\": {}, \"y\": null}\n}"
	doc, err := taxonomy.ParseDocument([]byte(text))
	require.NoError(t, err)
	cut := func(s taxonomy.Span) string { return text[s.Start.Offset:s.End.Offset] }
	for _, tt := range []struct {
		path, value, key string
		exact            bool
		start            taxonomy.Point
	}{
		{"", text, "", true, taxonomy.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}},
		{`["é"]`, `[1, "😀", {"a b": true}]`, `"é"`, true, taxonomy.Point{Offset: 10, Line: 2, Column: 8, UTF8: 9, UTF16: 8}},
		{`["é"][1]`, `"😀"`, "", true, taxonomy.Point{Offset: 14, Line: 2, Column: 12, UTF8: 13, UTF16: 12}},
		{`["é"][2]["a b"]`, `true`, `"a b"`, true, taxonomy.Point{Offset: 30, Line: 2, Column: 25, UTF8: 29, UTF16: 26}},
		{`x["😀é"]`, `{}`, `"😀é"`, true, taxonomy.Point{Offset: 57, Line: 3, Column: 15, UTF8: 19, UTF16: 16}},
		{`x.y`, `null`, `"y"`, true, taxonomy.Point{Offset: 66, Line: 3, Column: 24, UTF8: 28, UTF16: 25}},
		// What is not there is shown at the nearest value on the way.
		{`x.z`, `{"😀é": {}, "y": null}`, `"x"`, false, taxonomy.Point{Offset: 46, Line: 3, Column: 8, UTF8: 8, UTF16: 8}},
		{`["é"][9].a`, `[1, "😀", {"a b": true}]`, `"é"`, false, taxonomy.Point{Offset: 10, Line: 2, Column: 8, UTF8: 9, UTF16: 8}},
		{`nothing`, text, "", false, taxonomy.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			path, err := taxonomy.ParsePath(tt.path)
			require.NoError(t, err)
			l := doc.Locate(path)
			require.Equal(t, tt.exact, l.Exact)
			require.Equal(t, tt.value, cut(l.Value))
			require.Equal(t, tt.key, cut(l.Key))
			require.Equal(t, tt.start, l.Value.Start)
			require.Equal(t, l.Value.Start.Offset+len(tt.value), l.Value.End.Offset)
		})
	}
}
