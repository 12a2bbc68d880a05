package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// TestPageOnTerminal shows that no HTML page is printed on a terminal, and that pipes get it.
func TestPageOnTerminal(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	for _, args := range [][]string{
		{"compare", "documents/good.json", "documents/good.json", "--schemas", "schemas"},
		{"render", "documents/good.json", "--schemas", "schemas"},
	} {
		code, stdout, stderr := execute(t.Context(), p.sys, args...)
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, "<!doctype html>")

		terminal := p.sys
		terminal.StdoutTerminal = true
		code, stdout, stderr = execute(t.Context(), terminal, args...)
		require.Equal(t, console.ExitFailed, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "name a file with -o, or choose another --format")
		code, stdout, _ = execute(t.Context(), terminal, append(args, "--format", map[bool]string{true: "json", false: "text"}[args[0] == "compare"])...)
		require.Zero(t, code)
		require.NotEmpty(t, stdout)
	}
}
