//go:build unix

package report_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/report"
)

// TestCommand pastes commands into a shell, which must read the arguments that were meant, also when
// the command was wrapped.
func TestCommand(t *testing.T) {
	t.Parallel()
	require.Equal(t, "datachain schema lint schemas/ai", report.Command("schema", "lint", "schemas/ai"))
	require.Equal(t, `datachain validate "my chain.json"`, report.Command("validate", "my chain.json"))
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	args := []string{"validate", "my chain.json", "--store", "a'b", "", `q"$HOME" 'x'`, "~/x", "a&b;c", "back\\slash\\", "`id`", "wow!", "自転 車", "--locale", "en", "*"}
	line := report.Command(args...)
	for _, width := range []int{200, 60, 20, 1} {
		wrapped := report.Wrap("Then run\n  "+line, width)
		_, command, _ := strings.Cut(wrapped, "\n")
		out, err := exec.CommandContext(t.Context(), shell, "-c", "datachain() { printf '<%s>' \"$@\"; }\n"+command).Output()
		require.NoError(t, err)
		require.Equal(t, "<"+strings.Join(args, "><")+">", string(out), command)
		if width == 60 {
			for l := range strings.Lines(wrapped) {
				require.LessOrEqual(t, report.Width(strings.TrimSuffix(l, "\n")), width, l)
			}
		}
	}
}
