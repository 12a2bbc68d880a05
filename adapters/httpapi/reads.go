package httpapi

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
	"github.com/datachain-go/datachain/validate"
)

// listing is the list of schema versions with the index it was made from.
type listing struct {
	index  *taxonomy.Index
	names  map[string]bool // the ids and aliases in it
	answer *httpcache.Answer
}

// list returns the listing of an index, which is made once for each content.
func (a *api) list(index *taxonomy.Index) (*listing, error) {
	if last := a.listed.Load(); last != nil && last.index.Equal(index) {
		return last, nil
	}
	text, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	// The index is {"versions": […], "retired": […], "types": […]}.
	body := append([]byte(`{"ok":true,`), bytes.TrimPrefix(text, []byte("{"))...)
	next := &listing{index, make(map[string]bool), httpcache.NewAnswer(typeJSON, "no-cache", body)}
	for _, e := range index.Entries() {
		next.names[e.ID.String()] = true
		for _, alias := range e.Aliases {
			next.names[alias] = true
		}
	}
	a.listed.Store(next)
	return next, nil
}

func (a *api) getSchemas(_ context.Context, res *response, r *http.Request) error {
	return a.write(res, r, nil, res.listed.answer)
}

// getJSON serves the routes whose body is JSON of a version.
func (a *api) getJSON(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, res.route)
	if err != nil {
		return err
	}
	return a.respondAbout(ctx, res, r, reading{id: res.element, params: p}, (*api).createJSON)
}

func (a *api) createJSON(ctx context.Context, res *response, rd *reading) (*httpcache.Answer, error) {
	body, err := res.route.body(ctx, rd)
	if err != nil {
		return nil, err
	}
	resource := strings.Replace(res.route.pattern[len(versioned):], "{element_id}", rd.id, 1)
	release := rd.schema.Release()
	return a.withRelease(httpcache.NewAnswer(typeJSON, caching(release, "public, max-age=86400, immutable", "no-store"), body), release, resource, rd.params.String()), nil
}

// open opens the version of a request, and checks the element if the route has
// one. A malformed id is refused before the version is looked up.
func (a *api) open(ctx context.Context, res *response) (*datachain.Schema, error) {
	var err error
	if res.element != "" {
		if err := datachain.Check("element_id", res.element); err != nil {
			return nil, err
		}
	}
	if res.schema = res.found; res.schema == nil { // there was no such version, but it may have been published since
		if res.schema, err = a.service.Open(ctx, res.version); err != nil {
			return nil, err
		}
	}
	if state := res.schema.State(); state.Deprecated != "" {
		a.announce(res.Header(), state)
	}
	if res.element != "" {
		_, err = res.schema.Element(res.element)
	}
	return res.schema, err
}

// announce sets the headers of answers about a version that is deprecated: Deprecation
// (RFC 9745), Sunset (RFC 8594) and a link to its successor. They are not part of an
// answer, since the state may change while the content does not.
func (a *api) announce(h http.Header, s taxonomy.State) {
	if since, err := time.Parse(time.DateOnly, s.Deprecated); err == nil {
		h.Set("Deprecation", "@"+strconv.FormatInt(since.Unix(), 10))
	}
	if end, err := time.Parse(time.DateOnly, s.Sunset); err == nil {
		h.Set("Sunset", end.Format(http.TimeFormat))
	}
	if !s.Successor.IsZero() {
		h.Add("Link", "<"+a.base+prefix+"/schemas/"+s.Successor.String()+`/manifest>; rel="successor-version"`)
	}
}

// beginBody begins a body about a release.
func beginBody(rd *reading, member string) []byte {
	b := append([]byte(`{"ok":true,"version":"`), rd.schema.Release().Version().String()...)
	return append(append(append(b, `","`...), member...), `":`...)
}

func manifestJSON(_ context.Context, rd *reading) ([]byte, error) {
	return append(append(beginBody(rd, "manifest"), rd.schema.Release().ManifestJSON()...), '}'), nil
}

func categoriesJSON(_ context.Context, rd *reading) ([]byte, error) {
	return append(lists.AppendCategories(beginBody(rd, "categories"), rd.schema.Release(), rd.params.projection(nil)), '}'), nil
}

