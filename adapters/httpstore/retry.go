package httpstore

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// maxDelay is the longest time for which a failing server is not asked.
	maxDelay = time.Minute
	// maxPause is the longest pause that a server can ask for, so that one
	// mistake does not silence a client forever.
	maxPause = 15 * time.Minute
)

// pause is the time for which the server asked not to be sent any requests.
type pause struct {
	until time.Time
	err   error // its response
}

// paused returns the response that asked for a pause, while that lasts.
func (s *Store) paused() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.pause.until) {
		return s.pause.err
	}
	return nil
}

// notePause begins a pause if a response asks for one.
func (s *Store) notePause(res *http.Response, err error) {
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode != http.StatusServiceUnavailable {
		return
	}
	now := time.Now()
	if wait := parseRetryAfter(res.Header.Get("Retry-After"), now); wait > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pause = pause{now.Add(min(wait, maxPause)), err}
	}
}

// parseRetryAfter parses a Retry-After: seconds or a date. Anything else is 0.
func parseRetryAfter(field string, now time.Time) time.Duration {
	field = strings.TrimSpace(field)
	if seconds, err := strconv.ParseUint(field, 10, 63); err == nil {
		return time.Duration(min(seconds, uint64(maxPause/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(field); err == nil {
		return date.Sub(now)
	}
	return 0
}

// retryAt returns when to try again after a number of failures in a row.
func (s *Store) retryAt(failures int) time.Time {
	at := time.Now()
	if delay := s.opt.RetryAfter; delay > 0 {
		delay = min(delay<<min(failures-1, 10), max(delay, maxDelay))
		at = at.Add(delay + rand.N(delay/4+1))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.Before(s.pause.until) {
		return s.pause.until
	}
	return at
}
