package httpstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"

	"github.com/datachain-go/datachain/taxonomy"
)

// StatusError is a status that a server should not have answered with.
type StatusError struct {
	// URL is what was asked for, without a password.
	URL string
	// Status is the status code.
	Status int
	// Location is where a redirect leads, which is not followed.
	Location string
}

// Error says what was answered, and what to do.
func (e *StatusError) Error() string {
	return fmt.Sprintf("httpstore: %s: the server answered %d %s: %s", e.URL, e.Status, http.StatusText(e.Status), e.hint())
}

func (e *StatusError) hint() string {
	switch {
	case e.Status >= 300 && e.Status < 400 && e.Status != http.StatusNotModified:
		return fmt.Sprintf("redirects are not followed; open the store with the address of the server itself (this one points to %.200q)", e.Location)
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden || e.Status == http.StatusProxyAuthRequired:
		return "give the credentials that it wants, in the address or with Options.HTTPClient"
	case e.Status == http.StatusNotFound:
		return "check that the address is that of a datachain server"
	case e.Status == http.StatusTooManyRequests:
		return "it is asked again later; to ask less often, raise Options.MaxAge"
	case e.Status >= 500:
		return "it is asked again later; if it stays, tell the operator of the server"
	}
	return "check the address, and that the server speaks " + apiPath
}

// statusOf returns the status that an error is about, 0 for none.
func statusOf(err error) int {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.Status
	}
	return 0
}

// newClient returns the client of a store, and its transport if nobody else
// uses that.
func newClient(given *http.Client) (*http.Client, *http.Transport) {
	client, own := new(http.Client), (*http.Transport)(nil)
	if given != nil {
		*client = *given
	} else {
		own = &http.Transport{Proxy: http.ProxyFromEnvironment}
		if usual, ok := http.DefaultTransport.(*http.Transport); ok {
			own = usual.Clone()
		}
		client.Transport = own
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client, own
}

// answer is what a server sent.
type answer struct {
	body []byte
	etag string
	// notModified says that the body is the one that the given tag stands for.
	notModified bool
}

// get asks for JSON of at most limit bytes.
func (s *Store) get(ctx context.Context, u *url.URL, etag string, limit int64) (*answer, error) {
	if err := s.paused(); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("httpstore: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	if s.opt.ServiceClient != "" {
		req.Header.Set("Service-Client", s.opt.ServiceClient)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, s.unreachable(u, err)
	}
	defer func() { _ = res.Body.Close() }() // it was only read: nothing can be lost
	if res.StatusCode == http.StatusNotModified && etag != "" {
		return &answer{notModified: true}, nil
	}
	if err := s.acceptable(u, res); err != nil {
		return nil, err
	}
	body, err := readBody(res, limit)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, fmt.Errorf("httpstore: %s: %w of %d bytes (see Options.MaxRelease)", u.Redacted(), err, limit)
	case err != nil:
		return nil, s.unreachable(u, err)
	}
	return &answer{body: body, etag: res.Header.Get("ETag")}, nil
}

// unreachable says that a server gave no whole answer.
func (s *Store) unreachable(u *url.URL, err error) error {
	if s.ctx.Err() != nil {
		return fmt.Errorf("httpstore: %s: %w", u.Redacted(), errClosed)
	}
	// The address is said once, and by us.
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	hint := "check the address and the network"
	if errors.Is(err, context.DeadlineExceeded) {
		hint = "the server is slow; it is asked again later"
	}
	return fmt.Errorf("httpstore: %s: no whole answer: %w (%s)", u.Redacted(), err, hint)
}

// acceptable refuses an answer by its head.
func (s *Store) acceptable(u *url.URL, res *http.Response) error {
	if res.StatusCode != http.StatusOK {
		err := &StatusError{URL: u.Redacted(), Status: res.StatusCode, Location: res.Header.Get("Location")}
		s.askedToWait(res, err)
		return err
	}
	// Encodings that nobody asked for: the transport takes off its own.
	if encoding := res.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return fmt.Errorf("httpstore: %s: the answer is encoded as %.50q, which nobody asked for: check what stands between here and the server", u.Redacted(), encoding)
	}
	given := res.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(given); err != nil || media != "application/json" {
		return fmt.Errorf("httpstore: %s: the answer is %.50q, want application/json: check that the address is that of a datachain server", u.Redacted(), given)
	}
	return nil
}

var errTooLarge = errors.New("the answer is larger than the limit")

// readBody reads a body of at most limit bytes, counted after decompression.
func readBody(res *http.Response, limit int64) ([]byte, error) {
	if res.ContentLength > limit {
		return nil, errTooLarge
	}
	var body bytes.Buffer
	// A length is only a promise, so it does not get much memory in advance.
	body.Grow(int(min(max(0, res.ContentLength), 1<<20)) + bytes.MinRead)
	n, err := body.ReadFrom(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return nil, err
	case n > limit:
		return nil, errTooLarge
	}
	return body.Bytes(), nil
}

func (s *Store) releaseURL(v taxonomy.Version) *url.URL {
	return s.base.JoinPath("schemas", v.String(), "release")
}

// fetch asks the server for the release of a version, and makes sure that it is
// what its own hash says. Whether it is what the index says is for the caller.
func (s *Store) fetch(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, []byte, error) {
	u := s.releaseURL(v)
	got, err := s.get(ctx, u, "", s.opt.MaxRelease)
	if err != nil {
		return nil, nil, err
	}
	r, err := decode(got.body, v)
	if err != nil {
		return nil, nil, fmt.Errorf("httpstore: %s: %w (it is for the operator of the server to mend)", u.Redacted(), err)
	}
	return r, got.body, nil
}

// decode reads the release of a version. What is not one wraps
// [taxonomy.ErrHashMismatch].
func decode(text []byte, v taxonomy.Version) (*taxonomy.Release, error) {
	r, err := taxonomy.DecodeRelease(text, nil)
	switch {
	case errors.Is(err, taxonomy.ErrHashMismatch):
		return nil, err
	case err != nil:
		// What can't be read can't be what was hashed.
		return nil, fmt.Errorf("%w: %w", taxonomy.ErrHashMismatch, err)
	case r.Version() != v:
		return nil, fmt.Errorf("%w: it is the release %s, want %s", taxonomy.ErrHashMismatch, r.Version(), v)
	}
	return r, nil
}
