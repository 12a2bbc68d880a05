package httpapi

import (
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/deadline"
	"github.com/datachain-go/datachain/internal/trace"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Header values that are the same in all responses, so that none is allocated.
var (
	anyOrigin      = []string{"*"}
	exposedHeaders = []string{"X-Request-Id, Service-Content-Hash, Retry-After, RateLimit, RateLimit-Policy, ETag, Content-Location"}
	nosniff        = []string{"nosniff"}
	allowedHeaders = []string{"Content-Type, Service-Client, X-Request-Id, If-Match, If-None-Match"}
	allowedMethods = []string{"GET, HEAD, POST, OPTIONS"}
	preflightAge   = []string{"86400"}
)

// ServeHTTP does what every request needs, then serves its route.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	res := &response{
		ResponseWriter: w, request: r, api: a, begun: time.Now(), id: [1]string{requestID(r)},
		client: ratelimit.ClientAddr(r.RemoteAddr, r.Header, a.TrustedProxies),
	}
	res.share = ratelimit.NewKey(ratelimit.Read, res.client, "").Client
	res.route, res.places = a.router.find(r.URL)
	r.Pattern = res.route.pattern // for middleware around this handler, as a ServeMux does
	defer a.finish(res, r)
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["X-Request-Id"] = res.id[:]
	if res.route.mounted == nil && !a.Private {
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
	if err := a.admit(res); err != nil {
		res.hurry()
		a.fail(res, r, err)
		return
	}
	a.serve(res, r)
}

// admit takes a place for a request, which finish returns. It refuses what is too
// much for the server, or too much of one client.
func (a *api) admit(res *response) error {
	switch a.shares.enter(res.share) {
	case serverFull:
		return overloaded()
	case clientFull:
		return problem(issue.CodeOverloaded, "wait for responses, and read them, before you send more requests",
			"The server is overloaded by this client: %d of its requests are in progress.", a.MaxClientRequests)
	}
	res.phase = preparing
	return nil
}

// preflight answers OPTIONS, which is not charged to any bucket.
func (a *api) preflight(res *response, r *http.Request) {
	if res.route.mounted != nil {
		res.route.mounted.ServeHTTP(res, r)
		return
	}
	if h := res.Header(); !a.Private {
		h["Access-Control-Allow-Methods"] = allowedMethods
		h["Access-Control-Allow-Headers"] = allowedHeaders
		h["Access-Control-Max-Age"] = preflightAge
	}
	res.WriteHeader(http.StatusNoContent)
}

// serve charges a request and lets its route handle it.
func (a *api) serve(res *response, r *http.Request) {
	timeout := a.ReadTimeout
	if res.route.post {
		timeout = a.WorkTimeout
	}
	ctx := deadline.New((*requestContext)(res), res.begun.Add(timeout))
	defer ctx.Stop()
	err := a.reach(ctx, res, r)
	if err == nil {
		err = a.charge(ctx, res, r)
	}
	if err == nil {
		err = res.route.check(res, r)
	}
	if err == nil {
		err = checkExpect(r.Header["Expect"])
	}
	if err == nil {
		err = res.route.handle(a, ctx, res, r)
	}
	if err != nil {
		a.fail(res, r, err)
	}
}

// checkExpect refuses expectations other than the one that net/http meets. Over
// HTTP/1 it refuses the others itself: see [Listener].
func checkExpect(values []string) error {
	for _, value := range values {
		if !strings.EqualFold(value, "100-continue") {
			return &datachain.Error{Issue: unknownExpectation}
		}
	}
	return nil
}

// finish ends every request: it turns a panic into a response, reports what was
// answered, and returns the request's place.
func (a *api) finish(res *response, r *http.Request) {
	if res.phase != outside {
		defer func() { a.shares.leave(res.share, res.phase) }()
	}
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
	o := Observation{Route: res.route.pattern, Method: r.Method, Status: res.status, Bytes: res.bytes, Duration: time.Since(res.begun), Unchecked: res.unchecked}
	if a.Observe != nil {
		a.Observe(o)
	}
	if a.LogRequests {
		a.logRequest(res, r, o)
	}
}

// milliseconds returns a duration with microseconds, as a log shows it: JSON has no
// unit for a number.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

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
		slog.Int("status", o.Status), slog.Int64("bytes", o.Bytes), slog.Float64("duration_ms", milliseconds(o.Duration)),
		slog.String("client", res.client.String()), slog.String("request_id", res.id[0]))
	if id := trace.Read("", r.Header).ID(); id != "" {
		line.AddAttrs(slog.String("trace_id", id))
	}
	_ = log.Handle(r.Context(), line) // there is no one to report an error to
}
