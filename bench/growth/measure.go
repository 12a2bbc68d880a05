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
	files              int
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

// usual is the number of placements in a document of a usual size.
const usual = 15

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
	if t.files, t.bytes, err = usage(store); err != nil {
		return nil, err
	}
	// Files that may still be changing are verified each time, so let them get older.
	time.Sleep(3 * time.Second)
	// Nothing is remembered about the store the first time.
	p := *b.program
	p.Env = append(p.Env, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	if err := b.with(ctx, &p, store, &t.first, func(*client) error { return nil }); err != nil {
		return nil, err
	}
	return t, b.with(ctx, &p, store, &t.again, func(c *client) error { return t.request(ctx, c, words) })
}

// request sends requests to the server.
func (t *taxonomyResult) request(ctx context.Context, c *client, words []string) (err error) {
	query := func(i int) string {
		return "/elements?query=" + url.QueryEscape(words[i%len(words)]+" "+words[i*7%len(words)])
	}
	// The first search needs the index of its language.
	if t.firstSearch, err = c.time(ctx, 1, func(int) (string, []byte) { return query(len(words) / 2), nil }); err != nil {
		return err
	}
	body := document(usual, t.elements)
	for _, m := range []struct {
		into    *time.Duration
		request func(i int) (string, []byte)
	}{
		{&t.search, func(i int) (string, []byte) { return query(i + 100), nil }},
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

// measureDocuments judges documents of several sizes.
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
	var started time.Duration
	err = b.with(ctx, b.program, store, &started, func(c *client) error {
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

// with runs a server while use sends requests to it. The time until it serves is stored
// in started.
func (b *bench) with(ctx context.Context, p *program.Program, store string, started *time.Duration, use func(*client) error) error {
	begun := time.Now()
	s, err := p.Serve(ctx, "--store", store, "--rate-limit", "off")
	if err != nil {
		return err
	}
	*started = time.Since(begun)
	return errors.Join(use(&client{server: s, rounds: b.rounds}), s.Stop())
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
	slices.Sort(took)
	return took[len(took)/2], nil
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

// usage returns the number of files in a directory and the space that they take.
func usage(dir string) (files int, size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			size += (info.Size() + block - 1) / block * block
		}
		return err
	})
	return files, size, err
}
