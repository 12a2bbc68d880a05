package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/address"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A Mount is a handler of another protocol beside the API. Its requests are
// limited, logged and observed like those of the API, and have a request id, which
// stores pass on with the trace of the request if they get its context; the rest,
// CORS and OPTIONS included, is up to the handler. See also [Refuser].
type Mount struct {
	// Path is a path such as /mcp, or a subtree such as /explorer/ or /, which
	// ends in a slash. The longest path that fits a request counts. A subtree
	// leaves out /api/ and what is below the path of another mount.
	Path string
	// Bucket returns the bucket that a request is charged to; nil means
	// [ratelimit.Read].
	Bucket func(r *http.Request) ratelimit.Bucket
	// Ready returns an error, such as a [datachain.Error], if a request can't be
	// served now for a reason that other servers may not have. It may wait. The
	// request gets 503 and is not charged, so that a load balancer can send it
	// elsewhere. Nil means that the handler always is ready.
	Ready   func(ctx context.Context, r *http.Request) error
	Handler http.Handler
}

// A Refuser is a mounted handler that says in its own words why a request is not
// served: because of a limit, of the store, or of a panic. Headers such as Retry-After
// are set already. Other handlers refuse in the words of the API.
type Refuser interface {
	Refuse(w http.ResponseWriter, r *http.Request, status int, issue issue.Issue)
}

// route returns the route of a mount.
func (m Mount) route() (*route, error) {
	switch {
	case m.Handler == nil:
		return nil, fmt.Errorf("httpapi: the mount at %q has no handler", m.Path)
	case m.Path != "/" && (strings.HasSuffix(m.Path, "//") || !address.Clean(strings.TrimSuffix(m.Path, "/"))):
		return nil, fmt.Errorf("httpapi: the path of the mount at %q must begin with / and have no empty or dot segments", m.Path)
	case strings.HasPrefix(m.Path+"/", prefix+"/"):
		return nil, fmt.Errorf("httpapi: the path of the mount at %q must be outside %s", m.Path, prefix)
	}
	return &route{pattern: m.Path, mounted: m.Handler, bucketFunc: m.Bucket, ready: m.Ready, handle: (*api).serveMounted}, nil
}

func (a *api) serveMounted(_ context.Context, res *response, r *http.Request) error {
	r = r.WithContext((*requestContext)(res)) // not the other one, whose deadline is that of a read
	if own, ok := r.Context().Value(connKey{}).(*conn); ok && r.TLS == nil {
		r.TLS = own.state
	}
	res.route.mounted.ServeHTTP(res, r)
	return nil
}
