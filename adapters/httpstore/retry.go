package httpstore

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// maxDelay is the longest that a failing server is left alone.
	maxDelay = time.Minute
	// maxPause is the longest that a server can ask to be left alone, so
	// that one mistake of its does not silence a client for good.
	maxPause = 15 * time.Minute
)

// pause is how long the server asked to be left alone, with all requests.
type pause struct {
	until time.Time
	err   error // what it answered
}

// paused returns the answer that asked for a pause, while that lasts.
func (s *Store) paused() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.pause.until) {
		return s.pause.err
	}
	return nil
}

// askedToWait begins a pause where an answer asks for one.
func (s *Store) askedToWait(res *http.Response, err error) {
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode != http.StatusServiceUnavailable {
		return
	}
	now := time.Now()
	if wait := retryAfterField(res.Header.Get("Retry-After"), now); wait > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pause = pause{now.Add(min(wait, maxPause)), err}
	}
}

// retryAfterField reads a Retry-After: seconds or a date. What is neither is 0.
func retryAfterField(field string, now time.Time) time.Duration {
	field = strings.TrimSpace(field)
	if seconds, err := strconv.ParseUint(field, 10, 63); err == nil {
		return time.Duration(min(seconds, uint64(maxPause/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(field); err == nil {
		return date.Sub(now)
	}
	return 0
}

// retryAt is retryAfter for who does not hold mu.
func (s *Store) retryAt(failures int) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retryAfter(failures)
}

// retryAfter returns when to try again after so many failures in a row.
func (s *Store) retryAfter(failures int) time.Time {
	at := time.Now()
	if delay := s.opt.RetryAfter; delay > 0 {
		delay = min(delay<<min(failures-1, 10), max(delay, maxDelay))
		at = at.Add(delay + rand.N(delay/4+1))
	}
	if at.Before(s.pause.until) {
		return s.pause.until
	}
	return at
}
