package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// load sends requests to a server and counts the responses.
type load struct {
	client             *http.Client
	base               string
	reads, works, bads []request

	asked, done atomic.Int64 // all, and those of works

	mu    sync.Mutex
	wrong map[string]int // unexpected answers
}

func newLoad(url string) (*load, error) {
	l := &load{base: url, wrong: map[string]int{}, client: &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: 1024, DisableCompression: true,
	}}}
	var err error
	if l.reads, err = allReads(l.client, url); err != nil {
		return nil, err
	}
	l.works, l.bads = allWorks(), allBads()
	return l, nil
}

var encodings = []string{"", "gzip", "zstd"}

// ask sends a request, reads the response and returns its status, or 0 if the
// response is wrong.
func (l *load) ask(ctx context.Context, r request) (status int) {
	req, err := http.NewRequestWithContext(ctx, r.method, l.base+r.path, bytes.NewReader(r.body))
	if err != nil {
		return l.complain(ctx, r, err.Error())
	}
	if encoding := encodings[rand.IntN(len(encodings))]; encoding != "" {
		req.Header.Set("Accept-Encoding", encoding)
	}
	res, err := l.client.Do(req)
	if err != nil {
		return l.complain(ctx, r, err.Error())
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	_, err = io.Copy(io.Discard, res.Body)
	l.asked.Add(1)
	switch {
	case err != nil:
		return l.complain(ctx, r, err.Error())
	case res.StatusCode != r.want && res.StatusCode != http.StatusServiceUnavailable:
		return l.complain(ctx, r, res.Status)
	}
	return res.StatusCode
}

// complain records a wrong response, unless the run has ended.
func (l *load) complain(ctx context.Context, r request, what string) int {
	// A body that is too large may be rejected while it is sent.
	if ctx.Err() == nil && r.want != http.StatusRequestEntityTooLarge {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.wrong[r.method+" "+r.path[:min(len(r.path), 100)]+": "+what]++
	}
	return 0
}

// complaints returns everything that was wrong.
func (l *load) complaints() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for what, n := range l.wrong {
		errs = append(errs, fmt.Errorf("%d times: %s", n, what))
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs[:min(len(errs), 20)]...)
}

// work sends documents to be validated until the context ends. Each client sends the
// next request when it has the response to the last.
func (l *load) work(ctx context.Context, clients int) (wait func()) {
	return each(ctx, clients, func() {
		if l.ask(ctx, pick(l.works)) == http.StatusOK {
			l.done.Add(1)
		}
	})
}

// fill sends enough different requests to fill the server's cache. After that its
// memory should not grow.
func (l *load) fill(ctx context.Context) {
	const enough = 30_000
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var n atomic.Int64
	each(ctx, 8, func() {
		if n.Add(1) > enough {
			cancel()
			return
		}
		l.ask(ctx, novel())
	})()
}

// mix sends all kinds of requests.
func (l *load) mix(ctx context.Context, clients int) (wait func()) {
	return each(ctx, clients, func() {
		switch n := rand.IntN(100); {
		case n < 60:
			l.ask(ctx, pick(l.reads))
		case n < 75:
			l.ask(ctx, novel())
		case n < 92:
			l.ask(ctx, pick(l.works))
		case n < 98:
			l.ask(ctx, pick(l.bads))
		default:
			l.leave(ctx)
		}
	})
}

// leave sends requests and disconnects before the response.
func (l *load) leave(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := pick(l.works)
	req, err := http.NewRequestWithContext(ctx, r.method, l.base+r.path, &leaver{bytes.NewReader(r.body), cancel})
	if err != nil {
		return
	}
	if res, err := l.client.Do(req); err == nil {
		_ = res.Body.Close()
	}
}

// leaver is a body whose sender disconnects after the first part.
type leaver struct {
	io.Reader
	leave func()
}

func (b *leaver) Read(p []byte) (int, error) {
	defer b.leave()
	return b.Reader.Read(p[:min(len(p), 500)])
}

func pick(list []request) request { return list[rand.IntN(len(list))] }

// each calls a function repeatedly in several clients until the context ends.
func each(ctx context.Context, clients int, do func()) (wait func()) {
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for ctx.Err() == nil {
				do()
			}
		})
	}
	return group.Wait
}
