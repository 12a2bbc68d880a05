package httpstore

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The defaults of [Options].
const (
	DefaultMaxAge         = 5 * time.Second
	DefaultInterval       = 15 * time.Second
	DefaultTimeout        = 10 * time.Second
	DefaultReleaseTimeout = 2 * time.Minute
	DefaultRetryAfter     = time.Second
	DefaultMaxRelease     = 256 << 20
)

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// HTTPClient makes the requests, with credentials and certificates if
	// necessary; nil means a client of the store's own. Its CheckRedirect is
	// not used: redirects are not followed.
	HTTPClient *http.Client
	// CacheDir is a directory for copies that remain after the program ends.
	// It is created if necessary, and may be shared, even by stores of
	// different servers. "" means no copies.
	CacheDir string
	// MaxAge is how long an index is used before the server is asked again; 0
	// means [DefaultMaxAge]. If it is negative, every call asks.
	MaxAge time.Duration
	// Interval is how often the server is asked while a program listens to
	// [Store.Changes]; 0 means [DefaultInterval]. If it is negative, only
	// calls find changes.
	Interval time.Duration
	// Timeout is the time limit for a request for the index, and
	// ReleaseTimeout for a release, including the body; 0 means
	// [DefaultTimeout] and [DefaultReleaseTimeout].
	Timeout, ReleaseTimeout time.Duration
	// RetryAfter is how long the index or a release is not requested again
	// after a first failure. The time doubles with each further failure, up to
	// a minute, and is extended at random, so that many clients do not return
	// at once. 0 means [DefaultRetryAfter]. If it is negative, every call
	// tries again.
	RetryAfter time.Duration
	// MaxRelease is the maximum size of a release in bytes, decompressed; 0
	// means [DefaultMaxRelease].
	MaxRelease int64
	// AcceptRemovals accepts the first index that is read even if it goes back
	// from the one in CacheDir; see [taxonomy.ErrRollback].
	AcceptRemovals bool
	// Report is called with problems that do not change what is served: a copy
	// that can't be kept or used. It may be called from several goroutines at
	// once.
	Report func(error)
	// ServiceClient names the program to the server, which counts requests by
	// it: 1 to 64 visible ASCII characters. "" sends no name.
	ServiceClient string
}

func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	d.MaxAge = cmp.Or(d.MaxAge, DefaultMaxAge)
	d.Interval = cmp.Or(d.Interval, DefaultInterval)
	d.Timeout = cmp.Or(d.Timeout, DefaultTimeout)
	d.ReleaseTimeout = cmp.Or(d.ReleaseTimeout, DefaultReleaseTimeout)
	d.RetryAfter = cmp.Or(d.RetryAfter, DefaultRetryAfter)
	d.MaxRelease = cmp.Or(d.MaxRelease, DefaultMaxRelease)
	switch {
	case d.Timeout < 0 || d.ReleaseTimeout < 0 || d.MaxRelease < 0:
		return d, errors.New("httpstore: Timeout, ReleaseTimeout and MaxRelease must not be negative")
	case len(d.ServiceClient) > 64 || strings.ContainsFunc(d.ServiceClient, func(c rune) bool { return c <= ' ' || c > '~' }):
		return d, fmt.Errorf("httpstore: ServiceClient %q must be 1 to 64 visible ASCII characters without spaces", d.ServiceClient)
	}
	return d, nil
}

// apiPath is the path of the API below the URL of a server.
const apiPath = "/api/v2"

// parseBase parses the URL of a server, with or without [apiPath].
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the URL, which may contain a password
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("httpstore: the URL of the server is malformed: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("httpstore: the URL %q must begin with http:// or https:// and name a host", u.Redacted())
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("httpstore: the URL %q must not have a query or a fragment", u.Redacted())
	}
	if !strings.HasSuffix(u.Path, apiPath) {
		u = u.JoinPath(apiPath)
	}
	return u, nil
}
