package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (s *Server) listSchemaVersions(ctx context.Context, _ *given) (*envelope, error) {
	index, err := s.service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	text, err := jsonv2.Marshal(index) // {"versions": […]}
	return &envelope{data: text}, err
}

// opening begins the data of an answer about a release.
func opening(r *taxonomy.Release, member string) []byte {
	b := appendJSON([]byte(`{"version":`), r.Version().String())
	return append(b, `,"`+member+`":`...)
}

func (s *Server) getSchema(ctx context.Context, g *given) (*envelope, error) {
	schema, e, err := s.open(ctx, g)
	if err != nil {
		return nil, err
	}
	r := schema.Release()
	full := g.text("include") == "full"
	if full && r.Len() > s.options.MaxAnswer {
		return e, tooLarge("leave out include, and page through list_elements", "The whole version has %d bytes, and at most %d are allowed.", r.Len(), s.options.MaxAnswer)
	}
	g.warnLocales(r)
	show := datachain.Projection{Locales: g.list("locales")}
	b := show.Append(opening(r, "manifest"), r.ManifestJSON())
	b = show.Append(append(b, `,"datachain_type":`...), r.TypeJSON())
	b = schema.AppendCategories(append(b, `,"categories":`...), show)
	if full {
		b = schema.AppendElements(append(b, `,"elements":`...), r.Elements(), show)
		b = schema.AppendSymbols(append(b, `,"symbols":`...))
	}
	b = append(b, '}')
	e.data = b
	return e, nil
}

func (s *Server) listCategories(ctx context.Context, g *given) (*envelope, error) {
	schema, e, err := s.open(ctx, g)
	if err != nil {
		return nil, err
	}
	g.warnLocales(schema.Release())
	b := schema.AppendCategories(opening(schema.Release(), "categories"), datachain.Projection{Locales: g.list("locales")})
	b = append(b, '}')
	e.data = b
	return e, nil
}

func (s *Server) listElements(ctx context.Context, g *given) (*envelope, error) {
	schema, e, err := s.open(ctx, g)
	if err != nil {
		return nil, err
	}
	page, err := schema.Elements(ctx, datachain.ElementQuery{
		CategoryID: g.text("category_id"), Text: g.text("query"), Locale: g.text("locale"), Limit: g.number("limit"), Cursor: g.text("cursor"),
	})
	if err != nil {
		argument := "cursor"
		if known, ok := errors.AsType[*datachain.Error](err); ok {
			argument = known.Param
		}
		return e, recode(err, argument)
	}
	returned := len(page.Elements)
	e.meta.Total, e.meta.Returned, e.meta.paged = &page.Total, &returned, true
	if page.NextCursor != "" {
		e.meta.NextCursor = &page.NextCursor
	}
	g.warnCategory(schema.Release())
	g.warnLocale(schema.Release(), page.Total)
	g.warnShown(schema.Release(), page.Elements)
	show := datachain.Projection{Fields: g.fields(datachain.ListFields()), Locales: g.list("locales")}
	e.data = append(schema.AppendElements(opening(schema.Release(), "elements"), page.Elements, show), '}')
	return e, nil
}

// element returns the element that a call is about.
func (s *Server) element(ctx context.Context, g *given) (*datachain.Schema, *taxonomy.Element, *envelope, error) {
	schema, e, err := s.open(ctx, g)
	if err != nil {
		return nil, nil, nil, err
	}
	found, err := schema.Element(g.text("element_id"))
	if err != nil {
		return nil, nil, e, recode(err, "element_id")
	}
	return schema, found, e, nil
}

func (s *Server) getElement(ctx context.Context, g *given) (*envelope, error) {
	schema, found, e, err := s.element(ctx, g)
	if err != nil {
		return e, err
	}
	r := schema.Release()
	g.warnShown(r, []*taxonomy.Element{found})
	show := datachain.Projection{Fields: g.fields(nil), Locales: g.list("locales")}
	e.data = append(show.Append(opening(r, "element"), r.ElementJSON(found.ID)), '}')
	return e, nil
}

// maxHints is how many unknown ids get a hint with the nearest known ones, which
// takes a look at every element.
const maxHints = 10

func (s *Server) getElements(ctx context.Context, g *given) (*envelope, error) {
	schema, e, err := s.open(ctx, g)
	if err != nil {
		return nil, err
	}
	asked := g.list("element_ids")
	r := schema.Release()
	found, err := schema.ElementsByID(asked)
	if err != nil {
		return e, badIDs(err, asked)
	}
	g.warnShown(r, found.Elements)
	show := datachain.Projection{Fields: g.fields(nil), Locales: g.list("locales")}
	b := append(opening(r, "elements"), '{')
	for i, id := range found.IDs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendJSON(b, id), ':')
		if _, ok := r.Element(id); ok {
			b = show.Append(b, r.ElementJSON(id))
		} else {
			b = append(b, "null"...)
		}
	}
	b = append(b, "}}"...)
	e.data = b
	for i, id := range found.Missing {
		finding := issue.Issue{Code: issue.CodeElementNotFound, Message: "There is no element " + id + " in " + r.Version().String() + ".", FixHint: "find it with list_elements"}
		if i < maxHints {
			_, err := schema.Element(id)
			if known, ok := errors.AsType[*datachain.Error](recode(err, "element_ids")); ok {
				finding = known.Issue
			}
		}
		finding.Path = issue.Root.Key("element_ids").Index(slices.Index(asked, id))
		e.errors = append(e.errors, finding)
	}
	return e, nil
}

// badIDs says which of the ids that are asked for can't be one.
func badIDs(err error, asked []string) error {
	bad, ok := errors.AsType[*datachain.Error](recode(err, "element_ids"))
	switch {
	case !ok:
		return err
	case bad.Kind == datachain.KindTooMany:
		return bad
	}
	if i := slices.IndexFunc(asked, func(id string) bool { return !taxonomy.ValidElementID(id) }); i >= 0 {
		bad.Issue.Path = bad.Issue.Path.Index(i)
	}
	return bad
}

const typeSVG = "image/svg+xml"

func (s *Server) getIconURL(ctx context.Context, g *given) (*envelope, error) {
	schema, found, e, err := s.element(ctx, g)
	if err != nil {
		return e, err
	}
	variant := cmp.Or(g.text("variant"), taxonomy.VariantDefault)
	if err := datachain.CheckVariant(found, variant); err != nil {
		return e, recode(err, "variant")
	}
	url, err := s.iconURL(ctx, g.base, schema, found, variant)
	if err != nil {
		return e, err
	}
	e.data = appendJSON(nil, struct {
		URL           string   `json:"url"`
		ContentType   string   `json:"content_type"`
		Variant       string   `json:"variant"`
		ValidVariants []string `json:"valid_variants"`
	}{url, typeSVG, variant, found.IconVariants})
	return e, nil
}

// iconURL is where an icon is, or, where there is no such place, the icon itself.
func (s *Server) iconURL(ctx context.Context, base string, schema *datachain.Schema, e *taxonomy.Element, variant string) (string, error) {
	if base == "" {
		icon, err := schema.Icon(ctx, e.ID, variant)
		if err != nil {
			return "", err
		}
		return "data:" + typeSVG + ";base64," + base64.StdEncoding.EncodeToString(icon.SVG), nil
	}
	suffix := ""
	if variant != taxonomy.VariantDefault {
		suffix = "." + variant
	}
	return base + "/api/v2/schemas/" + schema.Release().Version().String() + "/elements/" + e.ID + "/icon" + suffix + ".svg", nil
}
