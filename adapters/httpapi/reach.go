package httpapi

import (
	"context"
	"net/http"
)

// A load balancer may send a request that was refused with 502 or 503 to another
// server, which charges it again. So whatever is refused like that is refused here,
// before it is charged: while the server is not ready, if the store can't provide
// what the request needs, and if too many documents wait. [api.admit] comes even
// earlier. What fails after it was charged has another status, 504 if it waited for
// too long. (A body that exceeds the budget while it is read gets 503; balancers send
// small bodies whole, and do not repeat large ones.)

// unready is a refusal of a server that is not ready.
type unready struct{ error }

// Unwrap returns the failure.
func (u *unready) Unwrap() error { return u.error }

// reach refuses a request that this server can't serve now, though another one might.
func (a *api) reach(ctx context.Context, res *response, r *http.Request) error {
	rt := res.route
	needed, err := rt.mounted == nil && rt.static == nil && rt.pattern != "", error(nil)
	if rt.storeFunc != nil {
		needed, err = rt.storeFunc(ctx, r)
	}
	if !needed {
		return nil
	}
	if a.Ready != nil {
		if err := a.Ready(ctx); err != nil {
			return &unready{err}
		}
	}
	if rt.mounted == nil {
		err = a.read(ctx, res)
	}
	if err == nil && rt.post && r.Method == http.MethodPost && (a.work.full(res.share) || a.bodies.full(res.share)) {
		err = overloaded()
	}
	return err
}

// read reads what a request of the API needs, and keeps it for the handler. It costs
// little for a version that does not exist, since the client may be over its limit.
func (a *api) read(ctx context.Context, res *response) (err error) {
	if res.version == "" {
		res.index, err = a.service.Versions(ctx)
	} else {
		res.found, err = a.service.Find(ctx, res.version)
	}
	return err
}
