package command

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// readAll returns the text of a file.
func readAll(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// TestVerify verifies documents with a store, a copy of it and a server.
func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sys := testSystem(dir)
	sys.CacheDir = t.TempDir()
	run := func(want int, line string) (stdout, stderr string) {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), sys, strings.Fields(line)...)
		require.Equal(t, want, code, "%s: %s%s", line, stdout, stderr)
		return stdout, strings.Join(strings.Fields(stderr), " ")
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	replaced := func(text, old, replacement string) string {
		t.Helper()
		require.Contains(t, text, old)
		return strings.Replace(text, old, replacement, 1)
	}
	for name, origin := range map[string]string{"own": "example.org/log", "another": "example.org/log", "other": "example.org/other"} {
		trusted, _ := run(console.ExitGood, "log keys new "+origin+" --out "+name+".key")
		write(name+".json", trusted)
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	write("expired.json", replaced(readAll(t, dir, "own.json"), `"key":`, `"until":"`+today.Format(time.RFC3339)+`","key":`))
	write("cosigned.json", replaced(readAll(t, dir, "own.json"), `"keys":`, `"cosigners":[],"keys":`))
	write("elsewhere.json", replaced(readAll(t, dir, "own.json"), `"example.org/log"`, `"example.org/other"`))

	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree")))
	thin := readAll(t, dir, "documents/good.json")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "published"), 0o700))
	write("published/good.json", thin)
	run(console.ExitGood, "schema publish schemas --store dist --key own.key")
	run(console.ExitGood, "documents publish published --store dist --key own.key")
	run(console.ExitGood, "resolve published/good.json --store dist --symbols -o good.resolved.json")
	run(console.ExitGood, "schema publish schemas --store unsigned")
	resolved := readAll(t, dir, "good.resolved.json")
	write("document.json", replaced(resolved, "Quay 3", "Quay 4"))
	write("snapshot.json", replaced(resolved, `"shape":"circle"`, `"shape":"octagon"`))
	write("draft.json", replaced(thin, "harbour-bikes", "city-bikes"))
	write("unknown.json", replaced(thin, "2026-09-01-beta", "2026-09-02-beta"))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "copy"), os.DirFS(filepath.Join(dir, "dist"))))
	server := startServer(t, sys, "--store", "dist", "--addr", anyPort, fastDrain)
	url := strings.TrimSuffix(server.api, "/api/v2")

	const own = " --trust own.json"
	for _, c := range []struct {
		code   int
		args   string
		reason string
		says   string
	}{
		{console.ExitGood, "good.resolved.json" + own, "", "This edition is in the log of the publisher, and its snapshot is that of a release in it.\nedition    sha256-"},
		{console.ExitGood, "published/good.json" + own, "", "This edition is in the log of the publisher, and it pins a release in it.\n"},
		{console.ExitGood, "good.resolved.json --snapshot" + own, "", "Only the snapshot or pin was verified, in the log of the publisher: its snapshot is that of a release in it.\nrelease    bikes@2026-09-01-beta, content sha256-"},
		{console.ExitGood, "document.json --snapshot" + own, "", "Only the snapshot or pin was verified"},
		{console.ExitGood, "draft.json --snapshot" + own, "", "it pins a release in it.\n"},
		{console.ExitFindings, "document.json" + own, "edition", `document.json is not verified: the edition is not in the log: "example.org/log" has 1 edition of harbour-bikes, and this one is another: its hash is sha256-`},
		{console.ExitFindings, "document.json" + own, "edition", "get it from the publisher again"},
		{console.ExitFindings, "draft.json" + own, "edition", `"example.org/log" has no document with the id "city-bikes"`},
		{console.ExitFindings, "unknown.json --snapshot" + own, "snapshot", `schema_version: "example.org/log" has no version bikes@2026-09-02-beta`},
		{console.ExitFindings, "snapshot.json" + own, "snapshot", "the document is not made of a release in the log: schema_snapshot.categories[1].shape: it differs from what bikes@2026-09-01-beta has"},
		{console.ExitFindings, "snapshot.json --snapshot" + own, "snapshot", "resolve its thin form again"},
		{console.ExitFindings, "good.resolved.json --trust another.json", "unknown_key", "not signed by a trusted key"},
		{console.ExitFindings, "good.resolved.json --trust other.json", "unknown_key", "does not have this publisher"},
		{console.ExitFindings, "good.resolved.json --trust elsewhere.json", "origin", `checkpoint of another log: it is of "example.org/log", the trust file has "example.org/other"`},
		{console.ExitFindings, "good.resolved.json --trust expired.json", "expired_key", "name its day with --at"},
		{console.ExitGood, "good.resolved.json --trust expired.json --at " + today.Format(time.DateOnly), "", "the day that --at claims: nothing proves that the copy is of that day."},
		{console.ExitFindings, "good.resolved.json --trust expired.json --at 2026-01-01", "expired_key", "so the copy is not of 2026-01-01, as was claimed"},
		{console.ExitFailed, "good.resolved.json --trust cosigned.json", "", "--trust cosigned.json: trust file: cosigners: the field is unknown"},
	} {
		for _, store := range []string{"dist", "copy", url} {
			line := "verify " + c.args + " --store " + store
			stdout, stderr := run(c.code, line)
			require.Contains(t, stdout+stderr, c.says, line)
			if c.code == console.ExitFailed {
				continue
			}
			stdout, _ = run(c.code, line+" --format json")
			var answer struct {
				OK       bool   `json:"ok"`
				Reason   string `json:"reason"`
				Claimed  string `json:"claimed"`
				Snapshot bool   `json:"snapshot"`
				Release  struct{ State string }
				Edition  *struct{ Slug, State string }
			}
			require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
			require.Equal(t, []any{c.code == console.ExitGood, c.reason, strings.Contains(line, "--at")}, []any{answer.OK, answer.Reason, answer.Claimed != ""}, line)
			if answer.OK {
				require.Equal(t, []any{!strings.Contains(line, "--snapshot"), "current", strings.Contains(line, "resolved") || strings.Contains(line, "document.json")},
					[]any{answer.Edition != nil, answer.Release.State, answer.Snapshot}, line)
			}
		}
	}
	for line, says := range map[string]string{
		"verify good.resolved.json --store dist":          "--trust is required",
		"verify good.resolved.json" + own:                 "--store is required: directory of published versions, s3://bucket/prefix, or the URL of a server",
		"verify own.key --store dist" + own:               "the document: line 1, column 1",
		"verify good.resolved.json --store nowhere" + own: "not a store",
	} {
		_, stderr := run(console.ExitFailed, line)
		require.Contains(t, stderr, says)
	}
	_, stderr := run(console.ExitFindings, "verify good.resolved.json --store unsigned"+own)
	require.Contains(t, stderr, "log/checkpoint is missing")

	// What becomes of document and release is said. A directory has releases of retired versions
	// until they are removed; a server does not send them.
	run(console.ExitGood, "documents withdraw harbour-bikes --reason over --store dist --key own.key")
	run(console.ExitGood, "schema retire bikes@2026-09-01-beta --store dist --key own.key")
	stdout, _ := run(console.ExitGood, "verify good.resolved.json --store dist"+own)
	require.Contains(t, stdout, " of harbour-bikes (withdrawn since), published on ")
	require.Contains(t, stdout, "release    bikes@2026-09-01-beta (retired since), content ")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "dist", "bikes", "2026-09-01-beta")))
	server.become(server.api+"/schemas/bikes@2026-09-01-beta/manifest", http.StatusNotFound)
	for _, store := range []string{"dist", url} {
		_, stderr = run(console.ExitFindings, "verify good.resolved.json --store "+store+own)
		require.Contains(t, stderr, "the snapshot can't be checked: bikes@2026-09-01-beta was retired, and the store does not have its release any more")
		require.Contains(t, stderr, "Verify it with a copy of the store that has the release")
		run(console.ExitGood, "verify published/good.json --store "+store+own)
	}
	_, stderr = run(console.ExitFindings, "verify good.resolved.json --store copy"+own)
	require.Contains(t, stderr, "the log was rolled back")
	require.Contains(t, stderr, "for an old copy, name its day with --at")
	run(console.ExitGood, "verify good.resolved.json --store copy --at "+today.Format(time.DateOnly)+own)
}
