package mcp

import "testing"

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
		if got := visible(text); got != want {
			t.Fatalf("%+q: %s", r, got)
		}
	}
}
