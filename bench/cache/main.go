package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/datachain-go/datachain/bench/page"
	"github.com/datachain-go/datachain/bench/program"
)

// options are the flags.
type options struct {
	out       string
	long      time.Duration
	rate      int
	documents int
	seed      uint64
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.out, "out", "", "file to write (default standard output)")
	flag.DurationVar(&o.long, "time", 90*time.Second, "how long to count, after as long a time in which the cache fills; at least 70s, so that pages expire")
	flag.IntVar(&o.rate, "rate", 400, "requests per second")
	flag.IntVar(&o.documents, "documents", 1000, "documents of the register")
	flag.Uint64Var(&o.seed, "seed", 1, "chooses the requests")
	flag.Parse()
	if err := run(o); err != nil {
		log.Fatal(err)
	}
}

func run(o options) (err error) {
	if o.long < 70*time.Second {
		return errors.New("-time must be at least 70s: pages expire after a minute")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "datachain-cache-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p, err := program.Build(ctx, dir)
	if err != nil {
		return err
	}
	store := filepath.Join(dir, "store")
	if _, err := p.Run(ctx, "schema", "publish", program.Samples, "--store", store); err != nil {
		return err
	}
	documents := filepath.Join(dir, "documents")
	if err := writeRegister(documents, o.documents); err != nil {
		return err
	}
	if _, err := p.Run(ctx, "documents", "publish", documents, "--store", store); err != nil {
		return err
	}
	var results []*result
	for _, c := range caches() {
		r, err := o.measure(ctx, p, store, dir, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		log.Printf("%s: %d requests, %d at the server", c.name, r.total().requests, r.origin)
		results = append(results, r)
	}
	return page.Write(o.out, o.page(results))
}

// measure starts a server and a cache in front of it, and sends requests.
func (o options) measure(ctx context.Context, p *program.Program, store, dir string, c cache) (r *result, err error) {
	s, err := p.Serve(ctx, "--store", store, "--rate-limit", "off", "--trusted-proxies", "127.0.0.0/8")
	if err != nil {
		return nil, err
	}
	stopped := false
	defer func() {
		if !stopped {
			err = errors.Join(err, s.Stop())
		}
	}()
	front, err := c.open(ctx, dir, s.URL)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, front.close()) }()
	m, err := newMix(ctx, s.URL, o.documents)
	if err != nil {
		return nil, err
	}
	e := &edge{front: front, server: s, mix: m, options: o}
	if err := e.before(ctx); err != nil {
		return nil, err
	}
	if _, err := e.load(ctx, 1); err != nil {
		return nil, err
	}
	if r, err = e.load(ctx, 2); err != nil {
		return nil, err
	}
	if c.name == direct {
		return r, e.cost(ctx, r)
	}
	if err := e.after(ctx); err != nil {
		return nil, err
	}
	stopped = true
	if err := s.Stop(); err != nil {
		return nil, err
	}
	return r, e.alone(ctx)
}

// writeRegister writes documents, which are copies of the examples with addresses of their own.
func writeRegister(dir string, n int) error {
	const examples = "../examples/register"
	if err := os.CopyFS(dir, os.DirFS(examples)); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(examples, "*.json"))
	if err != nil {
		return err
	}
	for i := range n {
		text, err := os.ReadFile(files[i%len(files)])
		if err != nil {
			return err
		}
		var document map[string]any
		if err := json.Unmarshal(text, &document); err != nil {
			return err
		}
		document["id"] = slug(i)
		entry, ok := document["register"].(map[string]any)
		if !ok {
			return fmt.Errorf("%s has no entry of a register", files[i%len(files)])
		}
		entry["slug"] = slug(i)
		delete(entry, "aliases")
		if text, err = json.Marshal(document); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, slug(i)+".json"), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func slug(i int) string { return fmt.Sprintf("system-%d", i) }
