package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// route is a path of the API or of a mount.
type route struct {
	pattern  string   // its wildcards are whole segments, {file...} any number of them
	segments []string // of the pattern, once the router has it
	bucket   ratelimit.Bucket
	post     bool // POST instead of GET and HEAD
	handle   func(*api, context.Context, *response, *http.Request) error
	// body is for getJSON: what makes the body. params are the query parameters
	// that the answer to a read depends on, and lists those of them with several values.
	body          func(context.Context, *reading) ([]byte, error)
	params, lists []string
	static        *static // for getStatic
	storeless     bool    // it needs no store
	added         *Route  // nil for a route of the API itself
	mount         *Mount  // nil for a path of the API
}

const (
	versionWildcard = "version"
	versioned       = prefix + "/schemas/{" + versionWildcard + "}"
	iconsPattern    = versioned + "/elements/{element_id}/{file}"
)

var routes = []route{
	{pattern: prefix + "/schemas", handle: (*api).getSchemas},
	{pattern: versioned + "/manifest", handle: (*api).getJSON, body: manifestJSON},
	{pattern: versioned + "/categories", handle: (*api).getJSON, body: categoriesJSON, params: []string{"locales"}, lists: []string{"locales"}},
	{pattern: versioned + "/elements", handle: (*api).getJSON, body: elementsJSON, params: []string{"category_id", "locale", "locales", "query", "fields", "limit", "cursor", "ids"}, lists: []string{"locales", "fields", "ids"}},
	{pattern: versioned + "/elements/{element_id}", handle: (*api).getJSON, body: elementJSON, params: []string{"fields", "locales"}, lists: []string{"fields", "locales"}},
	{pattern: iconsPattern, handle: (*api).getIcon, bucket: ratelimit.Icons},
	{pattern: versioned + "/symbols/{file}", handle: (*api).getSymbol, bucket: ratelimit.Icons},
	{pattern: versioned + "/release", handle: (*api).getJSON, body: releaseJSON},
	{pattern: versioned + "/validate", handle: (*api).validate, bucket: ratelimit.Validate, post: true, params: []string{"include", "strict"}},
	{pattern: versioned + "/resolve", handle: (*api).resolve, bucket: ratelimit.Resolve, post: true, params: []string{"include", "strict"}},
	{pattern: versioned + "/validate_resolved", handle: (*api).validateResolved, bucket: ratelimit.Resolve, post: true, params: []string{"include", "strict"}},
	{pattern: prefix + "/shapes/{file}", handle: (*api).getStatic, static: &shape, bucket: ratelimit.Icons, storeless: true},
	{pattern: prefix + "/json-schemas/{file}", handle: (*api).getStatic, static: &jsonSchema, storeless: true},
	{pattern: prefix + "/openapi.json", handle: (*api).getStatic, static: &description, storeless: true},
}

// unknown is the route of every other path.
var unknown = route{handle: (*api).serveUnknown}

// bucketOf returns the bucket that a request is charged to.
func (rt *route) bucketOf(r *http.Request, file string) ratelimit.Bucket {
	switch {
	case rt.mount != nil && rt.mount.Bucket != nil:
		return rt.mount.Bucket(r)
	case rt.post && r.Method != http.MethodPost:
		return ratelimit.Read // it will be refused, which costs no more than a read
	case rt.bucket == ratelimit.Icons && rt.added == nil && !rt.draws(file):
		return ratelimit.Read // nothing is drawn: there is no such path
	}
	return rt.bucket
}

// draws reports whether a file can be a drawing of the route.
func (rt *route) draws(file string) bool {
	return strings.HasSuffix(file, ".svg") && (rt.pattern != iconsPattern || strings.HasPrefix(file, "icon."))
}

// check refuses methods that the route does not have.
func (rt *route) check(res *response, r *http.Request) error {
	allowed := []string{http.MethodGet, http.MethodHead}
	if rt.post {
		allowed = []string{http.MethodPost}
	}
	if rt.pattern == "" || rt.mount != nil || slices.Contains(allowed, r.Method) {
		return nil
	}
	res.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
	return problem(codes.MethodNotAllowed, "use "+allowed[0], "The method %s is not allowed here.", wording.Plain(r.Method))
}

func (a *api) serveUnknown(_ context.Context, _ *response, r *http.Request) error {
	at := a.base + prefix
	return a.notFound(r, "see "+at+"/schemas for the schema versions, or "+at+"/openapi.json for all routes")
}

func (a *api) notFound(r *http.Request, hint string) error {
	return notFoundAt(a.base+r.URL.Path, hint)
}

