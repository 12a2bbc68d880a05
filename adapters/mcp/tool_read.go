package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (s *Server) listSchemaVersions(ctx context.Context, c *call) error {
	index, err := s.service.Versions(ctx)
	if err != nil {
		return err
	}
	c.data, err = jsonv2.Marshal(index) // {"versions": […], "retired": […]}
	return err
}

// begin begins the data of an answer about a version, up to the value of a member.
func (c *call) begin(member string) []byte {
	b := appendJSON([]byte(`{"version":`), c.release().Version().String())
	return append(b, `,"`+member+`":`...)
}

// show returns the part of elements to show; fields are the usual ones.
func (c *call) show(fields []string) datachain.Projection {
	if list := c.list("fields"); list != nil {
		fields = list
	} else if c.text("fields") == datachain.AllFields {
		fields = nil
	}
	return datachain.Projection{Fields: fields, Locales: c.list("locales")}
}

func (s *Server) getSchema(_ context.Context, c *call) error {
	full, r := c.text("include") == "full", c.release()
	if full && r.Len() > s.options.MaxAnswer {
		return tooLarge("omit include, and page through list_elements", "The whole version has %d bytes, more than the limit of %d.", r.Len(), s.options.MaxAnswer)
	}
	c.warnLocales()
	show := c.show(nil)
	b := show.Append(c.begin("manifest"), r.ManifestJSON())
	b = show.Append(append(b, `,"datachain_type":`...), r.TypeJSON())
	b = c.schema.AppendCategories(append(b, `,"categories":`...), show)
	if full {
		b = c.schema.AppendElements(append(b, `,"elements":`...), r.Elements(), show)
		b = c.schema.AppendSymbols(append(b, `,"symbols":`...))
	}
	b = append(b, '}')
	c.data = b
	return nil
}

func (s *Server) listCategories(_ context.Context, c *call) error {
	c.warnLocales()
	c.data = append(c.schema.AppendCategories(c.begin("categories"), c.show(nil)), '}')
	return nil
}

func (s *Server) listElements(ctx context.Context, c *call) error {
	page, err := c.schema.Elements(ctx, datachain.ElementQuery{
		CategoryID: c.text("category_id"), Text: c.text("query"), Locale: c.text("locale"), Limit: c.number("limit"), Cursor: c.text("cursor"),
	})
	if err != nil {
		return err
	}
	returned := len(page.Elements)
	c.meta.Total, c.meta.Returned = &page.Total, &returned
	if c.meta.lastPage = page.NextCursor == ""; !c.meta.lastPage {
		c.meta.NextCursor = &page.NextCursor
	}
	c.warnCategory()
	c.warnLocale(page.Total)
	c.warnLocales()
	c.warnFields(page.Elements)
	const usual = 256 // bytes of an element in a list
	b := slices.Grow(c.begin("elements"), usual*returned)
	c.data = append(c.schema.AppendElements(b, page.Elements, c.show(datachain.ListFields())), '}')
	return nil
}

func (s *Server) getElement(_ context.Context, c *call) error {
	found, err := c.schema.Element(c.text("element_id"))
	if err != nil {
		return err
	}
	c.warnLocales()
	c.warnFields([]*taxonomy.Element{found})
	c.data = append(c.show(nil).Append(c.begin("element"), c.release().ElementJSON(found.ID)), '}')
	return nil
}

// maxHints is how many unknown ids get a hint with the nearest known ones, since
// that compares them with every element.
const maxHints = 10

func (s *Server) getElements(_ context.Context, c *call) error {
	asked := c.list(argElementIDs.name)
	found, err := c.schema.ElementsByID(asked)
	if err != nil {
		return err
	}
	c.warnLocales()
	c.warnFields(found.Elements)
	show := c.show(nil)
	b := append(c.begin("elements"), '{')
	for i, id := range found.IDs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendJSON(b, id), ':')
		if _, ok := c.release().Element(id); ok {
			b = show.Append(b, c.release().ElementJSON(id))
		} else {
			b = append(b, "null"...)
		}
	}
	b = append(b, "}}"...)
	c.data = b
	for i, id := range found.Missing {
		finding := issue.Issue{Code: issue.CodeElementNotFound, Message: "There is no element " + id + " in " + c.release().Version().String() + ".", FixHint: "find it with list_elements"}
		if i < maxHints {
			_, err := c.schema.Element(id)
			finding = c.finding(err)
		}
		finding.Path = issue.Root.Key(argElementIDs.name).Index(slices.Index(asked, id))
		c.errors = append(c.errors, finding)
	}
	return nil
}

func (s *Server) getIconURL(ctx context.Context, c *call) error {
	const typeSVG = "image/svg+xml"
	found, err := c.schema.Element(c.text("element_id"))
	if err != nil {
		return err
	}
	variant := cmp.Or(c.text("variant"), taxonomy.VariantDefault)
	if err := datachain.CheckVariant(found, variant); err != nil {
		return err
	}
	suffix := ""
	if variant != taxonomy.VariantDefault {
		suffix = "." + variant
	}
	url := c.base + "/api/v2/schemas/" + c.release().Version().String() + "/elements/" + found.ID + "/icon" + suffix + ".svg"
	if c.base == "" { // no REST API is known, so the icon comes whole
		icon, err := c.schema.Icon(ctx, found.ID, variant)
		if err != nil {
			return err
		}
		url = "data:" + typeSVG + ";base64," + base64.StdEncoding.EncodeToString(icon.SVG)
	}
	c.data = appendJSON(nil, struct {
		URL           string   `json:"url"`
		ContentType   string   `json:"content_type"`
		Variant       string   `json:"variant"`
		ValidVariants []string `json:"valid_variants"`
	}{url, typeSVG, variant, found.IconVariants})
	return nil
}
