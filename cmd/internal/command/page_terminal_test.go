package command

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// TestPageOnTerminal shows that no page is printed on a terminal, that pipes get it, and that --open shows it.
func TestPageOnTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, begins string }{
		"compare": {"compare documents/good.json ./documents/good.json --schemas schemas", "<!doctype html>"},
		"render":  {"render documents/good.json --schemas schemas", "<!doctype html>"},
		"sign":    {"sign named.json --schemas schemas --base-url https://register.example", "<!doctype html>"},
		"svg":     {"sign named.json --schemas schemas --base-url https://register.example --format svg", "<svg"},
		"pdf":     {"sign named.json --schemas schemas --base-url https://register.example --format pdf", "%PDF"},
		"icon":    {"icons show data.trips bikes@latest-beta --schemas schemas", "<svg"},
		"sheet":   {"icons sheet bikes@latest-beta --schemas schemas", "<!DOCTYPE html>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			nameOrganisation(t, p.sys)
			args := strings.Fields(c.line)
			code, stdout, stderr := execute(t.Context(), p.sys, args...)
			require.Zero(t, code, stderr)
			require.Contains(t, stdout[:min(len(stdout), 100)], c.begins)

			terminal := p.sys
			terminal.StdoutTerminal = true
			code, stdout, stderr = execute(t.Context(), terminal, args...)
			require.Equal(t, console.ExitFailed, code)
			require.Empty(t, stdout)
			require.Contains(t, strings.Join(strings.Fields(stderr), " "), "name a file with -o, or show it with --open")

			var shown string
			terminal.Browse = func(_ context.Context, path string) error {
				text, err := os.ReadFile(path)
				shown = string(text)
				return errors.Join(err, os.Remove(path))
			}
			code, stdout, stderr = execute(t.Context(), terminal, append(args, "--open")...)
			require.Zero(t, code, stderr)
			require.Empty(t, stdout)
			require.Contains(t, shown[:min(len(shown), 100)], c.begins)
		})
	}
}

// TestTextOnTerminal shows that other formats of the same commands are printed.
func TestTextOnTerminal(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	p.sys.StdoutTerminal = true
	for line, format := range map[string]string{"compare documents/good.json ./documents/good.json": "json", "render documents/good.json": "text"} {
		args := append(strings.Fields(line), "--schemas", "schemas", "--format", format)
		code, stdout, stderr := execute(t.Context(), p.sys, args...)
		require.Zero(t, code, stderr)
		require.NotEmpty(t, stdout)
		code, _, stderr = execute(t.Context(), p.sys, append(args, "--open")...)
		require.Equal(t, console.ExitFailed, code)
		require.Contains(t, stderr, "--open requires --format html")
	}
}
