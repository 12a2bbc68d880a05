package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// candidate is a measured server, in a separate process.
type candidate struct {
	name string
	url  string
	// prefixed reports whether each case has its own URL prefix.
	prefixed bool
	process  *exec.Cmd
	cleanup  func()
}

// startSelf starts this program in a role. It exits when its input ends.
func startSelf(ctx context.Context, role string, replies []*testCase) (*candidate, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-role", role)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &candidate{name: role, prefixed: replies != nil, process: cmd, cleanup: func() { _ = in.Close() }}
	if err := json.NewEncoder(in).Encode(replies); err != nil {
		c.stop()
		return nil, fmt.Errorf("starting %s: %w", role, err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("starting %s: it did not say where it listens: %w", role, err)
	}
	c.url = strings.TrimSpace(line)
	return c, nil
}

// stop ends the process.
func (c *candidate) stop() {
	_ = c.process.Process.Signal(syscall.SIGTERM) // it may be gone
	_ = c.process.Wait()
	c.cleanup()
}

// address returns the URL of a case.
func (c *candidate) address(i int) string {
	if c.prefixed {
		return c.url + prefix(i)
	}
	return c.url
}

// tick is the unit of CPU time in /proc, the same on every Linux that Go supports.
const tick = 10 * time.Millisecond

// cpu returns the CPU time of the server and its children, or 0 if the system does
// not provide it.
func (c *candidate) cpu() time.Duration {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	pid := strconv.Itoa(c.process.Process.Pid)
	var ticks int64
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// The program name is in parentheses and may contain any character.
		end := bytes.LastIndexByte(text, ')')
		fields := strings.Fields(string(text[end+1:]))
		if end < 0 || len(fields) < 13 || fields[1] != pid && filepath.Base(filepath.Dir(file)) != pid {
			continue
		}
		for _, field := range fields[11:13] { // in user mode, and in the kernel
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * tick
}

// untilEOF waits until the program that started this one exits.
func untilEOF(r io.Reader) { _, _ = io.Copy(io.Discard, r) }
