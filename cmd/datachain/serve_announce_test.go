package main

import (
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnnounceTerminal shows what a person sees.
func TestAnnounceTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	publishStarter(t, dir, "robot@2026-02-02-stable")
	sys := testSystem(dir)
	sys.stderrTerminal = true
	s := startServer(t, sys, "--store", "store", "--addr", anyPort)
	require.Equal(t, exitGood, s.stop())
	log := regexp.MustCompile(`sha256-[0-9a-f]{12}`).ReplaceAllString(s.log.String(), "HASH")
	for _, want := range []string{
		"Health checks and metrics are off; turn them on with --admin-addr localhost:9090.\n",
		"\nVERSION                  ELEMENTS  CONTENT HASH  ALIASES\n",
		"\nrobot@2026-02-02-stable  2         HASH  robot@latest\n",
		"\nrobot@2026-01-01-beta    2         HASH  robot@latest-beta\n",
	} {
		assert.Contains(t, strings.ReplaceAll(log, "CONTENT HASH       ", "CONTENT HASH"), want)
	}
}

// TestAnnounceJSON shows that a machine reads nothing but JSON.
func TestAnnounceJSON(t *testing.T) {
	t.Parallel()
	sys, log := testSystem(t.TempDir()), new(lockedBuffer)
	sys.stdout, sys.stderr = io.Discard, log
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--addr", anyPort, admission, fastDrain, "--log-format", "json"}, sys)
	}()
	require.Eventually(t, func() bool { return strings.Contains(log.String(), `"msg":"serving","url":"http://127.0.0.1:`) }, time.Minute, 5*time.Millisecond)
	cancel()
	require.Equal(t, exitGood, <-ended)
	loaded := 0
	for line := range strings.Lines(log.String()) {
		var record struct{ Msg string }
		require.NoError(t, json.Unmarshal([]byte(line), &record), line)
		if record.Msg == "release loaded" {
			loaded++
		}
	}
	require.Equal(t, 9, loaded)
}
