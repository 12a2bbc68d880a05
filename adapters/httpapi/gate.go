package httpapi

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// gate lets a number of requests work at once, and a few wait. What comes on top
// is sent away at once, so that under any load those that are let in are served
// in time.
type gate struct {
	places  chan struct{}
	waiting atomic.Int64
}

const (
	// waitersPerPlace is how many may wait for each that works.
	waitersPerPlace = 32
	// longestWait is how long they may.
	longestWait = time.Second
)

func newGate(places int) *gate { return &gate{places: make(chan struct{}, places)} }

// enter waits for a place, which the caller gives back with leave.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.places <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > int64(waitersPerPlace*cap(g.places)) {
		return overloaded()
	}
	timer := time.NewTimer(longestWait)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded()
	case <-ctx.Done():
		return problem(issue.CodeTimeout, "try again", "The request took too long.")
	}
}

func (g *gate) leave() { <-g.places }
