//go:build unix

// Package redistest starts Redis servers for tests.
//
// # Experimental
//
// This package may change in a minor version.
package redistest

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// RedisRequired is the environment variable that makes tests fail, instead of being
// skipped, if redis-server is missing. make redis sets it.
const RedisRequired = "DATACHAIN_REDIS_REQUIRED"

// redisPatience is how long a server may take to answer.
const redisPatience = 30 * time.Second

// A Redis is a running redis-server with its data in a temporary directory.
type Redis struct {
	// Address is the URL of the server.
	Address string

	network, addr string
	args          []string
	process       *exec.Cmd
	ended         chan struct{} // closed when the process has ended
}

// ServerPath returns the path of redis-server, or skips the test.
func ServerPath(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err == nil {
		return path
	}
	if os.Getenv(RedisRequired) != "" {
		t.Fatalf("redis-server is not on the PATH: %v", err)
	}
	t.Skip("redis-server is not on the PATH: install it (Debian: apt-get install redis-server) or run make redis")
	return ""
}

// Long skips a test that takes seconds, unless the tests with Redis are all that
// runs: make redis.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv(RedisRequired) == "" {
		t.Skip("it takes seconds: run make redis")
	}
}

// StartRedis runs a server on a Unix socket, with settings as redis-server takes them:
// "--maxmemory", "2mb". It ends with the test.
func StartRedis(t testing.TB, settings ...string) *Redis {
	t.Helper()
	ServerPath(t)
	dir := socketDir(t)
	s := &Redis{network: "unix", addr: filepath.Join(dir, "redis.sock")}
	s.Address = "unix://" + s.addr
	s.args = append([]string{"--port", "0", "--unixsocket", s.addr, "--dir", dir, "--save", "", "--loglevel", "warning"}, settings...)
	s.begin(t)
	return s
}

// StartRedisTCP runs a server on a free port of the loopback interface.
func StartRedisTCP(t testing.TB, settings ...string) *Redis {
	t.Helper()
	ServerPath(t)
	port := FreePort(t)
	s := &Redis{network: "tcp", addr: net.JoinHostPort("127.0.0.1", port)}
	s.Address = "redis://" + s.addr
	s.args = append([]string{"--bind", "127.0.0.1", "--port", port, "--dir", socketDir(t), "--save", "", "--loglevel", "warning"}, settings...)
	s.begin(t)
	return s
}

// StartSentinel runs a sentinel with the given configuration.
func StartSentinel(t testing.TB, config string) *Redis {
	t.Helper()
	ServerPath(t)
	dir, port := socketDir(t), FreePort(t)
	file := filepath.Join(dir, "sentinel.conf")
	config = fmt.Sprintf("port %s\nbind 127.0.0.1\ndir %s\n%s\n", port, dir, config)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Redis{network: "tcp", addr: net.JoinHostPort("127.0.0.1", port), args: []string{file, "--sentinel"}}
	s.Address = "redis://" + s.addr
	s.begin(t)
	return s
}

// socketDir is short, since the path of a socket has at most 107 bytes.
func socketDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis") //nolint:usetesting // t.TempDir is too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // it is temporary anyway
	return dir
}

// FreePort returns a port that no program listens on.
func FreePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing was written
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// Host returns the host and port of the server, or the path of its socket.
func (s *Redis) Host() string { return s.addr }

// Port returns the port of the server.
func (s *Redis) Port() string {
	_, port, _ := net.SplitHostPort(s.addr)
	return port
}

// Kill ends the server at once, with its data.
func (s *Redis) Kill(t testing.TB) {
	t.Helper()
	if err := s.process.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	<-s.ended
}

// Restart starts the server again after [Redis.Kill], without scripts, and without
// data unless it was saved. Further settings are added to those that it had.
func (s *Redis) Restart(t testing.TB, settings ...string) {
	t.Helper()
	s.args = append(s.args, settings...)
	s.begin(t)
}

// Pause stops the server: it accepts connections and does not answer.
func (s *Redis) Pause(t testing.TB) { s.signal(t, syscall.SIGSTOP) }

// Continue ends a pause.
func (s *Redis) Continue(t testing.TB) { s.signal(t, syscall.SIGCONT) }

func (s *Redis) signal(t testing.TB, sig syscall.Signal) {
	t.Helper()
	if err := s.process.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// begin starts the process and waits until it answers.
func (s *Redis) begin(t testing.TB) {
	t.Helper()
	process := exec.Command(ServerPath(t), s.args...) //nolint:gosec,noctx // a test chose the arguments, and ends it
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	s.process, s.ended = process, make(chan struct{})
	go func(ended chan struct{}) {
		_ = process.Wait() // mostly it was killed
		close(ended)
	}(s.ended)
	t.Cleanup(func() { s.Kill(t) })
	for end := time.Now().Add(redisPatience); !s.answers(); time.Sleep(5 * time.Millisecond) {
		select {
		case <-s.ended:
			t.Fatalf("redis-server ended: %v", process.ProcessState)
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("redis-server does not answer at %s after %s", s.addr, redisPatience)
		}
	}
}

// answers reports whether the server answers a PING, even with an error.
func (s *Redis) answers() bool {
	conn, err := net.DialTimeout(s.network, s.addr, time.Second)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()               // the answer has been read
	_ = conn.SetDeadline(time.Now().Add(time.Second)) // else Read waits
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	_, err = bufio.NewReader(conn).ReadString('\n')
	return err == nil
}
