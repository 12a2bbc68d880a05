package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
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

// opening begins the body of an answer about a release.
func opening(release *taxonomy.Release, member string) []byte {
	b := append([]byte(`{"ok":true,"version":"`), release.Version().String()...)
	return append(append(append(b, `","`...), member...), `":`...)
}

func (a *api) getManifest(ctx context.Context, res *response, r *http.Request) error {
	release, err := a.service.Release(ctx, res.version)
	if err != nil {
		return err
	}
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
	release, categories, err := a.service.Categories(ctx, res.version)
	if err != nil {
		return err
	}
	return a.cached(ctx, res, r, release, "", p.String(), func() (*answer, error) {
		show := p.projection(nil)
		body := append(opening(release, "categories"), '[')
		for i, c := range categories {
			if i > 0 {
				body = append(body, ',')
			}
			body = show.Append(body, release.CategoryJSON(c.ID))
		}
		return newAnswer(typeJSON, jsonCaching(release), append(body, "]}"...)).of(a, release, "/categories", p.String()), nil
	})
}

func (a *api) getElement(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, "fields", "locales")
	if err != nil {
		return err
	}
	release, e, err := a.service.Element(ctx, res.version, res.elementID)
	if err != nil {
		return err
	}
	return a.cached(ctx, res, r, release, e.ID, p.String(), func() (*answer, error) {
		body := p.projection(nil).Append(opening(release, "element"), release.ElementJSON(e.ID))
		return newAnswer(typeJSON, jsonCaching(release), append(body, '}')).of(a, release, "/elements/"+e.ID, p.String()), nil
	})
}

func (a *api) getElements(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, "category_id", "locale", "locales", "query", "fields", "limit", "cursor", "ids")
	if err != nil {
		return err
	}
	release, err := a.service.Release(ctx, res.version)
	if err != nil {
		return err
	}
	return a.cached(ctx, res, r, release, "", p.String(), func() (*answer, error) {
		version := release.Version().String()
		list := a.page
		if p.get("ids") != "" {
			list = a.selection
		}
		made, body, err := list(ctx, version, p)
		if err != nil {
			return nil, err
		}
		return newAnswer(typeJSON, jsonCaching(made), body).of(a, made, "/elements", p.String()).unlessChanged(release, made), nil
	})
}

// page is the body of a page of elements, and the release that they are of.
func (a *api) page(ctx context.Context, version string, p params) (*taxonomy.Release, []byte, error) {
	limit, err := p.limit()
	if err != nil {
		return nil, nil, err
	}
	page, err := a.service.Elements(ctx, version, datachain.ElementQuery{
		CategoryID: p.get("category_id"), Text: p.get("query"), Locale: p.get("locale"), Limit: limit, Cursor: p.get("cursor"),
	})
	if err != nil {
		return nil, nil, err
	}
	next := "null"
	if page.NextCursor != "" {
		next = `"` + page.NextCursor + `"`
	}
	body := elements(page.Release, page.Elements, p)
	return page.Release, append(body, meta(page.Total, len(page.Elements), next)+"}}"...), nil
}

// selection is the same for elements that are asked for by id.
func (a *api) selection(ctx context.Context, version string, p params) (*taxonomy.Release, []byte, error) {
	if err := datachain.CheckLocale(p.get("locale")); err != nil {
		return nil, nil, err
	}
	for _, other := range []string{"query", "cursor", "limit", "category_id"} {
		if strings.TrimSpace(p.get(other)) != "" {
			return nil, nil, problem(issue.CodeBadRequest, "leave out "+other+", or ids", "The parameters ids and %s can't be combined.", other)
		}
	}
	found, err := a.service.ElementsByID(ctx, version, p.list("ids"))
	if err != nil {
		return nil, nil, err
	}
	missing, err := json.Marshal(found.Missing) // an empty list is []
	if err != nil {
		return nil, nil, err
	}
	body := elements(found.Release, found.Elements, p)
	body = append(body, meta(len(found.Elements), len(found.Elements), "null")+`,"missing":`...)
	return found.Release, append(append(body, missing...), "}}"...), nil
}

// elements is the body up to its meta.
func elements(release *taxonomy.Release, list []*taxonomy.Element, p params) []byte {
	show := p.projection(datachain.ListFields())
	body := append(opening(release, "elements"), '[')
	for i, e := range list {
		if i > 0 {
			body = append(body, ',')
		}
		body = show.Append(body, release.ElementJSON(e.ID))
	}
	return append(body, `],"meta":`...)
}

// meta is the beginning of the meta of a list.
func meta(total, returned int, next string) string {
	return `{"total":` + strconv.Itoa(total) + `,"returned":` + strconv.Itoa(returned) + `,"next_cursor":` + next
}

// getRelease answers with what a client needs to verify the content hash by
// itself: exactly the five parts, in canonical form.
func (a *api) getRelease(ctx context.Context, res *response, r *http.Request) error {
	release, err := a.service.Release(ctx, res.version)
	if err != nil {
		return err
	}
	return a.cached(ctx, res, r, release, "", "", func() (*answer, error) {
		symbols := make(map[string]string)
		for _, id := range release.SymbolIDs() {
			symbols[id], _ = release.Symbol(id)
		}
		text, err := document.MarshalCanonical(symbols)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		b.Grow(release.Len() + len(text) + len(`,"symbols":`))
		if _, err := release.WriteTo(&b); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the closing brace: symbols sorts last
		b.WriteString(`,"symbols":`)
		b.Write(append(text, '}'))
		return newAnswer(typeJSON, jsonCaching(release), b.Bytes()).of(a, release, "/release", ""), nil
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
		text, err := a.service.JSONSchema(name)
		if err != nil {
			return nil, err
		}
		return newAnswer("application/schema+json; charset=utf-8", "public, max-age=3600", text), nil
	})
}
