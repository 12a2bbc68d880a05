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
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	bucket    = "releases"
	storeURL  = "s3://" + bucket + "/public"
	accessKey = "cluster"
	secretKey = "cluster-secret"
	// added is how late everything is that passes a slow proxy: more than the budget of a
	// rate limit check.
	added = 40 * time.Millisecond
)

// cluster is everything that runs.
type cluster struct {
	settings
	dir       string // temporary
	published string // the same releases in a directory
	objects   string // files of the storage

	reference *process // one server with the directory, which tells what is right
	refURL    string
	servers   []*server
	port      string // of every server
	adminPort string
	redis     *process
	redisAddr string
	redisVia  *proxy
	storage   *process
	s3Addr    string
	s3Via     *proxy
	balancer  *process
	url       string // of the balancer
	probes    int    // how often a limit was counted
	outcome   outcome
}

// server is one of the servers behind the balancer.
type server struct {
	name, url, admin string
	flags            []string
	*process
}

// newCluster starts everything and waits until all servers are ready.
func newCluster(ctx context.Context, s settings) (*cluster, error) {
	dir, err := os.MkdirTemp("", "datachain-cluster-")
	if err != nil {
		return nil, err
	}
	c := &cluster{settings: s, dir: dir, published: filepath.Join(dir, "published"), objects: filepath.Join(dir, "objects")}
	for _, step := range []func(context.Context) error{
		c.startStorage, c.publishAll, c.startReference, c.startRedis, c.startServers, c.startBalancer,
	} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

// close ends everything.
func (c *cluster) close() error {
	c.balancer.end()
	for _, s := range c.servers {
		s.end()
	}
	c.reference.end()
	c.redis.end()
	c.storage.end()
	c.redisVia.close()
	c.s3Via.close()
	if c.keep {
		fmt.Fprintln(os.Stderr, "logs and files are in", c.dir)
		return nil
	}
	return os.RemoveAll(c.dir)
}

// credentials are the variables with which the command reads the storage.
func (c *cluster) credentials(endpoint string) []string {
	return []string{
		"AWS_ACCESS_KEY_ID=" + accessKey, "AWS_SECRET_ACCESS_KEY=" + secretKey, "AWS_REGION=us-east-1",
		"AWS_EC2_METADATA_DISABLED=true", "DATACHAIN_S3_ENDPOINT=http://" + endpoint,
		"XDG_CACHE_HOME=" + filepath.Join(c.dir, "cache"),
	}
}

// startStorage starts versitygw, and the proxy through which the servers reach it. The
// bucket is a directory.
func (c *cluster) startStorage(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Join(c.objects, bucket), 0o755); err != nil {
		return err
	}
	port, err := freePort("127.0.0.1")
	if err != nil {
		return err
	}
	c.s3Addr = net.JoinHostPort("127.0.0.1", port)
	if c.s3Via, err = newProxy(c.s3Addr, added, c.seed); err != nil {
		return err
	}
	return c.runStorage(ctx)
}

func (c *cluster) runStorage(ctx context.Context) (err error) {
	c.storage, err = start(c.dir, "versitygw", []string{"ROOT_ACCESS_KEY=" + accessKey, "ROOT_SECRET_KEY=" + secretKey},
		c.versitygw, "--port", c.s3Addr, "posix", c.objects)
	if err != nil {
		return err
	}
	return await(ctx, 20*time.Second, reachable(c.s3Addr))
}

// publishAll publishes the samples into the bucket and into a directory.
func (c *cluster) publishAll(ctx context.Context) error {
	for _, store := range []string{storeURL, c.published} {
		if err := c.publish(ctx, filepath.Join(c.root, "examples", "taxonomies"), store); err != nil {
			return err
		}
	}
	return nil
}

// publish runs the command as CI would, directly to the storage.
func (c *cluster) publish(ctx context.Context, source, store string) error {
	_, err := output(ctx, c.credentials(c.s3Addr), c.program, "schema", "publish", source, "--store", store)
	return err
}

func (c *cluster) startReference(ctx context.Context) error {
	port, err := freePort("127.0.0.1")
	if err != nil {
		return err
	}
	c.refURL = "http://127.0.0.1:" + port
	c.reference, err = start(c.dir, "reference", nil, c.program, "serve", "--store", c.published, "--addr", "127.0.0.1:"+port,
		"--rate-limit", "off", "--log-requests", "off", "--base-url", "http://cluster.test")
	if err != nil {
		return err
	}
	return await(ctx, 20*time.Second, func(ctx context.Context) error {
		_, err := fetch(ctx, c.refURL+"/api/v2/schemas")
		return err
	})
}

func (c *cluster) startRedis(ctx context.Context) error {
	port, err := freePort("127.0.0.1")
	if err != nil {
		return err
	}
	c.redisAddr = net.JoinHostPort("127.0.0.1", port)
	if c.redisVia, err = newProxy(c.redisAddr, added, c.seed); err != nil {
		return err
	}
	return c.runRedis(ctx)
}

