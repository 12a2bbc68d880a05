package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// route is a path of the API or of a mount.
type route struct {
	pattern string // its wildcards are whole segments
	bucket  ratelimit.Bucket
	post    bool // POST instead of GET and HEAD
	handle  func(*api, context.Context, *response, *http.Request) error
	// body is for getJSON: what makes the body. params are the query parameters
	// that the answer to a read depends on.
	body   func(context.Context, *reading) ([]byte, error)
	params []string
	static *static // for getStatic
	// mounted, bucketFunc and ready are those of a mount.
	mounted    http.Handler
	bucketFunc func(*http.Request) ratelimit.Bucket
	ready      func(context.Context, *http.Request) error
}

const versioned = prefix + "/schemas/{version}"

var routes = []route{
	{pattern: prefix + "/schemas", handle: (*api).getSchemas},
	{pattern: versioned + "/manifest", handle: (*api).getJSON, body: manifestJSON},
	{pattern: versioned + "/categories", handle: (*api).getJSON, body: categoriesJSON, params: []string{"locales"}},
	{pattern: versioned + "/elements", handle: (*api).getJSON, body: elementsJSON, params: []string{"category_id", "locale", "locales", "query", "fields", "limit", "cursor", "ids"}},
	{pattern: versioned + "/elements/{element_id}", handle: (*api).getJSON, body: elementJSON, params: []string{"fields", "locales"}},
	{pattern: versioned + "/elements/{element_id}/{file}", handle: (*api).getIcon, bucket: ratelimit.Icons},
	{pattern: versioned + "/symbols/{file}", handle: (*api).getSymbol, bucket: ratelimit.Icons},
	{pattern: versioned + "/release", handle: (*api).getJSON, body: releaseJSON},
	{pattern: versioned + "/instance.schema.json", handle: (*api).getInstanceSchema, params: []string{"locale"}},
	{pattern: versioned + "/validate", handle: (*api).validate, bucket: ratelimit.Validate, post: true},
	{pattern: versioned + "/resolve", handle: (*api).resolve, bucket: ratelimit.Resolve, post: true},
	{pattern: versioned + "/validate_resolved", handle: (*api).validateResolved, bucket: ratelimit.Resolve, post: true},
	{pattern: versioned + "/render", handle: (*api).render, bucket: ratelimit.Resolve, post: true},
	{pattern: versioned + "/upgrade", handle: (*api).upgrade, bucket: ratelimit.Resolve, post: true},
	{pattern: prefix + "/shapes/{file}", handle: (*api).getStatic, static: &shape, bucket: ratelimit.Icons},
	{pattern: prefix + "/json-schemas/{file}", handle: (*api).getStatic, static: &jsonSchema},
	{pattern: prefix + "/openapi.json", handle: (*api).getStatic, static: &description},
}

// unknown is the route of every other path.
var unknown = route{handle: (*api).nothing}

// bucketOf returns the bucket that a request is charged to.
func (rt *route) bucketOf(r *http.Request) ratelimit.Bucket {
	switch {
	case rt.bucketFunc != nil:
		return rt.bucketFunc(r)
	case rt.post && r.Method != http.MethodPost:
		return ratelimit.Read // it will be refused, which costs no more than a read
	}
	return rt.bucket
}

// check refuses methods that the route does not have.
func (rt *route) check(res *response, r *http.Request) error {
	allowed := []string{http.MethodGet, http.MethodHead}
	if rt.post {
		allowed = []string{http.MethodPost}
	}
	if rt.pattern == "" || rt.mounted != nil || slices.Contains(allowed, r.Method) {
		return nil
	}
	res.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
	return problem(issue.CodeMethodNotAllowed, "use "+allowed[0], "The method %s is not allowed here.", prose.Plain(r.Method))
}

func (a *api) nothing(_ context.Context, _ *response, r *http.Request) error {
	at := a.base + prefix
	return noResource(a.base+r.URL.Path, "see "+at+"/schemas for the schema versions, or "+at+"/openapi.json for all routes")
}

func noResource(path, hint string) error {
	return problem(issue.CodeNotFound, hint, "There is no resource at %s.", prose.Plain(path))
}
