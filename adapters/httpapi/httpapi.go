// Package httpapi serves a [datachain.Service] over HTTP, under /api/v2: JSON
// and SVG for everyone, with caching by the status of a version. It is an
// [http.Handler] to mount wherever you like.
//
//	GET /api/v2/schemas
//	GET /api/v2/schemas/{version}/manifest
//	GET /api/v2/schemas/{version}/categories
//	GET /api/v2/schemas/{version}/elements/{element_id}
//	GET /api/v2/schemas/{version}/symbols/{symbol_id}.svg
//	GET /api/v2/schemas/{version}/release
//
// A version is a canonical id or an alias. Failures are {ok: false, errors}.
package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

const prefix = "/api/v2"

// Options tune the handler. The zero value and nil are the defaults.
type Options struct {
	// Logger gets a line for each failure that is not the caller's; nil
	// means slog.Default.
	Logger *slog.Logger
	// Timeout is the wall clock of a request; 0 means 2 seconds.
	Timeout time.Duration
}

type api struct {
	service *datachain.Service
	log     *slog.Logger
	timeout time.Duration
	mux     *http.ServeMux
}

// New returns the handler.
func New(service *datachain.Service, o *Options) http.Handler {
	a := &api{service: service, log: slog.Default(), timeout: 2 * time.Second, mux: http.NewServeMux()}
	if o != nil && o.Logger != nil {
		a.log = o.Logger
	}
	if o != nil && o.Timeout > 0 {
		a.timeout = o.Timeout
	}
	for route, handle := range map[string]func(http.ResponseWriter, *http.Request) error{
		"/schemas":                                a.schemas,
		"/schemas/{version}/manifest":             a.manifest,
		"/schemas/{version}/categories":           a.categories,
		"/schemas/{version}/elements/{element}":   a.element,
		"/schemas/{version}/symbols/{symbol_svg}": a.symbol,
		"/schemas/{version}/release":              a.release,
	} {
		a.mux.HandleFunc(prefix+route, func(w http.ResponseWriter, r *http.Request) {
			if err := a.allowed(r, handle, w); err != nil {
				a.fail(w, r, err)
			}
		})
	}
	a.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		a.fail(w, r, notFound("There is nothing at "+r.URL.Path+".", "see "+prefix+"/schemas for what there is"))
	})
	return a
}

// ServeHTTP does what every request needs, then routes it.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "X-Request-Id, Service-Content-Hash, Retry-After")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Request-Id", requestID(r))
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "Content-Type, Service-Client, X-Request-Id")
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), a.timeout)
	defer cancel()
	r = r.WithContext(ctx)
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler { //nolint:errorlint // the very value, as net/http compares it
				panic(p)
			}
			a.log.Error("panic", "path", r.URL.Path, "value", p)
			a.fail(w, r, nil)
		}
	}()
	// The mux would redirect an unclean path, in plain text.
	if r.URL.Path != path.Clean(r.URL.Path) {
		a.fail(w, r, notFound("There is nothing at "+r.URL.Path+".", "write the path without //, . and .."))
		return
	}
	a.mux.ServeHTTP(w, r)
}

// allowed runs a read if the method is one.
func (a *api) allowed(r *http.Request, handle func(http.ResponseWriter, *http.Request) error, w http.ResponseWriter) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return handle(w, r)
	}
	w.Header().Set("Allow", "GET, HEAD, OPTIONS")
	return &datachain.Error{Issue: taxonomy.Issue{
		Code: taxonomy.CodeMethodNotAllowed, Message: r.Method + " is not possible here.", FixHint: "use GET",
	}}
}

func notFound(message, hint string) error {
	return &datachain.Error{Issue: taxonomy.Issue{Code: taxonomy.CodeNotFound, Message: message, FixHint: hint}, Err: taxonomy.ErrNotFound}
}

// requestID keeps the client's own id if it is a decent one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if len(id) >= 1 && len(id) <= 128 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == "" {
		return id
	}
	return rand.Text()
}
