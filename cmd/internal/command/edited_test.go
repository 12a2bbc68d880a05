package command

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEditedWhileWriting edits a file while a command changes it: what was edited is there afterwards,
// with the change of the command or without it.
func TestEditedWhileWriting(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"import": {"schema", "import", "table.csv", "--into", "schemas"},
		"fix":    {"schema", "lint", "schemas", "--fix"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			require.NoError(t, os.RemoveAll(p.sys.Path("schemas")))
			const version = "ai/2026-11-18-beta"
			require.NoError(t, os.CopyFS(p.sys.Path("schemas/"+version), os.DirFS("../../../examples/taxonomies/"+version)))
			code, table, stderr := execute(t.Context(), p.sys, "schema", "export", "ai@2026-11-18-beta", "--schemas", "schemas", "--format", "csv")
			require.Zero(t, code, stderr)
			p.write("table.csv", strings.Replace(table, "The AI decides alone", "No person decides", 1))
			file := p.sys.Path("schemas/" + version + "/elements/decision.yaml")
			original, err := os.ReadFile(file)
			require.NoError(t, err)
			text := strings.Replace(string(original), "category_id: decision", "category_id: decisionn", map[string]int{"fix": 1}[name])
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))

			began := time.Now()
			_, stdout, stderr := execute(t.Context(), p.sys, args...)
			takes := time.Since(began)
			require.Contains(t, stdout, "use --write", stderr)
			for i := range 8 {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				edited := "# edit " + strconv.Itoa(i) + "\n"
				done := make(chan error, 1)
				time.AfterFunc(takes*time.Duration(i+1)/9, func() {
					err := os.WriteFile(file+"~", []byte(text+edited), 0o600)
					if err == nil {
						err = os.Rename(file+"~", file)
					}
					done <- err
				})
				execute(t.Context(), p.sys, append(args, "--write")...)
				require.NoError(t, <-done)
				after, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Contains(t, string(after), edited, "edited after %d/9 of the time", i+1)
			}
		})
	}
}
