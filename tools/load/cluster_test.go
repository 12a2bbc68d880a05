package load_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/datachain-go/datachain/examples/documents"
)

const (
	root    = "../.."
	bucket  = "releases"
	version = "/api/v2/schemas/ai@2026-11-15-stable"
	// clients is how many requests are under way at any time, so that each server has some when it
	// ends, and share how many are answered before and after each event.
	clients, share = 12, 2000
)

// TestCluster kills one of three servers, and drains another, while requests arrive at haproxy with
// the configuration in deploy. The servers read one bucket, and share limits through one Redis. No
// request may fail, but for responses that a killed server had begun, which nobody can repeat; and
// all servers give the same answers.
func TestCluster(t *testing.T) {
	c := newCluster(t)
	a := c.attack(t)
	a.next(t, share)

	killed := c.servers[0]
	require.NoError(t, killed.cmd.Process.Kill())
	assert.Error(t, killed.cmd.Wait())
	a.next(t, share)
	killed.start(t)
	broken := a.next(t, share)
	assert.LessOrEqual(t, broken, clients)

	drained := c.servers[1]
	require.NoError(t, drained.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, drained.cmd.Wait(), "it exits with 0")
	a.next(t, share)
	drained.start(t)
	a.next(t, share)

	metrics := a.end()
	assert.Equal(t, broken, a.broken, "a server that drains completes its responses")
	t.Logf("%d requests, 50 %% within %v, 99 %% within %v", metrics.Requests, metrics.Latencies.P50, metrics.Latencies.P99)
	assert.Empty(t, metrics.Errors)
	for _, s := range c.servers {
		assert.Regexp(t, `datachain_shared_decisions_total\{by="redis"\} [1-9]`, string(fetch(t, s.admin+"/metrics")), "the server has asked Redis")
	}
}

// cluster is a load balancer and its servers.
type cluster struct {
	url     string
	servers []*server
}

// newCluster starts everything. The balancer expects the same ports at the addresses of all servers.
func newCluster(t *testing.T) *cluster {
	dir := t.TempDir()
	program := filepath.Join(dir, "datachain-cloud")
	run(t, []string{"GOWORK="}, "go", "build", "-C", root, "-trimpath", "-o", program, "./cmd/datachain-cloud") // this module is not in go.work, the command is

	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket(bucket))
	storage := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(storage.Close)
	env := []string{"AWS_ACCESS_KEY_ID=cluster", "AWS_SECRET_ACCESS_KEY=not-a-secret", "AWS_REGION=us-east-1", "AWS_EC2_METADATA_DISABLED=true",
		"DATACHAIN_S3_ENDPOINT=" + storage.URL, "XDG_CACHE_HOME=" + dir}
	store := "s3://" + bucket + "/public"
	run(t, env, program, "schema", "publish", filepath.Join(root, "examples/taxonomies"), "--store", store)

	redis := freeAddress(t, "127.0.0.1")
	host, port, err := net.SplitHostPort(redis)
	require.NoError(t, err)
	start(t, nil, "redis-server", "--bind", host, "--port", port, "--save", "", "--appendonly", "no", "--dir", dir)
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", redis)
		return err == nil && conn.Close() == nil
	}, time.Minute, 20*time.Millisecond)

	c := &cluster{url: "http://" + freeAddress(t, "127.0.0.1")}
	_, port, _ = net.SplitHostPort(freeAddress(t, "127.0.77.1"))
	_, adminPort, _ := net.SplitHostPort(freeAddress(t, "127.0.77.1"))
	balancer := []string{"LISTEN=" + strings.TrimPrefix(c.url, "http://"), "PORT=" + port, "ADMIN_PORT=" + adminPort}
	for i, name := range []string{"A", "B", "C"} {
		host := fmt.Sprintf("127.0.77.%d", i+1)
		s := &server{program: program, admin: "http://" + net.JoinHostPort(host, adminPort), env: append(env, "XDG_CACHE_HOME="+filepath.Join(dir, name))}
		s.flags = []string{"serve", "--store", store, "--shared", "redis://" + redis + "/0", "--replicas", "3", "--trusted-proxies", "127.0.0.0/8",
			"--addr", net.JoinHostPort(host, port), "--admin-addr", net.JoinHostPort(host, adminPort),
			"--base-url", "http://cluster.test", "--mcp-hosts", "any", "--log-requests", "off",
			"--limit-read", "60000", "--limit-icons", "60000", "--limit-validate", "60000", "--limit-resolve", "60000"}
		c.servers = append(c.servers, s)
		s.start(t)
		balancer = append(balancer, "SERVER_"+name+"="+host)
	}
	start(t, balancer, "haproxy", "-db", "-f", filepath.Join(root, "deploy/haproxy/haproxy.cfg"))
	c.wait(t)
	return c
}

