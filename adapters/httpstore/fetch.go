package httpstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/trace"
	"github.com/datachain-go/datachain/taxonomy"
)

// statusError returns the error for a response with an unexpected status: what to do about it.
func statusError(u *url.URL, res *http.Response) error {
	hint := "check the URL, and that the server has " + apiPath
	switch status := res.StatusCode; {
	case status >= 300 && status < 400 && status != http.StatusNotModified:
		hint = fmt.Sprintf("redirects are not followed; open the store with the URL of the server itself (this one redirects to %.200q)", res.Header.Get("Location"))
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusProxyAuthRequired:
		hint = "set its credentials, in the URL or with Options.HTTPClient"
	case status == http.StatusNotFound:
		hint = "check that the URL is that of a datachain server"
	case status == http.StatusTooManyRequests:
		hint = "the request is repeated later; to send fewer requests, increase Options.Refresh"
	case status >= 500:
		hint = "the request is repeated later; if this continues, contact the operator of the server"
	}
	return &reader.StatusError{Status: res.StatusCode, Message: fmt.Sprintf("httpstore: %s: the server responded %d %s: %s",
		u.Redacted(), res.StatusCode, http.StatusText(res.StatusCode), hint)}
}

// newClient returns the client of a store, and its transport if that is the
// store's own.
func newClient(custom *http.Client) (*http.Client, *http.Transport) {
	client, transport := new(http.Client), (*http.Transport)(nil)
	if custom != nil {
		*client = *custom
	} else {
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment}
		if standard, ok := http.DefaultTransport.(*http.Transport); ok {
			transport = standard.Clone()
		}
		client.Transport = transport
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client, transport
}

// get requests a resource of at most limit bytes. The tag that it returns changes with the
// content; if it is the given one, body is nil.
func (s *Store) get(ctx context.Context, u *url.URL, etag string, limit int64) (body []byte, newTag string, err error) {
	if err := s.paused(); err != nil {
		return nil, "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, "", fmt.Errorf("httpstore: %w", err)
	}
	trace.From(ctx).Write(req.Header)
	req.Header.Set("Accept", "application/json")
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	if s.opt.ServiceClient != "" {
		req.Header.Set("Service-Client", s.opt.ServiceClient)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, "", s.unreachable(u, err)
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode == http.StatusNotModified && etag != "" {
		return nil, etag, nil
	}
	if err := s.acceptable(u, res); err != nil {
		return nil, "", err
	}
	if err = limited.ErrTooLarge; res.ContentLength <= limit {
		// Do not allocate much memory for a length that is only claimed.
		body, err = limited.Read(res.Body, limit, min(res.ContentLength, 1<<20))
	}
	switch {
	case errors.Is(err, limited.ErrTooLarge):
		return nil, "", fmt.Errorf("httpstore: %s: the response is larger than the limit of %d bytes (see Options.MaxRelease)", u.Redacted(), limit)
	case err != nil:
		return nil, "", s.unreachable(u, err)
	}
	return body, res.Header.Get("ETag"), nil
}

// ReadLog reads a file of the log of the store that the server serves, such as
// log/checkpoint, like the method ReadFile of other stores.
func (s *Store) ReadLog(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error) {
	return s.get(ctx, s.base.JoinPath(name), tag, limit)
}

// unreachable returns the error for a request without a complete response.
func (s *Store) unreachable(u *url.URL, err error) error {
	if s.index.Closed() {
		return s.index.ErrClosed()
	}
	// The message names the URL already.
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	// The local port differs from one connection to the next: without it the
	// same failure has the same message.
	if op, ok := errors.AsType[*net.OpError](err); ok {
		portless := *op
		portless.Source = nil
		err = &portless
	}
	hint := "check the URL and the network"
	if errors.Is(err, context.DeadlineExceeded) {
		hint = "the server is slow; the request is repeated later"
	}
	return fmt.Errorf("httpstore: %s: no complete response: %w (%s)", u.Redacted(), err, hint)
}

// acceptable checks the status and the headers of a response.
func (s *Store) acceptable(u *url.URL, res *http.Response) error {
	if res.StatusCode != http.StatusOK {
		err := statusError(u, res)
		s.notePause(res, err)
		return err
	}
	// The transport removes the encoding that it asked for.
	if encoding := res.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return fmt.Errorf("httpstore: %s: the response has the encoding %.50q, which was not requested: check the proxies before the server", u.Redacted(), encoding)
	}
	contentType := res.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(contentType); err != nil || media != s.mediaType(u) {
		return fmt.Errorf("httpstore: %s: the content type must be %s, not %.50q: check that the URL is that of a datachain server", u.Redacted(), s.mediaType(u), contentType)
	}
	return nil
}

// mediaType returns the content type of a resource.
func (s *Store) mediaType(u *url.URL) string {
	switch log := s.base.JoinPath("log").Path; {
	case u.Path == log+"/checkpoint":
		return "text/plain"
	case strings.HasPrefix(u.Path, log+"/"):
		return "application/octet-stream"
	}
	return "application/json"
}

func (s *Store) releaseURL(v taxonomy.Version) *url.URL {
	return s.base.JoinPath("schemas", v.String(), "release")
}

// fetch requests the release of a version, and verifies its own hash. The caller
// compares that with the index.
func (s *Store) fetch(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, []byte, error) {
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }() // when it is decoded
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	u := s.releaseURL(v)
	text, _, err := s.get(ctx, u, "", s.opt.MaxRelease)
	if err != nil {
		return nil, nil, err
	}
	r, err := decode(text, v)
	if err != nil {
		return nil, nil, fmt.Errorf("httpstore: %s: %w (contact the operator of the server)", u.Redacted(), err)
	}
	return r, text, nil
}

// decode decodes the release of a version. All errors wrap
// [taxonomy.ErrHashMismatch].
func decode(text []byte, v taxonomy.Version) (*taxonomy.Release, error) {
	r, err := taxonomy.DecodeRelease(text, nil)
	switch {
	case errors.Is(err, taxonomy.ErrHashMismatch):
		return nil, errname.Trim(err)
	case err != nil:
		// Content that can't be decoded can't be what was hashed.
		return nil, fmt.Errorf("%w: %w", taxonomy.ErrHashMismatch, errname.Trim(err))
	case r.Version() != v:
		return nil, fmt.Errorf("%w: this is the release %s, not %s", taxonomy.ErrHashMismatch, r.Version(), v)
	}
	return r, nil
}

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

// maxIndex is the maximum size of the index: about 80,000 versions.
const maxIndex = 16 << 20

// getIndex requests the index.
func (s *Store) getIndex(ctx context.Context, tag string) ([]byte, string, error) {
	return s.get(ctx, s.base.JoinPath("schemas"), tag, maxIndex)
}

// getEvolution requests the evolution of a datachain type.
func (s *Store) getEvolution(ctx context.Context, typ string, _ taxonomy.Hash) ([]byte, error) {
	text, _, err := s.get(ctx, s.base.JoinPath("types", typ, "evolution"), "", layout.MaxEvolution)
	return text, err
}
