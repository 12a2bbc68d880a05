package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/taxonomy"
)

// A Route is a path below /api/v2 that a program adds to the API. The server does for it what it
// does for its own: it checks methods and parameters, opens the version, limits and charges
// requests, caches and compresses responses, answers conditions, CORS and errors, and logs.
//
// A route has Read, which answers GET and HEAD, or Work, which processes a document that
// is sent with POST.
type Route struct {
	// Pattern is the path, such as /api/v2/schemas/{version}/notes/{note}. Wildcards are whole
	// segments. {version} is a version that the server opens; a wildcard such as {file...}, at the
	// end, has any number of segments. If several routes fit a path, the first counts, and those of
	// the server come before.
	Pattern string
	// Params, Lists and Flags are the query parameters that the response depends on; others are
	// ignored. Those of Lists have several values, separated by commas, and those of Flags are
	// true or false.
	Params, Lists, Flags []string
	// Bucket is what requests are charged to; the zero value is [ratelimit.Read].
	Bucket ratelimit.Bucket
	// Storeless means that the route needs nothing of the store of the service, and also answers
	// if that can't be read.
	Storeless bool
	// Read returns a resource, or an error such as a [datachain.Error].
	Read func(ctx context.Context, req *Request) (*Resource, error)
	// Work processes a document, which it may not refer to once it returns, while it holds one of
	// [Options.MaxWork] places. It returns what to send, whose Bytes should be appended to dst, or
	// else a verdict to send as validate does. The memory of dst is used again once that is sent.
	Work func(ctx context.Context, req *Request, document, dst []byte) (*datachain.Verdict, *Body, error)
	// OpenAPI is a part of the description that [OpenAPI] returns: a JSON object with paths, and
	// with the components and tags that only they need. Several routes can have the same part.
	OpenAPI []byte
}

// A Request is a request of a [Route]. It is valid until Read or Work, or the Make of the
// [Resource], returns.
type Request struct {
	// Schema is the version that the path names; nil if the pattern has no {version}.
	Schema *datachain.Schema
	// Index is what the store has; nil if the route is Storeless.
	Index *taxonomy.Index

	api    *api
	route  *route
	path   string
	values [maxSegments]string // the segments of the path
	n      int
	params params
}

// A Resource is what [Route.Read] found: a Body, or how to make one.
type Resource struct {
	// Body is sent as it is; nil means that Make makes it if it is not cached.
	Body *Body
	// Tag changes whenever the response does: it is the name of what it is made of, such as a
	// hash. Responses are cached by it, and by the content of the version, the path and the
	// parameters, which need not be part of it.
	Tag  string
	Make func(ctx context.Context) (*Body, error)
}

// A Body is the body of a successful response, with its headers. The server adds the entity tag,
// the headers about the version, and those of every response.
type Body struct {
	Bytes []byte
	// ContentType is that of JSON unless it is set.
	ContentType string
	// CacheControl is that of other JSON of the version unless it is set, or no-cache if there is
	// no version. What Work returns is not stored.
	CacheControl string
	// Header are further headers, such as Content-Security-Policy.
	Header http.Header
}

// PathValue returns the value of a wildcard of the pattern by its name, or "".
func (req *Request) PathValue(name string) string {
	for i, segment := range req.route.segments {
		switch wildcard, isWildcard := wildcardOf(segment); {
		case !isWildcard || strings.TrimSuffix(wildcard, "...") != name:
		case strings.HasSuffix(wildcard, "..."):
			return strings.Join(req.values[i:req.n], "/")
		default:
			return req.values[i]
		}
	}
	return ""
}

// Param returns a query parameter of Params, Lists or Flags, or "" if it is missing.
func (req *Request) Param(name string) string { return req.params.get(name) }

// List returns the items of a query parameter of Lists, without empty ones.
func (req *Request) List(name string) []string { return req.params.list(name) }

// Flag reports whether a query parameter of Flags is true.
func (req *Request) Flag(name string) bool { return req.params.get(name) == "true" }

