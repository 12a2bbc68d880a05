package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/bench/program"
)

// edge is a server with a cache in front of it.
type edge struct {
	*front
	server *program.Server
	mix    mix
	options
}

// count is how many requests there were, and how many of them the cache answered itself.
type count struct{ requests, hits int }

// result is a measurement.
type result struct {
	name   string
	order  []string // names of kinds
	kinds  map[string]count
	each   map[string]time.Duration // CPU time for a request of a kind, without a cache
	origin int                      // requests that reached the server
	pages  int                      // of these, those of pages
	same   int                      // of these, those that it answered with 304
	server time.Duration            // CPU time
	cache  time.Duration
}

// cost measures the CPU time of the server for a request of each kind, one after the other.
func (e *edge) cost(ctx context.Context, r *result) error {
	r.each = map[string]time.Duration{}
	random := rand.New(rand.NewPCG(e.seed, 0))
	for _, k := range e.mix {
		from, err := e.server.CPU()
		if err != nil {
			return err
		}
		n := 0
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); n++ {
			req, err := k.next(random).http(ctx, random, e.url)
			if err == nil {
				_, err = ask(req)
			}
			if err != nil {
				return err
			}
		}
		to, err := e.server.CPU()
		if err != nil {
			return err
		}
		r.each[k.name] = (to - from) / time.Duration(n)
	}
	return nil
}

func (r *result) total() (all count) {
	for _, c := range r.kinds {
		all.requests, all.hits = all.requests+c.requests, all.hits+c.hits
	}
	return all
}

// clients is how many clients send requests at the same time.
const clients = 16

// load sends requests at a steady rate, and counts the responses.
func (e *edge) load(ctx context.Context, round uint64) (*result, error) {
	r := &result{name: e.name, kinds: map[string]count{}}
	for _, k := range e.mix {
		r.order = append(r.order, k.name)
	}
	from, err := e.usage(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.long)
	defer cancel()
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	for i := range clients {
		random := rand.New(rand.NewPCG(e.seed, round*clients+uint64(i)))
		all.Go(func() {
			tick := time.NewTicker(time.Second * clients / time.Duration(e.rate))
			defer tick.Stop()
			for ctx.Err() == nil {
				q := e.mix.next(random)
				// A request is completed even if the time ends meanwhile.
				req, err := q.http(context.WithoutCancel(ctx), random, e.url)
				var status string
				if err == nil {
					status, err = ask(req)
				}
				mu.Lock()
				c := r.kinds[q.kind]
				c.requests++
				if strings.Contains(status, "; hit") {
					c.hits++
				}
				r.kinds[q.kind] = c
				if err != nil {
					failed = errors.Join(failed, err)
					cancel()
				}
				mu.Unlock()
				<-tick.C
			}
		})
	}
	all.Wait()
	to, err := e.usage(context.WithoutCancel(ctx))
	r.origin, r.same = to.origin-from.origin, to.same-from.same
	r.server, r.cache = to.server-from.server, to.cache-from.cache
	return r, errors.Join(failed, err)
}

// ask sends a request, reads the response and returns its Cache-Status.
func ask(req *http.Request) (string, error) {
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(io.Discard, res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return "", err
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s %s: %s", req.Method, req.URL.Path, res.Status)
	}
	return res.Header.Get("Cache-Status"), nil
}

// client leaves compressed bodies as they are.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}, Timeout: 30 * time.Second}

// fetch returns the body of a page.
func fetch(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, res.Status)
	}
	return string(text), errors.Join(err, res.Body.Close())
}

// send sends a request through the cache. The body of the response is read.
func (f *front) send(method, path string, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(context.Background(), method, f.url+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(res.Body)
	res.Body = io.NopCloser(bytes.NewReader(text))
	return res, err
}

// usage is what was used so far.
func (e *edge) usage(ctx context.Context) (r result, err error) {
	if r.server, err = e.server.CPU(); err != nil {
		return r, err
	}
	if r.cache, err = e.cpu(); err != nil {
		return r, err
	}
	text, err := fetch(ctx, e.server.Admin+"/metrics")
	for line := range strings.Lines(text) {
		labels, ok := strings.CutPrefix(line, "datachain_http_requests_total{")
		if !ok {
			continue
		}
		labels, value, _ := strings.Cut(strings.TrimSpace(labels), "} ")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return r, err
		}
		r.origin += int(n)
		if strings.Contains(labels, `route="/"`) {
			r.pages += int(n)
		}
		if strings.Contains(labels, `code="304"`) {
			r.same += int(n)
		}
	}
	return r, err
}