// elementJSON is one element. It has meta only if there are unknown names in the query.
func elementJSON(_ context.Context, rd *reading) ([]byte, error) {
	body := rd.params.projection(nil).Append(beginBody(rd, "element"), rd.schema.Release().ElementJSON(rd.id))
	element, err := rd.schema.Element(rd.id)
	if err != nil {
		return nil, err
	}
	if unknown := rd.unknown([]*taxonomy.Element{element}); unknown != nil {
		body = appendStrings(append(body, `,"meta":{"unknown":`...), unknown)
		body = append(body, '}')
	}
	return append(body, '}'), nil
}

// unknown returns the names in the query that select nothing: fields that elements don't have, and
// a category that the version lacks.
func (rd *reading) unknown(elements []*taxonomy.Element) (names []string) {
	fields := rd.params.list("fields")
	for _, i := range lists.UnknownFields(fields, elements) {
		names = append(names, wording.Clip(fields[i]))
	}
	if id := rd.params.get("category_id"); id != "" {
		if _, ok := rd.schema.Release().Category(id); !ok {
			names = append(names, wording.Clip(id))
		}
	}
	return names
}

// appendStrings appends a JSON array of strings.
func appendStrings(dst []byte, items []string) []byte {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jcs.AppendQuote(dst, item)
	}
	return append(dst, ']')
}

// elementsJSON is a page of elements or, with ids, a selection.
func elementsJSON(ctx context.Context, rd *reading) ([]byte, error) {
	p := rd.params
	if p.get("ids") != "" {
		return selection(rd)
	}
	limit, err := p.limit()
	if err != nil {
		return nil, err
	}
	page, err := rd.schema.Elements(ctx, datachain.ElementQuery{
		Lenient: true, CategoryID: p.get("category_id"), Text: p.get("query"), Locale: p.get("locale"), Limit: limit, Cursor: p.get("cursor"),
	})
	if err != nil {
		return nil, err
	}
	return append(beginPage(rd, page), '}'), nil
}

// selection is the elements with the given ids.
func selection(rd *reading) ([]byte, error) {
	if err := datachain.Check("locale", rd.params.get("locale")); err != nil {
		return nil, err
	}
	for _, other := range []string{"query", "cursor", "limit", "category_id"} {
		if strings.TrimSpace(rd.params.get(other)) != "" {
			return nil, problem(issue.CodeBadRequest, "omit "+other+" or ids", "The parameters ids and %s can't be combined.", other)
		}
	}
	found, err := rd.schema.ElementsByID(rd.params.list("ids"))
	if err != nil {
		return nil, err
	}
	body := beginPage(rd, &datachain.Page{Elements: found.Elements, Total: len(found.Elements)})
	body = appendStrings(append(body[:len(body)-1], `,"missing":`...), found.Missing) // into meta
	return append(body, "}}"...), nil
}

// beginPage returns the body of a list up to the end of its meta.
func beginPage(rd *reading, page *datachain.Page) []byte {
	show := rd.params.projection(lists.ListFields())
	body := lists.AppendElements(beginBody(rd, "elements"), rd.schema.Release(), page.Elements, show)
	body = lists.AppendMeta(append(body, `,"meta":`...), page.Total, len(page.Elements), page.NextCursor, page.DidYouMean)
	if unknown := rd.unknown(page.Elements); unknown != nil {
		body = appendStrings(append(body[:len(body)-1], `,"unknown":`...), unknown)
		body = append(body, '}')
	}
	return body
}

// releaseJSON is what a client needs to verify the content hash: five parts in
// canonical form, and nothing else.
func releaseJSON(_ context.Context, rd *reading) ([]byte, error) {
	return rd.schema.Release().MarshalJSON()
}

// static is a resource of the program, not of a version.
type static struct {
	extension, contentType, caching string
	content                         func(a *api, name string) ([]byte, error)
}

var (
	shape = static{
		".svg", typeSVG, neverChanges,
		func(_ *api, name string) ([]byte, error) {
			if err := datachain.Check("shape", name); err != nil {
				return nil, err
			}
			svg, ok := icons.Shape(taxonomy.Shape(name))
			if !ok {
				var known []string
				for _, shape := range taxonomy.Shapes() {
					known = append(known, string(shape))
				}
				return nil, &datachain.Error{Kind: datachain.KindUnknown, Param: "shape", Known: known, Err: taxonomy.ErrNotFound, Issue: issue.Issue{
					Code: issue.CodeNotFound, Message: "There is no shape " + name + ".", FixHint: "use " + wording.Or(known),
				}}
			}
			return svg, nil
		},
	}

	jsonSchema = static{
		".json", typeSchema, "public, max-age=3600",
		func(_ *api, name string) ([]byte, error) {
			text, ok := validate.JSONSchema(name)
			if !ok {
				return nil, problem(issue.CodeNotFound, "use "+wording.Or(validate.JSONSchemaNames()), "There is no JSON Schema %s.", wording.Clip(name))
			}
			return text, nil
		},
	}

	description = static{"", typeJSON, "public, max-age=3600", func(a *api, _ string) ([]byte, error) { return a.description, nil }}
)

