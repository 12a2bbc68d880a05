package explorer

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html/template"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/taxonomy"
)

// linkedData is what machines read on a page, in the vocabulary of schema.org. The keys
// are sorted when it is written.
type linkedData map[string]any

const schemaOrg = "https://schema.org"

// versionData describes a version: a set of terms, and a data set that can be downloaded.
func (q *request) versionData() linkedData {
	r := q.release()
	v, m := r.Version(), r.Manifest()
	ld := linkedData{
		"@context": schemaOrg, "@type": []string{"DefinedTermSet", "Dataset"}, "@id": q.setID(),
		"url": q.setID(), "name": q.title().Plain, "inLanguage": r.Locales(),
		"version": v.String(), "dateCreated": q.released(v), "identifier": r.ContentHash().String(),
		"creativeWorkStatus": string(v.Status()), "isAccessibleForFree": true,
		"distribution": linkedData{
			"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": q.api(apiPath(v) + "/release"),
		},
	}
	if about := q.text(m.Description).Plain; about != "" {
		ld["description"] = about
	}
	if m.Licence != "" {
		ld["license"] = i18n.Clean(m.Licence)
	}
	if m.Attribution != "" {
		ld["creditText"] = i18n.Clean(m.Attribution)
	}
	return ld
}

// termData describes an element or a category: a term of the set.
func (q *request) termData(id, path string, title, about text) linkedData {
	ld := linkedData{
		"@context": schemaOrg, "@type": "DefinedTerm", "@id": q.links.canonical(path, nil, ""), "url": q.links.canonical(path, nil, ""),
		"name": title.Plain, "termCode": id, "inLanguage": q.locale,
		"inDefinedTermSet": linkedData{"@type": "DefinedTermSet", "@id": q.setID(), "name": q.title().Plain},
	}
	if !about.Empty() {
		ld["description"] = about.Plain
	}
	return ld
}

// setID identifies the version in linked data.
func (q *request) setID() string {
	return q.links.canonical(catalogPath(q.release().Version()), nil, "")
}

// released returns the date of a version: the one on which it was released, or else the
// one in its id.
func (q *request) released(v taxonomy.Version) string {
	if e, ok := q.index.Lookup(v.Ref()); ok && e.Released != "" {
		return e.Released
	}
	return v.Date()
}

// The citations of a version, for programs that manage literature.
const (
	bibPath = "/cite.bib"
	cslPath = "/cite.json"
)

func buildBib(q *request) (*content, error) {
	entry := q.citation().bibTeX(func(t text) string { return t.Plain })
	return &content{Path: catalogPath(q.release().Version()) + bibPath, Type: "application/x-bibtex; charset=utf-8", Body: []byte(entry)}, nil
}

func buildCSL(q *request) (*content, error) {
	body, err := q.citation().csl()
	return &content{Path: catalogPath(q.release().Version()) + cslPath, Type: "application/vnd.citationstyles.csl+json; charset=utf-8", Body: body}, err
}

// citation is what is needed to cite a version.
type citation struct {
	id            string
	title, author text
	version, hash string
	date          string // YYYY-MM-DD
	address       string // or "" if it is not known
	language      string
}

func (q *request) citation() *citation {
	r := q.release()
	v := r.Version()
	return &citation{
		id: v.Type() + "-" + v.Date() + "-" + string(v.Status()), title: q.title(), author: q.raw(r.Manifest().Attribution),
		version: v.String(), hash: r.ContentHash().String(), date: q.released(v), address: q.links.canonical(catalogPath(v), nil, ""), language: q.locale,
	}
}

// bibTeX returns the citation as an entry of BibTeX. The function writes a value, which is
// escaped for TeX.
func (c *citation) bibTeX(write func(text) string) string {
	var b strings.Builder
	b.WriteString("@misc{" + c.id)
	field := func(name string, value text) {
		if !value.Empty() {
			value.Plain = escapeTeX(value.Plain)
			b.WriteString(",\n  " + name + " = {" + write(value) + "}")
		}
	}
	field("title", c.title)
	field("author", c.author)
	field("year", text{Plain: c.date[:4]})
	field("month", text{Plain: c.date[5:7]})
	field("version", text{Plain: c.version})
	field("howpublished", text{Plain: c.url()})
	field("note", text{Plain: c.hash})
	b.WriteString("\n}\n")
	return b.String()
}

// shown returns the entry of BibTeX for a page, which tells the languages of texts.
func (c *citation) shown() template.HTML {
	return template.HTML(c.bibTeX(func(t text) string { //nolint:gosec // escaped
		t.html = template.HTML(template.HTMLEscapeString(t.Plain)) //nolint:gosec // escaped
		if t.lang == "" && t.dir == "" {
			return string(t.html)
		}
		return string(t.unmarked().HTML())
	}))
}

// url returns the address, if it is one without a server that is known.
func (c *citation) url() string {
	if strings.HasPrefix(c.address, "http") {
		return c.address
	}
	return ""
}

// escapeTeX escapes what has a meaning in TeX.
func escapeTeX(s string) string {
	return strings.NewReplacer(
		`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	).Replace(s)
}

// csl returns the citation in the JSON of the Citation Style Language.
func (c *citation) csl() ([]byte, error) {
	type name struct {
		Literal string `json:"literal"`
	}
	type date struct {
		Parts [][]int `json:"date-parts"`
	}
	item := struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Title    string `json:"title"`
		Author   []name `json:"author,omitempty"`
		Issued   date   `json:"issued"`
		Version  string `json:"version"`
		URL      string `json:"URL,omitempty"`
		Note     string `json:"note"`
		Language string `json:"language"`
	}{ID: c.id, Type: "dataset", Title: c.title.Plain, Version: c.version, URL: c.url(), Note: c.hash, Language: c.language}
	if !c.author.Empty() {
		item.Author = []name{{c.author.Plain}}
	}
	parts := make([]int, 0, 3)
	for part := range strings.SplitSeq(c.date, "-") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	item.Issued.Parts = [][]int{parts}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode([]any{item})
	return b.Bytes(), err
}

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
	if !q.explorer.absolute() {
		return nil, noPage()
	}
	path := strings.Replace(q.page.pattern, "{id}", q.id, 1)
	for _, f := range q.explorer.sitemap(q.listed()) {
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
		schema, err := q.explorer.service.Open(q.ctx, entry.ID.String())
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
	text := "User-agent: *\nDisallow: " + q.explorer.base + "/api/\n"
	if q.explorer.options.MCP != "" {
		text += "Disallow: " + q.explorer.base + q.explorer.options.MCP + "\n"
	}
	if q.explorer.absolute() {
		text += "Sitemap: " + q.links.canonical(sitemapPattern, nil, "") + "\n"
	}
	return &content{Path: q.page.pattern, Type: "text/plain; charset=utf-8", Body: []byte(text)}, nil
}

// baseURL returns the public base URL: that of the options, or else of the register. It may
// be only a path.
func (e *Explorer) baseURL() string {
	if s := e.state(); s != nil && !strings.HasPrefix(e.options.BaseURL, "http") && s.Settings().URL != "" {
		return s.Settings().URL
	}
	return e.options.BaseURL
}

// absolute reports whether the base URL has a host.
func (e *Explorer) absolute() bool { return strings.HasPrefix(e.baseURL(), "http") }

// sitemapFile is a file of a sitemap.
type sitemapFile struct {
	name string
	body []byte
}

// sitemap returns the files of a sitemap. If one file can't have all addresses, the first
// is an index of the others. They lie beside it, since a file speaks only for what is below
// its directory.
func (e *Explorer) sitemap(addresses []string) []sitemapFile {
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
