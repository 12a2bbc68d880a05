package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// route is an address of the API: who is charged for it, and who answers.
type route struct {
	pattern string // as the mux reads it, and as it is told to the outside
	bucket  ratelimit.Bucket
	post    bool // POST instead of GET and HEAD
	work    bool // may take longer, and waits for its turn
	handle  func(*api, context.Context, *response, *http.Request) error
	also    http.Handler // of another protocol, at the pattern itself
}

// routes are all of them. Wildcards are whole segments, so what ends in .svg is
// cut by its handler.
var routes = []route{
	{pattern: prefix + "/schemas", handle: (*api).getSchemas},
	{pattern: prefix + "/schemas/{version}/manifest", handle: (*api).getManifest},
	{pattern: prefix + "/schemas/{version}/categories", handle: (*api).getCategories},
	{pattern: prefix + "/schemas/{version}/elements", handle: (*api).getElements},
	{pattern: prefix + "/schemas/{version}/elements/{element_id}", handle: (*api).getElement},
	{pattern: prefix + "/schemas/{version}/elements/{element_id}/{file}", handle: (*api).getIcon, bucket: ratelimit.Icons},
	{pattern: prefix + "/schemas/{version}/symbols/{file}", handle: (*api).getSymbol, bucket: ratelimit.Icons},
	{pattern: prefix + "/schemas/{version}/release", handle: (*api).getRelease},
	{pattern: prefix + "/schemas/{version}/validate", handle: (*api).validate, bucket: ratelimit.Validate, post: true, work: true},
	{pattern: prefix + "/schemas/{version}/resolve", handle: (*api).resolve, bucket: ratelimit.Resolve, post: true, work: true},
	{pattern: prefix + "/schemas/{version}/validate_resolved", handle: (*api).validateResolved, bucket: ratelimit.Resolve, post: true, work: true},
	{pattern: prefix + "/schemas/{version}/render", handle: (*api).render, bucket: ratelimit.Resolve, post: true, work: true},
	{pattern: prefix + "/shapes/{file}", handle: (*api).getShape, bucket: ratelimit.Icons},
	{pattern: prefix + "/json-schemas/{file}", handle: (*api).getJSONSchema},
	{pattern: prefix + "/openapi.json", handle: (*api).getOpenAPI},
}

// unknown is every other address.
var unknown = route{handle: (*api).nothing}

// check refuses methods that the route does not have.
func (rt *route) check(res *response, r *http.Request) error {
	allowed := []string{http.MethodGet, http.MethodHead}
	if rt.post {
		allowed = []string{http.MethodPost}
	}
	if rt.pattern == "" || rt.also != nil || slices.Contains(allowed, r.Method) {
		return nil
	}
	res.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
	return problem(issue.CodeMethodNotAllowed, "use "+allowed[0], "The method %s is not possible here.", prose.Plain(r.Method))
}

// nothing answers where there is nothing.
func (a *api) nothing(_ context.Context, _ *response, r *http.Request) error {
	at := a.base + prefix
	return problem(issue.CodeNotFound, "see "+at+"/schemas for what there is, or "+at+"/openapi.json for all addresses",
		"There is nothing at %s.", prose.Plain(a.base+r.URL.Path))
}

// cutFile returns what stands before an extension in the last segment of an
// address.
func cutFile(res *response, r *http.Request, extension string) (string, error) {
	name, ok := strings.CutSuffix(res.file, extension)
	if !ok {
		return "", problem(issue.CodeNotFound, "end the address in "+extension, "There is nothing at %s.", prose.Plain(r.URL.Path))
	}
	return name, nil
}
