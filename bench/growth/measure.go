package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/datachain-go/datachain/bench/program"
)

// taxonomyResult holds the measurements of a taxonomy.
type taxonomyResult struct {
	elements           int
	publish            time.Duration
	bytes              int64
	first, again       time.Duration // until the server serves
	firstSearch        time.Duration
	search, page, read time.Duration
	validate           time.Duration
	memory             int64
}

// documentResult holds the measurements of a document.
type documentResult struct {
	placements                int
	bytes                     int
	validate, resolve, render time.Duration
}

const (
	// usual is the number of placements in a document of a usual size.
	usual = 15
	// starts is how often a server is started for a median. Other load on a machine
	// shows in single starts more than in anything else.
	starts = 5
)

// measureTaxonomy publishes and serves a taxonomy with n elements.
func (b *bench) measureTaxonomy(ctx context.Context, n int) (t *taxonomyResult, err error) {
	log.Printf("%d elements", n)
	dir, err := os.MkdirTemp(b.dir, "taxonomy")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	source, store := filepath.Join(dir, "source"), filepath.Join(dir, "store")
	words, err := writeSource(source, n)
	if err != nil {
		return nil, err
	}
	t = &taxonomyResult{elements: n}
	begun := time.Now()
	if _, err := b.program.Run(ctx, "schema", "publish", source, "--store", store); err != nil {
		return nil, err
	}
	t.publish = time.Since(begun)
	if t.bytes, err = usage(store); err != nil {
		return nil, err
	}
	// Files that may still be changing are verified each time, so let them get older.
	time.Sleep(3 * time.Second)
	return t, t.serve(ctx, b, dir, store, words)
}

// serve starts servers of a store, and sends requests to the last one.
func (t *taxonomyResult) serve(ctx context.Context, b *bench, dir, store string, words []string) error {
	var first, again, firstSearch []time.Duration
	for i := range starts {
		// Nothing is remembered about the store the first time.
		p := *b.program
		p.Env = append(slices.Clone(p.Env), "XDG_CACHE_HOME="+filepath.Join(dir, fmt.Sprintf("cache%d", i)))
		took, err := b.with(ctx, &p, store, func(*client) error { return nil })
		if err != nil {
			return err
		}
		first = append(first, took)
		took, err = b.with(ctx, &p, store, func(c *client) error {
			// The first search needs the index of its language.
			took, err := c.time(ctx, 1, func(int) (string, []byte) { return query(words, len(words)/2), nil })
			firstSearch = append(firstSearch, took)
			if err == nil && i == starts-1 {
				err = t.request(ctx, c, words)
			}
			return err
		})
		if err != nil {
			return err
		}
		again = append(again, took)
	}
	t.first, t.again, t.firstSearch = median(first), median(again), median(firstSearch)
	return nil
}

// query returns the path of a search for two words.
func query(words []string, i int) string {
	return "/elements?query=" + url.QueryEscape(words[i%len(words)]+" "+words[i*7%len(words)])
}

// request sends requests to the server.
func (t *taxonomyResult) request(ctx context.Context, c *client, words []string) (err error) {
	body := document(usual, t.elements)
	for _, m := range []struct {
		into    *time.Duration
		request func(i int) (string, []byte)
	}{
		{&t.search, func(i int) (string, []byte) { return query(words, i+100), nil }},
		// An unknown field is ignored, but the response is not cached for it.
		{&t.page, func(i int) (string, []byte) { return fmt.Sprintf("/elements?fields=id,title,x%d", i), nil }},
		{&t.read, func(i int) (string, []byte) { return "/elements/" + elementID(i*13%t.elements), nil }},
		{&t.validate, func(int) (string, []byte) { return "/validate", body }},
	} {
		if *m.into, err = c.time(ctx, c.rounds, m.request); err != nil {
			return err
		}
	}
	t.memory, err = c.server.Resident()
	return err
}

// measureDocuments validates documents of several sizes.
func (b *bench) measureDocuments(ctx context.Context, sizes []int) (all []*documentResult, err error) {
	const elements = 100
	dir, err := os.MkdirTemp(b.dir, "documents")
	if err != nil {
		return nil, err
	}
	source, store := filepath.Join(dir, "source"), filepath.Join(dir, "store")
	if _, err := writeSource(source, elements); err != nil {
		return nil, err
	}
	if _, err := b.program.Run(ctx, "schema", "publish", source, "--store", store); err != nil {
		return nil, err
	}
	_, err = b.with(ctx, b.program, store, func(c *client) error {
		for _, n := range sizes {
			log.Printf("%d placements", n)
			body := document(n, elements)
			d := &documentResult{placements: n, bytes: len(body)}
			for path, into := range map[string]*time.Duration{"/validate": &d.validate, "/resolve": &d.resolve, "/render": &d.render} {
				if *into, err = c.time(ctx, c.rounds, func(int) (string, []byte) { return path, body }); err != nil {
					return err
				}
			}
			all = append(all, d)
		}
		return nil
	})
	return all, err
}

// with runs a server while use sends requests to it. It returns the time until the server
// served.
func (b *bench) with(ctx context.Context, p *program.Program, store string, use func(*client) error) (time.Duration, error) {
	begun := time.Now()
	s, err := p.Serve(ctx, "--store", store, "--rate-limit", "off")
	if err != nil {
		return 0, err
	}
	started := time.Since(begun)
	return started, errors.Join(use(&client{server: s, rounds: b.rounds}), s.Stop())
}

// client sends one request after the other.
type client struct {
	server *program.Server
	rounds int
}

// time returns the median time of requests, each with a path below the version, and a
// body if it is a POST.
func (c *client) time(ctx context.Context, rounds int, request func(i int) (string, []byte)) (time.Duration, error) {
	took := make([]time.Duration, rounds)
	for i := range took {
		path, body := request(i)
		begun := time.Now()
		if err := c.send(ctx, path, body); err != nil {
			return 0, err
		}
		took[i] = time.Since(begun)
	}
	return median(took), nil
}

// median returns the median of times, of which there is at least one.
func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func (c *client) send(ctx context.Context, path string, body []byte) error {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, c.server.URL+"/api/v2/schemas/"+version+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Accept-Encoding", "identity")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	text, err := io.ReadAll(res.Body)
	if err == nil && (res.StatusCode != http.StatusOK || bytes.HasPrefix(text, []byte(`{"ok":false`))) {
		err = fmt.Errorf("%s %s: %s: %.300s", method, path, res.Status, text)
	}
	return err
}

// block is the unit in which most file systems allocate space.
const block = 4 << 10

// usage returns the space that the files in a directory take.
func usage(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += (info.Size() + block - 1) / block * block
		}
		return err
	})
	return size, err
}
