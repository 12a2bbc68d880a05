package httpapi

import (
	"context"
	"sync/atomic"
	"time"
)

// gate limits how many requests work concurrently. A few more may wait; others are
// refused at once, so that the admitted ones are served in time under any load.
type gate struct {
	places   chan struct{}
	waiting  atomic.Int64
	patience time.Duration
}

// waitersPerPlace is how many requests may wait for each place.
const waitersPerPlace = 32

func newGate(places int, patience time.Duration) *gate {
	return &gate{places: make(chan struct{}, places), patience: patience}
}

// enter waits for a place, which the caller returns with leave.
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
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gate) leave() { <-g.places }
