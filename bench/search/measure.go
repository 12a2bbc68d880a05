package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// times is how long each of some queries takes at best.
type times []time.Duration

// mean returns the mean over the queries.
func (t times) mean() time.Duration {
	var sum time.Duration
	for _, d := range t {
		sum += d
	}
	return sum / time.Duration(len(t))
}

// p95 returns what 95 of 100 queries take at most.
func (t times) p95() time.Duration {
	sorted := slices.Clone(t)
	slices.Sort(sorted)
	return sorted[(len(sorted)*95+99)/100-1]
}

// runner asks an index a set of queries, round after round.
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

// round asks each query once, and keeps the time if it is the best so far.
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

// interleave runs rounds of all runners in turn, so that a machine that is busy
// for a while slows down all alike, until each has had its time. Garbage is
// collected between rounds: nobody pays for another's.
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

// allocations returns how many objects a query allocates in the mean, once pools
// are filled.
func allocations(x index, queries []query) (float64, error) {
	const rounds = 4
	r := newRunner(x, queries, 0)
	runtime.GC()
	if err := r.round(); err != nil {
		return 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		if err := r.round(); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(rounds*len(queries)), nil
}

// built is an index and what it took to build it.
type built struct {
	index  index
	rounds int
	time   time.Duration // the best
	memory int64         // bytes that stay
}

// build builds an index anew, in place of the one before.
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

// heap returns how many bytes of Go's heap are in use. Two collections empty
// pools, too.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
