package static

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/pages/internal/core"
)

// What a file of a sitemap may have, as sitemaps.org says.
const (
	maxSitemap      = 50_000
	maxSitemapBytes = 50_000_000
)

const (
	sitemapPattern     = "/sitemap.xml"
	sitemapPartPattern = "/{id}-sitemap.xml"
)

// Room returns the pages for search engines.
func (s *Static) Room() core.Room {
	return core.Room{Assets: core.Files(files), Pages: []*core.Page{
		{Pattern: sitemapPattern, File: true, Live: true, Build: s.buildSitemap},
		{Pattern: sitemapPartPattern, File: true, Live: true, Build: s.buildSitemap},
		{Pattern: "/robots.txt", File: true, Live: true, Build: buildRobots},
	}}
}

// buildSitemap lists the pages for search engines, or the parts of that list, which are pages
// of another pattern. Its addresses must be absolute, so it exists only if the base URL is
// known.
func (s *Static) buildSitemap(q *core.Request) (*core.Content, error) {
	if !q.Site.Absolute() {
		return nil, core.NoPage()
	}
	path := strings.Replace(q.Page.Pattern, "{id}", q.ID, 1)
	for _, f := range sitemap(q.Site.PublicURL(), addresses(q), s.MaxSitemap) {
		if "/"+f.name == path {
			return &core.Content{Path: path, Type: "application/xml; charset=utf-8", Body: f.body}, nil
		}
	}
	return nil, core.NoPage()
}

// addresses returns the addresses of all pages that search engines should know.
func addresses(q *core.Request) []string {
	addresses := []string{q.Links.Canonical("/", nil, "")}
	if q.Register != nil {
		addresses = append(addresses, q.Links.Canonical(core.TaxonomiesPath, nil, ""), q.Links.Canonical(core.RecentPath, nil, ""))
		for _, d := range q.Register.Documents() {
			if !d.Removed() {
				addresses = append(addresses, q.Links.Canonical(core.DocumentPrefix+d.Slug, nil, ""))
			}
		}
	}
	for _, entry := range q.Index.Entries() {
		schema, err := q.Site.Service.Open(q.Ctx, entry.ID.String())
		if err != nil {
			continue // the other versions are worth listing
		}
		r := schema.Release()
		addresses = append(addresses, q.Links.Canonical(core.CatalogPath(entry.ID), nil, ""))
		for _, s := range r.Manifest().Schemes {
			addresses = append(addresses, q.Links.Canonical(core.SchemePath(entry.ID, s.ID), nil, ""))
		}
		for _, c := range r.Categories() {
			addresses = append(addresses, q.Links.Canonical(core.CategoryPath(entry.ID, c.ID), nil, ""))
		}
		for _, id := range r.ElementIDs() {
			addresses = append(addresses, q.Links.Canonical(core.ElementPath(entry.ID, id), nil, ""))
		}
	}
	return addresses
}

// buildRobots tells search engines what to read.
func buildRobots(q *core.Request) (*core.Content, error) {
	text := "User-agent: *\nDisallow: " + q.Site.Base + "/api/\n"
	if q.Site.MCP != "" {
		text += "Disallow: " + q.Site.Base + q.Site.MCP + "\n"
	}
	if q.Site.Absolute() {
		text += "Sitemap: " + q.Links.Canonical(sitemapPattern, nil, "") + "\n"
	}
	return &core.Content{Path: q.Page.Pattern, Type: "text/plain; charset=utf-8", Body: []byte(text)}, nil
}

// sitemapFile is a file of a sitemap.
type sitemapFile struct {
	name string
	body []byte
}

// sitemap returns the files of a sitemap. If one file can't have all addresses, the first
// is an index of the others. They lie beside it, since a file speaks only for what is below
// its directory.
func sitemap(base string, addresses []string, most int) []sitemapFile {
	file := func(name, list, items string) sitemapFile {
		return sitemapFile{name, []byte(xml.Header + "<" + list + ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n" + items + "</" + list + ">\n")}
	}
	item := func(b *strings.Builder, name, address string) {
		b.WriteString("<" + name + "><loc>")
		_ = xml.EscapeText(b, []byte(address)) // a Builder does not fail
		b.WriteString("</loc></" + name + ">\n")
	}
	var parts []sitemapFile
	var index, items, one strings.Builder
	count := 0
	end := func() {
		name := strings.Replace(sitemapPartPattern[1:], "{id}", strconv.Itoa(len(parts)+1), 1)
		parts = append(parts, file(name, "urlset", items.String()))
		item(&index, "sitemap", base+"/"+name)
		items.Reset()
		count = 0
	}
	const around = 1000 // bytes, at most
	for _, address := range addresses {
		one.Reset()
		item(&one, "url", address)
		if count == most || items.Len()+one.Len() > maxSitemapBytes-around {
			end()
		}
		items.WriteString(one.String())
		count++
	}
	end()
	if len(parts) == 1 {
		parts[0].name = sitemapPattern[1:]
		return parts
	}
	return append([]sitemapFile{file(sitemapPattern[1:], "sitemapindex", index.String())}, parts...)
}
