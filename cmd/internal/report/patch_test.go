//go:build formats

package report_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/report"
)

// TestPatch applies diffs with the program patch: new files, removed ones, and texts without a
// newline at the end.
func TestPatch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() []byte {
		b := []byte{} // an empty file
		for range random.IntN(30) {
			b = append(b, 'a'+byte(random.IntN(4)), '\n')
		}
		return b[:max(0, len(b)-random.IntN(2))]
	}
	dir := t.TempDir()
	want := make(map[string][]byte)
	var all strings.Builder
	for i := range 60 {
		name := fmt.Sprintf("files of %d/a b.yaml", i)
		before, after := text(), text()
		switch i % 6 {
		case 0:
			before, after = nil, append(after, '.')
		case 1:
			before, after = append(before, '.'), nil
		case 2:
			before, after = append(before, "\r\n"...), append(after, "\r\n"...)
		}
		require.NoError(t, os.Mkdir(filepath.Join(dir, filepath.Dir(name)), 0o755))
		if before != nil {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), before, 0o644))
		}
		want[name] = after
		all.WriteString(report.Diff(name, before, after, false))
	}
	cmd := exec.CommandContext(t.Context(), "patch", "--batch", "--binary", "--fuzz=0", "-p0")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(all.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, after := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if after == nil || len(after) == 0 && os.IsNotExist(err) { // patch removes files that become empty
			require.ErrorIs(t, err, os.ErrNotExist, name)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, string(after), string(got), name)
	}
}
