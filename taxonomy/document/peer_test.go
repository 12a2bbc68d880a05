package document_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

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
		if dec.StackDepth() > document.MaxDepth {
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
