// Package program runs the datachain command of this tree in processes of their own, so
// that the CPU time and the memory of a server can be measured from outside.
package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// root is the directory of the module that is measured. The benchmarks run in the
// directory of theirs.
const root = ".."

// Samples is the schema source of the sample taxonomies.
var Samples = filepath.Join(root, "examples", "taxonomies")

// Program is an executable datachain command.
type Program struct {
	Path    string
	Version string   // as "datachain version" prints it
	Env     []string // "NAME=value", besides those of this process
}

// command prepares a run of the program.
func (p *Program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.Path, args...)
	cmd.Env = append(cmd.Environ(), p.Env...)
	return cmd
}

// Build builds the command of this tree into a directory.
func Build(ctx context.Context, dir string) (*Program, error) {
	path, err := filepath.Abs(filepath.Join(dir, "datachain"))
	if err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/datachain")
	build.Dir, build.Stderr = root, os.Stderr
	build.Env = append(build.Environ(), "GOWORK=") // this program is not in go.work, the command is
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the command: %w", err)
	}
	return Find(ctx, path)
}

// Find returns the command at a path.
func Find(ctx context.Context, path string) (*Program, error) {
	p := &Program{Path: path}
	out, err := p.Run(ctx, "version")
	p.Version, _, _ = strings.Cut(out, "\n")
	return p, err
}

// Run runs a subcommand and returns what it prints.
func (p *Program) Run(ctx context.Context, args ...string) (string, error) {
	out, err := p.command(ctx, args...).Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, failed.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", p.Path, strings.Join(args, " "), err)
	}
	return string(out), nil
}

// Server is a running server.
type Server struct {
	URL   string
	Admin string // URL of metrics and profiles
	Process

	cmd     *exec.Cmd
	reading sync.WaitGroup

	mu     sync.Mutex
	errors []string // lines of its log
}

// startTimeout is how long a server may take to load its store.
const startTimeout = time.Minute

// Serve starts a server on free ports, without a request log, and waits until it serves.
func (p *Program) Serve(ctx context.Context, flags ...string) (*Server, error) {
	args := append([]string{
		"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--pprof", "on",
		"--log-format", "json", "--log-requests", "off", "--drain-delay", "0s",
	}, flags...)
	s := &Server{cmd: p.command(ctx, args...)}
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	s.Process = Process(s.cmd.Process.Pid)
	ready := make(chan bool, 1)
	s.reading.Go(func() { s.read(stderr, ready) })
	select {
	case ok := <-ready:
		if ok {
			return s, nil
		}
		return nil, fmt.Errorf("%s %s: %w", p.Path, strings.Join(args, " "), errors.Join(errors.New("it does not serve"), s.Stop()))
	case <-time.After(startTimeout):
		return nil, errors.Join(fmt.Errorf("the server took more than %s to start", startTimeout), s.Stop())
	}
}

// read reads the log: first the addresses, then errors. It sends true when the server
// serves, or false when the log ends before.
func (s *Server) read(stderr io.Reader, ready chan<- bool) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Level, Msg, URL, Admin string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Level == "ERROR" {
			s.mu.Lock()
			s.errors = append(s.errors, lines.Text())
			s.mu.Unlock()
		}
		if line.Msg == "serving" {
			s.URL, s.Admin = line.URL, line.Admin
			ready <- true
			ready = make(chan bool, 1) // nothing waits for it
		}
	}
	ready <- false
}

// Stop drains the server. It fails if the server logged errors.
func (s *Server) Stop() error {
	err := s.cmd.Process.Signal(syscall.SIGTERM)
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	s.reading.Wait()
	err = errors.Join(err, s.cmd.Wait())
	if len(s.errors) > 0 {
		err = errors.Join(err, fmt.Errorf("the server logged %d errors, the first: %s", len(s.errors), s.errors[0]))
	}
	return err
}
