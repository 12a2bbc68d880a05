// Package httpapi serves a [datachain.Service] over HTTP, under /api/v2: JSON and
// SVG for everyone. [New] returns an [http.Handler] to mount wherever you like,
// under a prefix with [http.StripPrefix], behind middleware of your own.
//
//	GET  /api/v2/schemas
//	GET  /api/v2/schemas/{version}/manifest
//	GET  /api/v2/schemas/{version}/categories
//	GET  /api/v2/schemas/{version}/elements
//	GET  /api/v2/schemas/{version}/elements/{element_id}
//	GET  /api/v2/schemas/{version}/elements/{element_id}/icon[.{variant}].svg
//	GET  /api/v2/schemas/{version}/symbols/{symbol_id}.svg
//	GET  /api/v2/schemas/{version}/release
//	POST /api/v2/schemas/{version}/validate
//	POST /api/v2/schemas/{version}/resolve
//	POST /api/v2/schemas/{version}/validate_resolved
//	POST /api/v2/schemas/{version}/render
//	GET  /api/v2/shapes/{shape}.svg
//	GET  /api/v2/json-schemas/{name}.json
//	GET  /api/v2/openapi.json
//
// A version is a canonical id or an alias. Successes are {ok: true, …}, failures
// {ok: false, errors}; the description at openapi.json has every detail.
//
// Answers of a release are made once, compressed once, and kept up to a bound
// ([Options.CacheBytes]): a repeated read marshals nothing. A beta that changes
// has another content hash, and so other answers, at once.
package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/cache"
	"github.com/datachain-go/datachain/internal/deadline"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// prefix is where all routes are.
const prefix = "/api/v2"

// Options tune the handler. The zero value and nil are the defaults.
type Options struct {
	// BaseURL is where clients find the service, such as
	// https://example.org/datachain, or its path alone. It is in openapi.json,
	// and its path before the addresses in Content-Location and in hints. By
	// default it is the root of the host.
	BaseURL string
	// Limiter says which requests are too many; nil lets all pass, and so does
	// one that fails, with a line in the log. The limiter in memory is
	// [ratelimit.NewMemory].
	Limiter ratelimit.Limiter
	// TrustedProxies are the networks whose forwarded fields are believed
	// when a client is told from another.
	TrustedProxies []netip.Prefix
	// AliasMaxAge is how long answers about a stable version may be cached that
	// were asked for by an alias, which can move. By default they are cached
	// like the version that the alias stands for. Pictures of a beta version
	// are kept no longer than that either; its JSON is never cached.
	AliasMaxAge time.Duration
	// MaxBody is the largest body of a request in bytes; 0 means 1 MiB.
	MaxBody int64
	// ReadTimeout is the wall clock of a read, and WorkTimeout that of
	// judging or resolving a document, reading it included; 0 means 2 and 5
	// seconds.
	ReadTimeout, WorkTimeout time.Duration
	// MaxRequests is how many requests are served at once; 0 means 4096.
	// Those above it are told to come back.
	MaxRequests int
	// MaxWork is how many documents are judged or resolved at once; 0 means
	// one for each processor but one, which is left to reads. Some more wait
	// for their turn.
	MaxWork int
	// CacheBytes is how many bytes of answers are kept; 0 means 64 MiB, and a
	// negative number none.
	CacheBytes int64
	// Logger gets failures that are not the client's, and icon_miss_fallback;
	// nil means [slog.Default].
	Logger *slog.Logger
	// LogRequests gives each request a line in the log, too.
	LogRequests bool
	// Stopping tells whether the server is about to stop; nil is never. It is
	// asked when an answer begins, which then asks the client to close its
	// connection. An HTTP/2 client is told to go away by the same field.
	Stopping func() bool
	// Observe is told of each request after it was answered. It is called by
	// the goroutine that serves the request.
	Observe func(Observation)
	// Also are handlers of other protocols by their paths, such as /mcp. They
	// are charged to the bucket of reads, logged and observed like the rest,
	// and answer for themselves; see [Refuser].
	Also map[string]http.Handler
}

// Observation is a request that was answered.
type Observation struct {
	// Route is the pattern of the address, such as
	// /api/v2/schemas/{version}/manifest, or "" where there is none.
	Route    string
	Method   string
	Status   int
	Bytes    int64
	Duration time.Duration
}

// api is the handler.
type api struct {
	Options
	service *datachain.Service
	router  router
	base    string // the path of BaseURL
	// description is openapi.json, with BaseURL in it.
	description []byte
	answers     *cache.Cache[answerKey, *answer]
	schemas     atomic.Pointer[listing]
	serving     atomic.Int64
	work        *gate

	bodies     budget
	compressor compressor
}

// New returns the handler. It panics where an option can't be meant, as
// [http.ServeMux] does for such patterns: a BaseURL that is no address, or a path
// in Also that no request has or that is the API's own.
func New(service *datachain.Service, o *Options) http.Handler {
	a := &api{service: service, router: newRouter()}
	if o != nil {
		a.Options = *o
	}
	a.setDefaults()
	a.description = describe(a.BaseURL)
	a.answers = cache.New[answerKey, *answer](max(0, a.CacheBytes), cacheShards)
	a.work = newGate(a.MaxWork)
	a.bodies.most = bodiesAtOnce * a.MaxBody
	a.mount()
	return a
}

