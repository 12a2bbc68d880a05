package command

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/taxonomy"
)

// lockedBuffer is a text that several goroutines write.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// running is a server of a test.
type running struct {
	t          *testing.T
	api, admin string // URLs; admin is "" if it is off
	log        *lockedBuffer
	cancel     context.CancelFunc
	ended      chan int
}

// startServer runs `serve` until the test ends.
func startServer(t *testing.T, sys system, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	s := &running{t: t, log: new(lockedBuffer), cancel: cancel, ended: make(chan int, 1)}
	sys.Stdout, sys.Stderr = io.Discard, s.log
	go func() { s.ended <- run(ctx, append([]string{"serve"}, args...), sys) }()
	t.Cleanup(func() { s.stop() })
	require.Eventually(t, func() bool {
		if len(s.ended) > 0 {
			return true
		}
		for line := range strings.Lines(s.log.String()) {
			if address, ok := strings.CutPrefix(line, "Serving at "); ok && strings.HasSuffix(line, "\n") {
				s.api = apiOf(address)
			}
			if address, ok := strings.CutPrefix(line, "Health checks and metrics at "); ok && strings.HasSuffix(line, "\n") {
				s.admin, _, _ = strings.Cut(address, "/readyz")
			}
		}
		return s.api != ""
	}, 30*time.Second, 5*time.Millisecond, "no server: %s", s.log)
	require.NotEmpty(t, s.api, s.log.String())
	return s
}

// apiOf returns the address of the REST API from the first line of a server.
func apiOf(line string) string {
	address, _, _ := strings.Cut(line, " ")
	return strings.TrimSuffix(strings.TrimSuffix(address, "/"), "/api/v2") + "/api/v2"
}

// stop sends the signal and returns the exit code. It may be called again.
func (s *running) stop() int {
	s.t.Helper()
	s.cancel()
	select {
	case code := <-s.ended:
		s.ended <- code
		return code
	case <-time.After(time.Minute):
		s.t.Fatalf("the server does not stop: %s", s.log)
		return console.ExitFailed
	}
}

// logged waits until the log contains a text.
func (s *running) logged(text string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return strings.Contains(s.log.String(), text) }, 30*time.Second, 5*time.Millisecond, "%q is not logged", text)
}

// get reads a path of the API.
func (s *running) get(path string) (status int, body string) { return getURL(s.t, s.api+path) }

// become waits until an address answers with a status.
func (s *running) become(url string, want int) string {
	s.t.Helper()
	var status int
	var body string
	require.Eventually(s.t, func() bool {
		status, body = getURL(s.t, url)
		return status == want
	}, 30*time.Second, 50*time.Millisecond, "%s never answers %d", url, want)
	return body
}

func getURL(t *testing.T, url string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(text)
}

const (
	anyPort   = "127.0.0.1:0"
	admission = "--admin-addr=" + anyPort
	fastDrain = "--drain-delay=0s"
	atOnce    = "--refresh=0s"
)

func TestServeSamples(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort)
	status, body := s.get("/schemas/sensor@latest/manifest")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "sensor@2026-11-15-stable")
	require.Equal(t, console.ExitGood, s.stop())
	log := s.log.String()
	require.Contains(t, log, "; latest ai@2026-11-15-stable, sensor@2026-11-15-stable\n")
	require.Contains(t, log, "msg=request method=GET path=/api/v2/schemas/sensor@latest/manifest")
	require.True(t, strings.HasSuffix(log, "msg=stopped\n"), "nothing is lost at the end: %s", log)
}

// TestServeSource serves a source that is edited, named by variables.
func TestServeSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	writeStarter(t, filepath.Join(dir, "schemas"), v)
	sys := testSystem(dir)
	sys.Getenv = func(name string) string {
		return map[string]string{"DATACHAIN_ADDR": anyPort, "DATACHAIN_SCHEMAS": "schemas"}[name]
	}
	s := startServer(t, sys)
	_, body := s.get("/schemas/robot@latest/categories")
	require.Contains(t, body, `"Purpose"`)

	file := filepath.Join(dir, "schemas", "robot", v.Folder(), "categories", "purpose.yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "en: Purpose", "en: Reason", 1)), 0o644))
	_, body = s.get("/schemas/robot@latest/categories")
	require.Contains(t, body, `"Reason"`, "an edit shows in the next answer")
	require.Equal(t, console.ExitGood, s.stop())
}

