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

// candidate is a server that is measured, in a process of its own.
type candidate struct {
	name string
	url  string
	// prefixed says that the cases have addresses of their own.
	prefixed bool
	process  *exec.Cmd
	cleanup  func()
}

// startSelf starts this program in a role. It ends when its input does.
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

// address is where a case is found.
func (c *candidate) address(i int) string {
	if c.prefixed {
		return c.url + prefix(i)
	}
	return c.url
}

// tick is the unit of processor time in /proc: the same on every Linux that Go
// runs on.
const tick = 10 * time.Millisecond

// cpu is the processor time that the server has used, with that of its children;
// 0 where the system does not tell.
func (c *candidate) cpu() time.Duration {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	pid := strconv.Itoa(c.process.Process.Pid)
	var ticks int64
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// The name of the program is in parentheses, and may hold anything.
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

// untilEOF waits for the end of the program that has started this one.
func untilEOF(r io.Reader) { _, _ = io.Copy(io.Discard, r) }
