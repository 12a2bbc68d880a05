package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// usage is what a cluster has used so far.
type usage struct {
	servers, balancer, redis time.Duration // CPU time
	scripts                  int           // script calls of Redis
}

// capacity is a measurement.
type capacity struct {
	servers  int
	requests int
	failed   int
	took     time.Duration
	usage
}

// measure compares one server with three: each behind the same balancer, with limits that
// no client reaches, so that every request is checked by Redis.
func (s settings) measure(ctx context.Context, w io.Writer) error {
	s.limits = nil
	for _, bucket := range []string{"read", "icons", "validate", "resolve", "pages", "forms"} {
		s.limits = append(s.limits, "--limit-"+bucket, "65535")
	}
	var rows []capacity
	for _, s.count = range []int{1, 3} {
		row, err := s.measureOne(ctx)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "servers\trequests/s\tfailed\tCPU a request: servers\thaproxy\tRedis\tscript calls a request\t")
	for _, r := range rows {
		n := time.Duration(r.requests)
		fmt.Fprintf(t, "%d\t%.0f\t%d\t%s\t%s\t%s\t%.2f\t\n", r.servers, float64(r.requests)/r.took.Seconds(), r.failed,
			(r.usage.servers / n).Round(time.Microsecond), (r.balancer / n).Round(time.Microsecond), (r.redis / n).Round(time.Microsecond),
			float64(r.scripts)/float64(r.requests))
	}
	return t.Flush()
}

// measureOne sends as many requests as the cluster takes, for the time of a fault.
func (s settings) measureOne(ctx context.Context) (row capacity, err error) {
	c, err := newCluster(ctx, s)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if c.samples, err = samples(ctx, c.refURL); err != nil {
		return row, err
	}
	c.drive(ctx, s.hold/4) // caches are filled
	before, err := c.usage(ctx)
	if err != nil {
		return row, err
	}
	begun := time.Now()
	t := c.drive(ctx, s.hold)
	row = capacity{servers: s.count, requests: t.requests, failed: t.failed + t.wrong + t.begun, took: time.Since(begun)}
	after, err := c.usage(ctx)
	row.usage = usage{
		after.servers - before.servers, after.balancer - before.balancer, after.redis - before.redis,
		after.scripts - before.scripts,
	}
	if row.failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d requests failed, the first: %v", row.failed, t.notes))
	}
	return row, err
}

// drive sends requests without a pause between them.
func (c *cluster) drive(ctx context.Context, long time.Duration) *tally {
	t := &tally{}
	end := time.Now().Add(long)
	var all sync.WaitGroup
	for i := range clients {
		random := rand.New(rand.NewPCG(c.seed, uint64(i)))
		client := newClient(fmt.Sprintf("127.1.0.%d", i+1))
		all.Go(func() {
			defer client.CloseIdleConnections()
			for time.Now().Before(end) && ctx.Err() == nil {
				s := c.samples[random.IntN(len(c.samples))]
				t.add(s.path, send(ctx, client, c.url, s))
			}
		})
	}
	all.Wait()
	return t
}

// usage reads CPU times and counters.
func (c *cluster) usage(ctx context.Context) (u usage, err error) {
	for _, s := range c.servers {
		used, err := s.cpu()
		if err != nil {
			return u, err
		}
		u.servers += used
	}
	if u.balancer, err = c.balancer.cpu(); err != nil {
		return u, err
	}
	if u.redis, err = c.redis.cpu(); err != nil {
		return u, err
	}
	u.scripts, err = scriptCalls(c.redisAddr)
	return u, err
}

// scriptCalls asks Redis how many scripts it has run.
func scriptCalls(address string) (int, error) {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }() // it was only read
	if _, err := io.WriteString(conn, "INFO commandstats\r\nQUIT\r\n"); err != nil {
		return 0, err
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "cmdstat_evalsha:calls="); ok {
			text, _, _ := strings.Cut(rest, ",")
			return strconv.Atoi(text)
		}
	}
	return 0, nil
}

// tick is the unit of CPU time in /proc, the same on every Linux that Go supports.
const tick = 10 * time.Millisecond

// cpu returns the user and system time of the process.
func (p *process) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The program name is in parentheses and may contain any character.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}
