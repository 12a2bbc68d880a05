package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/report"
)

// TestTerminalWidth shows that output for people fits the terminal, and that a file
// gets whole lines.
func TestTerminalWidth(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"codes", "codes CONTEXT_TYPE_UNKNOWN", "schema list --samples", "check --samples", "search how long is it kept --samples",
		"--help", "schema publish --help", "validate --help", "serve --help", "help search",
	} {
		for _, width := range []int{80, 60} {
			t.Run(fmt.Sprintf("%s, %d columns", line, width), func(t *testing.T) {
				t.Parallel()
				sys := testSystem(t.TempDir())
				_, whole, _ := execute(t.Context(), sys, strings.Fields(line)...)
				sys.StdoutTerminal, sys.StdoutWidth = true, width
				code, stdout, stderr := execute(t.Context(), sys, strings.Fields(line)...)
				require.Zero(t, code, stderr)
				// Examples are to be copied, so they are not wrapped; nor is a
				// document, and what is said about its lines.
				text, _, _ := strings.Cut(stdout, "\nA document with this finding:")
				examples := false
				for l := range strings.Lines(text) {
					l = strings.TrimSuffix(l, "\n")
					switch {
					case l == "Examples:" || strings.HasPrefix(l, "Usage:"):
						examples = true
					case l == "":
						examples = false
					}
					if trimmed := strings.TrimSpace(l); !examples && strings.Contains(trimmed, " ") && trimmed[0] != '{' {
						require.LessOrEqual(t, report.Width(l), width, l)
					}
				}
				if line == "codes" || strings.HasPrefix(line, "schema list") {
					require.Equal(t, strings.Fields(whole), strings.Fields(stdout), "nothing is lost")
				}
			})
		}
	}
}

// TestMessageWidth shows that messages on standard error fit a terminal, with commands that can be
// copied, and that programs get whole lines.
func TestMessageWidth(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"search", "bike", "--schema-version", "nope@latest"},
		{"schema", "lint"},
		{"check", "--store", "https://127.0.0.1:1/" + strings.Repeat("long/", 20)},
	} {
		sys := testSystem(t.TempDir())
		_, _, whole := execute(t.Context(), sys, args...)
		sys.StderrTerminal, sys.StderrWidth = true, 60
		_, _, wrapped := execute(t.Context(), sys, args...)
		require.Equal(t, strings.Fields(whole), strings.Fields(wrapped), "nothing is lost")
		require.Greater(t, strings.Count(wrapped, "\n"), strings.Count(whole, "\n"))
		for l := range strings.Lines(wrapped) {
			if l = strings.TrimSuffix(l, "\n"); !strings.HasPrefix(l, "https://") {
				require.LessOrEqual(t, report.Width(l), 60, l)
			}
		}
	}
}

// TestExcerptWidth shows that the excerpt of a document on one line fits the terminal.
func TestExcerptWidth(t *testing.T) {
	t.Parallel()
	for _, width := range []int{120, 80, 40} {
		for _, text := range []string{"long ", "長い "} {
			dir := t.TempDir()
			document := fmt.Sprintf(`{"id": %q, "schema_version": "ai@latest", "elements": [{"element_id": "x"}], "title": [{"locale": "en", "value": %[1]q}]}`, strings.Repeat(text, 99))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "line.json"), []byte(document), 0o600))
			sys := testSystem(dir)
			sys.StdoutTerminal, sys.StdoutWidth = true, width
			code, stdout, _ := execute(t.Context(), sys, "validate", "line.json", "--samples")
			require.Equal(t, console.ExitFindings, code)
			excerpts := 0
			for l := range strings.Lines(stdout) {
				if strings.HasPrefix(l, "    ") {
					require.LessOrEqual(t, report.Width(strings.TrimSuffix(l, "\n")), width, l)
					excerpts++
				}
			}
			require.Positive(t, excerpts)
		}
	}
}

// TestVersionFlag shows that --version is the command version.
func TestVersionFlag(t *testing.T) {
	t.Parallel()
	_, want, _ := execute(t.Context(), testSystem(""), "version")
	code, stdout, stderr := execute(t.Context(), testSystem(""), "--version")
	require.Zero(t, code, stderr)
	require.Equal(t, want, stdout)
	require.Equal(t, "datachain v1.2.3 (0123abc, modified, 2026-11-17) go1.26.0\n", stdout)
}

// TestVersionLicences shows that the licence of the fonts comes with them.
func TestVersionLicences(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := execute(t.Context(), testSystem(""), "version", "--licences")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "Noto Sans Arabic")
	require.Contains(t, stdout, "SIL OPEN FONT LICENSE Version 1.1")
}

// TestSearchLimit shows that --limit lists more than the best hits.
func TestSearchLimit(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	args := []string{"search", "who", "is", "responsible", "--samples", "--schema-version", "ai@2026-09-01-stable"}
	_, few, _ := execute(t.Context(), sys, args...)
	require.Contains(t, few, "; use --limit for more\n")
	_, all, _ := execute(t.Context(), sys, append(args, "--limit", "10")...)
	require.Contains(t, all, ": 10 of ")
	require.Greater(t, strings.Count(all, "\n"), strings.Count(few, "\n"))
}
