package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/answer"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// listing is the list of schema versions with the index it was made from.
type listing struct {
	index  *taxonomy.Index
	answer *answer.Answer
}

func (a *api) getSchemas(_ context.Context, res *response, r *http.Request) error {
	current := a.schemas.Load()
	if current == nil || !current.index.Equal(res.index) {
		text, err := json.Marshal(res.index)
		if err != nil {
			return err
		}
		// The index is {"versions": […], "retired": […]}.
		body := append([]byte(`{"ok":true,`), bytes.TrimPrefix(text, []byte("{"))...)
		current = &listing{res.index, answer.New(typeJSON, "no-cache", body)}
		a.schemas.Store(current)
	}
	return a.write(res, r, nil, current.answer)
}

// getJSON serves the routes whose body is JSON of a version.
func (a *api) getJSON(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, res.route.params)
	if err != nil {
		return err
	}
	schema, err := a.open(ctx, res)
	if err != nil {
		return err
	}
	return a.respond(ctx, res, r, reading{schema: schema, id: res.elementID, params: p}, (*api).createJSON)
}

func (a *api) createJSON(ctx context.Context, res *response, q *reading) (*answer.Answer, error) {
	body, err := res.route.body(ctx, q)
	if err != nil {
		return nil, err
	}
	resource := strings.Replace(res.route.pattern[len(versioned):], "{element_id}", q.id, 1)
	release := q.schema.Release()
	return a.about(answer.New(typeJSON, caching(release, "public, max-age=86400, immutable", "no-store"), body), release, resource, q.params.String()), nil
}

// open opens the version of a request, and checks the element if the route has
// one. A malformed id is refused before the version is looked up.
func (a *api) open(ctx context.Context, res *response) (*datachain.Schema, error) {
	var err error
	if res.elementID != "" {
		if err := datachain.CheckElementID(res.elementID); err != nil {
			return nil, err
		}
	}
	if res.schema = res.found; res.schema == nil { // there is no such version, but may be by now
		if res.schema, err = a.service.Open(ctx, res.version); err != nil {
			return nil, err
		}
	}
	if res.elementID != "" {
		_, err = res.schema.Element(res.elementID)
	}
	return res.schema, err
}

// opening begins a body about a release.
func opening(q *reading, member string) []byte {
	b := append([]byte(`{"ok":true,"version":"`), q.schema.Release().Version().String()...)
	return append(append(append(b, `","`...), member...), `":`...)
}

func manifestJSON(_ context.Context, q *reading) ([]byte, error) {
	return append(append(opening(q, "manifest"), q.schema.Release().ManifestJSON()...), '}'), nil
}

func categoriesJSON(_ context.Context, q *reading) ([]byte, error) {
	return append(q.schema.AppendCategories(opening(q, "categories"), q.params.projection(nil)), '}'), nil
}

func elementJSON(_ context.Context, q *reading) ([]byte, error) {
	return append(q.params.projection(nil).Append(opening(q, "element"), q.schema.Release().ElementJSON(q.id)), '}'), nil
}

// elementsJSON is a page of elements or, with ids, a selection.
func elementsJSON(ctx context.Context, q *reading) ([]byte, error) {
	p := q.params
	if p.get("ids") != "" {
		return selection(q)
	}
	limit, err := p.limit()
	if err != nil {
		return nil, err
	}
	page, err := q.schema.Elements(ctx, datachain.ElementQuery{
		CategoryID: p.get("category_id"), Text: p.get("query"), Locale: p.get("locale"), Limit: limit, Cursor: p.get("cursor"),
	})
	if err != nil {
		return nil, err
	}
	return append(pageOf(q, page), '}'), nil
}