// SetParam replaces a query parameter, such as by the value that it stands for. Responses whose
// parameters are the same after that are the same to the cache, and in Content-Location.
func (req *Request) SetParam(name, value string) {
	if req.params.values == nil {
		req.params.values = make([]string, len(req.params.names))
	}
	for i, known := range req.params.names {
		if known == name {
			req.params.values[i] = value
		}
	}
}

// Limit returns the query parameter limit of Params as a page size, or 0 if it is missing.
func (req *Request) Limit() (int, error) { return req.params.limit() }

// BaseURL returns the BaseURL of the [Options].
func (req *Request) BaseURL() string { return req.api.BaseURL }

// URL returns the path of a resource of the service, such as /api/v2/schemas, as clients of the
// server request it: below the path of the BaseURL.
func (req *Request) URL(path string) string { return req.api.base + path }

// NotFound returns the error for a path that has no resource.
func (req *Request) NotFound(hint string) error { return notFoundAt(req.path, hint) }

// wildcardOf returns the name of a wildcard in a pattern, with its dots.
func wildcardOf(segment string) (name string, isWildcard bool) {
	name, opened := strings.CutPrefix(segment, "{")
	name, closed := strings.CutSuffix(name, "}")
	return name, opened && closed
}

// newRoute returns the route that a program adds.
func newRoute(added *Route) (route, error) {
	invalid := func(format string, args ...any) (route, error) {
		return route{}, fmt.Errorf("httpapi: the route %q %s", added.Pattern, fmt.Sprintf(format, args...))
	}
	below, ok := strings.CutPrefix(added.Pattern, prefix+"/")
	if !ok || below == "" || !httpcache.Clean(added.Pattern) || strings.HasSuffix(added.Pattern, "/") {
		return invalid("must be below %s, and have no empty or dot segments", prefix)
	}
	segments := splitPattern(added.Pattern)
	if len(segments) > maxSegments {
		return invalid("has more than %d segments", maxSegments)
	}
	var names []string
	for i, segment := range segments {
		name, isWildcard := wildcardOf(segment)
		name, many := strings.CutSuffix(name, "...")
		if isWildcard && (name == "" || strings.ContainsAny(name, "{}") || many && (i < len(segments)-1 || name == versionWildcard) || slices.Contains(names, name)) ||
			!isWildcard && strings.ContainsAny(segment, "{}") {
			return invalid("has the segment %s: a wildcard is a whole segment with a name of its own, and one with dots is the last", segment)
		}
		if isWildcard {
			names = append(names, name)
		}
	}
	if (added.Read == nil) == (added.Work == nil) {
		return invalid("must have Read or Work")
	}
	if added.Storeless && slices.Contains(names, versionWildcard) {
		return invalid("is Storeless, and has a version")
	}
	params := slices.Concat(added.Params, added.Lists, added.Flags)
	for i, name := range params {
		if name == "" || slices.Contains(params[:i], name) {
			return invalid("has the parameter %q twice, or one without a name", name)
		}
	}
	rt := route{
		pattern: added.Pattern, segments: segments, bucket: added.Bucket, post: added.Work != nil, handle: (*api).serveRead,
		params: params, lists: added.Lists, storeless: added.Storeless, added: added,
	}
	if rt.post {
		rt.handle = (*api).serveWork
	}
	return rt, nil
}

// shapeOf returns a pattern without the names of its wildcards.
func shapeOf(segments []string) string {
	var b strings.Builder
	for _, segment := range segments {
		if _, isWildcard := wildcardOf(segment); isWildcard {
			segment = "{}"
		}
		b.WriteString("/" + segment)
	}
	return b.String()
}

// request returns the request of a route of the program, without its version.
func (a *api) request(res *response, r *http.Request) (*Request, error) {
	p, err := parameters(r, res.route)
	if err != nil {
		return nil, err
	}
	for _, name := range res.route.added.Flags {
		if _, err := p.boolean(name); err != nil {
			return nil, err
		}
	}
	req := &Request{api: a, route: res.route, path: a.base + r.URL.Path, params: p}
	if res.listed != nil {
		req.Index = res.listed.index
	}
	segments, _ := httpcache.Segments(r.URL, req.values[:0]) // as when the route was found
	req.n = len(segments)
	return req, nil
}

