package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

// checkNotifier: a channel is closed when its context ends, and others stay open.
func checkNotifier(ctx context.Context, s *subject) error {
	n, ok := s.store.(taxonomy.Notifier)
	if !ok {
		return nil
	}
	lasting, stop := context.WithCancel(ctx)
	defer stop()
	other, err := s.changes(lasting, n)
	if err != nil {
		return err
	}
	ending, end := context.WithCancel(ctx)
	defer end()
	changes, err := s.changes(ending, n)
	if err != nil {
		return err
	}
	end()
	if err := s.drain(ctx, changes); err != nil {
		return err
	}
	select {
	case _, open := <-other:
		if !open {
			return errors.New("notifications: the end of one context closed the channel of another")
		}
	default:
	}
	if changes, err = s.changes(ending, n); err != nil {
		return err
	}
	return s.drain(ctx, changes)
}

// drain waits for the end of a channel whose context has ended.
func (s *watched) drain(ctx context.Context, changes <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for {
		select {
		case _, open := <-changes:
			if !open {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("notifications: the channel is not closed %v after its context has ended", s.patience)
		}
	}
}

// checkNotified: a notifier reports an update to all listeners.
func checkNotified(ctx context.Context, s *subject) error {
	n, ok := s.store.(taxonomy.Notifier)
	if !ok {
		return nil
	}
	listening, stop := context.WithCancel(ctx)
	defer stop()
	var listeners [2]<-chan struct{}
	for i := range listeners {
		var err error
		if listeners[i], err = s.changes(listening, n); err != nil {
			return err
		}
	}
	for _, state := range [][]taxonomy.Publication{changedBeta(s.pubs), newStable(s.pubs), withoutNewest(s.pubs)} {
		s.update(state)
		for _, changes := range listeners {
			if err := s.hear(ctx, changes); err != nil {
				return err
			}
		}
		if err := s.lists(ctx, state); err != nil {
			return fmt.Errorf("after a change was reported: %w", err)
		}
	}
	return nil
}

// hear waits for the report of an update.
func (s *watched) hear(ctx context.Context, changes <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	select {
	case _, open := <-changes:
		if !open {
			return errors.New("notifications: the channel is closed before its context has ended")
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("notifications: an update was not reported in %v", s.patience)
	}
}
