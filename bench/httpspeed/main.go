package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/datachain-go/datachain/bench/page"
	"github.com/datachain-go/datachain/bench/program"
)

// options are the flags.
type options struct {
	out, only, beside string
	store, document   string
	documents         string
	rounds            int
	idle              time.Duration
	load              load
}

func main() {
	log.SetFlags(0)
	var o options
	role := flag.String("role", "", "which server to be; this program starts itself with it")
	flag.StringVar(&o.out, "out", "", "file to write (default standard output)")
	flag.StringVar(&o.only, "only", "", "names of requests, separated by commas, such as validate,mcp (default all)")
	flag.StringVar(&o.beside, "beside", "", "path of another datachain command to measure in the same run")
	flag.StringVar(&o.store, "store", "", "store to serve, with -document (default the samples)")
	flag.StringVar(&o.document, "document", filepath.Join("..", "examples", "documents", "benefits.json"), "datachain to send; the version that it pins is requested")
	flag.StringVar(&o.documents, "documents", "", "directory of a register to serve as well, whose lists are then measured")
	flag.IntVar(&o.rounds, "rounds", 4, "how often each request is measured on each server")
	flag.DurationVar(&o.load.each, "each", time.Second, "duration of a round; wrk is used for whole seconds only")
	flag.DurationVar(&o.idle, "idle", 40*time.Second, "how long to wait until the memory of the idle server is measured, if all requests are")
	flag.IntVar(&o.load.connections, "connections", 16, "number of connections")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *role != "" {
		err = serveAs(*role)
	} else {
		err = run(ctx, &o)
	}
	if err != nil {
		stop()
		log.Fatal(err) //nolint:gocritic // stopped
	}
}

// run measures and writes the page.
func run(ctx context.Context, o *options) (err error) {
	if o.rounds < 1 || o.load.each <= 0 || o.load.connections < 1 {
		return errors.New("-rounds, -each and -connections must be positive")
	}
	if o.load.each%time.Second == 0 {
		if o.load.wrk, err = exec.LookPath("wrk"); err != nil {
			log.Print("wrk is not installed (apt-get install wrk): this program generates the load")
		}
	}
	if o.load.dir, err = os.MkdirTemp("", "bench-http-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.load.dir)) }()
	b := &bench{options: o}
	defer func() {
		for _, c := range b.candidates {
			err = errors.Join(err, c.stop())
		}
	}()
	if err := b.start(ctx); err != nil {
		return err
	}
	if err := b.measure(ctx); err != nil {
		return err
	}
	return page.Write(o.out, b.page(ctx))
}

// bench is a run.
type bench struct {
	*options
	candidates []*candidate // the one with the store first
	placements int
	cases      []*testCase
	results    []*result
	// memory of the server with a store.
	memory struct{ started, loaded, idle int64 }
}

// The servers that are the datachain command.
const (
	nameStore  = "datachain"
	nameBeside = "beside"
)

// start starts the servers.
func (b *bench) start(ctx context.Context) error {
	document, err := os.ReadFile(b.document)
	if err != nil {
		return err
	}
	ours, err := program.Build(ctx, b.load.dir)
	if err != nil {
		return err
	}
	if err := b.serveStore(ctx, nameStore, ours); err != nil {
		return err
	}
	first := b.candidates[0]
	if b.memory.started, err = first.Resident(); err != nil {
		return err
	}
	about, err := newSubject(ctx, first.url, document)
	if err != nil {
		return err
	}
	b.placements = about.placements
	if b.cases, err = chosen(about.cases(b.documents != ""), b.only); err != nil {
		return err
	}
	for _, c := range b.cases {
		if err := c.record(ctx, first.url); err != nil {
			return err
		}
	}
	if b.beside != "" {
		other, err := program.Find(ctx, b.beside)
		if err != nil {
			return err
		}
		if err := b.serveStore(ctx, nameBeside, other); err != nil {
			return err
		}
	}
	return b.add(startSelf(ctx, roleBare, b.cases))
}

// serveStore starts a program with the store, or with one that it publishes.
func (b *bench) serveStore(ctx context.Context, name string, p *program.Program) (err error) {
	store := b.store
	if store == "" {
		if store, err = publish(ctx, p, b.load.dir); err != nil {
			return err
		}
	}
	return b.add(b.startOurs(ctx, name, p, "--store", store))
}

func (b *bench) add(c *candidate, err error) error {
	if err == nil {
		b.candidates = append(b.candidates, c)
	}
	return err
}

// measure measures CPU time, and the memory of the server with a store.
func (b *bench) measure(ctx context.Context) (err error) {
	if b.results, err = measure(ctx, b.candidates, b.cases, b.rounds, &b.load); err != nil {
		return err
	}
	if b.memory.loaded, err = b.candidates[0].Resident(); err != nil || b.only != "" {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(b.idle):
	}
	b.memory.idle, err = b.candidates[0].Resident()
	return err
}
