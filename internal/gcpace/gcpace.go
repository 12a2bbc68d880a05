// Package gcpace lets a server collect garbage less often than the runtime does by itself.
package gcpace

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// Headroom is how much the heap of a server may grow between two garbage
// collections.
const Headroom = 48 << 20

// lowestGC is the percentage of the live heap by which it may always grow: if the heap
// is large, a fixed amount would be collected too often.
const lowestGC = 50

// smallestHeap is the size of a heap that the runtime counts as the live one if that is
// smaller, or if there was no collection yet.
const smallestHeap = 4 << 20

// defaultIdle is how long there must be no collection until memory is returned. It is
// shorter than the two minutes after which the runtime starts one by itself.
const defaultIdle = 30 * time.Second

// Start lets the heap grow by about headroom bytes between two collections, or by
// half of the live heap if that is more, until stop is called, and returns the memory to
// the operating system when the program is idle. It does nothing if the environment sets
// GOGC. GOMEMLIMIT applies as always.
//
// By default the heap may double between two collections. A few megabytes of live data
// are then collected many times a second under load, and a hundred leave another hundred
// of garbage resident.
func Start(headroom uint64) (stop func()) { return start(headroom, defaultIdle) }

func start(headroom uint64, idle time.Duration) (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	p := &pacer{headroom: headroom, idleAfter: idle, live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.percent = debug.SetGCPercent(-1)
	p.before = p.percent
	p.idle = time.AfterFunc(idle, p.release)
	p.adjust()
	p.watch()
	return p.stop
}

// pacer adjusts the percentage after each collection.
type pacer struct {
	headroom  uint64
	idleAfter time.Duration

	mu              sync.Mutex
	live            []metrics.Sample
	percent, before int
	idle            *time.Timer
	released        bool // by the collection that comes next
	stopped         bool
}

// marker becomes garbage at once. It has a pointer, since the runtime may keep small
// values without one together with others.
type marker struct{ _ *marker }

// watch waits for the next collection.
func (p *pacer) watch() { runtime.AddCleanup(new(marker), (*pacer).collected, p) }

func (p *pacer) collected() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	if !p.released {
		p.idle.Reset(p.idleAfter)
	}
	p.released = false
	p.adjust()
	p.watch()
}

// adjust sets the percentage, which stops the program for a moment, unless it is
// nearly right.
func (p *pacer) adjust() {
	metrics.Read(p.live)
	live := max(p.live[0].Value.Uint64(), smallestHeap)
	percent := max(int(p.headroom*100/live), lowestGC)
	if d := percent - p.percent; p.percent < 0 || d > p.percent/10 || -d > p.percent/10 {
		debug.SetGCPercent(percent)
		p.percent = percent
	}
}

// release returns memory to the operating system.
func (p *pacer) release() {
	p.mu.Lock()
	stopped := p.stopped
	p.released = true
	p.mu.Unlock()
	if !stopped {
		debug.FreeOSMemory()
	}
}

func (p *pacer) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.stopped {
		p.stopped = true
		p.idle.Stop()
		debug.SetGCPercent(p.before)
	}
}
