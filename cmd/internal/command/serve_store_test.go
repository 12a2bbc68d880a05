package command

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/taxonomy"
)

// publishStarter publishes a version of robot into a store.
func publishStarter(t *testing.T, dir, version string, flags ...string) {
	t.Helper()
	src := t.TempDir()
	writeStarter(t, src, taxonomy.MustVersion(version))
	code, _, stderr := execute(t.Context(), testSystem(dir), append([]string{"schema", "publish", src, "--store", "store"}, flags...)...)
	require.Zero(t, code, stderr)
}

func onlyFile(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

// TestStoreLost removes the store of a running server: the server continues with
// the last good data, and with the store when that is back.
func TestStoreLost(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, atOnce, admission, fastDrain)
	good := func(path string) {
		t.Helper()
		status, body := s.get(path)
		require.Equal(t, http.StatusOK, status, body)
	}
	good("/schemas/robot@latest/manifest")
	for _, failure := range []struct {
		name  string
		cause func(t *testing.T)
	}{
		{"no index", func(t *testing.T) { require.NoError(t, os.Remove(filepath.Join(dir, "store", "index.json"))) }},
		{"a broken index", func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "store", "index.json"), []byte(`{"versions":[{`), 0o644))
		}},
		{"no directory", func(t *testing.T) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "store", "robot")))
			require.NoError(t, os.Remove(filepath.Join(dir, "store", "index.json")))
		}},
	} {
		t.Run(failure.name, func(t *testing.T) {
			saved := t.TempDir()
			require.NoError(t, os.CopyFS(saved, os.DirFS(filepath.Join(dir, "store"))))
			failure.cause(t)
			for range 5 {
				good("/schemas")
				good("/schemas/robot@latest/manifest")
			}
			status, _ := getURL(t, s.admin+"/readyz")
			assert.Equal(t, http.StatusOK, status)
			restore(t, saved, filepath.Join(dir, "store"))
			good("/schemas/robot@latest/manifest")
		})
	}
	_, page := getURL(t, s.admin+"/metrics")
	assert.NotContains(t, page, "datachain_store_trouble_total 0\n")
	s.logged("store read failed")

	publishStarter(t, dir, "robot@2026-02-02-stable")
	s.become(s.api+"/schemas/robot@2026-02-02-stable/manifest", http.StatusOK)
	require.Equal(t, console.ExitGood, s.stop())
}

// restore copies a directory over another.
func restore(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	}))
}

// TestReleaseBroken starts with a release that does not match its hash: it is 502,
// others are served, and it is served when it is repaired.
func TestReleaseBroken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	publishStarter(t, dir, "robot@2026-02-02-stable")
	file := onlyFile(t, filepath.Join(dir, "store", "robot", "2026-01-01-beta", "sha256-*", "*.zip"))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "Purpose", "Porpoise", 1)), 0o644))

	s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, admission, fastDrain)
	status, body := s.get("/schemas/robot@2026-01-01-beta/manifest")
	assert.Equal(t, http.StatusBadGateway, status)
	assert.Contains(t, body, `"upstream_error"`)
	assert.NotContains(t, body, dir, "clients learn nothing about the machine")
	status, _ = s.get("/schemas/robot@latest/manifest")
	assert.Equal(t, http.StatusOK, status)
	status, body = getURL(t, s.admin+"/readyz")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, body, "ready: 1 release\nstore: ")
	assert.Contains(t, body, "robot@2026-01-01-beta")
	s.logged("store read failed")

	require.NoError(t, os.WriteFile(file, text, 0o644))
	s.become(s.api+"/schemas/robot@2026-01-01-beta/manifest", http.StatusOK)
	require.Eventually(t, func() bool {
		_, body := getURL(t, s.admin+"/readyz")
		return body == "ready: 2 releases\n"
	}, 40*time.Second, 50*time.Millisecond)
}

