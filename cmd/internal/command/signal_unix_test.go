//go:build unix

package command

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startProcess runs `serve` in a process of its own.
func startProcess(t *testing.T, args ...string) (*running, *exec.Cmd) {
	t.Helper()
	return startProcessWith(t, nil, args...)
}

// startProcessWith starts the process with a command that takes it as arguments.
func startProcessWith(t *testing.T, with []string, args ...string) (*running, *exec.Cmd) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	line := slices.Concat(with, []string{exe, "serve", "--addr", anyPort, admission}, args)
	cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
	cmd.Env = append(os.Environ(), beProgram+"=1")
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	silent := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // which ends the reading
	defer silent.Stop()
	s := &running{t: t}
	lines := bufio.NewReader(stderr)
	for s.admin == "" {
		line, err := lines.ReadString('\n')
		require.NoError(t, err, "the program ended, or was silent for a minute: %s", line)
		if address, ok := strings.CutPrefix(line, "Serving at "); ok {
			s.api = apiOf(address)
		}
		if address, ok := strings.CutPrefix(line, "Health checks and metrics at "); ok {
			s.admin, _, _ = strings.Cut(address, "/readyz")
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // so that the program never waits for a reader
	return s, cmd
}

// ended waits for the end of a process, and fails the test if it does not come.
func ended(t *testing.T, cmd *exec.Cmd) error {
	t.Helper()
	end := make(chan error, 1)
	go func() { end <- cmd.Wait() }()
	select {
	case err := <-end:
		return err
	case <-time.After(time.Minute):
		require.NoError(t, cmd.Process.Kill())
		require.FailNow(t, "The process did not end by the signal.")
		return nil
	}
}

func TestSignal(t *testing.T) {
	t.Parallel()
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			if signal.Ignored(sig) { // the tests run under nohup
				// A process does not inherit that a signal is caught, as it would that it is ignored.
				signal.Notify(make(chan os.Signal, 1), sig)
			}
			_, cmd := startProcess(t, fastDrain)
			require.NoError(t, cmd.Process.Signal(sig))
			require.NoError(t, ended(t, cmd))
		})
	}
}

// TestHangupIgnored shows that a server under nohup does not end with its terminal.
func TestHangupIgnored(t *testing.T) {
	t.Parallel()
	s, cmd := startProcessWith(t, []string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, fastDrain)
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	for range 10 {
		time.Sleep(20 * time.Millisecond)
		s.become(s.admin+"/readyz", http.StatusOK)
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, ended(t, cmd))
}

// TestSecondSignal shows that a second signal does not wait for requests.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	s, cmd := startProcess(t, "--drain-delay=1h")
	// A connection keeps the server from ending at once.
	conn, err := net.Dial("tcp", strings.TrimPrefix(strings.TrimSuffix(s.api, "/api/v2"), "http://"))
	require.NoError(t, err)
	defer conn.Close()
	s.become(s.admin+"/readyz", http.StatusOK) // before that, it says nothing about the signal
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	s.become(s.admin+"/readyz", http.StatusServiceUnavailable)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, ended(t, cmd))
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	assert.True(t, status.Signaled())
}
