package document_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jcs"
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
	f.Fuzz(func(t *testing.T, text []byte) {
		given := string(text)
		doc, err := document.Parse(text)
		canonical, canonicalErr := document.Canonical(text)
		require.Equal(t, given, string(text), "the text must not be changed")
		requirePeer(t, text)
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

// requirePeer compares the verdict of Parse with that of a peer: jsontext, which
// is strict about UTF-8 and duplicate keys, with the limits of this package.
func requirePeer(t *testing.T, text []byte) {
	t.Helper()
	_, err := document.Parse(text)
	require.Equal(t, peerAccepts(text), err == nil, "%q: %v", text, err)
}

func peerAccepts(text []byte) bool {
	if !jsontext.Value(text).IsValid() {
		return false
	}
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		if dec.StackDepth() > jcs.MaxDepth {
			return false
		}
		if token.Kind() == '0' && !peerAcceptsNumber(token.String()) {
			return false
		}
	}
}

func peerAcceptsNumber(number string) bool {
	f, err := strconv.ParseFloat(number, 64)
	zero := strings.Trim(strings.FieldsFunc(number, func(r rune) bool { return r == 'e' || r == 'E' })[0], "-0.") == ""
	return err == nil && len(number) <= 64 && math.Abs(f) <= 1<<53-1 && (f != 0 || zero)
}

func TestPeer(t *testing.T) {
	for _, text := range strictTexts {
		requirePeer(t, []byte(text))
	}
	for _, c := range laxTexts {
		requirePeer(t, []byte(c.text))
	}
	for name, text := range map[string]string{
		"a document":                    thin,
		"white space":                   " \t\r\n{ \"a\" : [ 1 , { } , [ ] ] , \"b\" : null } \n",
		"all kinds":                     `[null,true,false,"",0,-0,-12,1.5,1e3,1E+3,1e-3,123456789012345,{"a":{"b":[]}}]`,
		"escapes":                       `["\"\\\/\b\f\n\r\t","\u00e9\ud83d\ude00\uD83D\uDE00","é😀"]`,
		"as many keys as are compared":  `{` + members(16) + `}`,
		"more keys than are compared":   `{` + members(40) + `}`,
		"many keys inside of many keys": `{` + members(20) + `,"x":{` + members(20) + `}}`,
		"an escaped key of many":        `{` + members(20) + `,"\u0061":1,"b":2}`,
		"an escaped key before others":  `{"\u0061":1,` + members(20) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := document.Parse([]byte(text))
			require.NoError(t, err)
			checkTree(t, doc)
			requirePeer(t, []byte(text))
		})
	}
	for name, text := range map[string]string{
		"a key twice of as many as are compared": `{` + members(16) + `,"k3":0}`,
		"a key twice of many":                    `{` + members(40) + `,"k3":0}`,
		"an escaped key twice of many":           `{` + members(40) + `,"\u006b3":0}`,
		"an escaped key first":                   `{"\u0061":1,"b":2,"a":3}`,
		"a low surrogate at the end":             `"\udc00`,
		"a character cut at the end":             "\"\xe2\x82",
		"invalid UTF-8 after the value":          "{} \xff",
		"invalid UTF-8 after half an escape":     "\"\\u00\xff",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := document.Parse([]byte(text))
			require.Error(t, err)
			requirePeer(t, []byte(text))
		})
	}
}

// members returns n members of an object with different keys.
func members(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"k` + jsonNumber(i) + `":[]`)
	}
	return b.String()[1:]
}
