package jcs_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jcs"
)

// Strings are read several bytes at a time, so every byte is tried at every position, alone
// and twice.
func TestStrings(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for c := range 256 {
				for _, second := range []int{at, length - 1} {
					text := []byte(strings.Repeat("x", length))
					text[at], text[second] = byte(c), byte(c)
					checkString(t, string(text))
				}
			}
			for _, escape := range []string{`\n`, `\\`, `\"`, `\u`, `\x`} {
				text := strings.Repeat("ÿ", length)
				checkString(t, text[:2*at]+escape+text[2*at:])
				checkString(t, text[:2*at]+escape+text[2*at:2*at+2]+escape+text[2*at+2:])
			}
		}
	}
}

// checkString compares the scanner with one that looks at one byte after the other.
func checkString(t *testing.T, inner string) {
	t.Helper()
	end, ok := -1, utf8.ValidString(inner)
	quoted := `"` + inner + `"`
	for i := 1; i < len(quoted) && end < 0 && ok; i++ {
		switch c := quoted[i]; {
		case c == '"':
			end = i + 1
		case c < ' ':
			ok = false
		case c == '\\':
			i++
			ok = strings.IndexByte(`"\bfnrt`, quoted[i]) >= 0
		}
	}
	require.Equal(t, ok && end == len(quoted), jcs.IsCanonical(quoted), "%q", quoted)
}

// Keys that are not plain ASCII are left to the general decoder, or are not JSON at all.
func TestKeys(t *testing.T) {
	for text, want := range map[string]bool{
		`{"":1}`: true, `{"a":1,"b":2}`: true, `{"a b/c":1}`: true, `{"a":1,"ab":2,"b":3}`: true,
		`{"b":1,"a":2}`: false, `{"a":1,"a":2}`: false, `{"é":1}`: false, "{\"a\x7f\":1}": true,
		`{"a\\":1}`: false, `{"a\"":1}`: false, "{\"a\n\":1}": false, "{\"\x00\":1}": false,
		`{"a`: false, `{"`: false, `{`: false, `{a:1}`: false, `{"a"1}`: false,
	} {
		require.Equal(t, want, jcs.IsCanonical(text), "%q", text)
	}
}

// BenchmarkIsCanonical reads an element with long texts.
func BenchmarkIsCanonical(b *testing.B) {
	text := `{"description":[{"locale":"en","value":"` + strings.Repeat("What a system does, in plain words. ", 8) +
		`"},{"locale":"fr","value":"` + strings.Repeat("Ce que fait un système, en mots simples. ", 8) + `"}],"id":"a.b","order":1}`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if !jcs.IsCanonical(text) {
			b.Fatal("it is canonical")
		}
	}
}
