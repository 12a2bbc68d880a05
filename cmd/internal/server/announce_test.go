package server_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestAnnouncement names as many versions as fit a line.
func TestAnnouncement(t *testing.T) {
	t.Parallel()
	a := &server.Announcement{Started: server.Started{URL: "http://h", AdminURL: "http://a", Documents: 2}, Source: "the samples", Origins: []string{"x", "y"}, MCP: true, Profiles: true}
	for i := range 9 {
		v, err := taxonomy.ParseVersion(fmt.Sprintf("type%d@2026-09-01-stable", i))
		require.NoError(t, err)
		a.Releases = append(a.Releases, server.Loaded{Entry: taxonomy.Entry{ID: v, Aliases: []string{v.Type() + "@latest"}}})
	}
	text := a.Text(report.Style(false))
	require.Equal(t, `Serving at http://h/api/v2 (REST) and /mcp (MCP)
Serving the samples
9 versions; latest type0@2026-09-01-stable, type1@2026-09-01-stable, and 7 more
2 documents of x and y
Health checks and metrics at http://a/readyz, /metrics, /debug/pprof/`, text)
	a.Releases, a.Failed = a.Releases[:1], 3
	require.Contains(t, a.Text(report.Style(false)), "\n1 version, 3 unreadable; latest type0@2026-09-01-stable (00000000)\n")

	var log bytes.Buffer
	a.Log(server.NewLogger(&log, "json", "info"))
	require.Equal(t, 2, strings.Count(log.String(), "\n"))
	require.Contains(t, log.String(), `"msg":"serving","url":"http://h","explorer":false,"admin":"http://a","source":"the samples","documents":2}`)
	log.Reset()
	a.Log(server.NewLogger(&log, "text", "warn"))
	require.Empty(t, log.String())
}
