package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime"
	"time"
)

// options are the flags.
type options struct {
	soak    time.Duration
	phase   time.Duration
	rate    int
	workers int
	idle    int
}

func main() {
	log.SetFlags(0)
	var o options
	flag.DurationVar(&o.soak, "time", 5*time.Minute, "how long to soak")
	flag.DurationVar(&o.phase, "phase", 15*time.Second, "how long to measure latency, each time")
	flag.IntVar(&o.rate, "rate", 200, "reads a second whose latency is measured")
	flag.IntVar(&o.workers, "workers", 16, "clients that validate and resolve, one request after the other")
	flag.IntVar(&o.idle, "idle", 10_000, "idle connections")
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
	fmt.Printf("%s, %d processors, %s\n\n", runtime.Version(), runtime.NumCPU(), s.version)
	c, err := newLoad(s.url)
	if err != nil {
		return err
	}
	measureLatency(ctx, c, o)
	c.fill(ctx)
	grown := soak(ctx, s, c, o.soak)
	idle := measureIdle(ctx, s, c, o)
	return errors.Join(grown, idle, c.complaints())
}

// measureLatency prints the latency of reads on an idle and on a fully loaded
// server.
func measureLatency(ctx context.Context, c *load, o options) {
	fmt.Printf("Latency of reads, %d a second, from when each was due:\n\n", o.rate)
	fmt.Println("| | reads | p50 | p99 | longest | validated and resolved | sent away (503) |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|")
	for _, workers := range []int{0, o.workers} {
		c.done.Store(0)
		c.refused.Store(0)
		ctx, cancel := context.WithTimeout(ctx, o.phase)
		wait := c.work(ctx, workers)
		d := c.paced(ctx, o.rate)
		cancel()
		wait()
		name := "alone"
		if workers > 0 {
			name = fmt.Sprintf("beside %d clients at work", workers)
		}
		fmt.Printf("| %s | %s | %.0f/s | %.0f/s |\n", name, d, float64(c.done.Load())/o.phase.Seconds(), float64(c.refused.Load())/o.phase.Seconds())
	}
	fmt.Println()
}

// soak sends all kinds of requests at once and watches the server. It fails if
// memory, goroutines or open files grow.
func soak(ctx context.Context, s *server, c *load, d time.Duration) error {
	fmt.Printf("Everything at once, for %s:\n\n", d)
	fmt.Println("| time | live heap | resident | goroutines | files | requests |")
	fmt.Println("|---:|---:|---:|---:|---:|---:|")
	ctx, cancel := context.WithTimeout(ctx, d)
	wait := c.mix(ctx, 16)
	defer wait()
	defer cancel()
	var samples []sample
	begun := time.Now()
	for range 10 {
		if !sleep(ctx, d/11) {
			break
		}
		m, err := s.sample()
		if err != nil {
			return err
		}
		samples = append(samples, m)
		fmt.Printf("| %s | %s | %d |\n", time.Since(begun).Round(time.Second), m, c.asked.Load())
	}
	fmt.Println()
	return flat(samples)
}

// flat fails if the second half of a run uses clearly more than the first.
func flat(samples []sample) error {
	if len(samples) < 5 {
		return errors.New("the soak was cut short: let it run to its end")
	}
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
