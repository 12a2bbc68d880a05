//go:build unix

package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/examples/documents"
)

// call makes an MCP call in a session and returns the response.
func (s *running) call(session, method, params string) string {
	s.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.URL+"/mcp", strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("Mcp-Session-Id", session)
	res, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return string(text)
}

// TestShared sends the requests of one client to two servers in turn.
func TestShared(t *testing.T) {
	t.Parallel()
	redis := redistest.StartRedis(t)
	o := server.Options{
		AdminAddr: anyPort, RateLimit: &ratelimit.Options{Limits: ratelimit.Limits{Icons: 10}},
		Shared: &server.Shared{Open: cloud.Redis{}.Open, Address: redis.Address, Replicas: 2},
	}
	servers := []*running{start(t, samples(t), o), start(t, samples(t), o)}
	for _, s := range servers {
		s.become(s.AdminURL+"/readyz", http.StatusOK)
	}
	var statuses [600]int
	for i := range 40 {
		status, _ := servers[i%2].get("/shapes/circle.svg")
		statuses[status]++
	}
	late := false // a check timed out, since the machine is slow
	for _, s := range servers {
		late = late || s.gauge(`datachain_shared_decisions_total{by="local"}`) != "0" || s.gauge("datachain_limiter_unchecked_total") != "0"
	}
	if !late {
		assert.Equal(t, 10, statuses[http.StatusOK])
		assert.Equal(t, 30, statuses[http.StatusTooManyRequests])
	}
	assert.NotEqual(t, "0", servers[0].gauge(`datachain_limiter_requests_total{bucket="icons",outcome="refused"}`))

	doc, ok := documents.Find("library-chat.json")
	require.True(t, ok)
	arguments, err := json.Marshal(map[string]any{
		"name": "render_datachain", "arguments": map[string]any{"version": "ai@latest", "datachain": json.RawMessage(doc.Text)},
	})
	require.NoError(t, err)
	require.Contains(t, servers[0].call("a", "tools/call", string(arguments)), "section_count")
	const read = `{"uri":"ui://service/datachain/view.html"}`
	assert.NotContains(t, servers[1].call("a", "resources/read", read), "awaiting tool call")
	assert.Contains(t, servers[1].call("b", "resources/read", read), "awaiting tool call")

	redis.Kill(t)
	servers[0].reads("datachain_shared_away", "1") // on a slow machine it may have been away before
	servers[0].logged("Redis is unreachable, limits are divided among servers")
	assert.Contains(t, servers[0].become(servers[0].AdminURL+"/readyz", http.StatusOK), "but Redis is unreachable")
	redis.Restart(t)
	servers[0].reads("datachain_shared_away", "0")
	servers[0].logged("Redis recovered, limits are shared again")
	for _, s := range servers {
		require.NoError(t, s.stop())
	}
}

// TestSharedUnreachable starts a server before Redis: it is not ready until Redis
// was given up.
func TestSharedUnreachable(t *testing.T) {
	t.Parallel()
	admin := net.JoinHostPort("127.0.0.1", redistest.FreePort(t))
	first := make(chan string, 1)
	go func() { // asks until the server answers
		for t.Context().Err() == nil {
			if res, err := http.Get("http://" + admin + "/readyz"); err == nil { //nolint:noctx // it is answered at once
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
				first <- res.Status
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	began := time.Now()
	s := start(t, samples(t), server.Options{
		AdminAddr: admin, RateLimit: new(ratelimit.Options), Shared: &server.Shared{Open: cloud.Redis{}.Open, Address: "unix:///nonexistent/redis.sock"},
	})
	if status := <-first; time.Since(began) < 4*time.Second { // else this machine is too slow to tell
		assert.Equal(t, "503 Service Unavailable", status)
	}
	assert.Contains(t, s.become(s.AdminURL+"/readyz", http.StatusOK), "but Redis is unreachable")
	s.logged("check that Redis runs")
	status, _ := s.get("/schemas")
	assert.Equal(t, http.StatusOK, status)
}

func TestSharedAddress(t *testing.T) {
	t.Parallel()
	err := runUnstarted(t, server.Options{Shared: &server.Shared{Open: cloud.Redis{}.Open, Address: "redis://user:secret@localhost/pages"}})
	require.ErrorContains(t, err, "database number")
	assert.NotContains(t, err.Error(), "secret")
}
