package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// upgradeDocument is a document of which bikes@2026-09-01-beta needs more than the older
// version did, if it places contact.office.
func upgradeDocument(id string, elements ...string) string {
	return fmt.Sprintf(`{"id": %q, "schema_version": "bikes@2026-03-01-stable", "created_at": "2026-09-02T08:00Z", "elements": [%s]}`, id, strings.Join(elements, ", "))
}

// runIn runs a command and returns its output and exit code.
func runIn(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs strings.Builder
	sys := testSystem(dir)
	sys.Stdout, sys.Stderr = &out, &errs
	code = run(t.Context(), args, sys)
	return out.String(), errs.String(), code
}

// TestUpgradeResolvedUnfinished keeps a valid resolved document that the new version
// leaves unfinished.
func TestUpgradeResolvedUnfinished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree")))
	thin := filepath.Join(dir, "thin.json")
	require.NoError(t, os.WriteFile(thin, []byte(upgradeDocument("d",
		`{"element_id": "data.trips", "context_type_id": "named"}`, `{"element_id": "contact.office"}`)), 0o666))
	_, stderr, code := runIn(t, dir, "resolve", "thin.json", "--schemas", "schemas", "--out", "full.json")
	require.Zero(t, code, stderr)
	require.NoError(t, os.Remove(thin))
	full := filepath.Join(dir, "full.json")
	before, err := os.ReadFile(full)
	require.NoError(t, err)

	upgrade := []string{"upgrade", "full.json", "--to", "bikes@latest-beta", "--schemas", "schemas", "--write"}
	stdout, _, code := runIn(t, dir, upgrade...)
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "--unfinished")
	after, err := os.ReadFile(full)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))

	_, _, code = runIn(t, dir, append(upgrade, "--unfinished")...)
	require.Equal(t, 1, code)
	after, err = os.ReadFile(full)
	require.NoError(t, err)
	require.NotContains(t, string(after), "schema_snapshot")
}

// TestUpgradeMany groups the report of many documents, and lists all of them as JSON.
func TestUpgradeMany(t *testing.T) {
	t.Parallel()
	const n = 300
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree")))
	docs := filepath.Join(dir, "many")
	require.NoError(t, os.Mkdir(docs, 0o777))
	for i := range n {
		text := upgradeDocument(fmt.Sprintf("d%d", i), `{"element_id": "data.trips", "context_type_id": "named"}`, `{"element_id": "contact.office"}`)
		if i%2 == 0 { // different for each, and dropped
			text = upgradeDocument(fmt.Sprintf("d%d", i), `{"element_id": "data.trips", "context_type_id": "named"}`,
				fmt.Sprintf(`{"element_id": "data.speed", "context_type_id": "anonymous", "element_instance_id": "i%d"}`, i))
		}
		require.NoError(t, os.WriteFile(filepath.Join(docs, fmt.Sprintf("%03d.json", i)), []byte(text), 0o666))
	}
	args := []string{"upgrade", "many", "--to", "bikes@latest-beta", "--schemas", "schemas", "--drop"}

	stdout, stderr, code := runIn(t, dir, args...)
	require.Equal(t, 1, code, stderr)
	require.Less(t, strings.Count(stdout, "\n"), 100)
	require.NotContains(t, stdout, "@@")
	require.Contains(t, stdout, "300 documents: many/000.json:1:32, many/001.json:1:32, many/002.json:1:32 and 297 more")
	require.Contains(t, stdout, "150 documents: many/001.json")
	require.Contains(t, stdout, "  and 131 more; see --format json\n") // 151 groups of what was done, 20 shown
	require.Contains(t, stdout, "300 files, 300 to change, 150 not finished: 450 done, 300 to review, 150 need a decision\n")

	stdout, _, code = runIn(t, dir, append(args, "--format", "json")...)
	require.Equal(t, 1, code)
	var answer struct {
		OK    bool
		Files []struct{ File, Diff, Text string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
	require.False(t, answer.OK)
	require.Len(t, answer.Files, n)
	for i, f := range answer.Files {
		require.Equal(t, fmt.Sprintf("many/%03d.json", i), f.File)
		require.Contains(t, f.Diff, "@@")
		require.Contains(t, f.Text, "bikes@2026-09-01-beta")
	}

	stdout, _, code = runIn(t, dir, append(args, "--write")...)
	require.Equal(t, 1, code)
	require.Equal(t, n/2, strings.Count(stdout, "Dropped the placement"), "what was dropped from files is quoted")
	require.Contains(t, stdout, `"element_instance_id":"i298"`)
	require.Contains(t, stdout, "300 files, 150 written, 150 not finished")
	require.Contains(t, stdout, "150 unfinished documents not written; use --unfinished to write documents with gaps\n")
}
