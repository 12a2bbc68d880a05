package httpapi

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/trace"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Header values that are the same in all responses, so that none is allocated.
var (
	anyOrigin      = []string{"*"}
	exposedHeaders = []string{"X-Request-Id, Service-Content-Hash, Retry-After"}
	nosniff        = []string{"nosniff"}
	allowedHeaders = []string{"Content-Type, Service-Client, X-Request-Id, If-Match, If-None-Match"}
	allowedMethods = []string{"GET, HEAD, POST, OPTIONS"}
	preflightAge   = []string{"86400"}
)

// ServeHTTP does what every request needs, then serves its route.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	res := &response{
		ResponseWriter: w, api: a, begun: time.Now(), id: [1]string{requestID(r)},
		client: ratelimit.ClientAddr(r.RemoteAddr, r.Header, a.TrustedProxies),
	}
	res.clientKey = ratelimit.NewKey(ratelimit.Read, res.client, "").Client
	res.route, res.pathValues = a.router.find(r.URL)
	r.Pattern = res.route.pattern // for middleware around this handler, as a ServeMux does
	defer a.finish(res, r)
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["X-Request-Id"] = res.id[:]
	if res.route.mount == nil && !a.Private {
		h["Access-Control-Allow-Origin"] = anyOrigin
		h["Access-Control-Expose-Headers"] = exposedHeaders
	}
	if r.Method == http.MethodOptions {
		a.preflight(res, r)
		return
	}
	a.limit(res, r)
}

