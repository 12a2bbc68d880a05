package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	each    time.Duration
	soak    time.Duration
	phase   time.Duration
	rate    int
	workers int
	idle    int
	rest    time.Duration
}

func main() {
	log.SetFlags(0)
	var o options
	flag.DurationVar(&o.each, "each", 2*time.Second, "how long to send requests of each kind to measure their CPU time")
	flag.DurationVar(&o.soak, "time", 5*time.Minute, "how long to send all kinds of requests at once")
	flag.DurationVar(&o.phase, "phase", 15*time.Second, "how long to measure latency, each time")
	flag.IntVar(&o.rate, "rate", 200, "reads per second whose latency is measured")
	flag.IntVar(&o.workers, "workers", 16, "clients that send documents, or requests of each kind")
	flag.IntVar(&o.idle, "idle", 10_000, "idle connections")
	flag.DurationVar(&o.rest, "rest", 40*time.Second, "how long to wait until the memory of the idle server is measured")
	flag.Parse()
	if err := run(o); err != nil {
		log.Fatal(err)
	}
}

func run(o options) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	c, err := newLoad(s.url)
	if err != nil {
		return err
	}
	b := &bench{options: o, server: s, load: c}
	return errors.Join(b.measure(ctx), c.complaints())
}

// bench is a run.
type bench struct {
	options
	*server
	*load
}

// measure runs the phases and prints a row for each.
func (b *bench) measure(ctx context.Context) error {
	fmt.Print("| | p50 | p99 | longest | documents | memory | live heap |\n|---|---:|---:|---:|---:|---:|---:|\n")
	if _, err := b.row("started", nil, 0); err != nil {
		return err
	}
	for _, workers := range []int{0, b.workers} {
		if err := b.latency(ctx, workers); err != nil {
			return err
		}
	}
	b.fill(ctx)
	grown, err := b.soakAll(ctx)
	if err != nil {
		return err
	}
	kept, err := b.idleConnections(ctx)
	if err != nil {
		return err
	}
	if !sleep(ctx, b.rest) {
		return ctx.Err()
	}
	_, err = b.row("no requests for "+b.rest.String(), nil, 0)
	fmt.Printf("\n%d requests\n\n", b.asked.Load())
	return errors.Join(grown, kept, err, b.costs(ctx))
}

// row prints a row: what was read before it, how many documents were validated per second,
// and what the server uses now.
func (b *bench) row(name string, d latencies, documents float64) (sample, error) {
	m, err := b.sample()
	if err != nil {
		return m, err
	}
	cells := append([]string{name}, d.cells()...)
	if documents > 0 {
		cells = append(cells, fmt.Sprintf("%.0f/s", documents))
	} else {
		cells = append(cells, "")
	}
	cells = append(cells, fmt.Sprintf("%.1f MB", m.resident/1e6), fmt.Sprintf("%.1f MB", m.heap/1e6))
	fmt.Println("| " + strings.Join(cells, " | ") + " |")
	return m, nil
}

// latency measures reads while some clients send documents.
func (b *bench) latency(ctx context.Context, workers int) error {
	name := "reads alone"
	if workers > 0 {
		name = fmt.Sprintf("reads beside %d clients with documents", workers)
	}
	before := b.done.Load()
	limited, cancel := context.WithTimeout(ctx, b.phase)
	defer cancel()
	wait := b.work(limited, workers)
	d := b.paced(limited, b.rate)
	wait()
	_, err := b.row(name, d, float64(b.done.Load()-before)/b.phase.Seconds())
	return err
}

// soakSamples is how often the server is looked at during the soak.
const soakSamples = 6

// soakAll sends all kinds of requests at once. The first error says what grew, the
// second one why it could not be measured.
func (b *bench) soakAll(ctx context.Context) (grown, err error) {
	limited, cancel := context.WithTimeout(ctx, b.soak)
	wait := b.mix(limited, b.workers)
	defer wait()
	defer cancel()
	var samples []sample
	for i := range soakSamples {
		if !sleep(limited, b.soak/(soakSamples+1)) {
			return nil, errors.Join(errors.New("the soak was cut short: let it run to its end"), ctx.Err())
		}
		m, err := b.sample()
		if i%3 == 2 {
			m, err = b.row(fmt.Sprintf("everything at once, after %s", (b.soak/(soakSamples+1)*time.Duration(i+1)).Round(time.Second)), nil, 0)
		}
		if err != nil {
			return nil, err
		}
		samples = append(samples, m)
	}
	return flat(samples), nil
}

// flat fails if the second half of a run uses clearly more than the first.
func flat(samples []sample) error {
	half := len(samples) / 2
	first, second := largest(samples[:half]), largest(samples[half:])
	var errs []error
	for _, v := range []struct {
		name        string
		was, is, by float64
	}{
		{"the live heap", first.heap, second.heap, 16 << 20},
		{"goroutines", first.goroutines, second.goroutines, 20},
		{"open files", first.files, second.files, 20},
	} {
		if v.is > v.was*1.1+v.by {
			errs = append(errs, fmt.Errorf("%s grew from %.0f to %.0f", v.name, v.was, v.is))
		}
	}
	return errors.Join(errs...)
}

func largest(samples []sample) sample {
	var l sample
	for _, s := range samples {
		l.heap, l.goroutines, l.files = max(l.heap, s.heap), max(l.goroutines, s.goroutines), max(l.files, s.files)
	}
	return l
}

// sleep waits, and reports whether there is time left.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
