package server_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
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

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/cmd/internal/server"
	handler "github.com/datachain-go/datachain/pages/server"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestRun(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	s := start(t, samples(t), server.Options{Options: handler.Options{HTTP: httpapi.Options{LogRequests: true}}})
	require.Len(t, s.Releases, 5)
	require.Empty(t, s.AdminURL)
	status, body := s.get("/schemas/sensor@latest/manifest")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "sensor@2026-11-15-stable")
	require.NoError(t, s.stop())
	require.Contains(t, s.log.String(), "msg=request method=GET path=/api/v2/schemas/sensor@latest/manifest")
	require.True(t, strings.HasSuffix(s.log.String(), "msg=stopped\n"), s.log.String())
}

// TestRunFails shows that Run fails at once if it can't listen.
func TestRunFails(t *testing.T) {
	l, err := net.Listen("tcp", anyPort)
	require.NoError(t, err)
	defer l.Close()
	for name, o := range map[string]server.Options{
		"address":       {Addr: l.Addr().String()},
		"admin address": {Addr: anyPort, AdminAddr: l.Addr().String()},
		"certificate":   {Addr: anyPort, CertFile: "nowhere.pem", KeyFile: "nowhere.pem"},
		"limit":         {Addr: anyPort, RateLimit: &ratelimit.Options{MaxKeys: 1 << 30}},
	} {
		require.Error(t, runUnstarted(t, o), name)
	}
}

// TestAdmin shows what operators see, and that the public address does not have
// it.
func TestAdmin(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), server.Options{
		AdminAddr: anyPort, RateLimit: new(ratelimit.Options),
		Build: server.Build{Version: "v1.2.3", Revision: "0123abc", GoVersion: "go1.26.0"},
	})
	for path, want := range map[string]string{
		"/healthz": "ok\n", "/readyz": "ready: 5 releases\n",
	} {
		status, body := fetch(t, s.AdminURL+path)
		assert.Equal(t, http.StatusOK, status, path)
		assert.Contains(t, body, want, path)
	}
	s.get("/schemas/ai@latest/manifest")
	s.get("/nowhere")
	_, body := fetch(t, s.AdminURL+"/metrics")
	for _, want := range []string{
		`datachain_http_requests_total{code="200",method="GET",route="/api/v2/schemas/{version}/manifest"} 1`,
		`datachain_http_requests_total{code="404",method="GET",route="none"} 1`,
		`datachain_limiter_requests_total{bucket="read",outcome="allowed"} 2`,
		"datachain_limiter_unchecked_total 0",
		`datachain_store_reads_total{kind="release",outcome="ok"}`,
		`version="sensor@2026-11-15-stable"} 1`,
		`datachain_build_info{goversion="go1.26.0",revision="0123abc",version="v1.2.3"} 1`,
		"go_goroutines", "process_start_time_seconds",
	} {
		assert.Contains(t, body, want)
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/debug/pprof/", "/debug/pprof/heap"} {
		status, _ := fetch(t, s.URL+path)
		assert.Equal(t, http.StatusNotFound, status, path)
	}
}

// TestProfiles shows that profiles are served only if they are asked for, and
// never on the public address.
func TestProfiles(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{false, true} {
		s := start(t, samples(t), server.Options{AdminAddr: anyPort, Profiles: on})
		for path, want := range map[string]string{"/debug/pprof/": "goroutine", "/debug/pprof/cmdline": "test", "/debug/pprof/heap?debug=1": "heap profile"} {
			status, body := fetch(t, s.AdminURL+path)
			if on {
				assert.Equal(t, http.StatusOK, status, path)
				assert.Contains(t, body, want, path)
			} else {
				assert.Equal(t, http.StatusNotFound, status, path)
			}
			status, _ = fetch(t, s.URL+path)
			assert.Equal(t, http.StatusNotFound, status, path)
		}
	}
}

// TestReady follows a store that is empty, has versions, and is empty again.
func TestReady(t *testing.T) {
	t.Parallel()
	store := new(changing)
	store.become(t, nil)
	s := start(t, store, server.Options{AdminAddr: anyPort})
	require.Equal(t, "the store has no versions\n", s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable))
	s.logged("no release is loaded, retrying every second")
	status, _ := fetch(t, s.AdminURL+"/healthz")
	require.Equal(t, http.StatusOK, status, "it is healthy nevertheless")

	store.become(t, nil, "robot@2026-01-01-beta")
	require.Equal(t, "ready: 1 release\n", s.become(s.AdminURL+"/readyz", http.StatusOK))
	s.logged(`msg="release loaded" version=robot@2026-01-01-beta`)

	store.become(t, nil)
	s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable)
	s.logged(`msg="release removed" version=robot@2026-01-01-beta`)
}

