package explorer

import (
	"encoding/xml"
	"strings"
)

// maxSitemap is the number of pages that a sitemap may list.
const maxSitemap = 50_000

// sitemapPage lists the pages for search engines. Its addresses must be absolute, so it
// exists only if the base URL is known.
func sitemapPage() *page {
	return &page{name: "raw", pattern: "/sitemap.xml", live: true, build: func(q *request) (*content, error) {
		if !q.explorer.absolute() {
			return nil, noPage()
		}
		addresses := []string{q.links.canonical("/", nil)}
		for _, entry := range q.index.Entries() {
			schema, err := q.explorer.service.Open(q.ctx, entry.ID.String())
			if err != nil {
				continue // the other versions are worth listing
			}
			r := schema.Release()
			addresses = append(addresses, q.links.canonical(catalogPath(entry.ID), nil))
			for _, c := range r.Categories() {
				addresses = append(addresses, q.links.canonical(categoryPath(entry.ID, c.ID), nil))
			}
			for _, id := range r.ElementIDs() {
				addresses = append(addresses, q.links.canonical(elementPath(entry.ID, id), nil))
			}
		}
		return &content{Path: "/sitemap.xml", Type: "application/xml; charset=utf-8", Body: sitemap(addresses)}, nil
	}}
}

// robotsPage tells search engines what to read.
func robotsPage() *page {
	return &page{name: "raw", pattern: "/robots.txt", live: true, build: func(q *request) (*content, error) {
		text := "User-agent: *\nDisallow: " + q.explorer.base + "/api/\n"
		if q.explorer.MCP != "" {
			text += "Disallow: " + q.explorer.base + q.explorer.MCP + "\n"
		}
		if q.explorer.absolute() {
			text += "Sitemap: " + q.links.canonical("/sitemap.xml", nil) + "\n"
		}
		return &content{Path: "/robots.txt", Type: "text/plain; charset=utf-8", Body: []byte(text)}, nil
	}}
}

// absolute reports whether the base URL has a host.
func (e *Explorer) absolute() bool { return strings.HasPrefix(e.BaseURL, "http") }

// sitemap writes a sitemap.
func sitemap(addresses []string) []byte {
	var b strings.Builder
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, address := range addresses[:min(len(addresses), maxSitemap)] {
		b.WriteString("<url><loc>")
		_ = xml.EscapeText(&b, []byte(address)) // a Builder does not fail
		b.WriteString("</loc></url>\n")
	}
	b.WriteString("</urlset>\n")
	return []byte(b.String())
}