func notFoundAt(path, hint string) error {
	return problem(issue.CodeNotFound, hint, "There is no resource at %s.", wording.Plain(path))
}

// router finds the route of a path. It does what [http.ServeMux] does for these
// patterns, but without redirects and responses of its own, and without
// allocating.
type router struct {
	routes []route  // those of the API, then those of the program; pointers to them are kept
	mounts []*route // the longest path first
}

// maxSegments is the number of segments of the longest route.
const maxSegments = 8

// pathValues are the values of the wildcards of a route of the API, and the version of others.
type pathValues struct{ version, element, file string }

func splitPattern(pattern string) []string { return strings.Split(pattern, "/")[1:] }

func newRouter(mounts []Mount, added []Route) (router, error) {
	var rs router
	shapes := make(map[string]bool)
	for _, rt := range routes {
		rt.segments = splitPattern(rt.pattern)
		rs.routes = append(rs.routes, rt)
		shapes[shapeOf(rt.segments)] = true
	}
	for i := range added {
		rt, err := newRoute(&added[i])
		if err != nil {
			return rs, err
		}
		if shapes[shapeOf(rt.segments)] {
			return rs, fmt.Errorf("httpapi: the path of the route %q is taken", rt.pattern)
		}
		rs.routes = append(rs.routes, rt)
		shapes[shapeOf(rt.segments)] = true
	}
	rs.mounts = []*route{{pattern: "/api"}, {pattern: prefix}} // no subtree has these
	for _, m := range mounts {
		rt, err := m.route()
		if err != nil {
			return rs, err
		}
		if slices.ContainsFunc(rs.mounts, func(other *route) bool { return other.pattern == m.Path }) {
			return rs, fmt.Errorf("httpapi: the path of the mount at %q is taken", m.Path)
		}
		rs.mounts = append(rs.mounts, rt)
	}
	slices.SortFunc(rs.mounts, func(a, b *route) int { return cmp.Compare(len(b.pattern), len(a.pattern)) })
	return rs, nil
}

// find returns the route of a request.
func (r *router) find(u *url.URL) (*route, pathValues) {
	var list [maxSegments]string
	if segments, ok := httpcache.Segments(u, list[:0]); ok {
		for i := range r.routes {
			if rt := &r.routes[i]; match(rt.segments, segments) {
				values := rt.valuesOf(segments)
				return rt, values
			}
		}
	}
	return r.mounted(u.Path), pathValues{}
}

// mounted returns the route of a mount. Below one that is not a subtree there is
// nothing.
func (r *router) mounted(path string) *route {
	for _, rt := range r.mounts {
		rest, ok := strings.CutPrefix(path, rt.pattern)
		switch {
		case !ok:
		case rt.mount != nil && (rest == "" || strings.HasSuffix(rt.pattern, "/")):
			return rt
		case rest == "" || rest[0] == '/':
			return &unknown
		}
	}
	return &unknown
}

// match reports whether the segments of a path are those of a pattern.
func match(pattern, segments []string) bool {
	n := len(pattern)
	if len(segments) < n || len(segments) > n && !strings.HasSuffix(pattern[n-1], "...}") {
		return false
	}
	for i := n - 1; i >= 0; i-- { // most patterns begin alike
		if pattern[i][0] != '{' && pattern[i] != segments[i] {
			return false
		}
	}
	return true
}

// valuesOf returns the values of the wildcards of a route that matches.
func (rt *route) valuesOf(segments []string) (at pathValues) {
	for i, name := range rt.segments {
		switch {
		case name == "{"+versionWildcard+"}":
			at.version = segments[i]
		case rt.added != nil: // see Request.PathValue
		case name == "{element_id}":
			at.element = segments[i]
		case name == "{file}":
			at.file = segments[i]
		}
	}
	return at
}

// A Mount is a handler of another protocol beside the API. Its requests are
// limited, logged and observed like those of the API, and have a request id, which
// stores pass on with the trace of the request if they get its context; the rest,
// CORS and OPTIONS included, is up to the handler.
type Mount struct {
	// Path is a path such as /mcp, or a subtree such as /explorer/ or /, which
	// ends in a slash. The longest path that fits a request counts. A subtree
	// leaves out /api/ and what is below the path of another mount.
	Path string
	// Ready returns an error, such as a [datachain.Error], if a request can't be
	// served now for a reason that other servers may not have. It may wait. The
	// request gets 503 and is not charged, so that a load balancer can send it
	// elsewhere. Nil means that the handler always is ready.
	Ready func(ctx context.Context, r *http.Request) error
	// Bucket returns the bucket that a request is charged to, or [ratelimit.Free];
	// nil means [ratelimit.Read] for all.
	Bucket func(r *http.Request) ratelimit.Bucket
	// Refuse writes an error in the format of the handler for a request that is not
	// served because of a limit, the store or a panic. Headers such as Retry-After are
	// set already. Nil writes an error of the API.
	Refuse  func(w http.ResponseWriter, r *http.Request, status int, issue issue.Issue)
	Handler http.Handler
}

