package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/datachain-go/datachain/bench/program"
)

// direct is the name of the measurement without a cache.
const direct = "without"

// cache is a program that is put in front of the server.
type cache struct {
	name    string
	version string // the flag that prints it
	// start returns the command, which listens at an address, with the configuration in deploy.
	start func(dir, listen, origin string) (*exec.Cmd, error)
	// remove makes the cache forget a page.
	remove func(f *front, path string) error
}

func caches() []cache {
	return []cache{
		{name: direct},
		{name: "nginx", version: "-v", start: startNginx, remove: func(f *front, _ string) error {
			pages := filepath.Join(f.dir, "datachain-pages")
			return errors.Join(os.RemoveAll(pages), os.Mkdir(pages, 0o700))
		}},
		{name: "varnishd", version: "-V", start: startVarnish, remove: func(f *front, path string) error {
			res, err := f.send("PURGE", path, nil)
			if err == nil && res.StatusCode != http.StatusOK {
				err = fmt.Errorf("PURGE %s: %s", path, res.Status)
			}
			return err
		}},
	}
}

// front is a running cache, or the server itself.
type front struct {
	cache
	url string
	dir string
	cmd *exec.Cmd
}

// open starts the cache and waits until it answers.
func (c cache) open(ctx context.Context, dir, origin string) (*front, error) {
	f := &front{cache: c, url: origin, dir: filepath.Join(dir, c.name)}
	if c.name == direct {
		return f, nil
	}
	if err := os.Mkdir(f.dir, 0o700); err != nil {
		return nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	listen := free.Addr().String()
	if err := free.Close(); err != nil {
		return nil, err
	}
	f.url = "http://" + listen
	if f.cmd, err = c.start(f.dir, listen, strings.TrimPrefix(origin, "http://")); err != nil {
		return nil, err
	}
	f.cmd.Stderr = os.Stderr
	f.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := f.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; run `make bench-cache`, which installs it", err)
	}
	for range 300 {
		if _, err = fetch(ctx, f.url+api); err == nil {
			return f, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil, errors.Join(fmt.Errorf("it does not answer: %w", err), f.close())
}

func (f *front) close() error {
	if f.cmd == nil {
		return nil
	}
	if err := f.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	_ = f.cmd.Wait() // the signal ends it
	return nil
}

// cpu returns the CPU time of the cache and its children.
func (f *front) cpu() (time.Duration, error) {
	if f.cmd == nil {
		return 0, nil
	}
	pid := f.cmd.Process.Pid
	total, err := program.Process(pid).CPU()
	if err != nil {
		return 0, err
	}
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if err != nil {
		return 0, err
	}
	for field := range strings.FieldsSeq(string(list)) {
		child, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		used, err := program.Process(child).CPU()
		if err != nil {
			return 0, err
		}
		total += used
	}
	return total, nil
}

// configuration returns a file in deploy with other addresses.
func configuration(file string, replace ...string) (string, error) {
	text, err := os.ReadFile(filepath.Join("..", "deploy", file))
	if err != nil {
		return "", err
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(string(text), replace[i]) {
			return "", fmt.Errorf("deploy/%s: it does not contain %q", file, replace[i])
		}
	}
	return strings.NewReplacer(replace...).Replace(string(text)), nil
}

func startNginx(dir, listen, origin string) (*exec.Cmd, error) {
	site, err := configuration("nginx/datachain.conf", "127.0.0.1:8080", origin, "listen      80;", "listen "+listen+";", "/var/cache/", dir+"/")
	if err != nil {
		return nil, err
	}
	// One process, whose CPU time is that of the cache.
	var text strings.Builder
	text.WriteString("daemon off; master_process off; pid " + dir + "/pid; error_log stderr error; events {}\nhttp {\n\taccess_log off;\n")
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&text, "\t%s_temp_path %s/%[1]s;\n", name, dir)
	}
	text.WriteString(site + "}\n")
	file := filepath.Join(dir, "nginx.conf")
	return exec.Command("nginx", "-e", "stderr", "-c", file), os.WriteFile(file, []byte(text.String()), 0o600)
}

func startVarnish(dir, listen, origin string) (*exec.Cmd, error) {
	host, port, err := net.SplitHostPort(origin)
	if err != nil {
		return nil, err
	}
	text, err := configuration("varnish/datachain.vcl", `"127.0.0.1"`, `"`+host+`"`, `"8080"`, `"`+port+`"`)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "datachain.vcl")
	return exec.Command("varnishd", "-F", "-j", "none", "-n", dir, "-a", listen, "-f", file, "-s", "malloc,256m"), os.WriteFile(file, []byte(text), 0o600)
}