func (a *api) setDefaults() {
	u, ok := parseBase(a.BaseURL)
	if !ok {
		panic(fmt.Sprintf("httpapi: BaseURL %q: want https://… or the path below which the handler is mounted", a.BaseURL))
	}
	a.base = strings.TrimSuffix(u.EscapedPath(), "/")
	a.MaxBody = orDefault(a.MaxBody, 1<<20)
	a.ReadTimeout = orDefault(a.ReadTimeout, 2*time.Second)
	a.WorkTimeout = orDefault(a.WorkTimeout, 5*time.Second)
	a.MaxRequests = orDefault(a.MaxRequests, 4096)
	a.MaxWork = orDefault(a.MaxWork, max(1, runtime.GOMAXPROCS(0)-1))
	a.CacheBytes = orDefault(a.CacheBytes, 64<<20)
	if a.Logger == nil {
		a.Logger = slog.Default()
	}
}

// parseBase reads a BaseURL: of a server, or a path alone.
func parseBase(base string) (*url.URL, bool) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, false
	}
	if u.Host == "" {
		return u, base == "" || base[0] == '/'
	}
	return u, u.Scheme == "http" || u.Scheme == "https"
}

func orDefault[T comparable](v, standard T) T {
	var zero T
	if v == zero {
		return standard
	}
	return v
}

// Field values that every response has, shared so that none is made anew.
var (
	anyOrigin      = []string{"*"}
	exposedFields  = []string{"X-Request-Id, Service-Content-Hash, Retry-After, RateLimit, RateLimit-Policy, ETag, Content-Location"}
	nosniff        = []string{"nosniff"}
	allowedFields  = []string{"Content-Type, Service-Client, X-Request-Id, If-None-Match"}
	allowedMethods = []string{"GET, HEAD, POST, OPTIONS"}
	preflightAge   = []string{"86400"}
)

// ServeHTTP does what every request needs, then routes it.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	res := &response{
		ResponseWriter: w, begun: time.Now(), id: [1]string{requestID(r)},
		client: ratelimit.ClientAddr(r.RemoteAddr, r.Header, a.TrustedProxies), stopping: a.Stopping,
	}
	h := w.Header()
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposedFields
	h["X-Content-Type-Options"] = nosniff
	h["X-Request-Id"] = res.id[:]
	res.route, res.places = a.router.find(r)
	r.Pattern = res.route.pattern // as a mux would say it to who is around us
	defer a.finish(res, r)
	if r.Method == http.MethodOptions {
		if res.route.also != nil {
			res.route.also.ServeHTTP(res, r)
			return
		}
		h["Access-Control-Allow-Methods"] = allowedMethods
		h["Access-Control-Allow-Headers"] = allowedFields
		h["Access-Control-Max-Age"] = preflightAge
		res.WriteHeader(http.StatusNoContent)
		return
	}
	if r.ContentLength != 0 {
		// Whoever reads the body in the end, a client that sends it slowly, or
		// not at all, is not waited for longer than this.
		_ = http.NewResponseController(w).SetReadDeadline(res.begun.Add(a.WorkTimeout)) // some writers have none to set
	}
	defer a.serving.Add(-1)
	if a.serving.Add(1) > int64(a.MaxRequests) {
		a.fail(res, r, overloaded())
		return
	}
	a.serve(res, r)
}

// clean reports whether a path is absolute and has no empty or dotted segments.
func clean(p string) bool {
	if !strings.Contains(p, "//") && !strings.Contains(p, "/.") {
		return strings.HasPrefix(p, "/")
	}
	return p == path.Clean(p)
}

// serve answers a request on a route: first whether the client may ask at all,
// then how.
func (a *api) serve(res *response, r *http.Request) {
	rt := res.route
	ctx := deadline.New(r.Context(), res.begun.Add(a.timeout(rt)))
	defer ctx.Stop()
	err := a.charge(ctx, res, r, rt)
	if err == nil {
		err = rt.check(res, r)
	}
	if err == nil {
		err = rt.handle(a, ctx, res, r)
	}
	if err != nil {
		a.fail(res, r, err)
	}
}

func (a *api) timeout(rt *route) time.Duration {
	if rt.work {
		return a.WorkTimeout
	}
	return a.ReadTimeout
}

// charge charges the request to its bucket. A limiter that can't tell lets it
// pass: better too many requests than none.
func (a *api) charge(ctx context.Context, res *response, r *http.Request, rt *route) error {
	if a.Limiter == nil {
		return nil
	}
	bucket := rt.bucket
	if rt.post && r.Method != http.MethodPost {
		bucket = ratelimit.Read // it will be refused, and costs no more than a read
	}
	d, err := a.Limiter.Allow(ctx, ratelimit.NewKey(bucket, res.client, ratelimit.ClientName(r.Header)))
	if err != nil {
		a.Logger.LogAttrs(ctx, slog.LevelError, "limiter failed", slog.Any("error", err), slog.String("request_id", res.id[0]))
		return nil
	}
	d.SetHeader(res.Header())
	if d.Allowed {
		return nil
	}
	return problem(issue.CodeRateLimited, "wait as long as Retry-After says, or set Service-Client to a name of your own",
		"There were too many requests: %d in %d seconds are the limit.", d.Limit, int(d.Window.Seconds()))
}

// finish ends every request: it turns a panic into an answer, and tells of what
// was answered.
func (a *api) finish(res *response, r *http.Request) {
	p := recover()
	if p == http.ErrAbortHandler { //nolint:errorlint // the very value, as net/http compares it
		panic(p)
	}
	if p != nil {
		stack := make([]byte, 16<<10)
		stack = stack[:runtime.Stack(stack, false)]
		a.Logger.Error("panic", "path", r.URL.Path, "value", p, "request_id", res.id[0], "stack", string(stack))
		if res.status != 0 {
			panic(http.ErrAbortHandler) // half an answer is none
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

// logRequest writes the line of a request. It is a record of its own making, as
// the logger would look up each time from where it is called.
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
	_ = log.Handle(r.Context(), line) // there is nobody to tell
}
