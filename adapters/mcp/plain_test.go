package mcp

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every character that is hidden is escaped, wherever it stands in a JSON text,
// and no other is.
func TestEscapeJSON(t *testing.T) {
	for r := rune(0x20); r <= 0x10FFFF; r++ {
		if 0xD800 <= r && r < 0xE000 {
			continue
		}
		text := "é" + string(r) + "ü"
		want := text
		if hidden(r) {
			want = "é" + escape(r) + "ü"
		}
		require.Equal(t, want, string(escapeJSON([]byte(text))), strconv.QuoteRuneToASCII(r))
	}
}
