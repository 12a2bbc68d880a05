package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/deadline"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Header values that are the same in all responses, so that none is allocated.
var (
	anyOrigin      = []string{"*"}
	exposedHeaders = []string{"X-Request-Id, Service-Content-Hash, Retry-After, RateLimit, RateLimit-Policy, ETag, Content-Location"}
	nosniff        = []string{"nosniff"}
	allowedHeaders = []string{"Content-Type, Service-Client, X-Request-Id, If-None-Match"}
	allowedMethods = []string{"GET, HEAD, POST, OPTIONS"}
	preflightAge   = []string{"86400"}
)

// ServeHTTP does what every request needs, then serves its route.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	res := &response{
		ResponseWriter: w, begun: time.Now(), id: [1]string{requestID(r)},
		client: ratelimit.ClientAddr(r.RemoteAddr, r.Header, a.TrustedProxies), stopping: a.Stopping,
	}
	res.route, res.places = a.router.find(r.URL)
	r.Pattern = res.route.pattern // for middleware around this handler, as a ServeMux does
	defer a.finish(res, r)
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["X-Request-Id"] = res.id[:]
	if res.route.mounted == nil {
		h["Access-Control-Allow-Origin"] = anyOrigin
		h["Access-Control-Expose-Headers"] = exposedHeaders
	}
	if r.Method == http.MethodOptions {
		a.preflight(res, r)
		return
	}
	if r.ContentLength != 0 {
		// Whichever handler reads the body, a slow client is not waited for.
		_ = http.NewResponseController(w).SetReadDeadline(res.begun.Add(a.WorkTimeout)) // not all writers support it
	}
	defer a.serving.Add(-1)
	if a.serving.Add(1) > int64(a.MaxRequests) {
		a.fail(res, r, overloaded())
		return
	}
	a.serve(res, r)
}

// preflight answers OPTIONS, which is not charged to any bucket.
func (a *api) preflight(res *response, r *http.Request) {
	if res.route.mounted != nil {
		res.route.mounted.ServeHTTP(res, r)
		return
	}
	h := res.Header()
	h["Access-Control-Allow-Methods"] = allowedMethods
	h["Access-Control-Allow-Headers"] = allowedHeaders
	h["Access-Control-Max-Age"] = preflightAge
	res.WriteHeader(http.StatusNoContent)
}

// serve charges a request and lets its route handle it.
func (a *api) serve(res *response, r *http.Request) {
	timeout := a.ReadTimeout
	if res.route.post {
		timeout = a.WorkTimeout
	}
	ctx := deadline.New(r.Context(), res.begun.Add(timeout))
	defer ctx.Stop()
	err := a.charge(ctx, res, r)
	if err == nil {
		err = res.route.check(res, r)
	}
	if err == nil {
		err = res.route.handle(a, ctx, res, r)
	}
	if err != nil {
		a.fail(res, r, err)
	}
}

// charge charges a request to its bucket. If the limiter fails, the request
// passes: too many requests are better than none.
func (a *api) charge(ctx context.Context, res *response, r *http.Request) error {
	if a.Limiter == nil {
		return nil
	}
	d, err := a.Limiter.Allow(ctx, ratelimit.NewKey(res.route.bucketOf(r), res.client, ratelimit.ClientName(r.Header)))
	if err != nil {
		a.Logger.LogAttrs(ctx, slog.LevelError, "limiter failed", slog.Any("error", err), slog.String("request_id", res.id[0]))
		return nil
	}
	d.SetHeader(res.Header())
	if d.Allowed {
		return nil
	}
	return problem(issue.CodeRateLimited, "wait as long as Retry-After says, or set Service-Client to a name of your own",
		"Too many requests: the limit is %d in %d seconds.", d.Limit, int(d.Window.Seconds()))
}

// finish ends every request: it turns a panic into a response, and reports what
// was answered.
func (a *api) finish(res *response, r *http.Request) {
	p := recover()
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it in the same way
		panic(p)
	}
	if p != nil {
		stack := make([]byte, 16<<10)
		stack = stack[:runtime.Stack(stack, false)]
		a.Logger.Error("panic", "path", r.URL.Path, "value", p, "request_id", res.id[0], "stack", string(stack))
		if res.status != 0 {
			panic(http.ErrAbortHandler) // the response is incomplete
		}
		a.fail(res, r, nil)
	}
	o := Observation{Route: res.route.pattern, Method: r.Method, Status: res.status, Bytes: res.bytes, Duration: time.Since(res.begun)}
	if a.Observe != nil {
		a.Observe(o)
	}
	if a.LogRequests {
		a.logRequest(res, r, o)
	}
}

// logRequest logs a request. It builds the record itself, because a Logger would
// look up the source line each time.
func (a *api) logRequest(res *response, r *http.Request, o Observation) {
	log := a.Logger.Handler()
	if !log.Enabled(r.Context(), slog.LevelInfo) {
		return
	}
	line := slog.NewRecord(res.begun.Add(o.Duration), slog.LevelInfo, "request", 0)
	line.AddAttrs(
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("route", o.Route),
		slog.Int("status", o.Status), slog.Int64("bytes", o.Bytes), slog.Duration("duration", o.Duration),
		slog.String("client", res.client.String()), slog.String("request_id", res.id[0]))
	_ = log.Handle(r.Context(), line) // there is no one to report an error to
}
