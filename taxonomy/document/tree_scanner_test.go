package document_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// requireSameReading reads a text in both ways.
func requireSameReading(t *testing.T, text []byte) {
	t.Helper()
	want, wantErr := document.ParseGenerally(text)
	got, err := document.Parse(text)
	require.Equal(t, wantErr, err)
	if err == nil {
		require.True(t, document.SameTree(want, got), "%s", text)
	}
	require.False(t, document.Scans(text) && err != nil, "%s", text)
}

func TestTreeScanner(t *testing.T) {
	for _, text := range strictTexts {
		requireSameReading(t, []byte(text))
	}
	for _, c := range laxTexts {
		require.False(t, document.Scans([]byte(c.text)), "%s", c.text)
	}
	for name, text := range map[string]string{
		"a document":                    thin,
		"white space":                   " \t\r\n{ \"a\" : [ 1 , { } , [ ] ] , \"b\" : null } \n",
		"all kinds":                     `[null,true,false,"",0,-0,-12,1.5,1e3,1E+3,1e-3,123456789012345,{"a":{"b":[]}}]`,
		"escapes":                       `["\"\\\/\b\f\n\r\t","\u00e9\ud83d\ude00\uD83D\uDE00","é😀"]`,
		"as many keys as are compared":  `{` + members(16) + `}`,
		"more keys than are compared":   `{` + members(40) + `}`,
		"many keys inside of many keys": `{` + members(20) + `,"x":{` + members(20) + `}}`,
		"the deepest":                   strings.Repeat("[", document.MaxDepth) + strings.Repeat("]", document.MaxDepth),
	} {
		t.Run(name, func(t *testing.T) {
			require.True(t, document.Scans([]byte(text)), "the fast way must be able to read it")
			requireSameReading(t, []byte(text))
		})
	}
	for name, text := range map[string]string{
		"one key too many":      `{` + members(16) + `,"k3":0}`,
		"a key twice":           `{"a":1,"b":2,"a":3}`,
		"a key twice of many":   `{` + members(40) + `,"k3":0}`,
		"an escaped key":        `{"\u0061":1}`,
		"an escaped key, twice": `{"\u0061":1,"a":2}`,
		"too deep":              strings.Repeat("[", document.MaxDepth+1) + strings.Repeat("]", document.MaxDepth+1),
		"a lone high surrogate": `"\ud83d"`,
		"a lone low surrogate":  `"\ude00"`,
		"two high surrogates":   `"\ud83d\ud83d"`,
		"a short escape":        `"\u12"`,
		"a bad escape":          `"\x"`,
		"the end of an escape":  `"\`,
		"invalid UTF-8":         "\"\xff\"",
		"a leading zero":        `[01]`,
		"a bare minus":          `[-]`,
		"no fraction":           `[1.]`,
		"no exponent":           `[1e]`,
		"a large number":        `[9007199254740993]`,
		"a trailing comma":      `[1,]`,
		"a missing comma":       `[1 2]`,
		"a missing colon":       `{"a" 1}`,
		"no value":              `{"a":}`,
		"the wrong bracket":     `[1}`,
		"no end":                `{"a":[1`,
		"more":                  `{} {}`,
		"nothing":               ``,
		"a NUL":                 "[\x00]",
		"a control character":   "\"\x1f\"",
	} {
		t.Run(name, func(t *testing.T) {
			require.False(t, document.Scans([]byte(text)))
			requireSameReading(t, []byte(text))
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