func writeStarter(t *testing.T, dir string, v taxonomy.Version) {
	t.Helper()
	for name, data := range write.Starter(v) {
		name = filepath.Join(dir, v.Type(), v.Folder(), name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, data, 0o644))
	}
}

// TestVariableYields shows that a source on the command line counts more than
// another in a variable.
func TestVariableYields(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeStarter(t, filepath.Join(dir, "schemas"), taxonomy.MustVersion("robot@2026-01-01-beta"))
	sys := testSystem(dir)
	sys.Getenv = func(name string) string {
		return map[string]string{"DATACHAIN_STORE": "https://datachain.example", "DATACHAIN_STORE_CACHE": "x"}[name]
	}
	s := startServer(t, sys, "--schemas", "schemas", "--addr", anyPort)
	status, _ := s.get("/schemas/robot@latest/manifest")
	require.Equal(t, http.StatusOK, status)
}

func TestServeFails(t *testing.T) {
	t.Parallel()
	busy := startServer(t, testSystem(t.TempDir()), "--addr", anyPort)
	taken := strings.TrimSuffix(strings.TrimPrefix(busy.api, "http://"), "/api/v2")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--store", "nowhere"}, "--store nowhere: not a store: it has no index.json"},
		{[]string{"--schemas", "nowhere"}, "--schemas nowhere: no such directory\nCreate a source with 'datachain schema new TYPE --schemas nowhere'"},
		{[]string{"--store", "http://"}, "--store http://: "},
		{[]string{"--store", "http://127.0.0.1:1", "--store-cache", "/dev/null"}, "--store-cache /dev/null: "},
		{[]string{"--schemas", "a", "--store", "b"}, "--schemas and --store can't be used together"},
		{[]string{"--addr", taken}, "listen tcp " + taken + ": bind: address already in use\nChoose another address with --addr or --admin-addr."},
		{[]string{"--addr", anyPort, "--admin-addr", taken}, "listen tcp " + taken + ": bind: address already in use\nChoose another address"},
		{[]string{"--tls-cert", "a.pem"}, "--tls-cert and --tls-key are required together"},
		{[]string{"--tls-cert", "a.pem", "--tls-key", "b.pem"}, "certificate: a.pem: no such file or directory"},
		{[]string{"--store-cache", "x"}, "--store-cache requires a --store that is a URL"},
		{[]string{"--replicas", "3"}, "--replicas requires --shared"},
		{[]string{"--shared-prefix", "x"}, "--shared-prefix requires --shared"},
		{[]string{"--assets", "nowhere"}, "--assets nowhere: there are no WebAssembly modules"},
		{[]string{"--store", "s3://x/y"}, `the name of the bucket in "s3://x/y" must have 3 to 255 letters`},
		{[]string{"--accept-removals"}, "--accept-removals requires --store"},
		{[]string{"--store", "https://u:secret@host?x=1"}, "--store https://u:xxxxx@host?x=1"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			code, _, stderr := execute(t.Context(), testSystem(t.TempDir()), append([]string{"serve"}, tt.args...)...)
			require.Equal(t, console.ExitFailed, code)
			require.Contains(t, stderr, tt.want)
			require.NotContains(t, stderr, "secret")
		})
	}
}

// TestSettings shows that flags have an effect.
func TestSettings(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, "--limit-read", "2", "--max-body", "1KiB", "--alias-max-age", "90s",
		"--trusted-proxies", "127.0.0.0/8", "--log-format", "text", "--log-requests", "off", "--base-url", "https://example.org/chains/")
	ask := func(method, path, body, client string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, s.api+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("X-Forwarded-For", client)
		res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res
	}
	res := ask("GET", "/schemas/ai@latest/manifest", "", "192.0.2.1")
	assert.Equal(t, "public, max-age=90", res.Header.Get("Cache-Control"))
	assert.Contains(t, res.Header.Get("Content-Location"), "/chains/api/v2/schemas/ai@2026")
	assert.Equal(t, http.StatusOK, ask("GET", "/schemas", "", "192.0.2.1").StatusCode)
	assert.Equal(t, http.StatusTooManyRequests, ask("GET", "/schemas", "", "192.0.2.1").StatusCode)
	assert.Equal(t, http.StatusOK, ask("GET", "/schemas", "", "192.0.2.2").StatusCode)
	assert.Equal(t, http.StatusRequestEntityTooLarge, ask("POST", "/schemas/ai@latest/validate", strings.Repeat(" ", 1025), "192.0.2.3").StatusCode)
	require.Equal(t, console.ExitGood, s.stop())
	assert.NotContains(t, s.log.String(), "msg=request")
}

