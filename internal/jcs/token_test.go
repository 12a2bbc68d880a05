package jcs_test

import (
	"strings"
	"testing"

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

// checkString compares String with a loop that looks at one byte after the other.
func checkString(t *testing.T, inner string) {
	t.Helper()
	end, ok := -1, true
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
	got, _, gotOK := jcs.String(quoted, 0)
	require.Equal(t, ok && end > 0, gotOK, "%q", quoted)
	if gotOK {
		require.Equal(t, end, got, "%q", quoted)
	}
}
