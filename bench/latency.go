package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// latencies are the durations of reads, sorted.
type latencies []time.Duration

// cells formats the cells of a table row.
func (d latencies) cells() []string {
	if len(d) == 0 {
		return make([]string, 3)
	}
	return []string{d.at(0.5), d.at(0.99), d.at(1)}
}

func (d latencies) at(quantile float64) string {
	return d[int(quantile*float64(len(d)-1))].Round(10 * time.Microsecond).String()
}

// paced reads at a constant rate until the context ends. A read that starts late
// is measured from when it was due; otherwise a server that stalls would seem fast.
func (l *load) paced(ctx context.Context, rate int) latencies {
	var mu sync.Mutex
	var took latencies
	var group sync.WaitGroup
	pause := time.Second / time.Duration(rate)
	for due := time.Now(); ctx.Err() == nil; due = due.Add(pause) {
		if !sleep(ctx, time.Until(due)) {
			break
		}
		group.Go(func() {
			if l.ask(ctx, pick(l.reads)) == 0 {
				return
			}
			d := time.Since(due)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, d)
		})
	}
	group.Wait()
	slices.Sort(took)
	return took
}