// TestReplacedSource replaces the directory that is served.
func TestReplacedSource(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--store", "--schemas"} {
		t.Run(flag, func(t *testing.T) {
			dir, next := t.TempDir(), t.TempDir()
			if flag == "--store" { // a store is replaced by one that was published from it
				publishStarter(t, dir, "robot@2026-01-01-beta")
				require.NoError(t, os.CopyFS(next, os.DirFS(dir)))
				publishStarter(t, next, "robot@2026-02-02-beta")
			} else {
				writeStarter(t, filepath.Join(dir, "store"), taxonomy.MustVersion("robot@2026-01-01-beta"))
				writeStarter(t, filepath.Join(next, "store"), taxonomy.MustVersion("robot@2026-02-02-beta"))
			}
			s := startServer(t, testSystem(dir), flag, "store", "--addr", anyPort, fastDrain)
			require.NoError(t, os.Rename(filepath.Join(dir, "store"), filepath.Join(dir, "old")))
			status, _ := s.get("/schemas/robot@2026-01-01-beta/manifest")
			require.Equal(t, http.StatusOK, status, "meanwhile the last good data is served")
			require.NoError(t, os.Rename(filepath.Join(next, "store"), filepath.Join(dir, "store")))
			require.Eventually(t, func() bool {
				_, body := s.get("/schemas/robot@latest/manifest")
				return strings.Contains(body, `"version":"robot@2026-02-02-beta"`)
			}, 30*time.Second, 5*time.Millisecond)
		})
	}
}

// TestBrokenSource starts with a source that does not compile: the log has the finding, and
// does not speak of last good data.
func TestBrokenSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	writeStarter(t, dir, v)
	file := filepath.Join(dir, "robot", v.Folder(), "schema.yaml")
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte("title: ["), 0o600))
	s := startServer(t, testSystem(dir), "--schemas", ".", "--addr", anyPort, fastDrain)
	s.logged("code=source_syntax")
	s.logged("source has errors, see its findings")
	require.NoError(t, os.WriteFile(file, good, 0o600))
	s.become(s.api+"/schemas/robot@latest/manifest", http.StatusOK)
	require.NotContains(t, s.log.String(), "last good data")
}

// TestPublishedIsNotASource suggests the right flag.
func TestPublishedIsNotASource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	code, _, stderr := execute(t.Context(), testSystem(dir), "serve", "--schemas", "store")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "--schemas store: is a published store, not a schema source\nUse --store store.\n")
}

// TestStrayVariables shows that a misspelled variable is reported, and that the samples are
// not served because of it.
func TestStrayVariables(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	injected := []string{
		"DATACHAIN_SERVICE_HOST=10.0.0.1", "DATACHAIN_SERVICE_PORT=80", "DATACHAIN_SERVICE_PORT_HTTP=80", "DATACHAIN_PORT=tcp://10.0.0.1:80",
		"DATACHAIN_PORT_80_TCP=tcp://10.0.0.1:80", "DATACHAIN_PORT_80_TCP_PROTO=tcp", "DATACHAIN_PORT_80_TCP_ADDR=10.0.0.1",
		"DATACHAIN_ADMIN_SERVICE_HOST=10.0.0.1", "DATACHAIN_ADMIN_PORT=tcp://10.0.0.1:90", "DATACHAIN_ADDR=:2", "HOME=/",
	}
	sys.Environ = injected
	s := startServer(t, sys, "--addr", anyPort, fastDrain)
	require.NotContains(t, s.log.String(), "matches no flag")
	for _, c := range []struct{ variable, want string }{
		{"DATACHAIN_STOR=/srv", "DATACHAIN_STOR matches no flag and is ignored; did you mean DATACHAIN_STORE?"},
		{"DATACHAIN_PORT=8080", "DATACHAIN_PORT matches no flag and is ignored"},
	} {
		sys.Environ = append(slices.Clip(injected), c.variable)
		for _, command := range []string{"serve", "mcp"} {
			code, _, stderr := execute(t.Context(), sys, command)
			require.Equal(t, console.ExitFailed, code)
			require.Contains(t, stderr, c.want)
			require.Contains(t, stderr, "Correct or unset the variable, or use --samples.")
		}
		s = startServer(t, sys, "--samples", "--addr", anyPort, fastDrain)
		s.logged(c.want)
		require.Equal(t, 1, strings.Count(s.log.String(), "matches no flag"))
	}
}