// wait waits until the balancer answers.
func (c *cluster) wait(t *testing.T) {
	require.Eventually(t, func() bool { return ok(c.url + version + "/manifest") }, time.Minute, 20*time.Millisecond)
}

// server is one of the servers.
type server struct {
	program, admin string
	flags, env     []string
	cmd            *exec.Cmd
}

// start starts the server, for the first time or again, and waits until it is ready.
func (s *server) start(t *testing.T) {
	s.cmd = start(t, s.env, s.program, s.flags...)
	require.Eventually(t, func() bool { return ok(s.admin + "/readyz") }, time.Minute, 20*time.Millisecond)
}

// attack is load, as fast as it is answered.
type attack struct {
	attacker *vegeta.Attacker
	done     chan struct{}

	mu      sync.Mutex
	metrics vegeta.Metrics
	broken  int               // responses that had begun
	first   map[string][]byte // responses
}

// attack starts to send reads, documents and MCP calls.
func (c *cluster) attack(t *testing.T) *attack {
	a := &attack{attacker: vegeta.NewAttacker(vegeta.Workers(clients), vegeta.MaxWorkers(clients)), done: make(chan struct{}), first: map[string][]byte{}}
	results := a.attacker.Attack(vegeta.NewStaticTargeter(c.targets(t)...), vegeta.Rate{}, 0, "")
	t.Cleanup(func() { a.attacker.Stop() })
	go func() {
		defer close(a.done)
		for r := range results {
			a.add(r)
		}
	}()
	return a
}

// add counts a response. One with other bytes than the first to this request is an error.
func (a *attack) add(r *vegeta.Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	request := r.Method + " " + r.URL
	switch {
	case r.Error == io.ErrUnexpectedEOF.Error():
		a.broken++
		return
	case r.Error != "":
		r.Error = fmt.Sprintf("%s: %d %s", request, r.Code, r.Error)
	case a.first[request] == nil:
		a.first[request] = r.Body
	case !bytes.Equal(r.Body, a.first[request]):
		r.Error = request + ": not the same bytes as before"
	}
	a.metrics.Add(r)
}

// next waits until there are more responses, and returns how many have broken off since the beginning.
func (a *attack) next(t *testing.T, more uint64) (broken int) {
	count := func() (uint64, int) {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.metrics.Requests, a.broken
	}
	before, _ := count()
	require.Eventually(t, func() bool {
		var now uint64
		now, broken = count()
		return now >= before+more
	}, 2*time.Minute, 20*time.Millisecond)
	return broken
}

// end stops the load, waits for the last answers and returns what was counted.
func (a *attack) end() *vegeta.Metrics {
	a.attacker.Stop()
	<-a.done
	a.metrics.Close()
	return &a.metrics
}

// targets returns the requests, which are all to stable versions.
func (c *cluster) targets(t *testing.T) []vegeta.Target {
	var targets []vegeta.Target
	for _, path := range []string{
		"/manifest", "/categories", "/elements", "/elements?query=personal+data", "/elements/decision.automated", "/elements/decision.automated/icon.svg",
	} {
		targets = append(targets, vegeta.Target{Method: http.MethodGet, URL: c.url + version + path})
	}
	post := func(path string, body []byte) {
		header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		targets = append(targets, vegeta.Target{Method: http.MethodPost, URL: c.url + path, Body: body, Header: header})
	}
	e, found := documents.Find("benefits.json")
	require.True(t, found)
	for _, operation := range []string{"/validate", "/resolve", "/render"} {
		post(version+operation, e.Text)
	}
	call, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": "validate_datachain", "arguments": map[string]any{"version": "ai@2026-11-15-stable", "datachain": json.RawMessage(e.Text)},
	}})
	require.NoError(t, err)
	post("/mcp", call)
	return targets
}

// start starts a program that ends with the test. What it writes is shown if the test fails.
func start(t *testing.T, env []string, name string, args ...string) *exec.Cmd {
	cmd := command(t, env, name, args...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // unless it has ended
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s %v:\n%s", name, args, log.Bytes()[max(0, log.Len()-2000):])
		}
	})
	return cmd
}

// run runs a program to its end.
func run(t *testing.T, env []string, name string, args ...string) {
	out, err := command(t, env, name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v:\n%s", name, args, out)
}

func command(t *testing.T, env []string, name string, args ...string) *exec.Cmd {
	path, err := exec.LookPath(name)
	require.NoError(t, err, "run the tests with `make cluster`, which installs it on Debian")
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// ok reports whether there is a page.
func ok(url string) bool {
	res, err := http.Get(url)
	return err == nil && res.Body.Close() == nil && res.StatusCode == http.StatusOK
}

func fetch(t *testing.T, url string) []byte {
	res, err := http.Get(url)
	require.NoError(t, err)
	var body bytes.Buffer
	_, err = body.ReadFrom(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return body.Bytes()
}

// freeAddress returns an address where nothing listens.
func freeAddress(t *testing.T, host string) string {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}
