package main

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

	"github.com/datachain-go/datachain/taxonomy"
)

// gauge returns a line of the metrics.
func (s *running) gauge(name string) string {
	s.t.Helper()
	_, page := fetch(s.t, s.admin+"/metrics")
	for line := range strings.Lines(page) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	s.t.Fatalf("there is no %s: %s", name, page)
	return ""
}

// TestInTrouble breaks each source of a folder and mends it: the gauge is 1 all
// the while, both are logged, and readers notice nothing.
func TestInTrouble(t *testing.T) {
	version := taxonomy.MustVersion("robot@2026-01-01-beta")
	for flag, c := range map[string]struct {
		prepare func(t *testing.T, dir string)
		file    string
		logged  string
	}{
		"--store": {func(t *testing.T, dir string) { publishStarter(t, dir, version.String()) }, "index.json", "store read failed"},
		"--schemas": {
			func(t *testing.T, dir string) { writeStarter(t, filepath.Join(dir, "store"), version) },
			"robot/2026-01-01-beta/elements/purpose.yaml", "msg=finding",
		},
	} {
		t.Run(flag, func(t *testing.T) {
			dir := t.TempDir()
			c.prepare(t, dir)
			s := startServer(t, testSystem(dir), flag, "store", "--addr", anyPort, admission, fastDrain)
			const path = "/schemas/robot@2026-01-01-beta/manifest"
			require.Equal(t, "0", s.gauge("datachain_store_in_trouble"))

			file := filepath.Join(dir, "store", filepath.FromSlash(c.file))
			good, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, []byte("[{"), 0o644))
			for range 3 {
				status, _ := s.get(path)
				require.Equal(t, http.StatusOK, status)
				assert.Equal(t, "1", s.gauge("datachain_store_in_trouble"))
			}
			assert.Equal(t, "1", s.gauge("datachain_store_trouble_total"))
			assert.Contains(t, s.log.String(), c.logged)

			require.NoError(t, os.WriteFile(file, good, 0o644))
			require.Eventually(t, func() bool {
				s.get(path)
				return s.gauge("datachain_store_in_trouble") == "0"
			}, 30*time.Second, 5*time.Millisecond)
			require.Equal(t, exitGood, s.stop())
			assert.Equal(t, 1, strings.Count(s.log.String(), "store recovered"), s.log.String())
		})
	}
}

// TestTroubleClears lets the index name content that does not exist, and then
// restores it: the gauge returns to 0 though no request asks for the release.
func TestTroubleClears(t *testing.T) {
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, admission, fastDrain)
	index := filepath.Join(dir, "store", "index.json")
	good, err := os.ReadFile(index)
	require.NoError(t, err)
	wrong := regexp.MustCompile(`sha256-[0-9a-f]{64}`).ReplaceAll(good, []byte("sha256-"+strings.Repeat("0", 64)))
	require.NoError(t, os.WriteFile(index, wrong, 0o644))
	status, _ := s.get("/schemas/robot@2026-01-01-beta/manifest")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "1", s.gauge("datachain_store_in_trouble"))
	require.NoError(t, os.WriteFile(index, good, 0o644))
	require.Eventually(t, func() bool { return s.gauge("datachain_store_in_trouble") == "0" }, 30*time.Second, 20*time.Millisecond)
}

// TestReplacedSource puts another folder in the place of the one that is served.
func TestReplacedSource(t *testing.T) {
	for _, flag := range []string{"--store", "--schemas"} {
		t.Run(flag, func(t *testing.T) {
			dir, next := t.TempDir(), t.TempDir()
			for at, version := range map[string]string{dir: "robot@2026-01-01-beta", next: "robot@2026-02-02-beta"} {
				if flag == "--store" {
					publishStarter(t, at, version)
				} else {
					writeStarter(t, filepath.Join(at, "store"), taxonomy.MustVersion(version))
				}
			}
			s := startServer(t, testSystem(dir), flag, "store", "--addr", anyPort, fastDrain)
			require.NoError(t, os.Rename(filepath.Join(dir, "store"), filepath.Join(dir, "old")))
			status, _ := s.get("/schemas/robot@2026-01-01-beta/manifest")
			require.Equal(t, http.StatusOK, status, "meanwhile the last good one is served")
			require.NoError(t, os.Rename(filepath.Join(next, "store"), filepath.Join(dir, "store")))
			require.Eventually(t, func() bool {
				_, body := s.get("/schemas/robot@latest/manifest")
				return strings.Contains(body, `"version":"robot@2026-02-02-beta"`)
			}, 30*time.Second, 5*time.Millisecond)
		})
	}
}

// TestNothingLeft empties the store of a server: it is not ready any more, and
// says so.
func TestNothingLeft(t *testing.T) {
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, admission, fastDrain)
	s.become(s.admin+"/readyz", http.StatusOK)
	index := filepath.Join(dir, "store", "index.json")
	good, err := os.ReadFile(index)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(index, []byte(`{"versions":[]}`), 0o644))
	status, body := fetch(t, s.admin+"/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "no version is left in the store\n", body)
	require.Eventually(t, func() bool {
		return strings.Contains(s.log.String(), "nothing is left to serve; not ready")
	}, 30*time.Second, 10*time.Millisecond)
	require.NoError(t, os.WriteFile(index, good, 0o644))
	s.become(s.admin+"/readyz", http.StatusOK)
}

// TestPublishedIsNoSource shows what to type instead.
func TestPublishedIsNoSource(t *testing.T) {
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	code, _, stderr := execute(t.Context(), testSystem(dir), "serve", "--schemas", "store")
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "--schemas store: this is a published store, and no schema source\nUse --store store.\n")
}

// TestStrayVariables shows that a mistyped variable is not ignored in silence.
func TestStrayVariables(t *testing.T) {
	sys := testSystem(t.TempDir())
	sys.environ = func() []string {
		return []string{"DATACHAIN_ADR=:1", "DATACHAIN_ADDR=:2", "DATACHAIN_SERVICE_HOST=10.0.0.1", "DATACHAIN_PORT_80_TCP=tcp://10.0.0.1:80", "HOME=/"}
	}
	s := startServer(t, sys, "--addr", anyPort, fastDrain)
	require.Contains(t, s.log.String(), "DATACHAIN_ADR is the variable of no flag, and is ignored; did you mean DATACHAIN_ADDR?")
	require.Equal(t, 1, strings.Count(s.log.String(), "is the variable of no flag"))
}
