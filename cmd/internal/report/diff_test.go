package report_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/stretchr/testify/require"
)

func diff(before, after string) string {
	return report.Diff("f", []byte(before), []byte(after), false)
}

func TestDiff(t *testing.T) {
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
		{"one more line", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "@@ -1,3 +1,4 @@\n {\n-  \"a\": 1\n+  \"a\": 1,\n+  \"b\": 2\n }\n"},
		{"no line end", "a", "b", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{"Windows line ends", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"terminal escapes", "\x1b\n", "a\n", "@@ -1,1 +1,1 @@\n-\uFFFD\n+a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, "--- f\n+++ f\n"+c.want, diff(c.before, c.after))
		})
	}
}

// TestDiffApplies makes the new text out of the old one and the diff.
func TestDiffApplies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(30) {
			b.WriteString(string('a'+rune(random.IntN(4))) + "\n")
		}
		return b.String()
	}
	for range 500 {
		before, after := text(), text()
		require.Equal(t, after, patch(t, before, diff(before, after)))
	}
}

// patch applies a diff as the tool of that name does.
func patch(t *testing.T, text, diff string) string {
	t.Helper()
	old := strings.SplitAfter(text, "\n")
	var b strings.Builder
	at := 0 // lines of the old text that are used up
	for i, line := range strings.SplitAfter(diff, "\n") {
		switch {
		case i < 2 || line == "":
		case line[0] == '@':
			var start, length, newStart, newLength int
			_, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &start, &length, &newStart, &newLength)
			require.NoError(t, err)
			for ; at < start-1; at++ {
				b.WriteString(old[at])
			}
			require.Equal(t, newStart-1, strings.Count(b.String(), "\n"))
		case line[0] == '+':
			b.WriteString(line[1:])
		default:
			require.Equal(t, old[at], line[1:])
			if line[0] == ' ' {
				b.WriteString(old[at])
			}
			at++
		}
	}
	return b.String() + strings.Join(old[at:], "")
}