// TestFollowServer follows another server, and continues without it, also after a
// restart.
func TestFollowServer(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	upstream := startServer(t, testSystem(dir), "--addr", anyPort, fastDrain)
	address := strings.TrimSuffix(upstream.api, "/api/v2")
	follower := func() *running {
		return startServer(t, testSystem(dir), "--store", address, "--store-cache", "cache", "--addr", anyPort, admission, fastDrain)
	}
	s := follower()
	status, first := s.get("/schemas/ai@latest/manifest")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, console.ExitGood, upstream.stop())
	_, again := s.get("/schemas/ai@latest/manifest")
	require.Equal(t, first, again)
	require.Equal(t, console.ExitGood, s.stop())

	s = follower()
	_, again = s.get("/schemas/ai@latest/manifest")
	require.Equal(t, first, again, "from the cache")
	status, _ = getURL(t, s.admin+"/readyz")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, console.ExitGood, s.stop())

	s = startServer(t, testSystem(dir), "--store", address, "--store-cache", "empty", "--addr", anyPort, admission, fastDrain)
	status, body := s.get("/schemas")
	require.Equal(t, http.StatusBadGateway, status)
	require.Contains(t, body, `"upstream_error"`)
	status, _ = getURL(t, s.admin+"/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, console.ExitGood, s.stop())
}

// TestFollowLoss serves a store whose index is replaced by an empty one, and follows
// that server after a restart, which has no memory: the loss is reported, and accepted
// only if asked.
func TestFollowLoss(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-02-02-stable")
	upstream := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, fastDrain)
	serves := func(want int, more ...string) *running {
		t.Helper()
		address := strings.TrimSuffix(upstream.api, "/api/v2")
		s := startServer(t, testSystem(dir), append(more, "--store", address, "--store-cache", "cache", "--addr", anyPort, fastDrain)...)
		status, body := s.get("/schemas/robot@latest/manifest")
		require.Equal(t, want, status, body)
		return s
	}
	require.Equal(t, console.ExitGood, serves(http.StatusOK).stop())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "store", "index.json"), []byte(`{"format":2,"versions":[]}`), 0o644))
	status, body := upstream.get("/schemas/robot@latest/manifest")
	require.Equal(t, http.StatusOK, status, body)
	upstream.logged("index was rolled back, serving the last good one")
	listens := strings.TrimSuffix(strings.TrimPrefix(upstream.api, "http://"), "/api/v2")
	require.Equal(t, console.ExitGood, upstream.stop())
	upstream = startServer(t, testSystem(dir), "--store", "store", "--addr", listens, fastDrain)

	s := serves(http.StatusOK, admission)
	s.logged("it drops versions without listing them as retired: robot@2026-02-02-stable")
	require.Equal(t, console.ExitGood, s.stop())
	s = serves(http.StatusNotFound, "--accept-removals", admission)
	s.logged("index was rolled back and was accepted")
	_, metrics := getURL(t, s.admin+"/metrics")
	require.Contains(t, metrics, "\ndatachain_store_in_trouble 1\n")
	require.Equal(t, console.ExitGood, s.stop())
	require.Equal(t, console.ExitGood, serves(http.StatusNotFound).stop())
	require.Equal(t, console.ExitGood, upstream.stop())
}

// TestTroubleClears lets the index name content that does not exist, and then
// restores it: the gauge returns to 0 though no request asks for the release.
func TestTroubleClears(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, atOnce, admission, fastDrain)
	trouble := func(want string) bool {
		_, page := getURL(t, s.admin+"/metrics")
		return strings.Contains(page, "\ndatachain_store_in_trouble "+want+"\n")
	}
	index := filepath.Join(dir, "store", "index.json")
	good, err := os.ReadFile(index)
	require.NoError(t, err)
	wrong := regexp.MustCompile(`sha256-[0-9a-f]{64}`).ReplaceAll(good, []byte("sha256-"+strings.Repeat("0", 64)))
	numbered := func(text []byte, sequence string) []byte {
		return []byte(strings.Replace(string(text), `"sequence":1,`, `"sequence":`+sequence+`,`, 1))
	}
	require.NoError(t, os.WriteFile(index, numbered(wrong, "2"), 0o644))
	status, _ := s.get("/schemas/robot@2026-01-01-beta/manifest")
	require.Equal(t, http.StatusOK, status)
	require.True(t, trouble("1"))
	require.NoError(t, os.WriteFile(index, numbered(good, "3"), 0o644))
	require.Eventually(t, func() bool { return trouble("0") }, 30*time.Second, 20*time.Millisecond)
}

