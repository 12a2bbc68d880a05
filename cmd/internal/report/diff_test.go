package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/report"
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
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"with three lines around it", lines('a', 'z'), strings.Replace(lines('a', 'z'), "m", "M", 1), "@@ -10,7 +10,7 @@\n j\n k\n l\n-m\n+M\n n\n o\n p\n"},
		{"close together", lines('a', 'h'), strings.NewReplacer("a\n", "A\n", "h\n", "H\n").Replace(lines('a', 'h')), "@@ -1,8 +1,8 @@\n-a\n+A\n b\n c\n d\n e\n f\n g\n-h\n+H\n"},
		{"far apart", lines('a', 'j'), strings.NewReplacer("a\n", "A\n", "j\n", "J\n").Replace(lines('a', 'j')), "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -7,4 +7,4 @@\n g\n h\n i\n-j\n+J\n"},
		{"one more line", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "@@ -1,3 +1,4 @@\n {\n-  \"a\": 1\n+  \"a\": 1,\n+  \"b\": 2\n }\n"},
		{"no line end", "a", "b", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{"Windows line ends", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"terminal escapes", "\x1b\n", "a\n", "@@ -1 +1 @@\n-\uFFFD\n+a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, "--- f\n+++ f\n"+c.want, diff(c.before, c.after))
		})
	}
	require.Empty(t, diff("a\n", "a\n"))
	require.Equal(t, "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n", report.Diff("f", nil, []byte("a\n"), false))
	require.Equal(t, "--- f g\t\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", report.Diff("f g", []byte("a\n"), nil, false))
}
