package command

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// TestAnnounce shows what a person sees: at most five lines, which fit a terminal.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	publishStarter(t, dir, "robot@2026-02-02-stable")
	require.NoError(t, os.CopyFS(filepath.Join(dir, "register"), os.DirFS("../../../examples/register")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "damaged"), os.DirFS(filepath.Join(dir, "store"))))
	require.NoError(t, os.WriteFile(onlyFile(t, filepath.Join(dir, "damaged", "robot", "2026-01-01-beta", "*", "*.zip")), nil, 0o600))
	for _, c := range []struct{ line, want string }{
		{"--samples", "Serving at URL/ (pages), /api/v2 (REST) and /mcp (MCP)\nServing the built-in sample taxonomies\n" +
			"5 versions; latest ai@2026-11-15-stable, sensor@2026-11-15-stable\n"},
		{"--store store --mcp off --admin-addr " + anyPort + " --pprof on", "Serving at URL/ (pages) and /api/v2 (REST)\nServing the store in store\n" +
			"2 versions; latest robot@2026-02-02-stable (HASH)\nHealth checks and metrics at URL/readyz, /metrics, /debug/pprof/\n"},
		{"--store store --explorer off", "Serving at URL/api/v2 (REST) and /mcp (MCP)\nServing the store in store\n2 versions; latest robot@2026-02-02-stable (HASH)\n"},
		{"--samples --documents register --admin-addr " + anyPort, "Serving at URL/ (pages), /api/v2 (REST) and /mcp (MCP)\nServing the built-in sample taxonomies\n" +
			"5 versions; latest ai@2026-11-15-stable, sensor@2026-11-15-stable\n5 documents of register\nHealth checks and metrics at URL/readyz, /metrics\n"},
		{"--store damaged", "Serving at URL/ (pages), /api/v2 (REST) and /mcp (MCP)\nServing the store in damaged\n1 version, 1 unreadable; latest robot@2026-02-02-stable (HASH)\n"},
	} {
		s := startServer(t, testSystem(dir), append(strings.Fields(c.line), "--addr", anyPort, fastDrain)...)
		require.Equal(t, console.ExitGood, s.stop())
		said := regexp.MustCompile(`(?m)^time=.*\n`).ReplaceAllString(s.log.String(), "")
		said = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).ReplaceAllString(said, "URL")
		assert.Equal(t, c.want, regexp.MustCompile(`\([0-9a-f]{8}\)`).ReplaceAllString(said, "(HASH)"), c.line)
	}
}

// TestAnnounceJSON shows that a machine reads nothing but JSON.
func TestAnnounceJSON(t *testing.T) {
	t.Parallel()
	sys, log := testSystem(t.TempDir()), new(lockedBuffer)
	sys.Stdout, sys.Stderr = io.Discard, log
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--addr", anyPort, admission, fastDrain, "--log-format", "json"}, sys)
	}()
	require.Eventually(t, func() bool { return strings.Contains(log.String(), `"msg":"serving","url":"http://127.0.0.1:`) }, time.Minute, 5*time.Millisecond)
	cancel()
	require.Equal(t, console.ExitGood, <-ended)
	loaded := 0
	for line := range strings.Lines(log.String()) {
		var record struct{ Msg string }
		require.NoError(t, json.Unmarshal([]byte(line), &record), line)
		if record.Msg == "release loaded" {
			loaded++
		}
	}
	require.Equal(t, 5, loaded)
}
