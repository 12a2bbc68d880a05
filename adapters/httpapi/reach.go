package httpapi

import (
	"context"
	"net/http"
)

// A load balancer may send a request that was refused with 502 or 503 to another
// server, which charges it again. So what is refused like that is refused here, before
// it is charged: if the store can't provide what the request needs, if a mounted
// handler is not ready, and if too many documents wait. [api.admit] comes even earlier.
// A document that is charged and then gets no turn in time is the exception; if a
// balancer repeats it, it counts twice, so an overloaded client may reach its limit
// early, but never late. (A body that exceeds the budget while it is read gets 503, too;
// balancers send small bodies whole, and do not repeat large ones.)

// unready is a refusal of a mounted handler that is not ready.
type unready struct{ error }

// Unwrap returns the failure.
func (u *unready) Unwrap() error { return u.error }

// reach refuses a request that this server can't serve now, though another one might.
func (a *api) reach(ctx context.Context, res *response, r *http.Request) error {
	rt := res.route
	switch {
	case rt.mounted != nil:
		if rt.ready != nil {
			if err := rt.ready(ctx, r); err != nil {
				return &unready{err}
			}
		}
		return nil
	case rt.static != nil || rt.pattern == "":
		return nil // these need no store
	}
	if err := a.read(ctx, res); err != nil {
		return err
	}
	if rt.post && r.Method == http.MethodPost && (a.work.full(res.share) || a.bodies.full(res.share)) {
		return overloaded()
	}
	return nil
}

// read reads what a request of the API needs, and keeps it for the handler. It costs
// little for a version that does not exist, since the client may be over its limit.
func (a *api) read(ctx context.Context, res *response) (err error) {
	if res.version == "" {
		res.index, err = a.service.Versions(ctx)
	} else {
		res.found, _, err = a.service.Find(ctx, res.version)
	}
	return err
}
