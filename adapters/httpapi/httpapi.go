// Package httpapi serves a [datachain.Service] over HTTP, as JSON and SVG under
// /api/v2. [New] returns an [http.Handler] to mount anywhere: behind your own
// middleware, or under a prefix with [http.StripPrefix].
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
//	GET  /api/v2/shapes/{shape}.svg
//	GET  /api/v2/json-schemas/{name}.json
//	GET  /api/v2/openapi.json
//
// Programs add paths to these, with all that the server does for them: see [Route].
//
// A version is a canonical id or an alias. Successful responses are
// {ok: true, …}, failures {ok: false, errors}; openapi.json describes every
// detail.
//
// Responses about a release are built and compressed once and cached up to a
// bound ([Options.CacheBytes]). They are cached by content hash, so a change of a
// beta shows at once.
package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/limit"
)

// prefix is the path of the API.
const prefix = "/api/v2"

// Options configure the handler. Nil and the zero value mean the defaults, and a negative
// limit or timeout means none.
type Options struct {
	// BaseURL is where clients reach the service, such as
	// https://example.org/datachain, or only its path. It appears in
	// openapi.json, and its path in Content-Location and in hints. The default
	// is the root of the host.
	BaseURL string
	// Limiter limits the rate of requests, for example a [ratelimit.Memory];
	// nil means no limits. It only has to count the requests of each key: of a client
	// that uses more than [ratelimit.MaxNames] names at a time, it gets the other
	// requests without a name. If it fails or exceeds its budget, the request
	// passes; see [Observation.Unchecked].
	Limiter ratelimit.Limiter
	// LimiterBudget is how long a request waits for the Limiter; 0 means 25
	// milliseconds, a negative one no limit. It does not apply to a [ratelimit.Memory].
	LimiterBudget time.Duration
	// TrustedProxies are the networks whose X-Forwarded-For and Forwarded
	// headers are trusted.
	TrustedProxies []netip.Prefix
	// AliasMaxAge is how long responses about a stable version may be cached
	// if they were requested by an alias, which can move; 0 means as long as
	// those about the version itself, and a negative value that caches ask each
	// time. Icons of a beta are not cached for longer either; its JSON is never
	// cached.
	AliasMaxAge time.Duration
	// Private is for a service behind authentication: responses have no CORS
	// headers, and only the cache of the client may store them. Set it in
	// [ListenerOptions], too.
	Private bool
	// MaxBody is the size of the largest request body; 0 means 1 MiB.
	MaxBody int64
	// ReadTimeout limits the time of a read, and WorkTimeout the time of
	// validating, resolving or rendering a document, including reading it; 0
	// means 2 and 5 seconds.
	ReadTimeout, WorkTimeout time.Duration
	// WriteTimeout is how long a client may take to read a response, or each 64
	// KiB of a larger one; 0 means 10 seconds. The WriteTimeout of the
	// [http.Server] applies until a response is ready, and should be this plus
	// WorkTimeout.
	WriteTimeout time.Duration
	// MaxRequests limits the responses that are prepared at once; 0 means 4096.
	// Excess requests get 503. A response that is being read does not count.
	MaxRequests int
	// MaxClientRequests limits the concurrent requests of one client, which is
	// an address, or an IPv6 /64; 0 means 256, or half of MaxRequests if that
	// is less. Excess requests get 503, so that one client can't take all
	// places. Let the [http.Server] allow fewer HTTP/2 streams
	// per connection than this.
	MaxClientRequests int
	// MaxWork limits the documents that are processed concurrently; 0 means
	// one fewer than there are processors, but at least 1. A few more wait,
	// for at most a fifth of WorkTimeout; others get 503.
	MaxWork int
	// CacheBytes limits the size of cached responses; 0 means 32 MiB, and a
	// negative number turns the cache off.
	CacheBytes int64
	// Logger receives failures that are not the client's, and
	// icon_miss_fallback; nil means [slog.Default].
	Logger *slog.Logger
	// LogRequests logs each request, too.
	LogRequests bool
	// Stopping reports whether the server is shutting down; nil means never.
	// While it does, responses ask clients to close their connection.
	Stopping func() bool
	// Observe is called after each request, by the goroutine that served it.
	Observe func(Observation)
	// Routes are further paths of the API. The list is copied.
	Routes []Route
	// Mounts are handlers of other protocols beside the API.
	Mounts []Mount
}

// An Observation describes a request that has been answered.
type Observation struct {
	// Route is the pattern of the path, such as
	// /api/v2/schemas/{version}/manifest, or "" if there is no such route.
	Route    string
	Method   string
	Status   int
	Bytes    int64
	Duration time.Duration
	// Unchecked means that the request passed because the limiter failed or
	// exceeded its budget.
	Unchecked bool
}

// api is the handler.
type api struct {
	Options
	service     *datachain.Service
	router      router
	base        string // the path of BaseURL
	description []byte // openapi.json
	answers     *httpcache.Cache[answerKey]
	listed      atomic.Pointer[listing] // the last one
	places      chan struct{}           // holds the requests whose responses are not ready
	requests    *quota
	limiter     *guard
	work        *workLimit
	bodies      *quota
	buffers     bufferPool
}

// New returns the handler. It fails if an option is invalid.
func New(service *datachain.Service, o *Options) (http.Handler, error) {
	if service == nil {
		return nil, errors.New("httpapi: the service is nil")
	}
	a := new(api)
	if o != nil {
		a.Options = *o
		a.Routes = slices.Clone(o.Routes) // the router points to them
	}
	var err error
	if a.base, err = httpcache.BasePath(a.BaseURL); err != nil {
		return nil, fmt.Errorf("httpapi: %w", err)
	}
	if a.router, err = newRouter(a.Mounts, a.Routes); err != nil {
		return nil, err
	}
	const manyBytes, many, long = 1 << 50, 1 << 24, 100 * 365 * 24 * time.Hour // no server reaches them
	a.MaxBody = limit.Of(a.MaxBody, 1<<20, manyBytes)
	a.service = service.WithMaxInput(int(min(a.MaxBody, math.MaxInt)))
	a.ReadTimeout = limit.Of(a.ReadTimeout, 2*time.Second, long)
	a.WorkTimeout = limit.Of(a.WorkTimeout, 5*time.Second, long)
	a.WriteTimeout = limit.Of(a.WriteTimeout, 10*time.Second, long)
	a.MaxRequests = limit.Of(a.MaxRequests, 4096, many)
	a.MaxClientRequests = limit.Of(a.MaxClientRequests, min(256, (a.MaxRequests+1)/2), many)
	a.MaxWork = limit.Of(a.MaxWork, max(1, runtime.GOMAXPROCS(0)-1), many)
	a.CacheBytes = cmp.Or(a.CacheBytes, 32<<20)
	if a.Logger == nil {
		a.Logger = slog.Default()
	}
	if a.description, err = OpenAPI(a.BaseURL, a.Routes...); err != nil {
		return nil, err
	}
	a.answers = httpcache.NewCache[answerKey](a.CacheBytes)
	a.limiter = newGuard(a.Limiter, cmp.Or(a.LimiterBudget, 25*time.Millisecond))
	a.places = make(chan struct{}, a.MaxRequests)
	a.requests = newQuota(manyBytes, int64(a.MaxClientRequests))
	a.work = newWorkLimit(a.MaxWork, a.WorkTimeout/5)
	a.bodies = newQuota(bodiesAtOnce*a.MaxBody, bodiesAtOnce*a.MaxBody/2)
	return a, nil
}