// TestAliasWaits publishes a version whose files arrive after the index: its alias
// stays at the version before until they are there.
func TestAliasWaits(t *testing.T) {
	t.Parallel()
	const before, after = "robot@2026-01-01-stable", "robot@2026-02-02-stable"
	dir := t.TempDir()
	publishStarter(t, dir, before)
	s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, atOnce, admission, fastDrain)
	s.become(s.admin+"/readyz", http.StatusOK)
	next := t.TempDir()
	require.NoError(t, os.CopyFS(next, os.DirFS(dir)))
	publishStarter(t, next, after)
	added := filepath.Join("store", "robot", "2026-02-02-stable")
	require.NoError(t, os.CopyFS(filepath.Join(next, "later"), os.DirFS(filepath.Join(next, added))))
	require.NoError(t, os.RemoveAll(filepath.Join(next, added)))
	require.NoError(t, os.Rename(filepath.Join(next, "store", "index.json"), filepath.Join(dir, "store", "index.json")))

	for range 3 {
		status, body := s.get("/schemas/robot@latest/manifest")
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, body, before)
		status, body = s.get("/schemas/" + after + "/manifest")
		require.Equal(t, http.StatusBadGateway, status, body)
	}
	_, list := s.get("/schemas")
	require.Regexp(t, `"id":"`+after+`"[^}]*"aliases":\["robot@latest"\]`, list, "as the index has it")
	s.logged("robot@latest stays at " + before)
	_, page := getURL(t, s.admin+"/metrics")
	require.Contains(t, page, "\ndatachain_aliases_held 1\n")
	require.Regexp(t, `\ndatachain_index_age_seconds [0-9.e-]+\n`, page)
	require.NotContains(t, page, "\ndatachain_oldest_unread_change_seconds 0\n")

	require.NoError(t, os.CopyFS(filepath.Join(dir, added), os.DirFS(filepath.Join(next, "later"))))
	require.Eventually(t, func() bool {
		_, body := s.get("/schemas/robot@latest/manifest")
		_, page := getURL(t, s.admin+"/metrics")
		return strings.Contains(body, after) && strings.Contains(page, "\ndatachain_aliases_held 0\n") &&
			strings.Contains(page, "\ndatachain_oldest_unread_change_seconds 0\n")
	}, 30*time.Second, 20*time.Millisecond)
	require.Equal(t, console.ExitGood, s.stop())
}

// TestIndexBroken starts with an index that is damaged: nothing is served, the
// server is not ready and says why, and it recovers when the index is repaired.
func TestIndexBroken(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{"half": `{"versions":[{`, "empty": "", "no index": `{"versions":7}`, "text": "\x00\xff"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			publishStarter(t, dir, "robot@2026-01-01-beta")
			index := filepath.Join(dir, "store", "index.json")
			good, err := os.ReadFile(index)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(index, []byte(damage), 0o644))
			s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, admission, fastDrain)
			for _, path := range []string{"/schemas", "/schemas/robot@latest/manifest"} {
				status, body := s.get(path)
				assert.Equal(t, http.StatusBadGateway, status, path)
				assert.Contains(t, body, `"upstream_error"`)
				assert.NotContains(t, body, dir, "clients learn nothing about the machine")
			}
			status, _ := getURL(t, s.admin+"/readyz")
			assert.Equal(t, http.StatusServiceUnavailable, status)
			status, _ = getURL(t, s.admin+"/healthz")
			assert.Equal(t, http.StatusOK, status)
			s.logged("store read failed")
			_, page := getURL(t, s.admin+"/metrics")
			assert.Contains(t, page, "\ndatachain_store_in_trouble 1\n")

			require.NoError(t, os.WriteFile(index, good, 0o644))
			require.Eventually(t, func() bool {
				status, _ := getURL(t, s.admin+"/readyz")
				return status == http.StatusOK
			}, 30*time.Second, 20*time.Millisecond)
			status, _ = s.get("/schemas/robot@latest/manifest")
			assert.Equal(t, http.StatusOK, status)
			require.Equal(t, console.ExitGood, s.stop())
		})
	}
}