// serveRead answers GET of a route of the program.
func (a *api) serveRead(ctx context.Context, res *response, r *http.Request) error {
	req, err := a.request(res, r)
	if err != nil {
		return err
	}
	if res.version != "" {
		if req.Schema, err = a.open(ctx, res); err != nil {
			return err
		}
	}
	found, err := res.route.added.Read(ctx, req)
	if err != nil {
		return err
	}
	if found.Body != nil {
		return a.write(res, r, req.Schema, req.answer(found.Body))
	}
	return a.respond(ctx, res, r, reading{schema: req.Schema, id: req.name(found.Tag), params: req.params, request: req, make: found.Make}, (*api).createAdded)
}

func (a *api) createAdded(ctx context.Context, _ *response, rd *reading) (*httpcache.Answer, error) {
	body, err := rd.make(ctx)
	if err != nil {
		return nil, err
	}
	return rd.request.answer(body), nil
}

// name tells a resource apart from the others of its route, besides the version and the parameters.
func (req *Request) name(tag string) string {
	for i, segment := range req.route.segments {
		switch name, isWildcard := wildcardOf(segment); {
		case !isWildcard || name == versionWildcard:
		case strings.HasSuffix(name, "..."):
			tag += "/" + strings.Join(req.values[i:req.n], "/")
		default:
			tag += "/" + req.values[i]
		}
	}
	return tag
}

// answer returns the answer with a body.
func (req *Request) answer(body *Body) *httpcache.Answer {
	contentType, cacheControl := body.ContentType, body.CacheControl
	if contentType == "" {
		contentType = typeJSON
	}
	if req.Schema == nil {
		if cacheControl == "" {
			cacheControl = "no-cache"
		}
		return withHeader(httpcache.NewAnswer(contentType, cacheControl, body.Bytes), body.Header)
	}
	release := req.Schema.Release()
	if cacheControl == "" {
		cacheControl = caching(release, "public, max-age=86400, immutable", "no-store")
	}
	ans := httpcache.NewAnswer(contentType, cacheControl, body.Bytes)
	return withHeader(req.api.withLocation(ans, release, req.canonicalPath(release.Version()), req.params.String()), body.Header)
}

// canonicalPath returns the path of the request with a version in place of the one that it names.
func (req *Request) canonicalPath(version taxonomy.Version) string {
	var b strings.Builder
	for i, value := range req.values[:req.n] {
		if i < len(req.route.segments) && req.route.segments[i] == "{"+versionWildcard+"}" {
			value = version.String()
		}
		b.WriteString("/" + url.PathEscape(value))
	}
	return b.String()
}

func withHeader(ans *httpcache.Answer, h http.Header) *httpcache.Answer {
	for name, values := range h {
		ans.With(http.CanonicalHeaderKey(name), values...)
	}
	return ans
}

// serveWork answers POST of a route of the program.
func (a *api) serveWork(ctx context.Context, res *response, r *http.Request) error {
	req, err := a.request(res, r)
	if err != nil {
		return err
	}
	return a.answerDocument(ctx, res, r, func(schema *datachain.Schema, text []byte, buf *buffer) (*datachain.Verdict, *httpcache.Answer, error) {
		req.Schema = schema
		v, body, err := res.route.added.Work(ctx, req, text, buf.bytes)
		if err != nil || body == nil {
			return v, nil, err
		}
		if n := len(body.Bytes); n <= maxKept { // a body that did not fit has memory of its own
			buf.bytes = slices.Grow(buf.bytes, n)
		}
		contentType := body.ContentType
		if contentType == "" {
			contentType = typeJSON
		}
		return v, withHeader(httpcache.NewResult(contentType, body.Bytes), body.Header), nil
	})
}