func (a *api) getStatic(ctx context.Context, res *response, r *http.Request) error {
	name, ok := strings.CutSuffix(res.file, res.route.static.extension)
	if !ok {
		return a.notFound(r, "end the URL in "+res.route.static.extension)
	}
	return a.respond(ctx, res, r, reading{id: name}, (*api).createStatic)
}

func (a *api) createStatic(_ context.Context, res *response, rd *reading) (*httpcache.Answer, error) {
	from := res.route.static
	body, err := from.content(a, rd.id)
	if err != nil {
		return nil, err
	}
	if from.contentType == typeSVG {
		return newSVG(from.caching, body), nil
	}
	return httpcache.NewAnswer(from.contentType, from.caching, body), nil
}

func (a *api) getSymbol(ctx context.Context, res *response, r *http.Request) error {
	id, ok := strings.CutSuffix(res.file, ".svg")
	if !ok {
		return a.notFound(r, "end the URL in .svg")
	}
	if err := datachain.Check("symbol_id", id); err != nil {
		return err
	}
	return a.respondAbout(ctx, res, r, reading{id: id}, (*api).createSymbol)
}

func (a *api) createSymbol(ctx context.Context, _ *response, rd *reading) (*httpcache.Answer, error) {
	svg, err := rd.schema.Symbol(ctx, rd.id)
	if err != nil {
		return nil, err
	}
	release := rd.schema.Release()
	return a.withRelease(newSVG(caching(release, neverChanges, "public, max-age=3600"), svg), release, "/symbols/"+rd.id+".svg", ""), nil
}

func (a *api) getIcon(ctx context.Context, res *response, r *http.Request) error {
	variant, err := a.iconVariant(res, r)
	if err != nil {
		return err
	}
	return a.respondAbout(ctx, res, r, reading{id: res.element, icon: variant}, (*api).createIcon)
}

// createIcon reads a baked icon or composes it. A composed icon of a beta expires
// soon, because it may be baked meanwhile.
func (a *api) createIcon(ctx context.Context, res *response, rd *reading) (*httpcache.Answer, error) {
	icon, err := rd.schema.Icon(ctx, rd.id, rd.icon)
	if err != nil {
		return nil, err
	}
	release, beta, file := rd.schema.Release(), "public, max-age=3600", "icon."+rd.icon+".svg"
	if rd.icon == taxonomy.VariantDefault {
		file = "icon.svg"
	}
	if !icon.Baked {
		beta = "public, max-age=60"
		a.Logger.LogAttrs(ctx, slog.LevelInfo, "icon_miss_fallback",
			slog.String("version", release.Version().String()), slog.String("element_id", rd.id),
			slog.String("variant", rd.icon), slog.String("request_id", res.id[0]))
	}
	ans := a.withRelease(newSVG(caching(release, neverChanges, beta), icon.SVG), release, "/elements/"+rd.id+"/"+file, "")
	if !icon.Baked && release.Version().Status() == taxonomy.Beta {
		ans.Expires = time.Now().Add(time.Minute)
	}
	return ans, nil
}

// iconVariant returns the variant of icon.svg or icon.<variant>.svg.
func (a *api) iconVariant(res *response, r *http.Request) (string, error) {
	if res.file == "icon.svg" {
		return taxonomy.VariantDefault, nil
	}
	variant, isIcon := strings.CutPrefix(res.file, "icon.")
	variant, isSVG := strings.CutSuffix(variant, ".svg")
	if !isIcon || !isSVG {
		return "", a.notFound(r, "use icon.svg or icon.<variant>.svg")
	}
	return variant, datachain.Check("variant", variant)
}

const (
	typeJSON   = "application/json; charset=utf-8"
	typeSchema = "application/schema+json; charset=utf-8"
	typeSVG    = "image/svg+xml; charset=utf-8"
	typeHTML   = "text/html; charset=utf-8"
)

// reading is what a read asks for.
type reading struct {
	schema *datachain.Schema // nil if it is not about a version
	id     string            // what else it is about, such as an element
	params params
	icon   string // its variant
	// request and make are those of an added route.
	request *Request
	make    func(context.Context) (*Body, error)
}

