package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// TestManPages writes a man page for each command, with all flags: those of serve as well, of
// which its help shows the most important ones.
func TestManPages(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1788307200")
	dir := t.TempDir()
	p := newPlayer(t)
	code, _, stderr := execute(t.Context(), p.sys, "man", dir)
	require.Equal(t, console.ExitGood, code, stderr)
	for name, want := range map[string][]string{
		"datachain.1":                {`.TH "DATACHAIN" "1" "Sep 2026" "datachain `, `\fBdatachain-schema(1)\fP`},
		"datachain-schema-publish.1": {`\fBdatachain schema publish `, `\fB--store\fP`},
		"datachain-serve.1":          {`\fB--max-client-requests\fP`},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		for _, want := range want {
			assert.Contains(t, string(text), want, name)
		}
	}
	assert.NoFileExists(t, filepath.Join(dir, "datachain-man.1"))
}
