package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is a program that was started by this one.
type process struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// start starts a program whose output goes to a file in dir. It dies with this program.
func start(dir, name string, env []string, path string, args ...string) (*process, error) {
	log, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the process has its own
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &process{name: name, cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState
		close(p.done)
	}()
	return p, nil
}

// signal sends a signal to the process. One that has ended is no error.
func (p *process) signal(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("send %s to %s: %w", s, p.name, err)
	}
	return nil
}

// stop sends a signal and waits until the process has ended.
func (p *process) stop(s syscall.Signal) error {
	if err := p.signal(s); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(30 * time.Second):
		return fmt.Errorf("%s did not end within 30 s after %s", p.name, s)
	}
}

// end kills the process and waits.
func (p *process) end() {
	if p != nil {
		_ = p.signal(syscall.SIGCONT) // a paused one can't end
		_ = p.stop(syscall.SIGKILL)   // at the end of the run, nothing else can be done
	}
}

// output runs a program to its end and returns what it prints.
func output(ctx context.Context, env []string, path string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(cmd.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %v: %w\n%s", filepath.Base(path), args, err, stderr.Bytes())
	}
	return string(out), nil
}

// await calls a function until it returns nil, at most for a time.
func await(ctx context.Context, limit time.Duration, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := check(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not within %s: %w", limit, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// fetch returns the body of a page.
func fetch(ctx context.Context, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return "", err
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", url, res.Status)
	}
	return string(body), nil
}

// freePort returns a port that is free at every address.
func freePort(addresses ...string) (string, error) {
	for range 100 {
		first, err := net.Listen("tcp", net.JoinHostPort(addresses[0], "0"))
		if err != nil {
			return "", err
		}
		_, port, _ := net.SplitHostPort(first.Addr().String())
		open := []net.Listener{first}
		for _, a := range addresses[1:] {
			l, err := net.Listen("tcp", net.JoinHostPort(a, port))
			if err != nil {
				break
			}
			open = append(open, l)
		}
		for _, l := range open {
			_ = l.Close() // nothing was accepted
		}
		if len(open) == len(addresses) {
			return port, nil
		}
	}
	return "", fmt.Errorf("no port is free at %v", addresses)
}
