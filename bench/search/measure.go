package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// times are the best times of queries.
type times []time.Duration

// mean returns the mean over the queries.
func (t times) mean() time.Duration {
	var sum time.Duration
	for _, d := range t {
		sum += d
	}
	return sum / time.Duration(len(t))
}

// p95 returns the 95th percentile.
func (t times) p95() time.Duration {
	sorted := slices.Clone(t)
	slices.Sort(sorted)
	return sorted[(len(sorted)*95+99)/100-1]
}

// runner runs a set of queries on an index in rounds.
type runner struct {
	index   index
	queries []query
	best    times
	rounds  int
	least   int // rounds
	spent   time.Duration
}

func newRunner(x index, queries []query, rounds int) *runner {
	return &runner{index: x, queries: queries, best: make(times, len(queries)), least: rounds}
}

// round runs each query once and keeps its time if it is the best so far.
func (r *runner) round() error {
	begun := time.Now()
	for i := range r.queries {
		start := time.Now()
		if _, err := r.index.search(&r.queries[i], ignore); err != nil {
			return err
		}
		if d := time.Since(start); r.rounds == 0 || d < r.best[i] {
			r.best[i] = d
		}
	}
	r.rounds++
	r.spent += time.Since(begun)
	return nil
}

func ignore(string) {}

// interleave runs rounds of all runners in turn, so that a machine that is busy for
// a while slows down all of them, until each has used its time. Garbage is collected
// between rounds, so that no engine pays for another's.
func interleave(runners []*runner, each time.Duration) error {
	for busy := true; busy; {
		busy = false
		for _, r := range runners {
			if r.rounds >= r.least && r.spent >= each {
				continue
			}
			busy = true
			runtime.GC()
			// Many short rounds share a collection.
			for begun := time.Now(); ; {
				if err := r.round(); err != nil {
					return err
				}
				if time.Since(begun) > 50*time.Millisecond {
					break
				}
			}
		}
	}
	return nil
}

// built is an index and the cost of building it.
type built struct {
	index  index
	rounds int
	time   time.Duration // the best
	memory int64         // bytes that stay
}

// build builds an index and replaces the one before.
func (b *built) build(e engine, r *taxonomy.Release) error {
	if b.index != nil {
		if err := b.index.close(); err != nil {
			return err
		}
		b.index = nil
	}
	before := heap()
	begun := time.Now()
	x, err := e.build(r)
	if err != nil {
		return fmt.Errorf("building %s: %w", e.name, err)
	}
	if d := time.Since(begun); b.rounds == 0 || d < b.time {
		b.time = d
	}
	b.rounds++
	outside, err := x.outside()
	if err != nil {
		return err
	}
	b.index, b.memory = x, heap()-before+outside
	return nil
}

// heap returns the size of Go's heap in use. Two collections also empty pools.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