func (c *cluster) runRedis(ctx context.Context) (err error) {
	host, port, _ := net.SplitHostPort(c.redisAddr)
	c.redis, err = start(c.dir, "redis", nil, "redis-server", "--bind", host, "--port", port, "--save", "", "--appendonly", "no", "--dir", c.dir)
	if err != nil {
		return err
	}
	return await(ctx, 20*time.Second, reachable(c.redisAddr))
}

// addresses are those of the servers.
var addresses = [...]string{"127.0.77.1", "127.0.77.2", "127.0.77.3"}

// startServers starts the servers at addresses of their own with the same ports, as the
// configuration of the balancer expects.
func (c *cluster) startServers(ctx context.Context) error {
	var err error
	if c.port, err = freePort(addresses[:]...); err != nil {
		return err
	}
	if c.adminPort, err = freePort(addresses[:]...); err != nil {
		return err
	}
	for i, a := range addresses {
		s := &server{name: string(rune('a' + i)), url: "http://" + net.JoinHostPort(a, c.port), admin: "http://" + net.JoinHostPort(a, c.adminPort)}
		s.flags = []string{
			"serve", "--addr", net.JoinHostPort(a, c.port), "--admin-addr", net.JoinHostPort(a, c.adminPort),
			"--store", storeURL, "--refresh", refresh.String(), "--shared", "redis://" + c.redisVia.address() + "/0", "--replicas", "3",
			"--trusted-proxies", "127.0.0.0/8", "--base-url", "http://cluster.test", "--log-requests", "off", "--mcp-hosts", "any",
			"--work-timeout", "30s", "--max-cpu", "10s", // on a machine that is busy with everything else
			"--limit-read", "off", "--limit-icons", "off", "--limit-validate", "off", "--limit-pages", "off", "--limit-forms", "off",
			"--limit-resolve", strconv.Itoa(c.limit),
		}
		c.servers = append(c.servers, s)
		if err := c.run(s); err != nil {
			return err
		}
	}
	return await(ctx, 30*time.Second, c.whole)
}

// run starts a server, for the first time or again. Each has a cache of its own.
func (c *cluster) run(s *server) (err error) {
	env := append(c.credentials(c.s3Via.address()), "XDG_CACHE_HOME="+filepath.Join(c.dir, "cache-"+s.name))
	s.process, err = start(c.dir, "server-"+s.name, env, c.program, s.flags...)
	return err
}

func (c *cluster) startBalancer(ctx context.Context) error {
	port, err := freePort("127.0.0.1")
	if err != nil {
		return err
	}
	c.url = "http://127.0.0.1:" + port
	env := []string{
		"LISTEN=127.0.0.1:" + port, "PORT=" + c.port, "ADMIN_PORT=" + c.adminPort,
		"SERVER_A=" + addresses[0], "SERVER_B=" + addresses[1], "SERVER_C=" + addresses[2],
	}
	c.balancer, err = start(c.dir, "haproxy", env, "haproxy", "-db", "-f", filepath.Join(c.root, "deploy", "haproxy", "haproxy.cfg"))
	if err != nil {
		return err
	}
	return await(ctx, 20*time.Second, func(ctx context.Context) error {
		_, err := fetch(ctx, c.url+"/api/v2/schemas")
		return err
	})
}

// restart ends a server with SIGTERM and starts it again.
func (c *cluster) restart(ctx context.Context, s *server) error {
	if err := s.stop(syscall.SIGTERM); err != nil {
		return err
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("server %s: exit code %d after SIGTERM, want 0", s.name, code)
	}
	if err := c.run(s); err != nil {
		return err
	}
	return await(ctx, 30*time.Second, s.ready)
}

// ready returns an error while the balancer would not use the server.
func (s *server) ready(ctx context.Context) error {
	_, err := fetch(ctx, s.admin+"/readyz")
	return err
}

// whole returns an error unless every server is ready, reaches Redis, and serves what the
// store has.
func (c *cluster) whole(ctx context.Context) error {
	for _, s := range c.servers {
		if err := s.ready(ctx); err != nil {
			return err
		}
		page, err := fetch(ctx, s.admin+"/metrics")
		if err != nil {
			return err
		}
		for _, want := range []string{"\ndatachain_shared_away 0\n", "\ndatachain_store_in_trouble 0\n"} {
			if !strings.Contains(page, want) {
				return fmt.Errorf("server %s: its metrics do not have %q", s.name, strings.TrimSpace(want))
			}
		}
	}
	return nil
}

// reachable checks that something listens at an address.
func reachable(address string) func(context.Context) error {
	return func(ctx context.Context) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			_ = conn.Close() // nothing was sent
		}
		return err
	}
}

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

// signal sends a signal to the process. It is not an error if that has ended.
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