// preflight answers OPTIONS, which is not charged to any bucket.
func (a *api) preflight(res *response, r *http.Request) {
	if res.route.mount != nil {
		res.route.mount.Handler.ServeHTTP(res, r)
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
	ctx, cancel := context.WithDeadline(res.traced(r), res.begun.Add(timeout))
	defer cancel()
	err := a.checkReady(ctx, res, r)
	if err == nil {
		err = a.charge(ctx, res, r)
	}
	if err == nil {
		err = res.route.check(res, r)
	}
	// Over HTTP/1, net/http refuses other expectations itself: see [Listener].
	if err == nil && slices.ContainsFunc(r.Header["Expect"], func(v string) bool { return !strings.EqualFold(v, "100-continue") }) {
		err = &datachain.Error{Issue: unknownExpectation}
	}
	if err == nil {
		err = res.route.handle(a, ctx, res, r)
	}
	if err != nil {
		a.fail(res, r, err)
	}
}

// finish ends every request: it turns a panic into a response, and reports what was
// answered.
func (a *api) finish(res *response, r *http.Request) {
	p := recover()
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it in the same way
		panic(p)
	}
	if p != nil {
		a.Logger.Error("panic", "path", r.URL.Path, "value", p, "request_id", res.id[0], "stack", string(debug.Stack()))
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
	_ = log.Handle(r.Context(), line) // an error can't be reported anywhere
}

// A load balancer may send a request that was refused with 502 or 503 to another
// server, which charges it again. So what is refused like that is refused here, before
// it is charged: if the store can't provide what the request needs, if a mounted
// handler is not ready, and if too many documents wait. [api.limit] comes even earlier.
// A document that is charged and then gets no turn in time is the exception; if a
// balancer repeats it, it counts twice, so an overloaded client may reach its limit
// early, but never late. (A body that exceeds the budget while it is read gets 503, too;
// balancers send small bodies whole, and do not repeat large ones.)

// unready is a refusal of a mounted handler that is not ready.
type unready struct{ error }

// Unwrap returns the failure.
func (u *unready) Unwrap() error { return u.error }

// checkReady refuses a request that this server can't serve now, though another one might.
func (a *api) checkReady(ctx context.Context, res *response, r *http.Request) error {
	rt := res.route
	switch {
	case rt.mount != nil:
		if rt.mount.Ready != nil {
			if err := rt.mount.Ready(ctx, r); err != nil {
				return &unready{err}
			}
		}
		return nil
	case rt.storeless || rt.pattern == "":
		return nil // these need no store
	}
	if err := a.read(ctx, res); err != nil {
		return err
	}
	if rt.post && r.Method == http.MethodPost && (a.work.full(res.clientKey) || a.bodies.full(res.clientKey)) {
		return overloaded()
	}
	return nil
}

// read reads what a request of the API needs, and keeps it for the handler. It costs
// little for a version that does not exist, since the client may be over its limit: the
// handler opens that, and gets the error that says which versions are similar.
func (a *api) read(ctx context.Context, res *response) (err error) {
	if res.listed = a.listed.Load(); res.version == "" || res.listed == nil || !res.listed.names[res.version] {
		index, err := a.service.Versions(ctx)
		if err != nil {
			if _, malformed := taxonomy.ParseRef(res.version); malformed != nil && res.version != "" {
				return nil // no store has such a version
			}
			return err
		}
		if res.listed, err = a.list(index); err != nil || !res.listed.names[res.version] {
			return err
		}
	}
	res.found, err = a.service.Open(ctx, res.version)
	if known, ok := errors.AsType[*datachain.Error](err); ok && known.Issue.Code == issue.CodeNotFound {
		a.listed.Store(nil) // it is out of date
		return nil
	}
	return err
}

// requestID returns the request id of the client if it is valid, else a new one.
func requestID(r *http.Request) string {
	if ids := r.Header["X-Request-Id"]; len(ids) == 1 && validID(ids[0]) {
		return ids[0]
	}
	return newID()
}

// newID returns a new request id. It need not be secret, so the generator of the
// runtime is good enough; rand.Text takes twice as long.
func newID() string {
	id := binary.BigEndian.AppendUint64(make([]byte, 0, 16), rand.Uint64()) //nolint:gosec // not a secret
	return hex.EncodeToString(binary.BigEndian.AppendUint64(id, rand.Uint64()))
}

// validID reports whether an id is 1 to 128 letters, digits, periods, _ and -.
func validID(id string) bool {
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return 1 <= len(id) && len(id) <= 128
}

// traced returns the context of a request with the origin of requests that are made on its
// behalf.
func (res *response) traced(r *http.Request) context.Context {
	return trace.With(r.Context(), trace.Read(res.id[0], r.Header))
}

// problem returns a failure of the protocol, not of the service.
func problem(code issue.Code, hint, format string, args ...any) error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

func overloaded() error {
	return problem(codes.Overloaded, "try again in a second", "The server is overloaded.")
}

// envelope returns the body of a failure.
func envelope(found finding) []byte {
	body, _ := json.Marshal(struct {
		OK     bool      `json:"ok"`
		Errors []finding `json:"errors"`
	}{Errors: []finding{found}}) // of strings only
	return body
}

// fail answers with a failure. Its cause is only logged. A nil err is a panic,
// which has been logged.
func (a *api) fail(res *response, r *http.Request, err error) {
	status, found := datachain.HTTPStatus(err)
	if found.Code == issue.CodeInternalError && found.FixHint == "" {
		found.FixHint = "try again; if the error persists, report the X-Request-Id of this response to the operator"
	}
	if _, ok := errors.AsType[*unready](err); ok {
		status = http.StatusServiceUnavailable
	}
	h := res.Header()
	switch {
	case status == http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case err != nil && status >= http.StatusInternalServerError && r.Context().Err() == nil: // else the client disconnected
		a.Logger.Error("request failed", "path", r.URL.Path, "code", found.Code, "error", err, "request_id", res.id[0])
	}
	for _, name := range []string{"ETag", "Content-Location", "Service-Content-Hash", "Content-Encoding", "Content-Length", "Content-Security-Policy", "Deprecation", "Sunset", "Link"} {
		h.Del(name)
	}
	if res.schema != nil {
		h["Service-Content-Hash"] = []string{res.schema.Release().ContentHash().String()}
	}
	if mount := res.route.mount; mount != nil && mount.Refuse != nil {
		mount.Refuse(res, r, status, found)
		return
	}
	h.Set("Content-Type", typeJSON)
	h.Set("Cache-Control", "no-store")
	res.WriteHeader(status)
	body := finding{Issue: found}
	if known, ok := errors.AsType[*datachain.Error](err); ok && res.positions {
		if located, ok := known.Finding(); ok {
			body.Range = newRange(located.Span)
		}
	}
	_, _ = res.Write(envelope(body)) // fails only if the client disconnected
}
