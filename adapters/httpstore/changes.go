package httpstore

import (
	"context"
	"time"
)

// poll asks the server now and then while somebody listens.
type poll struct {
	listeners int
	stop      context.CancelFunc
}

// Changes tells of changes to the index, and of releases that can be had at
// last; see [taxonomy.Notifier]. While somebody listens, the server is asked
// each [Options.Interval], also for what could not be had.
func (s *Store) Changes(ctx context.Context) <-chan struct{} {
	changes := s.listeners.Listen(ctx) // first, or what is found at once is missed
	s.startPoll()
	context.AfterFunc(ctx, s.stopPoll)
	return changes
}

func (s *Store) startPoll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.poll.listeners++
	if s.poll.listeners > 1 || s.opt.Interval < 0 || s.closed {
		return
	}
	ctx, stop := context.WithCancel(s.ctx)
	s.poll.stop = stop
	s.work.Go(func() { s.watch(ctx) })
}

func (s *Store) stopPoll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.poll.listeners--
	if s.poll.listeners == 0 && s.poll.stop != nil {
		s.poll.stop()
		s.poll.stop = nil
	}
}

// watch asks the server at once, so that the listener knows what it begins
// with, and then each interval.
func (s *Store) watch(ctx context.Context) {
	ticker := time.NewTicker(s.opt.Interval)
	defer ticker.Stop()
	for {
		// What fails is told elsewhere, and back-off is kept.
		_, _ = s.current(ctx, true)
		s.reload()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