// TestStoreFails breaks the store of a server: requests get the last good data,
// the metrics and the log say so, and all is well when the store is.
func TestStoreFails(t *testing.T) {
	t.Parallel()
	store := new(changing)
	store.become(t, nil, "robot@2026-01-01-beta")
	s := start(t, store, server.Options{AdminAddr: anyPort})
	require.Equal(t, "0", s.gauge("datachain_store_in_trouble"))
	const path = "/schemas/robot@2026-01-01-beta/manifest"

	store.become(t, errBroken)
	for range 3 {
		status, _ := s.get(path)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "1", s.gauge("datachain_store_in_trouble"))
	}
	require.Equal(t, "1", s.gauge("datachain_store_trouble_total"))
	s.logged(`msg="store read failed, serving last good data if there is any" error="` + errBroken.Error())
	status, _ := fetch(t, s.AdminURL+"/readyz")
	require.Equal(t, http.StatusOK, status)

	store.become(t, nil, "robot@2026-01-01-beta", "robot@2026-02-02-stable")
	s.logged("store recovered")
	require.Equal(t, "0", s.gauge("datachain_store_in_trouble"))
	status, _ = s.get("/schemas/robot@2026-02-02-stable/manifest")
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, s.stop())
	assert.Equal(t, 1, strings.Count(s.log.String(), "store recovered"), s.log.String())
}

// TestStoreFailsAtStart shows that a server starts without its store, and becomes
// ready when the store does.
func TestStoreFailsAtStart(t *testing.T) {
	t.Parallel()
	store := new(changing)
	store.become(t, errBroken)
	s := start(t, store, server.Options{AdminAddr: anyPort})
	s.logged(`msg="store read failed, serving last good data if there is any"`)
	status, body := s.get("/schemas")
	require.Equal(t, http.StatusBadGateway, status)
	require.NotContains(t, body, errBroken.Error(), "clients do not learn the cause")
	require.Equal(t, "no release is loaded\n", s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable))
	require.NotContains(t, s.log.String(), "reading the index failed", "it was logged already")
	store.become(t, nil, "robot@2026-01-01-beta")
	s.become(s.AdminURL+"/readyz", http.StatusOK)
}

// TestSource breaks and repairs a schema source while it is served.
func TestSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	for name, data := range write.Starter(v) {
		name = filepath.Join(dir, v.Type(), v.Folder(), name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, data, 0o644))
	}
	log := new(lockedBuffer)
	logger := slog.New(slog.NewTextHandler(log, nil))
	store, err := live.Open(dir, &live.Options{Report: server.LogFindings(logger), Edited: server.LogEdits(logger)})
	require.NoError(t, err)
	defer store.Close()
	s := start(t, store, server.Options{AdminAddr: anyPort})
	const path = "/schemas/robot@2026-01-01-beta/manifest"
	file := filepath.Join(dir, "robot", v.Folder(), "elements", "purpose.yaml")
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte("[{"), 0o644))
	require.Eventually(t, func() bool {
		status, _ := s.get(path)
		require.Equal(t, http.StatusOK, status)
		return s.gauge("datachain_store_in_trouble") == "1"
	}, 30*time.Second, 10*time.Millisecond)
	require.Contains(t, log.String(), "msg=finding place=robot/2026-01-01-beta/elements/purpose.yaml:1:")
	require.Contains(t, log.String(), `msg="source has errors, serving the last good version" version=robot@2026-01-01-beta content_hash=sha256-`)
	require.NotContains(t, log.String(), "edit picked up")
	require.NoError(t, os.WriteFile(file, good, 0o644))
	require.Eventually(t, func() bool {
		s.get(path)
		return s.gauge("datachain_store_in_trouble") == "0"
	}, 30*time.Second, 10*time.Millisecond)
	require.Contains(t, log.String(), "source has no findings")
	require.Contains(t, log.String(), `msg="edit picked up" version=robot@2026-01-01-beta content_hash=sha256-`)
	s.logged("store recovered")
}

func TestLogFindings(t *testing.T) {
	var b bytes.Buffer
	report := server.LogFindings(slog.New(slog.NewTextHandler(&b, nil)))
	first := issue.Issue{Code: "a", Message: "First.", Position: issue.Position{File: "f", Line: 1}}
	second := issue.Issue{Code: "b", Message: "Second.", FixHint: "do it", Position: issue.Position{File: "f", Line: 2}}
	third := issue.Issue{Code: "c", Severity: issue.SeverityWarning, Message: "Third."}
	report(issue.Issues{first, third, third})
	report(issue.Issues{first, second, third})
	report(issue.Issues{second})
	report(issue.Issues{first})
	report(nil)
	var messages []string
	for line := range strings.Lines(b.String()) {
		_, message, _ := strings.Cut(line, "msg=")
		messages = append(messages, message)
	}
	require.Equal(t, []string{
		"\"the source has warnings; 'datachain schema lint DIR' lists them\" warnings=2\n",
		"finding place=f:1 code=a message=First. hint=\"\"\n",
		"finding place=f:2 code=b message=Second. hint=\"do it\"\n",
		"finding place=f:1 code=a message=First. hint=\"\"\n",
		"\"source has no findings\"\n",
	}, messages)
}