// answerKey identifies an answer. It has both version and content, because the
// same content may be published as two versions.
type answerKey struct {
	version    taxonomy.Version
	content    taxonomy.Hash
	route      *route
	id, params string
}

// maxLocation is the length of the longest Content-Location. Proxies refuse
// headers that are too long, and the response with them.
const maxLocation = 4 << 10

// withRelease sets the headers of an answer about a release.
func (a *api) withRelease(ans *httpcache.Answer, release *taxonomy.Release, resource, query string) *httpcache.Answer {
	return a.withLocation(ans, release, prefix+"/schemas/"+release.Version().String()+resource, query)
}

// withLocation is withRelease for any path, which is that of the canonical version.
func (a *api) withLocation(ans *httpcache.Answer, release *taxonomy.Release, location, query string) *httpcache.Answer {
	location = a.base + location
	if query != "" {
		location += "?" + query
	}
	ans.With("Service-Content-Hash", release.ContentHash().String())
	if len(location) <= maxLocation {
		ans.With("Content-Location", location)
	}
	return ans
}

// A creator creates the answer to a read.
type creator func(a *api, ctx context.Context, res *response, rd *reading) (*httpcache.Answer, error)

// respond answers a read from the cache, or with a new answer that it caches.
func (a *api) respond(ctx context.Context, res *response, r *http.Request, rd reading, create creator) error {
	key := answerKey{route: res.route, id: rd.id, params: rd.icon}
	if rd.params.values != nil {
		key.params = rd.params.String()
	}
	if rd.schema != nil {
		key.version, key.content = rd.schema.Release().Version(), rd.schema.Release().ContentHash()
	}
	ans, ok := a.answers.Get(key)
	if !ok {
		var err error
		if ans, err = a.create(ctx, key, res, rd, create); err != nil {
			return err
		}
	}
	return a.write(res, r, rd.schema, ans)
}

// respondAbout is respond for a read about the version of the request, which it opens.
func (a *api) respondAbout(ctx context.Context, res *response, r *http.Request, rd reading, create creator) (err error) {
	if rd.schema, err = a.open(ctx, res); err != nil {
		return err
	}
	return a.respond(ctx, res, r, rd, create)
}

// create creates an answer and caches it. It is not part of respond, which would allocate the reading of cached answers, too.
func (a *api) create(ctx context.Context, key answerKey, res *response, rd reading, create creator) (*httpcache.Answer, error) {
	return a.answers.Make(ctx, key, len(key.id)+len(key.params), func() (*httpcache.Answer, error) { return create(a, ctx, res, &rd) })
}

// newSVG returns an answer that is a picture.
func newSVG(caching string, svg []byte) *httpcache.Answer {
	return httpcache.NewAnswer(typeSVG, caching, svg).WithBody("Content-Security-Policy", httpcache.SVGPolicy)
}

// write sends an answer. It fails if the client requires another one.
func (a *api) write(res *response, r *http.Request, schema *datachain.Schema, ans *httpcache.Answer) error {
	var caching []string
	if a.AliasMaxAge != 0 && schema != nil && res.version != schema.Release().Version().String() {
		caching = a.aliasCaching(schema.Release(), ans.CacheControl())
	}
	if a.Private {
		caching = httpcache.Private(caching, ans)
	}
	if err := ans.Send(res, r, caching); err != nil {
		return problem(codes.PreconditionFailed, "read it again without If-Match",
			"The resource has changed: If-Match names no current entity tag of it.")
	}
	return nil
}

// aliasCaching returns the Cache-Control of an answer that was requested by an
// alias.
func (a *api) aliasCaching(release *taxonomy.Release, usual []string) []string {
	const directive = "public, max-age="
	maxAge := int(max(0, a.AliasMaxAge).Seconds())
	if release.Version().Status() == taxonomy.Beta {
		age, cached := strings.CutPrefix(usual[0], directive)
		if n, err := strconv.Atoi(age); !cached || err == nil && n <= maxAge {
			return usual
		}
	}
	return []string{directive + strconv.Itoa(maxAge)}
}

// neverChanges is the Cache-Control of images that never change.
const neverChanges = "public, max-age=31536000, immutable"

// caching returns the Cache-Control of a release, which depends on its status.
func caching(release *taxonomy.Release, stable, beta string) string {
	if release.Version().Status() == taxonomy.Stable {
		return stable
	}
	return beta
}
