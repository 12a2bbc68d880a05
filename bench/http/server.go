package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is the program under test, in a separate process.
type server struct {
	url, admin, version string

	cmd     *exec.Cmd
	dir     string // with the program
	reading sync.WaitGroup

	mu       sync.Mutex
	troubles []string // lines of its log that should not be there
}

// startServer builds the server and waits until it serves the samples.
func startServer(ctx context.Context) (*server, error) {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	program := filepath.Join(dir, "datachain")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/datachain-go/datachain/cmd/datachain")
	build.Dir, build.Stderr = "..", os.Stderr // the module that is measured
	if err := build.Run(); err != nil {
		return nil, errors.Join(fmt.Errorf("build the server: %w", err), os.RemoveAll(dir))
	}
	version, err := exec.CommandContext(ctx, program, "version").Output()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.version = strings.TrimSpace(strings.SplitN(string(version), "\n", 2)[0])
	s.cmd = exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--rate-limit", "off",
		"--log-format", "json", "--log-requests", "off", "--drain-delay", "0s")
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	ready := make(chan struct{})
	s.reading.Go(func() { s.read(stderr, ready) })
	select {
	case <-ready:
		return s, nil
	case <-time.After(30 * time.Second):
		return nil, errors.Join(errors.New("the server does not say where it serves"), s.stop())
	}
}

// read reads the log: first the addresses, then errors.
func (s *server) read(stderr io.Reader, ready chan struct{}) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Level, Msg, URL, Admin string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Level == "ERROR" || strings.Contains(line.Msg, "panic") {
			s.mu.Lock()
			s.troubles = append(s.troubles, lines.Text())
			s.mu.Unlock()
		}
		if line.Msg == "serving" {
			s.url, s.admin = line.URL, line.Admin
			close(ready)
		}
	}
}

// stop ends the server and returns the errors that it logged.
func (s *server) stop() error {
	err := s.cmd.Process.Signal(syscall.SIGTERM)
	s.reading.Wait()
	err = errors.Join(err, s.cmd.Wait(), os.RemoveAll(s.dir))
	if n := len(s.troubles); n > 0 {
		err = errors.Join(err, fmt.Errorf("%d lines of the log tell of trouble, the first: %s", n, s.troubles[0]))
	}
	return err
}

// sample is the resource usage of the server.
type sample struct {
	heap, resident, goroutines, files float64
}

// String formats the cells of a table row.
func (m sample) String() string {
	return fmt.Sprintf("%.1f MiB | %.1f MiB | %.0f | %.0f", m.heap/(1<<20), m.resident/(1<<20), m.goroutines, m.files)
}

// sample runs the server's garbage collector and reads its usage.
func (s *server) sample() (sample, error) {
	for range 2 { // pools let go of what they keep at the second time
		if _, err := s.ask("/debug/pprof/heap?gc=1"); err != nil {
			return sample{}, err
		}
	}
	text, err := s.ask("/metrics")
	if err != nil {
		return sample{}, err
	}
	var m sample
	wanted := map[string]*float64{
		"go_memstats_heap_alloc_bytes": &m.heap, "process_resident_memory_bytes": &m.resident,
		"go_goroutines": &m.goroutines, "process_open_fds": &m.files,
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if at := wanted[name]; at != nil {
			if *at, err = strconv.ParseFloat(value, 64); err != nil {
				return sample{}, err
			}
			delete(wanted, name)
		}
	}
	if len(wanted) > 0 {
		return sample{}, fmt.Errorf("the metrics lack %v", wanted)
	}
	return m, nil
}

func (s *server) ask(path string) (string, error) {
	res, err := http.Get(s.admin + path)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	text, err := io.ReadAll(res.Body)
	return string(text), err
}
