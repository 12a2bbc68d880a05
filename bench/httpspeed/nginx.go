package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// startNginx starts nginx with the responses as files.
func startNginx(ctx context.Context, replies []*testCase) (*candidate, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench-http-")
	if err != nil {
		return nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) }
	port, err := freePort()
	if err == nil {
		err = writeSite(dir, port, replies)
	}
	if err != nil {
		remove()
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "-p", dir, "-c", "nginx.conf", "-e", "error.log")
	if err := cmd.Start(); err != nil {
		remove()
		return nil, err
	}
	c := &candidate{name: "nginx", url: fmt.Sprintf("http://127.0.0.1:%d", port), prefixed: true, process: cmd, cleanup: remove}
	for range 100 {
		if res, err := replies[0].ask(ctx, c.address(0), ""); err == nil && res.StatusCode == http.StatusOK {
			return c, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	told, _ := os.ReadFile(filepath.Join(dir, "error.log")) // whatever there is
	c.stop()
	return nil, errors.New("nginx does not answer:\n" + string(told))
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	addr, err := netip.ParseAddrPort(l.Addr().String())
	return int(addr.Port()), errors.Join(err, l.Close())
}

// writeSite writes the files and an nginx configuration tuned for speed.
func writeSite(dir string, port int, replies []*testCase) error {
	var b strings.Builder
	fmt.Fprintf(&b, `daemon off;
worker_processes %d;
pid nginx.pid;
events { worker_connections 1024; }
http {
	access_log off;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000000;
	open_file_cache max=100;
	open_file_cache_valid 10m;
	client_body_temp_path temp;
	proxy_temp_path temp;
	fastcgi_temp_path temp;
	uwsgi_temp_path temp;
	scgi_temp_path temp;
	server {
		listen 127.0.0.1:%d;
`, runtime.NumCPU(), port)
	for i, c := range replies {
		path, _, _ := strings.Cut(c.Path, "?")
		file := filepath.Join(dir, fmt.Sprintf("case%d", i))
		fmt.Fprintf(&b, "\t\tlocation = %s%s {\n\t\t\talias %s;\n\t\t\tdefault_type %s;\n", prefix(i), path, file, quoted(orJSON(c.Header.Get("Content-Type"))))
		for name, values := range c.Header {
			switch name {
			case "Content-Type", "Content-Length", "Date", "Etag": // it has its own
			default:
				fmt.Fprintf(&b, "\t\t\tadd_header %s %s;\n", name, quoted(values[0]))
			}
		}
		b.WriteString("\t\t}\n")
		if err := os.WriteFile(file, c.Body, 0o644); err != nil {
			return err
		}
	}
	b.WriteString("\t}\n}\n")
	if err := os.Chmod(dir, 0o755); err != nil { // its workers may be another user
		return err
	}
	return os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(b.String()), 0o644)
}

// quoted quotes a value for an nginx configuration.
func quoted(value string) string { return `"` + strings.ReplaceAll(value, `"`, `\"`) + `"` }

func orJSON(contentType string) string {
	if contentType == "" {
		return "application/json; charset=utf-8"
	}
	return contentType
}
