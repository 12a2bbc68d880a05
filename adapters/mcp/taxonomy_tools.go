package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

func (s *Server) listSchemaVersions(ctx context.Context, c *call) error {
	index, err := s.service.Versions(ctx)
	if err != nil {
		return err
	}
	last := s.listed.Load()
	if last == nil || !last.index.Equal(index) {
		text, err := index.MarshalJSON() // {"versions": […], "retired": […]}
		if err != nil {
			return err
		}
		last = &listing{index, text}
		s.listed.Store(last)
	}
	c.data = last.text
	return nil
}

// listing is an index with its JSON.
type listing struct {
	index *taxonomy.Index
	text  []byte
}

// begin begins the data of an answer about a version, up to the value of a member.
func (c *call) begin(member string) []byte {
	b := appendJSON([]byte(`{"version":`), c.release().Version().String())
	return append(b, `,"`+member+`":`...)
}

// paged describes a page of a list.
func (c *call) paged(total, returned int, next, didYouMean string) {
	c.meta.Total, c.meta.Returned, c.meta.DidYouMean = &total, &returned, didYouMean
	if c.meta.lastPage = next == ""; !c.meta.lastPage {
		c.meta.NextCursor = &next
	}
}

// show returns the part of elements to show; fields are the usual ones.
func (c *call) show(fields []string) lists.Projection {
	if list := c.list("fields"); list != nil {
		fields = list
	} else if c.text("fields") == lists.AllFields {
		fields = nil
	}
	return lists.Projection{Fields: fields, Locales: c.list("locales")}
}

func (s *Server) getSchema(_ context.Context, c *call) error {
	full, r := c.text("include") == "full", c.release()
	if full && r.Len() > s.options.MaxAnswer {
		return tooLarge("omit include, and page through list_elements", "The whole version has %d bytes, more than the limit of %d.", r.Len(), s.options.MaxAnswer)
	}
	c.warnLocales()
	if state := c.schema.State(); state.Deprecated != "" {
		found := issue.Issue{
			Code: codes.SchemaVersionDeprecated, Severity: issue.SeverityWarning, Path: issue.Root.Key("version"),
			Message: fmt.Sprintf("The schema version %s %s.", r.Version(), state.Notice()),
		}
		if !state.Successor.IsZero() {
			found.FixHint = "use " + state.Successor.String()
		}
		c.meta.Warnings = append(c.meta.Warnings, wireIssues(issue.Issues{found})...)
	}
	show := c.show(nil)
	b := show.Append(c.begin("manifest"), r.ManifestJSON())
	b = show.Append(append(b, `,"datachain_type":`...), r.TypeJSON())
	b = lists.AppendCategories(append(b, `,"categories":`...), r, show)
	if full {
		b = lists.AppendElements(append(b, `,"elements":`...), r, r.Elements(), show)
		b = append(append(b, `,"symbols":`...), r.SymbolsJSON()...)
	}
	b = append(b, '}')
	c.data = b
	return nil
}

func (s *Server) listCategories(_ context.Context, c *call) error {
	c.warnLocales()
	c.data = append(lists.AppendCategories(c.begin("categories"), c.release(), c.show(nil)), '}')
	return nil
}

func (s *Server) listElements(ctx context.Context, c *call) error {
	page, err := c.schema.Elements(ctx, datachain.ElementQuery{
		Lenient: true, CategoryID: c.text("category_id"), Text: c.text("query"), Locale: c.text("locale"), Limit: c.number("limit"), Cursor: c.text("cursor"),
	})
	if err != nil {
		return err
	}
	returned := len(page.Elements)
	c.paged(page.Total, returned, page.NextCursor, page.DidYouMean)
	c.warnCategory()
	c.warnLocale(page.Total)
	c.warnLocales()
	c.warnFields(page.Elements)
	const usual = 256 // bytes of an element in a list
	b := slices.Grow(c.begin("elements"), usual*returned)
	show := c.show(lists.ListFields())
	c.data = append(lists.AppendElements(b, c.schema.Release(), page.Elements, show), '}')
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
	ids := c.list(argElementIDs.Name)
	found, err := c.schema.ElementsByID(ids)
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
		finding := issue.Issue{Code: codes.ElementNotFound, Message: "There is no element " + id + " in " + c.release().Version().String() + ".", FixHint: "find it with list_elements"}
		if i < maxHints {
			_, err := c.schema.Element(id)
			finding = c.finding(err)
		}
		finding.Path = issue.Root.Key(argElementIDs.Name).Index(slices.Index(ids, id))
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
	if known := found.IconVariants; !slices.Contains(known, variant) {
		return &datachain.Error{Kind: datachain.KindUnknown, Param: "variant", Known: known, Err: taxonomy.ErrNotFound, Issue: issue.Issue{
			Code: issue.CodeNotFound, Message: "The element " + found.ID + " has no icon variant " + wording.Clip(variant) + ".", FixHint: "use " + wording.Or(known),
		}}
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