// selection is the elements with the given ids.
func selection(q *reading) ([]byte, error) {
	if err := datachain.CheckLocale(q.params.get("locale")); err != nil {
		return nil, err
	}
	for _, other := range []string{"query", "cursor", "limit", "category_id"} {
		if strings.TrimSpace(q.params.get(other)) != "" {
			return nil, problem(issue.CodeBadRequest, "omit "+other+" or ids", "The parameters ids and %s can't be combined.", other)
		}
	}
	found, err := q.schema.ElementsByID(q.params.list("ids"))
	if err != nil {
		return nil, err
	}
	missing, err := json.Marshal(found.Missing) // nil is []
	if err != nil {
		return nil, err
	}
	body := pageOf(q, &datachain.Page{Elements: found.Elements, Total: len(found.Elements)})
	body = append(body[:len(body)-1], `,"missing":`...) // into meta
	return append(append(body, missing...), "}}"...), nil
}

// pageOf returns the body of a list up to the end of its meta.
func pageOf(q *reading, page *datachain.Page) []byte {
	body := q.schema.AppendElements(opening(q, "elements"), page.Elements, q.params.projection(datachain.ListFields()))
	return page.AppendMeta(append(body, `,"meta":`...))
}

// releaseJSON is what a client needs to verify the content hash: five parts in
// canonical form, and nothing else.
func releaseJSON(_ context.Context, q *reading) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(2 * q.schema.Release().Len())
	if _, err := q.schema.Release().WriteTo(&b); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - 1) // the closing brace: symbols sorts last
	b.WriteString(`,"symbols":`)
	return append(q.schema.AppendSymbols(b.Bytes()), '}'), nil
}

// getInstanceSchema serves the JSON Schema of the documents of a version. All locales
// that match the same language of the version share one answer.
func (a *api) getInstanceSchema(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, res.route.params)
	if err != nil {
		return err
	}
	schema, err := a.open(ctx, res)
	if err != nil {
		return err
	}
	locale, err := schema.MatchLocale(p.get("locale"))
	if err != nil {
		return err
	}
	return a.respond(ctx, res, r, reading{schema: schema, id: locale}, (*api).createInstanceSchema)
}

func (a *api) createInstanceSchema(_ context.Context, res *response, q *reading) (*answer.Answer, error) {
	body, err := q.schema.JSONSchema(q.id)
	if err != nil {
		return nil, err
	}
	release := q.schema.Release()
	ans := answer.New(typeSchema, caching(release, "public, max-age=86400, immutable", "no-store"), body)
	return a.about(ans, release, res.route.pattern[len(versioned):], "locale="+url.QueryEscape(q.id)), nil
}

// static is a resource of the program, not of a version.
type static struct {
	extension, contentType, caching string
	content                         func(a *api, name string) ([]byte, error)
}

var (
	shape = static{".svg", typeSVG, forever, func(_ *api, name string) ([]byte, error) { return datachain.Shape(name) }}

	jsonSchema = static{
		".json", typeSchema, "public, max-age=3600",
		func(_ *api, name string) ([]byte, error) {
			text, ok := validate.JSONSchema(name)
			if !ok {
				return nil, problem(issue.CodeNotFound, "use "+prose.Or(validate.JSONSchemaNames()), "There is no JSON Schema %s.", prose.Clip(name))
			}
			return text, nil
		},
	}

	description = static{"", typeJSON, "public, max-age=3600", func(a *api, _ string) ([]byte, error) { return a.description, nil }}
)

func (a *api) getStatic(ctx context.Context, res *response, r *http.Request) error {
	name, ok := strings.CutSuffix(res.file, res.route.static.extension)
	if !ok {
		return noResource(r.URL.Path, "end the URL in "+res.route.static.extension)
	}
	return a.respond(ctx, res, r, reading{id: name}, (*api).createStatic)
}

func (a *api) createStatic(_ context.Context, res *response, q *reading) (*answer.Answer, error) {
	from := res.route.static
	body, err := from.content(a, q.id)
	if err != nil {
		return nil, err
	}
	if from.contentType == typeSVG {
		return newSVG(from.caching, body), nil
	}
	return answer.New(from.contentType, from.caching, body), nil
}
