//go:build formats

package httpapi_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPython runs the program of the tour in Python. With -update it writes the output of the
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
	want, rest, ok := strings.Cut(rest, "```\n")
	require.True(t, ok)
	cmd := exec.CommandContext(t.Context(), "python3", "-c", strings.Replace(program, "http://localhost:8080", open(t, samples(t), nil).url, 1))
	cmd.Dir = "../.."
	output, err := cmd.CombinedOutput()
	require.Error(t, err, "the last call fails")
	if *update {
		require.NoError(t, os.WriteFile(tour, []byte(before+"```python\n"+program+"```\n"+between+"```text\n"+string(output)+"```\n"+rest), 0o644))
		return
	}
	require.Equal(t, want, string(output), "run the test with -update")
}
