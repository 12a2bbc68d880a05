package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/examples/documents"
)

// count is the result of a probe of the rate limit.
type count struct {
	passed int
	// inexact is how many decisions the servers made without Redis meanwhile, for any
	// client: a check that timed out on a busy machine. Exactness is promised without them.
	// While Redis is away, it is how many requests passed without any decision.
	inexact int
}

// exact reports whether a limit was kept exactly, as far as Redis decided.
func (c count) exact(limit int) bool {
	return c.passed >= limit-c.inexact && c.passed <= limit+c.inexact
}

// within reports whether the shares of a limit were kept.
func (c count) within(limit int) bool { return c.passed > 0 && c.passed <= limit+c.inexact }

func (c count) String() string {
	if c.inexact > 0 {
		return fmt.Sprintf("%d (±%d)", c.passed, c.inexact)
	}
	return fmt.Sprint(c.passed)
}

// countExact counts until no check timed out meanwhile, at most three times. A server that
// drains still decides, so its checks count, too, and a count during which it ended is repeated.
func (c *cluster) countExact(ctx context.Context, round int, servers []*server) (n count, err error) {
	for range 3 {
		up := running(servers)
		before, early := inexact(ctx, up)
		c.probes++
		if n.passed, err = c.countLimit(ctx, fmt.Sprintf("127.2.%d.%d", round, c.probes%250+1)); err != nil {
			return n, err
		}
		after, late := inexact(ctx, up)
		n.inexact = after - before
		if err = errors.Join(early, late); err == nil && n.inexact == 0 {
			break
		}
	}
	return n, err
}

// running returns the servers whose processes have not ended.
func running(servers []*server) []*server {
	return slices.DeleteFunc(slices.Clone(servers), func(s *server) bool {
		select {
		case <-s.done:
			return true
		default:
			return false
		}
	})
}

// countShares counts while Redis is away. A request whose check exceeds the budget of the
// server passes without a decision, and is in no share.
func (c *cluster) countShares(ctx context.Context, round int, up []*server) (count, error) {
	var n count
	before, err := sumOf(ctx, up, unchecked)
	if err != nil {
		return n, err
	}
	c.probes++
	if n.passed, err = c.countLimit(ctx, fmt.Sprintf("127.4.%d.%d", round, c.probes%250+1)); err != nil {
		return n, err
	}
	after, err := sumOf(ctx, up, unchecked)
	n.inexact = after - before
	return n, err
}

// unchecked is the metric of requests that passed without a decision.
const unchecked = "datachain_limiter_unchecked_total"

// inexact returns how many requests servers have decided without Redis.
func inexact(ctx context.Context, servers []*server) (int, error) {
	return sumOf(ctx, servers, `datachain_shared_decisions_total{by="local"}`, unchecked)
}

// sumOf returns the sum of metrics of servers.
func sumOf(ctx context.Context, servers []*server, metrics ...string) (int, error) {
	sum := 0.0
	for _, s := range servers {
		page, err := fetch(ctx, s.admin+"/metrics")
		if err != nil {
			return 0, err
		}
		for _, name := range metrics {
			_, rest, found := strings.Cut(page, "\n"+name+" ")
			text, _, _ := strings.Cut(rest, "\n")
			n, err := strconv.ParseFloat(text, 64)
			if !found || err != nil {
				return 0, fmt.Errorf("server %s has no metric %s", s.name, name)
			}
			sum += n
		}
	}
	return int(sum), nil
}

// countLimit sends more requests than the limit allows, from 16 clients with one address,
// and returns how many passed. Requests that got another response than 200 or 429 are an
// error.
func (c *cluster) countLimit(ctx context.Context, address string) (int, error) {
	limited := c.limitedSample()
	each := (c.limit*5/2 + clients - 1) / clients
	var passed atomic.Int64
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			client := newClient(address)
			defer client.CloseIdleConnections()
			for range each {
				ok, err := allowed(ctx, client, c.url, limited)
				if ok {
					passed.Add(1)
				}
				if err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
					return
				}
			}
		})
	}
	all.Wait()
	return int(passed.Load()), failed
}

