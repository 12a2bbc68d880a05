package httpstore

import (
	"context"
	"time"
)

// poll asks the server at intervals while a program listens.
type poll struct {
	listeners int
	stop      context.CancelFunc
}

// Changes reports changes to the index, releases that can be read at last, and
// the beginning and end of a failure; see [taxonomy.Notifier]. While a program
// listens, the server is asked each [Options.Interval], also for releases that
// could not be read.
func (s *Store) Changes(ctx context.Context) <-chan struct{} {
	changes := s.listeners.Listen(ctx) // first, or a change found at once is missed
	s.startPoll()
	context.AfterFunc(ctx, s.stopPoll)
	return changes
}

func (s *Store) startPoll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.poll.listeners++
	if s.poll.listeners > 1 || s.opt.Interval < 0 || s.closed || s.ctx == nil {
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

// watch asks the server at once, so that the listener knows what it begins with,
// and then each interval.
func (s *Store) watch(ctx context.Context) {
	ticker := time.NewTicker(s.opt.Interval)
	defer ticker.Stop()
	for {
		// Callers get the error, and back-off is respected.
		if _, err := s.current(ctx, true); err == nil {
			s.releases.Retry()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