// Pages that the load does not ask for.
const (
	crowded = "/d?q=crowd"
	expired = "/d?q=expire"
)

// before asks for a page that expires during the load.
func (e *edge) before(context.Context) error {
	_, err := e.send(http.MethodGet, expired, nil)
	return err
}

// after checks what the configuration promises.
func (e *edge) after(ctx context.Context) error {
	for _, check := range []func(context.Context) error{e.revalidates, e.collapses, e.negotiates, e.forgets} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// revalidates checks that a page that has expired is sent at once, and that the server is asked
// whether it has changed.
func (e *edge) revalidates(ctx context.Context) error {
	from, err := e.usage(ctx)
	if err != nil {
		return err
	}
	res, err := e.send(http.MethodGet, expired, nil)
	if err != nil {
		return err
	}
	if status := res.Header.Get("Cache-Status"); !strings.Contains(status, "; hit") {
		return fmt.Errorf("an expired page was not sent at once, but as %q", status)
	}
	return e.becomes(ctx, "an expired page is confirmed", func(to result) bool { return to.pages == from.pages+1 && to.same == from.same+1 })
}

// becomes waits until the server has counted requests.
func (e *edge) becomes(ctx context.Context, what string, done func(result) bool) error {
	var u result
	for range 100 {
		var err error
		if u, err = e.usage(ctx); err != nil || done(u) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s: not with %d requests for pages, and %d responses 304", what, u.pages, u.same)
}

// collapses checks that many requests for a page that the cache does not have become one, and that
// clients that have it get 304.
func (e *edge) collapses(ctx context.Context) error {
	from, err := e.usage(ctx)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make([]error, 50)
	for i := range errs {
		all.Go(func() { _, errs[i] = e.send(http.MethodGet, crowded, nil) })
	}
	all.Wait()
	to, err := e.usage(ctx)
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	if n := to.pages - from.pages; n != 1 {
		return fmt.Errorf("%d requests for a new page became %d", len(errs), n)
	}
	res, err := e.send(http.MethodGet, crowded, nil)
	if err != nil {
		return err
	}
	res, err = e.send(http.MethodGet, crowded, http.Header{"If-None-Match": {res.Header.Get("ETag")}})
	if err == nil && res.StatusCode != http.StatusNotModified {
		err = fmt.Errorf("a client that has a page got %s instead of 304", res.Status)
	}
	return err
}

// negotiates checks that clients get the language that they prefer, of a document that has three.
func (e *edge) negotiates(context.Context) error {
	for accepted, want := range map[string]string{"fr-CA,fr;q=0.9,en;q=0.8": "fr", "de-DE,de;q=0.9,ES;q=0.8": "es", "de": "en", "fro,xen": "en", "": "en"} {
		for range 2 {
			res, err := e.send(http.MethodGet, "/d/"+slug(1), http.Header{"Accept-Language": {accepted}})
			if err != nil {
				return err
			}
			if got := res.Header.Get("Content-Language"); got != want {
				return fmt.Errorf("a client that accepts %q got a page in %q instead of %q", accepted, got, want)
			}
		}
	}
	return nil
}

// forgets checks that a page that was removed is fetched again.
func (e *edge) forgets(context.Context) error {
	if err := e.remove(e.front, crowded); err != nil {
		return err
	}
	res, err := e.send(http.MethodGet, crowded, nil)
	if err == nil && strings.Contains(res.Header.Get("Cache-Status"), "; hit") {
		err = errors.New("a page that was removed is still in the cache")
	}
	return err
}

// alone checks that pages and icons are available while the server is down, and others are not.
func (e *edge) alone(context.Context) error {
	for _, path := range []string{crowded, api + "/" + versions[0] + "/manifest"} {
		res, err := e.send(http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("%s got %s while the server is down", path, res.Status)
		}
	}
	res, err := e.send(http.MethodGet, "/d?q=other", nil)
	if err == nil && res.StatusCode < http.StatusInternalServerError {
		err = fmt.Errorf("a page that is not in the cache got %s while the server is down", res.Status)
	}
	return err
}
