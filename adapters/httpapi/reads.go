package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// listing is the answer to the list of schemas, with the index it was made of.
type listing struct {
	index  *taxonomy.Index
	answer *answer
}

func (a *api) getSchemas(ctx context.Context, res *response, r *http.Request) error {
	index, err := a.service.Versions(ctx)
	if err != nil {
		return err
	}
	current := a.schemas.Load()
	if current == nil || current.index != index {
		text, err := json.Marshal(index)
		if err != nil {
			return err
		}
		// The index is {"versions": […]}: ok goes before.
		body := append([]byte(`{"ok":true,`), bytes.TrimPrefix(text, []byte("{"))...)
		current = &listing{index, newAnswer(typeJSON, "no-cache", body)}
		a.schemas.Store(current)
	}
	a.write(res, r, nil, current.answer)
	return nil
}

// opening begins the body of a response about a release.
func opening(release *taxonomy.Release, member string) []byte {
	b := append([]byte(`{"ok":true,"version":"`), release.Version().String()...)
	return append(append(append(b, `","`...), member...), `":`...)
}

func (a *api) getManifest(ctx context.Context, res *response, r *http.Request) error {
	schema, err := a.service.Open(ctx, res.version)
	if err != nil {
		return err
	}
	release := schema.Release()
	return a.cached(ctx, res, r, release, "", "", func() (*answer, error) {
		body := append(append(opening(release, "manifest"), release.ManifestJSON()...), '}')
		return newAnswer(typeJSON, jsonCaching(release), body).of(a, release, "/manifest", ""), nil
	})
}

func (a *api) getCategories(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, "locales")
	if err != nil {
		return err
	}
	schema, err := a.service.Open(ctx, res.version)
	if err != nil {
		return err
	}
	release := schema.Release()
	return a.cached(ctx, res, r, release, "", p.String(), func() (*answer, error) {
		body := append(schema.AppendCategories(opening(release, "categories"), p.projection(nil)), '}')
		return newAnswer(typeJSON, jsonCaching(release), body).of(a, release, "/categories", p.String()), nil
	})
}

func (a *api) getElement(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, "fields", "locales")
	if err != nil {
		return err
	}
	schema, e, err := a.element(ctx, res)
	if err != nil {
		return err
	}
	release := schema.Release()
	return a.cached(ctx, res, r, release, e.ID, p.String(), func() (*answer, error) {
		body := p.projection(nil).Append(opening(release, "element"), release.ElementJSON(e.ID))
		return newAnswer(typeJSON, jsonCaching(release), append(body, '}')).of(a, release, "/elements/"+e.ID, p.String()), nil
	})
}

// element returns the element that a request addresses. A malformed id is refused
// before the version is looked up.
func (a *api) element(ctx context.Context, res *response) (*datachain.Schema, *taxonomy.Element, error) {
	if err := datachain.CheckElementID(res.elementID); err != nil {
		return nil, nil, err
	}
	schema, err := a.service.Open(ctx, res.version)
	if err != nil {
		return nil, nil, err
	}
	e, err := schema.Element(res.elementID)
	return schema, e, err
}

func (a *api) getElements(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, "category_id", "locale", "locales", "query", "fields", "limit", "cursor", "ids")
	if err != nil {
		return err
	}
	schema, err := a.service.Open(ctx, res.version)
	if err != nil {
		return err
	}
	release := schema.Release()
	return a.cached(ctx, res, r, release, "", p.String(), func() (*answer, error) {
		list := listPage
		if p.get("ids") != "" {
			list = listSelection
		}
		body, err := list(ctx, schema, p)
		if err != nil {
			return nil, err
		}
		return newAnswer(typeJSON, jsonCaching(release), body).of(a, release, "/elements", p.String()), nil
	})
}

// listPage returns the body of a page of elements.
func listPage(ctx context.Context, schema *datachain.Schema, p params) ([]byte, error) {
	limit, err := p.limit()
	if err != nil {
		return nil, err
	}
	page, err := schema.Elements(ctx, datachain.ElementQuery{
		CategoryID: p.get("category_id"), Text: p.get("query"), Locale: p.get("locale"), Limit: limit, Cursor: p.get("cursor"),
	})
	if err != nil {
		return nil, err
	}
	return append(appendPage(schema, page, p), '}'), nil
}

// listSelection returns the body of elements that are requested by id.
func listSelection(_ context.Context, schema *datachain.Schema, p params) ([]byte, error) {
	if err := datachain.CheckLocale(p.get("locale")); err != nil {
		return nil, err
	}
	for _, other := range []string{"query", "cursor", "limit", "category_id"} {
		if strings.TrimSpace(p.get(other)) != "" {
			return nil, problem(issue.CodeBadRequest, "omit "+other+" or ids", "The parameters ids and %s can't be combined.", other)
		}
	}
	found, err := schema.ElementsByID(p.list("ids"))
	if err != nil {
		return nil, err
	}
	missing, err := json.Marshal(found.Missing) // nil is []
	if err != nil {
		return nil, err
	}
	body := appendPage(schema, &datachain.Page{Elements: found.Elements, Total: len(found.Elements)}, p)
	body = append(body[:len(body)-1], `,"missing":`...) // into meta
	return append(append(body, missing...), "}}"...), nil
}

// appendPage returns the body of a list up to the end of its meta.
func appendPage(schema *datachain.Schema, page *datachain.Page, p params) []byte {
	body := schema.AppendElements(opening(schema.Release(), "elements"), page.Elements, p.projection(datachain.ListFields()))
	return page.AppendMeta(append(body, `,"meta":`...))
}

// getRelease answers with what a client needs to verify the content hash: the
// five parts in canonical form, and nothing else.
func (a *api) getRelease(ctx context.Context, res *response, r *http.Request) error {
	schema, err := a.service.Open(ctx, res.version)
	if err != nil {
		return err
	}
	release := schema.Release()
	return a.cached(ctx, res, r, release, "", "", func() (*answer, error) {
		var b bytes.Buffer
		b.Grow(2 * release.Len())
		if _, err := release.WriteTo(&b); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the closing brace: symbols sorts last
		b.WriteString(`,"symbols":`)
		body := append(schema.AppendSymbols(b.Bytes()), '}')
		return newAnswer(typeJSON, jsonCaching(release), body).of(a, release, "/release", ""), nil
	})
}

// getJSONSchema answers with a JSON Schema for editors. They change with the
// program alone.
func (a *api) getJSONSchema(ctx context.Context, res *response, r *http.Request) error {
	name, err := cutFile(res, r, ".json")
	if err != nil {
		return err
	}
	return a.cached(ctx, res, r, nil, name, "", func() (*answer, error) {
		text, err := datachain.JSONSchema(name)
		if err != nil {
			return nil, err
		}
		return newAnswer("application/schema+json; charset=utf-8", "public, max-age=3600", text), nil
	})
}
