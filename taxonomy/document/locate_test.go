package document_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestLocate(t *testing.T) {
	const text = "{\n  \"é\": [1, \"😀\", {\"a b\": true}],\r\n  \"x\": {\"😀é\": {}, \"y\": null}\n}"
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	cut := func(s document.Span) string { return text[s.Start.Offset:s.End.Offset] }
	for _, tt := range []struct {
		path, value, key string
		exact            bool
		start            document.Point
	}{
		{"", text, "", true, document.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}},
		{`["é"]`, `[1, "😀", {"a b": true}]`, `"é"`, true, document.Point{Offset: 10, Line: 2, Column: 8, UTF8: 9, UTF16: 8}},
		{`["é"][1]`, `"😀"`, "", true, document.Point{Offset: 14, Line: 2, Column: 12, UTF8: 13, UTF16: 12}},
		{`["é"][2]["a b"]`, `true`, `"a b"`, true, document.Point{Offset: 30, Line: 2, Column: 25, UTF8: 29, UTF16: 26}},
		{`x["😀é"]`, `{}`, `"😀é"`, true, document.Point{Offset: 57, Line: 3, Column: 15, UTF8: 19, UTF16: 16}},
		{`x.y`, `null`, `"y"`, true, document.Point{Offset: 66, Line: 3, Column: 24, UTF8: 28, UTF16: 25}},
		// A missing value is located at the nearest value that contains it.
		{`x.z`, `{"😀é": {}, "y": null}`, `"x"`, false, document.Point{Offset: 46, Line: 3, Column: 8, UTF8: 8, UTF16: 8}},
		{`["é"][9].a`, `[1, "😀", {"a b": true}]`, `"é"`, false, document.Point{Offset: 10, Line: 2, Column: 8, UTF8: 9, UTF16: 8}},
		{`nothing`, text, "", false, document.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			path, err := issue.ParsePath(tt.path)
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

// TestPointOnLongLines compares positions on a long line with counting from its start.
func TestPointOnLongLines(t *testing.T) {
	text := "{\n" + `"k":"` + strings.Repeat("aé😀", 3000) + `"` + "\n\n,\"l\": \"" + strings.Repeat("x", 5000) + "\"}"
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	want := document.Point{Line: 1, Column: 1, UTF8: 1, UTF16: 1}
	for _, r := range text {
		require.Equal(t, want, doc.Point(want.Offset))
		want.Offset += utf8.RuneLen(r)
		want.Column++
		want.UTF8 += utf8.RuneLen(r)
		want.UTF16 += utf16.RuneLen(r)
		if r == '\n' {
			want = document.Point{Offset: want.Offset, Line: want.Line + 1, Column: 1, UTF8: 1, UTF16: 1}
		}
	}
	require.Equal(t, want, doc.Point(len(text)))
	require.Equal(t, want, doc.Point(len(text)+1), "beyond the end is the end")
}
