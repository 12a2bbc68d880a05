package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/datachain-go/datachain/bench/program"
)

// candidate is a measured server, in a separate process.
type candidate struct {
	name string
	url  string
	program.Process
	// yardstick is set for those that ours are compared with.
	yardstick bool
	stop      func() error
}

// clients is the number of clients that the requests come from, by their
// X-Forwarded-For: a single one would soon exceed the highest limit there is.
const clients = 256

// startOurs starts the server of a program as operators do, with rate limits that are
// not reached.
func (b *bench) startOurs(ctx context.Context, name string, p *program.Program, flags ...string) (*candidate, error) {
	const most = "65535"
	if b.documents != "" {
		// Looking for changed files is not part of a request.
		flags = append(flags, "--documents", b.documents, "--refresh", "1h")
	}
	s, err := p.Serve(ctx, append(flags, "--limit-read", most, "--limit-icons", most, "--limit-validate", most, "--limit-resolve", most, "--limit-pages", most, "--limit-forms", most, "--trusted-proxies", "127.0.0.1")...)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return &candidate{name: name, url: s.URL, Process: s.Process, stop: s.Stop}, nil
}

// publish publishes the sample taxonomies with a program, since the layout of a store
// may differ between programs.
func publish(ctx context.Context, p *program.Program, dir string) (string, error) {
	store, err := os.MkdirTemp(dir, "store")
	if err != nil {
		return "", err
	}
	store = filepath.Join(store, "published")
	_, err = p.Run(ctx, "schema", "publish", program.Samples, "--store", store)
	return store, err
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
	c := &candidate{name: role, Process: program.Process(cmd.Process.Pid), yardstick: true}
	c.stop = func() error {
		_ = in.Close()
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()                          // by the signal
		return nil
	}
	if err := json.NewEncoder(in).Encode(replies); err != nil {
		_ = c.stop()
		return nil, fmt.Errorf("start %s: %w", role, err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = c.stop()
		return nil, fmt.Errorf("start %s: it did not print its address: %w", role, err)
	}
	c.url = strings.TrimSpace(line)
	return c, nil
}

// request returns the request that is sent for a case, and the URL that its path is
// appended to.
func (c *candidate) request(of *testCase, i int) (*testCase, string) {
	switch {
	case c.yardstick && of.mcp:
		return emptyCall, c.url
	case c.yardstick:
		return of, c.url + prefix(i)
	}
	return of, c.url
}

// check fails if the candidate does not send the recorded response. Words may differ in
// those of a program other than the one that they were recorded from.
func (c *candidate) check(ctx context.Context, of *testCase, i int) error {
	sent, url := c.request(of, i)
	res, err := sent.ask(ctx, url)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", of.Name, c.name, err)
	}
	if res.StatusCode != of.Status && !(of.mcp && res.StatusCode == http.StatusOK) {
		return fmt.Errorf("%s of %s: status %d instead of %d", of.Name, c.name, res.StatusCode, of.Status)
	}
	if sent != of || c.name == nameBeside {
		return nil
	}
	if string(res.body) != string(of.Answer) {
		return fmt.Errorf("%s of %s: other bytes than those of the store, %d instead of %d", of.Name, c.name, len(res.body), len(of.Answer))
	}
	for name := range of.Header {
		if res.Header.Get(name) == "" {
			return fmt.Errorf("%s of %s: no header %s", of.Name, c.name, name)
		}
	}
	return nil
}