// limitedSample returns a request that counts for the limit.
func (c *cluster) limitedSample() *sample {
	for _, s := range c.samples {
		if s.limited {
			return s
		}
	}
	panic("the samples have a request that is limited")
}

// allowed reports whether a request passed its rate limit.
func allowed(ctx context.Context, client *http.Client, url string, s *sample) (bool, error) {
	req, err := s.request(ctx, url)
	if err != nil {
		return false, err
	}
	res, err := client.Do(req)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return false, err
	}
	switch res.StatusCode {
	case http.StatusOK:
		return true, nil
	case http.StatusTooManyRequests:
		return false, nil
	}
	return false, fmt.Errorf("%s %s: %s", s.method, s.path, res.Status)
}

// pages is what became of the pages that MCP sessions rendered.
type pages struct {
	found, asked, wrong int
	// late is how often Redis did not answer in time meanwhile, and how many pages
	// got lost then, on a busy machine.
	late    int
	servers int
}

// kept reports whether every page was found, as far as Redis has them.
func (p pages) kept() bool { return p.asked-p.found <= p.late*p.servers }

// countKept counts pages until Redis answered in time meanwhile, at most three times.
func (c *cluster) countKept(ctx context.Context, round int, up []*server) (pages, error) {
	var p pages
	for range 3 {
		before, err := lateness(ctx, up)
		if err != nil {
			return p, err
		}
		c.probes++
		if p, err = c.countPages(ctx, round, up); err != nil {
			return p, err
		}
		after, err := lateness(ctx, up)
		p.late = after - before
		if err != nil || p.late == 0 {
			return p, err
		}
	}
	return p, nil
}

// lateness returns how often Redis was late, and how many pages got lost.
func lateness(ctx context.Context, servers []*server) (int, error) {
	return sumOf(ctx, servers, `datachain_shared_errors_total{kind="timeout"}`, `datachain_shared_pages_total{operation="put",outcome="none"}`)
}

// countPages renders pages in new sessions through the balancer, and reads each from every
// server that is up.
func (c *cluster) countPages(ctx context.Context, round int, up []*server) (pages, error) {
	client := newClient(fmt.Sprintf("127.3.%d.1", round))
	defer client.CloseIdleConnections()
	p := pages{servers: len(up)}
	for i, name := range []string{"benefits.json", "air-station.json", "library-chat.json"} {
		e, ok := documents.Find(name)
		if !ok {
			return p, fmt.Errorf("the example %s is missing", name)
		}
		session := fmt.Sprintf("cluster-%d-%d-%d-%d", c.seed, round, c.probes, i)
		var doc struct {
			SchemaVersion string `json:"schema_version"`
		}
		if err := json.Unmarshal(e.Text, &doc); err != nil {
			return p, err
		}
		render := call("render_datachain", map[string]any{"version": doc.SchemaVersion, "datachain": json.RawMessage(e.Text)})
		for _, url := range []string{c.refURL, c.url} {
			if _, err := mcp(ctx, client, url, session, render.body); err != nil {
				return p, err
			}
		}
		read := message("resources/read", map[string]any{"uri": "ui://service/datachain/view.html"})
		want, err := mcp(ctx, client, c.refURL, session, read)
		if err != nil {
			return p, err
		}
		none, err := mcp(ctx, client, c.refURL, session+"-other", read)
		if err != nil {
			return p, err
		}
		if want == none {
			return p, errors.New("the reference server did not render a page")
		}
		for _, s := range up {
			got, err := mcp(ctx, client, s.url, session, read)
			if err != nil {
				return p, err
			}
			p.asked++
			switch got {
			case want:
				p.found++
			case none:
			default:
				p.wrong++
			}
		}
	}
	return p, nil
}

// mcp sends a message of a session.
func mcp(ctx context.Context, client *http.Client, url, session string, body []byte) (string, error) {
	req, err := post("/mcp", body, false).request(ctx, url)
	if err != nil {
		return "", err
	}
	req.Header.Set("Mcp-Session-Id", session)
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return "", err
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("POST %s/mcp: %s: %.200s", url, res.Status, text)
	}
	return string(text), nil
}
