package mcp

import (
	"strings"
	"testing"
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
		if got := visible(text); got != want {
			t.Fatalf("%+q: %s", r, got)
		}
	}
}

// A text is quoted as the JSON package quotes it if it escapes markup.
func TestAppendText(t *testing.T) {
	check := func(text string) {
		if got, want := string(appendText([]byte("x"), []byte(text))), "x"+string(appendJSON(nil, text, escapeMarkup)); got != want {
			t.Fatalf("%q: %s, not %s", text, got, want)
		}
	}
	for r := rune(0); r <= 0x3000; r++ {
		check("é" + string(r) + string(r) + "<")
	}
	for _, text := range []string{"", "\xe2", "\xe2\x80", "a\xff\xfeb\u2028", "<p title=\"\\\">\u2029</p>\n"} {
		check(text)
		check(strings.Repeat(text, 3))
	}
}
