//go:build formats

package server_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/internal/goldentest"
)

const tour = "../../../docs/rest.md"

// TestPython runs the program of the tour in Python. With UPDATE=1 it writes the output of the
// program.
func TestPython(t *testing.T) {
	page, err := os.ReadFile(tour)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), "```python\n")
	require.True(t, ok)
	program, rest, ok := strings.Cut(rest, "```\n")
	require.True(t, ok)
	between, rest, ok := strings.Cut(rest, "```text\n")
	require.True(t, ok)
	_, rest, ok = strings.Cut(rest, "```\n")
	require.True(t, ok)
	cmd := exec.CommandContext(t.Context(), "python3", "-c", strings.Replace(program, "http://localhost:8080", start(t, samples(t), server.Options{}).URL, 1))
	cmd.Dir = "../../.."
	output, err := cmd.CombinedOutput()
	require.Error(t, err, "the last call fails")
	goldentest.File(t, tour, before+"```python\n"+program+"```\n"+between+"```text\n"+string(output)+"```\n"+rest)
}
