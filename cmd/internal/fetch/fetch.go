// Package fetch requests addresses that others wrote, such as the links of a document, without
// letting them reach what only this machine can reach.
//
// The address of a host is checked when it is dialled, so that neither a name that resolves to a
// private address nor a redirect leads inside. Proxies of the environment are not used, no cookies
// are kept, and time and size are limited.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/datachain-go/datachain/internal/weblink"
)

// MaxFile is the size of the largest file that [Client.Get] returns.
const MaxFile = 1 << 20

const (
	defaultTimeout = 10 * time.Second
	maxHeader      = 64 << 10
	maxRedirects   = 5
)

// The reasons why a request is refused or ended. They are wrapped.
var (
	// ErrAddress means that an address is not one of a web page, or has a password.
	ErrAddress = errors.New("not a web address without user name and password")
	// ErrPrivate means that a host has an address that is not public.
	ErrPrivate = errors.New("private addresses are refused without --allow-private")
	// ErrInsecure means that a file is not sent over https.
	ErrInsecure = errors.New("http is refused without --allow-private: use https")
	// ErrRedirect means that a file is at another host, or behind too many redirects.
	ErrRedirect = errors.New("redirects to other hosts are not followed")
	// ErrTooLarge means that a file has more than [MaxFile] bytes.
	ErrTooLarge = errors.New("the file is larger than 1 MiB")
)

// StatusError means that a host does not send a file.
type StatusError struct{ Status int }

func (e *StatusError) Error() string {
	return fmt.Sprintf("the server returned status %d %s", e.Status, http.StatusText(e.Status))
}

// Gone reports whether the host says that there is no such file.
func (e *StatusError) Gone() bool {
	return e.Status == http.StatusNotFound || e.Status == http.StatusGone
}

// Options configure a [Client]. The zero value and nil are the defaults.
type Options struct {
	// AllowPrivate allows hosts with addresses that are not public, and files over http.
	AllowPrivate bool
	// UserAgent is sent with each request; "" means datachain.
	UserAgent string
	// Timeout limits a request with its redirects; 0 means 10 seconds.
	Timeout time.Duration
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	options Options
	http    http.Client
}

// New returns a client.
func New(o *Options) *Client {
	c := new(Client)
	if o != nil {
		c.options = *o
	}
	c.options.UserAgent = cmp.Or(c.options.UserAgent, "datachain")
	c.options.Timeout = cmp.Or(c.options.Timeout, defaultTimeout)
	dialer := &net.Dialer{Control: c.check}
	c.http = http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, DisableCompression: true,
			MaxResponseHeaderBytes: maxHeader, IdleConnTimeout: c.options.Timeout,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// check refuses the address of a host that is about to be dialled.
func (c *Client) check(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !c.options.AllowPrivate && !Public(at.Addr()) {
		return fmt.Errorf("%s: %w", at.Addr(), ErrPrivate)
	}
	return nil
}

// Get returns the file at an address. It follows redirects on the same host.
func (c *Client) Get(ctx context.Context, address string) ([]byte, error) {
	if u, err := url.Parse(address); err == nil && u.Scheme == "http" && !c.options.AllowPrivate {
		return nil, ErrInsecure
	}
	r, err := c.Request(ctx, http.MethodGet, address, MaxFile)
	switch {
	case err != nil:
		return nil, err
	case r.Redirect != "":
		return nil, fmt.Errorf("%w: the file is at %s", ErrRedirect, r.Redirect)
	case r.Status != http.StatusOK:
		return nil, &StatusError{r.Status}
	case r.More:
		return nil, ErrTooLarge
	}
	return r.Body, nil
}

// Response is the answer of a host.
type Response struct {
	Status int
	// Body is what was read of it, and More reports whether there is more.
	Body []byte
	More bool
	// Moved is where the host says that the page is from now on: the target of its permanent
	// redirects. Redirect is the target of a redirect that was not followed, or "" if the status
	// is that of the page itself.
	Moved, Redirect string
}

// Request sends a request without a body, and reads at most limit bytes of the answer. It follows
// redirects on the same host, but not from https to http.
func (c *Client) Request(ctx context.Context, method, address string, limit int64) (*Response, error) {
	at, err := parse(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	moved, permanent := "", true // so far
	for range maxRedirects + 1 {
		r, next, err := c.send(ctx, method, at, limit)
		if err != nil {
			return nil, err
		}
		if next != nil {
			permanent = permanent && (r.Status == http.StatusMovedPermanently || r.Status == http.StatusPermanentRedirect)
			if permanent {
				moved = next.String()
			}
		}
		r.Moved = moved
		if next == nil {
			return r, nil
		}
		r.Redirect = next.String()
		if target, err := parse(r.Redirect); err != nil || !sameHost(at, target) {
			return r, nil // where it leads is for the caller to say
		}
		at = next
	}
	return nil, fmt.Errorf("more than %d redirects: %w", maxRedirects, ErrRedirect)
}

// send sends one request, and returns where the answer leads.
func (c *Client) send(ctx context.Context, method string, at *url.URL, limit int64) (*Response, *url.URL, error) {
	req, err := http.NewRequestWithContext(ctx, method, at.String(), http.NoBody)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("User-Agent", c.options.UserAgent)
	answer, err := c.http.Do(req)
	if err != nil {
		return nil, nil, unwrapURL(err)
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	r := &Response{Status: answer.StatusCode}
	if next, err := answer.Location(); err == nil && r.Status/100 == 3 {
		return r, next, nil
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	if err != nil {
		return nil, nil, err
	}
	r.More = int64(len(body)) > limit
	r.Body = body[:min(int64(len(body)), limit)]
	return r, nil, nil
}

// unwrapURL returns an error without the method and the address, which callers name.
func unwrapURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// parse returns an address with its host in ASCII, and without a fragment.
func parse(address string) (*url.URL, error) {
	link := weblink.New(address, "http", "https").URL
	if link == "" {
		return nil, ErrAddress
	}
	u, err := url.Parse(link)
	if err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// sameHost reports whether a redirect stays at its host, and does not leave https.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) || from.Scheme == "https" && to.Scheme == "http" {
		return false
	}
	return port(from) == port(to) || from.Scheme != to.Scheme && port(from) == "80" && port(to) == "443"
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}