// route returns the route of a mount.
func (m Mount) route() (*route, error) {
	switch {
	case m.Handler == nil:
		return nil, fmt.Errorf("httpapi: the mount at %q has no handler", m.Path)
	case m.Path != "/" && (strings.HasSuffix(m.Path, "//") || !httpcache.Clean(strings.TrimSuffix(m.Path, "/"))):
		return nil, fmt.Errorf("httpapi: the path of the mount at %q must begin with / and have no empty or dot segments", m.Path)
	case strings.HasPrefix(m.Path+"/", prefix+"/"):
		return nil, fmt.Errorf("httpapi: the path of the mount at %q must be outside %s", m.Path, prefix)
	}
	return &route{pattern: m.Path, mount: &m, handle: (*api).serveMounted}, nil
}

func (a *api) serveMounted(_ context.Context, res *response, r *http.Request) error {
	r = r.WithContext(res.traced(r)) // not the other one, whose deadline is that of a read
	if wrapped, ok := r.Context().Value(connKey{}).(*conn); ok && r.TLS == nil {
		r.TLS = wrapped.state
	}
	res.route.mount.Handler.ServeHTTP(res, r)
	return nil
}

// params are the query parameters that a route knows, each once, in the order of
// the route.
type params struct {
	names  []string
	values []string // nil if there are none
}

// parameters parses the parameters of a route and ignores others. A list
// that is repeated is joined, as many clients write it. Any other parameter that
// is repeated is refused, because half of what was asked for would be lost.
func parameters(r *http.Request, rt *route) (params, error) {
	p, names := params{names: rt.params}, rt.params
	if r.URL.RawQuery == "" {
		return p, nil
	}
	p.values = make([]string, len(names))
	query := r.URL.RawQuery
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		rawKey, rawValue, _ := strings.Cut(pair, "=")
		key, err := url.QueryUnescape(rawKey)
		if err == nil {
			rawValue, err = url.QueryUnescape(rawValue)
		}
		if err != nil {
			return p, problem(issue.CodeBadRequest, "write % as %25", "The query string is malformed: %s.", wording.Plain(err.Error()))
		}
		for i, name := range names {
			if name != key || rawValue == "" {
				continue
			}
			switch {
			case p.values[i] == "":
				p.values[i] = rawValue
			case slices.Contains(rt.lists, name):
				p.values[i] += "," + rawValue
			default:
				return p, problem(issue.CodeBadRequest, "send it once", "The parameter %s is repeated.", name)
			}
		}
	}
	return p, nil
}

// get returns a parameter, or "" if it is missing.
func (p params) get(name string) string {
	for i, value := range p.values {
		if p.names[i] == name {
			return value
		}
	}
	return ""
}

// list returns the items of a parameter with commas, or nil if it is missing.
func (p params) list(name string) []string {
	value := p.get(name)
	if value == "" {
		return nil
	}
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// String returns the query string in a canonical form.
func (p params) String() string {
	var b strings.Builder
	for i, value := range p.values {
		if value == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(p.names[i] + "=" + url.QueryEscape(value))
	}
	return b.String()
}

// limit returns the parameter limit, or 0 if it is missing.
func (p params) limit() (int, error) {
	value := p.get("limit")
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(value, 10, 16)
	if err != nil || strings.Trim(value, "0123456789") != "" || n < 1 || n > lists.MaxPage {
		return 0, problem(issue.CodeBadRequest, "use an integer from 1 to "+strconv.Itoa(lists.MaxPage),
			"The limit %q is not an integer from 1 to %d.", wording.Plain(value), lists.MaxPage)
	}
	return int(n), nil
}

// boolean returns a parameter that is true or false, which is the default.
func (p params) boolean(name string) (bool, error) {
	value := p.get(name)
	if value != "" && value != "true" && value != "false" {
		return false, problem(issue.CodeBadRequest, "use true or false", "The parameter %s must be true or false.", name)
	}
	return value == "true", nil
}

// projection returns which fields and locales to show. The argument is the default
// of fields.
func (p params) projection(fields []string) lists.Projection {
	if fieldNames := p.list("fields"); fieldNames != nil {
		fields = fieldNames
	}
	return lists.Projection{Fields: fields, Locales: p.list("locales")}
}
