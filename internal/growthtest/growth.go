// Package growthtest checks how work grows with its input.
package growthtest

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

// Linear fails the test if work grows faster than its input: with four times the input it may use
// eight times the CPU time; quadratic work uses sixteen times. prepare returns the work for an
// input of size n, which is done as often as needed. Choose n so that the work takes about a
// millisecond.
func Linear(t testing.TB, n int, prepare func(n int) (work func())) {
	t.Helper()
	if ratio := growth(prepare(n), prepare(4*n)); ratio >= allowed {
		t.Errorf("with 4 times the input (%d instead of %d), the work takes %.1f times as long", 4*n, n, ratio)
	}
}

// allowed is the ratio from which work with four times the input is not linear.
const allowed = 8

// measuring is held by the test that measures, so that others in the process do not add to it.
var measuring sync.Mutex

// growth returns how many times as long a work takes as another. Whatever else the machine does
// makes a measurement too long, never too short, so the shortest of each counts; they are measured
// again until the ratio is allowed, or has not been many times. Garbage is collected only between
// rounds: small work is often done without a collection, and large work is not.
func growth(small, large func()) (ratio float64) {
	measuring.Lock()
	defer measuring.Unlock()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const rounds = 30
	shortest := [2]time.Duration{1 << 62, 1 << 62}
	for range rounds {
		for i, work := range []func(){small, large} {
			shortest[i] = min(shortest[i], measure(work))
		}
		if ratio = float64(shortest[1]) / float64(shortest[0]); ratio < allowed {
			break
		}
		runtime.GC()
	}
	return ratio
}

// measure returns the CPU time of a work, which is repeated until it can be measured.
func measure(work func()) time.Duration {
	const least = time.Millisecond
	for times := 1; ; times *= 2 {
		used := CPU(func() {
			for range times {
				work()
			}
		})
		if used >= least {
			return used / time.Duration(times)
		}
	}
}

// CPU returns the CPU time that the process uses during a work.
func CPU(work func()) time.Duration {
	start := now()
	work()
	return now() - start
}
