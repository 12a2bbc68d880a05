// Package gcpace makes the garbage collector of a server run less often than by default.
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

// lowestGC is the percentage by which the live heap may always grow: with a fixed amount, a
// large heap would be collected too often.
const lowestGC = 50

// smallestHeap is the size that the runtime takes for the live heap if that is smaller, or
// before the first collection.
const smallestHeap = 4 << 20

// defaultIdle is the time without a collection after which memory is returned. It is shorter
// than the two minutes after which the runtime starts a collection.
const defaultIdle = 30 * time.Second

// Start lets the heap grow by about headroom bytes between two collections, or by half of
// the live heap if that is more, until stop is called. It returns memory to the operating
// system when the program is idle. It does nothing if the environment variable GOGC is set.
// GOMEMLIMIT applies as usual.
//
// By default the heap may double between two collections: a few megabytes of live data are
// collected many times a second under load, and a hundred megabytes leave another hundred
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
	released        bool // the next collection is the one of release
	stopped         bool
}

// marker is a value that becomes garbage at once, so that its cleanup tells of a collection.
// It has a pointer, since the runtime may allocate small values without one together.
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

// adjust sets the percentage unless it is nearly right, since setting it stops the program
// for a moment.
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
