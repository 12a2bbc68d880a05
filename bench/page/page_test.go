package page

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWrite replaces one section of a page, and refuses a page without it.
func TestWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "page.md")
	for name, test := range map[string]struct{ page, want string }{
		"first":  {"# P\n\n## A\n\nold\n\n## B\n\nb\n", "# P\n\n## A\n\nnew\n\n## B\n\nb\n"},
		"last":   {"# P\n\n## B\n\nb\n\n## A\n\nold\n", "# P\n\n## B\n\nb\n\n## A\n\nnew\n"},
		"absent": {"# P\n\n## B\n\nb\n", ""},
	} {
		require.NoError(t, os.WriteFile(file, []byte(test.page), 0o600), name)
		err := Write(file, "## A\n\nnew\n")
		if test.want == "" {
			require.ErrorContains(t, err, "no section", name)
			continue
		}
		require.NoError(t, err, name)
		got, err := os.ReadFile(file)
		require.NoError(t, err, name)
		require.Equal(t, test.want, string(got), name)
	}
}
