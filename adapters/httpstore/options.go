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

// What holds where [Options] say nothing else.
const (
	DefaultMaxAge         = 5 * time.Second
	DefaultInterval       = 15 * time.Second
	DefaultTimeout        = 10 * time.Second
	DefaultReleaseTimeout = 2 * time.Minute
	DefaultRetryAfter     = time.Second
	DefaultMaxRelease     = 256 << 20
)

// Options say how a [Store] follows its server. A nil *Options is the defaults.
type Options struct {
	// HTTPClient makes the requests, and is where credentials and
	// certificates are given; nil means one of the store's own. Its
	// CheckRedirect is not used: redirects are not followed.
	HTTPClient *http.Client
	// CacheDir is a folder for copies that outlive the program. It is made
	// if need be, and may be shared, also by stores of other servers. ""
	// keeps copies in memory alone.
	CacheDir string
	// MaxAge is how long an index is used before the server is asked again;
	// 0 means [DefaultMaxAge], and a negative one asks at every call.
	MaxAge time.Duration
	// Interval is how often the server is asked while somebody listens to
	// [Store.Changes]; 0 means [DefaultInterval], and a negative one leaves
	// it to the calls to find changes.
	Interval time.Duration
	// Timeout is how long a request for the index may take, and
	// ReleaseTimeout one for a release, until the last byte is here; 0 means
	// [DefaultTimeout] and [DefaultReleaseTimeout].
	Timeout, ReleaseTimeout time.Duration
	// RetryAfter is how long the index or a release is left alone after a
	// first failure; after each further one twice as long, at most a minute,
	// and always a little longer by chance, so that many clients do not
	// return at once. 0 means [DefaultRetryAfter]. If it is negative, every
	// call tries again and waits for the outcome.
	RetryAfter time.Duration
	// MaxRelease is the most bytes of a release, decompressed; 0 means
	// [DefaultMaxRelease].
	MaxRelease int64
	// ServiceClient names the program to the server, which counts requests
	// by it: 1 to 64 visible ASCII characters. "" sends no name.
	ServiceClient string
	// Report is told of each failure, once as long as it stays the same,
	// also where a last good copy hides it from callers: the store may be
	// offline. Recovered is called when there is no failure left. Neither is
	// called while the other is, and of the store's methods they may call
	// Err alone.
	Report    func(error)
	Recovered func()
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
	if d.Report == nil {
		d.Report = func(error) {}
	}
	if d.Recovered == nil {
		d.Recovered = func() {}
	}
	switch {
	case d.Timeout < 0 || d.ReleaseTimeout < 0:
		return d, errors.New("httpstore: a timeout is negative: leave it 0 for the default")
	case d.MaxRelease < 0:
		return d, errors.New("httpstore: MaxRelease is negative: leave it 0 for the default")
	case len(d.ServiceClient) > 64 || strings.ContainsFunc(d.ServiceClient, func(c rune) bool { return c <= ' ' || c > '~' }):
		return d, fmt.Errorf("httpstore: ServiceClient %q: want 1 to 64 visible ASCII characters, without spaces", d.ServiceClient)
	}
	return d, nil
}

// apiPath is where a server has its API, below its address.
const apiPath = "/api/v2"

// parseBase reads the address of a server, with or without [apiPath].
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the address, which may hold a password
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("httpstore: the address of the server is malformed: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("httpstore: the address %q is not that of a server: want http:// or https:// and a host", u.Redacted())
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("httpstore: the address %q has a query or a fragment: leave it away", u.Redacted())
	}
	if !strings.HasSuffix(u.Path, apiPath) {
		u = u.JoinPath(apiPath)
	}
	return u, nil
}
