package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/stretchr/testify/require"
)

func TestWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{report.Style(true).Red("ab"): 2, "": 0, "abc": 3, "é": 1, "e\u0301": 1, "自転車": 6, "ｘ": 2, "a\u200db": 2} {
		require.Equal(t, want, report.Width(text), text)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two three", 0, "one two three"},
		{"one two three", 13, "one two three"},
		{"one two three", 12, "one two\nthree"},
		{"  one two three\nshort", 8, "  one\n  two\n  three\nshort"},
		{"unbreakable word", 5, "unbreakable\nword"},
		{"自転 車道", 5, "自転\n車道"},
		{"run 'datachain log adopt', which can't", 20, "run\n'datachain log adopt',\nwhich can't"},
	} {
		require.Equal(t, c.want, report.Wrap(c.text, c.width), c.text)
	}
}

func TestHang(t *testing.T) {
	t.Parallel()
	require.Equal(t, "name  what it does", report.Hang("name  ", "what it does", 0))
	require.Equal(t, "name  what it\n      does", report.Hang("name  ", "what it does", 14))
	require.Equal(t, "name  what it does", report.Hang("name  ", "what it does", 5), "there is no room")
}

func TestReflow(t *testing.T) {
	t.Parallel()
	const text = "One line and\nanother.\n\n  kept\n  as it is\n\nLast."
	require.Equal(t, text, report.Reflow(text, 0))
	require.Equal(t, "One line and another.\n\n  kept\n  as it is\n\nLast.", report.Reflow(text, 40))
}

// TestTableFits shows that no line is longer than the terminal is wide, that nothing is
// lost, and that without a terminal each row is a line.
func TestTableFits(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"CODE", "SEVERITY", "MEANING"},
		{"SOMETHING_IS_MISSING", "error", "Something that must be there is not there, and that is why this is so long."},
		{"自転車", "warning", "Short."},
	}
	for width := 24; width < 130; width++ {
		table := report.Table(rows, width)
		for line := range strings.Lines(table) {
			require.LessOrEqual(t, report.Width(strings.TrimSuffix(line, "\n")), width, "%d:\n%s", width, table)
		}
		var words []string
		for _, row := range rows {
			words = append(words, strings.Fields(strings.Join(row, " "))...)
		}
		require.ElementsMatch(t, words, strings.Fields(table))
	}
	require.Len(t, strings.Split(report.Table(rows, 0), "\n"), 4)
	require.Empty(t, report.Table(nil, 80))
}

func ExampleTable() {
	rows := [][]string{
		{"VERSION", "STATUS", "CONTENT HASH"},
		{"ai@2026-09-01-stable", "stable", "sha256-01d657b5c6df"},
	}
	fmt.Print(report.Table(rows, 0))
	fmt.Println()
	fmt.Print(report.Table(rows, 40))
	// Output:
	// VERSION               STATUS  CONTENT HASH
	// ai@2026-09-01-stable  stable  sha256-01d657b5c6df
	//
	// VERSION               STATUS
	//     CONTENT HASH
	// ai@2026-09-01-stable  stable
	//     sha256-01d657b5c6df
}

func ExampleStyle() {
	for _, colored := range []bool{true, false} {
		s := report.Style(colored)
		fmt.Printf("%q %q\n", s.Red("error"), s.Bold(""))
	}
	// Output:
	// "\x1b[31merror\x1b[0m" ""
	// "error" ""
}
