package command

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// TestHiddenDocuments deletes the index of the documents of a signed store: the command that
// checks it says so, and a server shows the last good documents and raises the alarm.
func TestHiddenDocuments(t *testing.T) {
	p := newPlayer(t)
	require.NoError(t, os.Remove(filepath.Join(p.sys.Dir, "documents", "slips.json")))
	require.NoError(t, os.Remove(filepath.Join(p.sys.Dir, "documents", "more", "broken.json")))
	run := func(t *testing.T, want int, args string) string {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), p.sys, strings.Fields(args)...)
		require.Equal(t, want, code, "%v: %s%s", args, stdout, stderr)
		return stdout
	}
	require.NoError(t, os.WriteFile(filepath.Join(p.sys.Dir, "trust.json"), []byte(run(t, console.ExitGood, "log keys new example.org/log --out a.key")), 0o600))
	synctest.Test(t, func(t *testing.T) { // long ago
		run(t, console.ExitGood, "schema publish schemas --store dist --key a.key")
		run(t, console.ExitGood, "documents publish documents --store dist --key a.key")
	})
	run(t, console.ExitGood, "check --store dist --trust trust.json")
	s := startServer(t, p.sys, "--store", "dist", "--trust", "trust.json", "--addr", anyPort, admission, fastDrain)
	address := strings.TrimSuffix(s.api, "/api/v2") + "/d/harbour-bikes"
	status, _ := getURL(t, address)
	require.Equal(t, http.StatusOK, status)
	status, ready := getURL(t, s.admin+"/readyz")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ready: 2 releases\n", ready)

	require.NoError(t, os.Remove(filepath.Join(p.sys.Dir, "dist", "documents", "index.json")))
	var answer checkAnswer
	require.NoError(t, json.Unmarshal([]byte(run(t, console.ExitFindings, "check --store dist --trust trust.json --format json")), &answer))
	require.False(t, answer.OK)
	require.Contains(t, answer.Problems[0], "documents/index.json is missing")
	for _, reads := range []string{"documents list", "site --out pages", "sign harbour-bikes"} {
		code, _, stderr := execute(t.Context(), p.sys, append(strings.Fields(reads), "--store", "dist", "--trust", "trust.json")...)
		require.NotEqual(t, console.ExitGood, code, reads)
		require.Contains(t, stderr, "documents/index.json is missing", reads)
	}
	s.logged("reading documents failed, serving the last good ones")
	s.logged("documents/index.json is missing")
	status, _ = getURL(t, address)
	assert.Equal(t, http.StatusOK, status)
	status, ready = getURL(t, s.admin+"/readyz")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, ready, "documents/index.json is missing")
	_, metrics := getURL(t, s.admin+"/metrics")
	assert.Contains(t, metrics, `datachain_documents_in_trouble{reason="rollback"} 1`)

	// The last publication is complete in the log, so publishing again restores the index.
	run(t, console.ExitGood, "documents publish documents --store dist --key a.key")
	s.logged("documents can be read again")
	run(t, console.ExitGood, "check --store dist --trust trust.json")
}

// TestRefusedNotWithdrawn publishes again after a file was broken: nothing advises to withdraw the
// document, which is still there.
func TestRefusedNotWithdrawn(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	good, err := os.ReadFile(filepath.Join(p.sys.Dir, "documents", "good.json"))
	require.NoError(t, err)
	p.write("own/a.json", string(good))
	publish := func() string {
		_, _, stderr := execute(t.Context(), p.sys, "documents", "publish", "own", "--store", "store")
		return stderr
	}
	_, _, stderr := execute(t.Context(), p.sys, "schema", "publish", "schemas", "--store", "store", "--no-icons")
	require.NotContains(t, stderr, "error")
	require.Contains(t, publish(), "1 document published, 1 new.")
	p.write("own/register.yaml", "wrong: 1")
	require.Contains(t, publish(), "own/register.yaml:1:1: error: wrong: the field is unknown. [REGISTER_INVALID]\n    wrong: 1\n    ^\n  hint: correct the file\n\n1 document published.\n", "settings are no document")
	require.NoError(t, os.Remove(filepath.Join(p.sys.Dir, "own", "register.yaml")))
	p.write("own/a.json", strings.Replace(string(good), `"schema_version": "bikes@`, `"schema_version": "boats@`, 1))
	require.NotContains(t, publish(), "Withdraw")
	p.write("own/a.json", string(good)[:len(good)/2])
	require.Contains(t, publish(), "Published, but not in the directory: harbour-bikes. Correct the refused files first")
	require.NoError(t, os.Remove(filepath.Join(p.sys.Dir, "own", "a.json")))
	require.Contains(t, publish(), "Withdraw those")

	list := func() *registerAnswer {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), p.sys, "documents", "list", "--format", "json", "--store", "store")
		require.Equal(t, console.ExitGood, code, stderr)
		answer := new(registerAnswer)
		require.NoError(t, json.Unmarshal([]byte(stdout), answer))
		return answer
	}
	published := list().Documents[0].Changed
	time.Sleep(1100 * time.Millisecond) // times have no fractions of a second
	code, _, stderr := execute(t.Context(), p.sys, "documents", "erase", "harbour-bikes", "--reason", "A name.", "--store", "store")
	require.Equal(t, console.ExitGood, code, stderr)
	erased := list().Documents[0]
	require.Equal(t, "erased", erased.State)
	require.True(t, erased.Changed.After(published), "%v, %v", erased.Changed, published)
}
