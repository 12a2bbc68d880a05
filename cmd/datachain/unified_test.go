package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWriteDiff(t *testing.T) {
	lines := func(from, to byte) string {
		var b strings.Builder
		for c := from; c <= to; c++ {
			b.WriteString(string(c) + "\n")
		}
		return b.String()
	}
	for _, c := range []struct{ name, before, after, want string }{
		{"no change", "a\n", "a\n", ""},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"with three lines around it", lines('a', 'z'), strings.Replace(lines('a', 'z'), "m", "M", 1), "@@ -10,7 +10,7 @@\n j\n k\n l\n-m\n+M\n n\n o\n p\n"},
		{"close together", lines('a', 'h'), strings.NewReplacer("a\n", "A\n", "h\n", "H\n").Replace(lines('a', 'h')), "@@ -1,8 +1,8 @@\n-a\n+A\n b\n c\n d\n e\n f\n g\n-h\n+H\n"},
		{"far apart", lines('a', 'j'), strings.NewReplacer("a\n", "A\n", "j\n", "J\n").Replace(lines('a', 'j')), "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -7,4 +7,4 @@\n g\n h\n i\n-j\n+J\n"},
		{"a line more", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "@@ -1,3 +1,4 @@\n {\n-  \"a\": 1\n+  \"a\": 1,\n+  \"b\": 2\n }\n"},
		{"no line end", "a", "b", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{"Windows", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"what steers a terminal", "\x1b\n", "a\n", "@@ -1,1 +1,1 @@\n-\uFFFD\n+a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			writeDiff(&b, false, "f", []byte(c.before), []byte(c.after))
			require.Equal(t, "--- f\n+++ f\n"+c.want, b.String())
		})
	}
}

// TestDiffLines takes both texts out of the diff again.
func TestDiffLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() []string {
		lines := make([]string, random.IntN(12))
		for i := range lines {
			lines[i] = string('a'+rune(random.IntN(4))) + "\n"
		}
		return lines
	}
	for range 2000 {
		before, after := text(), text()
		var old, young []string
		for _, l := range diffLines(before, after) {
			if l.sign != '+' {
				require.Equal(t, len(old)+1, l.old)
				old = append(old, l.text)
			}
			if l.sign != '-' {
				require.Equal(t, len(young)+1, l.new)
				young = append(young, l.text)
			}
		}
		require.Equal(t, strings.Join(before, ""), strings.Join(old, ""))
		require.Equal(t, strings.Join(after, ""), strings.Join(young, ""))
	}
}
