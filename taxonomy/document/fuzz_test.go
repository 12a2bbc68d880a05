package document_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

func FuzzParseDocument(f *testing.F) {
	for _, text := range strictTexts {
		f.Add([]byte(text))
	}
	for _, c := range laxTexts {
		if len(c.text) < 1000 { // the fuzzer would spend its time on minimizing larger ones
			f.Add([]byte(c.text))
		}
	}
	f.Add([]byte(thin))
	f.Add([]byte("[" + strings.Join(partTexts, ",") + "]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		given := string(text)
		doc, err := document.Parse(text)
		canonical, canonicalErr := document.Canonical(text)
		require.Equal(t, given, string(text), "the text must not be changed")
		requirePeer(t, text)
		requireParts(t, text)
		if err != nil {
			var syntax *document.SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, err, canonicalErr)
			require.LessOrEqual(t, syntax.Point.Offset, len(text))
			require.Positive(t, syntax.Point.Line)
			require.Positive(t, syntax.Point.Column)
			requirePlainWords(t, syntax.Reason)
			return
		}
		require.NoError(t, canonicalErr)
		require.True(t, stdjson.Valid(text), "nothing may be taken that others refuse")
		checkTree(t, doc)

		want, err := jsontext.AppendFormat(nil, text,
			jsontext.CanonicalizeRawInts(true), jsontext.CanonicalizeRawFloats(true), jsontext.ReorderRawObjects(true))
		require.NoError(t, err)
		require.Equal(t, string(want), string(canonical))
		require.Equal(t, string(want), string(doc.Root().AppendCanonical(nil)))
		again, err := document.Canonical(canonical)
		require.NoError(t, err)
		require.Equal(t, string(canonical), string(again))
	})
}

// requirePlainWords checks that a reason is not that of a library, and fits on a line.
func requirePlainWords(t *testing.T, reason string) {
	t.Helper()
	require.NotRegexp(t, "jsontext|invalid|expecting|unexpected|EOF", strings.Split(reason, "\"")[0])
	require.True(t, utf8.ValidString(reason), "%q", reason)
	require.False(t, strings.ContainsFunc(reason, unicode.IsControl), "%q", reason)
	require.Less(t, len(reason), 300)
}