// TestOptions shows that options arrive where they belong.
func TestOptions(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), server.Options{
		AdminAddr: anyPort, RateLimit: &ratelimit.Options{Limits: ratelimit.Limits{Read: 2}},
		Options: handler.Options{HTTP: httpapi.Options{MaxBody: 50}},
	})
	post := func(path, body string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	assert.Equal(t, http.StatusRequestEntityTooLarge, post("/api/v2/schemas/ai@latest/validate", strings.Repeat(" ", 51)))
	assert.Equal(t, http.StatusOK, post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	status, _ := s.get("/schemas")
	assert.Equal(t, http.StatusOK, status)
	status, _ = s.get("/schemas")
	assert.Equal(t, http.StatusTooManyRequests, status, "MCP is charged as a read")
	_, page := fetch(t, s.AdminURL+"/metrics")
	assert.Contains(t, page, `route="/mcp"`)

	s = start(t, samples(t), server.Options{Options: handler.Options{NoMCP: true, NoPages: true}})
	assert.Equal(t, http.StatusNotFound, post("/mcp", "{}"))
	status, _ = fetch(t, s.URL)
	assert.Equal(t, http.StatusNotFound, status)
}

func TestStdio(t *testing.T) {
	var out, log lockedBuffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_schema_versions"}}`)
	store := new(changing)
	store.become(t, errBroken)
	o := &server.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	require.NoError(t, server.Stdio(t.Context(), store, in, &out, o))
	require.Contains(t, out.String(), "upstream_error")
	require.Contains(t, log.String(), errBroken.Error())
	store.become(t, nil, "robot@2026-01-01-beta")
	in.Reset(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_schema_versions"}}`)
	require.NoError(t, server.Stdio(t.Context(), store, in, &out, o))
	require.Contains(t, out.String(), "robot@latest")
}

// TestDocuments shows that REST and MCP serve the same register.
func TestDocuments(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_documents","arguments":{"query":"crossing"}}}`
	origin := func() []register.Origin {
		o, err := register.OpenDirectory("../../../examples/documents", nil)
		require.NoError(t, err)
		return []register.Origin{o}
	}
	s := start(t, samples(t), server.Options{Options: handler.Options{Documents: origin()}})
	status, body := s.get("/documents?query=crossing")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `"slug":"mill-street-crossing"`)
	res, err := http.Post(s.URL+"/mcp", "application/json", strings.NewReader(list))
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), `"slug":"mill-street-crossing"`)
	var out, log lockedBuffer
	o := &server.Options{Options: handler.Options{Documents: origin()}, Logger: slog.New(slog.NewTextHandler(&log, nil))}
	require.NoError(t, server.Stdio(t.Context(), samples(t), strings.NewReader(list), &out, o))
	require.Contains(t, out.String(), `"slug":"mill-street-crossing"`)
}

// TestLocalhost shows that localhost needs no resolver, and that other names do.
func TestLocalhost(t *testing.T) {
	listen := func(ctx context.Context, network, at string) (net.Listener, error) {
		if host, _, err := net.SplitHostPort(at); err != nil || net.ParseIP(host) == nil {
			return nil, &net.OpError{Op: "listen", Err: &net.DNSError{Err: "no such host", Name: host}}
		}
		return new(net.ListenConfig).Listen(ctx, network, at)
	}
	l, err := server.ListenTCP(t.Context(), "localhost:0", listen)
	require.NoError(t, err)
	require.True(t, l.Addr().(*net.TCPAddr).IP.IsLoopback())
	require.NoError(t, l.Close())
	_, err = server.ListenTCP(t.Context(), "elsewhere:0", listen)
	require.ErrorContains(t, err, "no such host")
}

// TestURLs: a server says the host that it was told, and localhost if that is every address.
func TestURLs(t *testing.T) {
	t.Parallel()
	for addr, host := range map[string]string{
		"localhost:0": "localhost", ":0": "localhost", "0.0.0.0:0": "localhost", "127.0.0.1:0": "127.0.0.1",
	} {
		s := start(t, samples(t), server.Options{Addr: addr, AdminAddr: addr})
		for _, u := range []string{s.URL, s.AdminURL} {
			assert.Regexp(t, `^http://`+regexp.QuoteMeta(host)+`:\d+$`, u)
		}
		status, _ := s.get("/schemas")
		assert.Equal(t, http.StatusOK, status, s.URL)
	}
}
