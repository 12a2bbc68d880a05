package mcp

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Hidden characters are escaped anywhere in a text, and no others.
func TestEscapeHidden(t *testing.T) {
	for r := rune(0x20); r <= 0x10FFFF; r++ {
		if 0xD800 <= r && r < 0xE000 {
			continue
		}
		text := "é" + string(r) + "ü"
		want := text
		if hidden(r) {
			want = "é" + escape(r) + "ü"
		}
		require.Equal(t, want, string(escapeHidden([]byte(text))), strconv.QuoteRuneToASCII(r))
	}
}
