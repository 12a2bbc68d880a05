package main

import (
	"bufio"
	"bytes"
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
	"syscall"
	"time"
)

// root is the directory of the module that is measured, from that of this one.
const root = ".."

// server is the program under test.
type server struct {
	url   string
	admin string // URL of metrics and profiles

	dir   string // with the program and its store
	cmd   *exec.Cmd
	ended chan error // why the log ended, or the errors in it
}

// startServer builds the server and starts it with a store of the samples.
func startServer(ctx context.Context) (s *server, err error) {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	program, store := filepath.Join(dir, "datachain"), filepath.Join(dir, "store")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/datachain")
	build.Dir = root
	build.Env = append(build.Environ(), "GOWORK=") // this program is not in go.work, the command is
	publish := exec.CommandContext(ctx, program, "schema", "publish", filepath.Join(root, "examples", "taxonomies"), "--store", store)
	for _, cmd := range []*exec.Cmd{build, publish} {
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, err
		}
	}
	s = &server{dir: dir, ended: make(chan error, 1)}
	s.cmd = exec.CommandContext(ctx, program, "serve", "--store", store, "--rate-limit", "off",
		"--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--pprof", "on",
		"--log-format", "json", "--log-requests", "off", "--drain-delay", "0s")
	return s, s.start()
}

// start starts the command and waits until it serves.
func (s *server) start() error {
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(stderr)
	for s.url == "" && lines.Scan() {
		var line struct{ Msg, URL, Admin string }
		if err := json.Unmarshal(lines.Bytes(), &line); err == nil && line.Msg == "serving" {
			s.url, s.admin = line.URL, line.Admin
		}
	}
	if s.url == "" {
		return errors.Join(errors.New("the server does not start"), s.cmd.Wait())
	}
	go func() {
		var failed error
		for lines.Scan() {
			if failed == nil && bytes.Contains(lines.Bytes(), []byte(`"level":"ERROR"`)) {
				failed = fmt.Errorf("the server logged an error: %s", lines.Text())
			}
		}
		s.ended <- failed
	}()
	return nil
}

// stop drains the server. It fails if the server logged errors.
func (s *server) stop() error {
	err := s.cmd.Process.Signal(syscall.SIGTERM)
	return errors.Join(err, <-s.ended, s.cmd.Wait(), os.RemoveAll(s.dir))
}

// proc returns the fields of a file of the process in /proc, after the name of the program.
func (s *server) proc(file string) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.cmd.Process.Pid, file))
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])), err
}

// tick is the unit of CPU time in /proc, the same on every Linux that Go supports.
const tick = 10 * time.Millisecond

// cpu returns the user and system time of the server.
func (s *server) cpu() (time.Duration, error) {
	fields, err := s.proc("stat")
	if err != nil {
		return 0, err
	}
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, err
}

// sample is the resource usage of the server.
type sample struct {
	// resident is measured before the garbage is collected, the others after it.
	resident, heap, goroutines, files float64
}

// sample reads the usage of the server, and runs its garbage collector.
func (s *server) sample() (m sample, err error) {
	memory, err := s.proc("statm")
	if err != nil {
		return m, err
	}
	pages, err := strconv.Atoi(memory[1])
	if err != nil {
		return m, err
	}
	m.resident = float64(pages * os.Getpagesize())
	for range 2 { // pools keep their values for one collection
		if _, err := s.read("/debug/pprof/heap?gc=1"); err != nil {
			return m, err
		}
	}
	text, err := s.read("/metrics")
	if err != nil {
		return m, err
	}
	wanted := map[string]*float64{
		"go_memstats_heap_alloc_bytes": &m.heap, "go_goroutines": &m.goroutines, "process_open_fds": &m.files,
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if at := wanted[name]; at != nil {
			if *at, err = strconv.ParseFloat(value, 64); err != nil {
				return m, err
			}
			delete(wanted, name)
		}
	}
	if len(wanted) > 0 {
		return m, fmt.Errorf("the metrics lack %v", wanted)
	}
	return m, nil
}

// read returns what is at a path of the second address.
func (s *server) read(path string) (string, error) {
	res, err := http.Get(s.admin + path)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, res.Status)
	}
	return string(text), err
}
