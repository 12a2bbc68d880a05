package reviews

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"syscall"

	"github.com/datachain-go/datachain/cmd/internal/fetch"
	"github.com/datachain-go/datachain/register/review"
)

// read is how much of a page is read if its host does not answer to HEAD.
const read = 1 << 10

// Links returns a function that requests pages: by HEAD, and otherwise the first KiB by GET, since
// many hosts refuse the one or answer it wrongly.
func Links(c *fetch.Client) review.Links {
	return func(ctx context.Context, address string) review.Status {
		r, err := c.Request(ctx, http.MethodHead, address, 0)
		switch {
		case err == nil && (r.Redirect != "" || r.Status < 400):
		case err != nil && final(err):
		default:
			r, err = c.Request(ctx, http.MethodGet, address, read)
		}
		if err != nil {
			return failed(err)
		}
		return answered(r)
	}
}

// final reports whether another request would fail in the same way.
func final(err error) bool {
	_, unknown := errors.AsType[*net.DNSError](err)
	return unknown || timedOut(err) || errors.Is(err, fetch.ErrPrivate) || errors.Is(err, context.Canceled)
}

// timedOut reports whether a host did not answer in time.
func timedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, syscall.ETIMEDOUT)
}

func answered(r *fetch.Response) review.Status {
	status := &fetch.StatusError{Status: r.Status}
	switch {
	case status.Gone():
		return review.Status{Result: review.Dead, Reason: status.Error()}
	case r.Moved != "":
		return review.Status{Result: review.Moved, Moved: r.Moved}
	case r.Status < 400:
		return review.Status{Result: review.Reached}
	}
	return review.Status{Result: review.Failed, Reason: status.Error()}
}

// failed describes an error in our own words: those of the error can have what the host sent.
func failed(err error) review.Status {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	unknown, lookup := errors.AsType[*net.DNSError](err)
	reason := "the request failed"
	switch {
	case lookup && unknown.IsNotFound:
		return review.Status{Result: review.NoHost}
	case lookup:
		reason = "its host could not be looked up"
	case timedOut(err):
		return review.Status{Result: review.Timeout}
	case errors.Is(err, fetch.ErrPrivate):
		reason = "its host has a private address, which readers can't reach"
	case errors.Is(err, fetch.ErrRedirect):
		reason = "it redirects in a circle"
	case errors.Is(err, syscall.ECONNREFUSED):
		reason = "its host refused the connection"
	case untrusted:
		reason = "the certificate of its host is not valid"
	}
	return review.Status{Result: review.Failed, Reason: reason}
}
