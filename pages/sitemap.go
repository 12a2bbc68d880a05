package pages

import (
	"encoding/xml"
	"strconv"
	"strings"
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

// buildSitemap lists the pages for search engines, or the parts of that list, which are pages
// of another pattern. Its addresses must be absolute, so it exists only if the base URL is
// known.
func buildSitemap(q *request) (*content, error) {
	if !q.handler.absolute() {
		return nil, noPage()
	}
	path := strings.Replace(q.page.pattern, "{id}", q.id, 1)
	for _, f := range q.handler.sitemap(q.listed()) {
		if "/"+f.name == path {
			return &content{Path: path, Type: "application/xml; charset=utf-8", Body: f.body}, nil
		}
	}
	return nil, noPage()
}

// listed returns the addresses of all pages that search engines should know.
func (q *request) listed() []string {
	addresses := []string{q.links.canonical("/", nil, "")}
	if q.state != nil {
		addresses = append(addresses, q.links.canonical(taxonomiesPath, nil, ""))
		for _, d := range q.state.Documents() {
			if !d.Gone() {
				addresses = append(addresses, q.links.canonical(documentPrefix+d.Slug, nil, ""))
			}
		}
	}
	for _, entry := range q.index.Entries() {
		schema, err := q.handler.service.Open(q.ctx, entry.ID.String())
		if err != nil {
			continue // the other versions are worth listing
		}
		r := schema.Release()
		addresses = append(addresses, q.links.canonical(catalogPath(entry.ID), nil, ""))
		for _, s := range r.Manifest().Schemes {
			addresses = append(addresses, q.links.canonical(schemePath(entry.ID, s.ID), nil, ""))
		}
		for _, c := range r.Categories() {
			addresses = append(addresses, q.links.canonical(categoryPath(entry.ID, c.ID), nil, ""))
		}
		for _, id := range r.ElementIDs() {
			addresses = append(addresses, q.links.canonical(elementPath(entry.ID, id), nil, ""))
		}
	}
	return addresses
}

// buildRobots tells search engines what to read.
func buildRobots(q *request) (*content, error) {
	text := "User-agent: *\nDisallow: " + q.handler.base + "/api/\n"
	if q.handler.options.MCP != "" {
		text += "Disallow: " + q.handler.base + q.handler.options.MCP + "\n"
	}
	if q.handler.absolute() {
		text += "Sitemap: " + q.links.canonical(sitemapPattern, nil, "") + "\n"
	}
	return &content{Path: q.page.pattern, Type: "text/plain; charset=utf-8", Body: []byte(text)}, nil
}

// baseURL returns the public base URL: that of the options, or else of the register. It may
// be only a path.
func (e *Handler) baseURL() string {
	if s := e.state(); s != nil && !strings.HasPrefix(e.options.BaseURL, "http") && s.Settings().URL != "" {
		return s.Settings().URL
	}
	return e.options.BaseURL
}

// absolute reports whether the base URL has a host.
func (e *Handler) absolute() bool { return strings.HasPrefix(e.baseURL(), "http") }

// sitemapFile is a file of a sitemap.
type sitemapFile struct {
	name string
	body []byte
}

// sitemap returns the files of a sitemap. If one file can't have all addresses, the first
// is an index of the others. They lie beside it, since a file speaks only for what is below
// its directory.
func (e *Handler) sitemap(addresses []string) []sitemapFile {
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
		item(&index, "sitemap", e.baseURL()+"/"+name)
		items.Reset()
		count = 0
	}
	const around = 1000 // bytes, at most
	for _, address := range addresses {
		one.Reset()
		item(&one, "url", address)
		if count == e.maxSitemap || items.Len()+one.Len() > maxSitemapBytes-around {
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
