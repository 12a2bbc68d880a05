package explorer_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/taxonomy"
)

// linked returns the linked data of a page.
func linked(t *testing.T, p *node) map[string]any {
	t.Helper()
	for _, script := range p.all("script") {
		if script.attr("type") == "application/ld+json" {
			var ld map[string]any
			require.NoError(t, json.Unmarshal([]byte(script.FirstChild.Data), &ld))
			return ld
		}
	}
	t.Fatal("the page has no linked data")
	return nil
}

func TestLinkedData(t *testing.T) {
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org/dc"})
	set := linked(t, s.page("/t/ai@latest?lang=fr"))
	assert.Equal(t, []any{"DefinedTermSet", "Dataset"}, set["@type"])
	assert.Equal(t, "https://example.org/dc/t/"+stable, set["@id"])
	assert.Equal(t, stable, set["version"])
	term := linked(t, s.page("/t/ai@latest/e/purpose.benefits"))
	assert.Equal(t, "DefinedTerm", term["@type"])
	assert.Equal(t, "purpose.benefits", term["termCode"])
	assert.Equal(t, set["@id"], term["inDefinedTermSet"].(map[string]any)["@id"])
	assert.Equal(t, "purpose", linked(t, s.page("/t/ai@latest/c/purpose"))["termCode"])
}

// TestHostileLinkedData checks that no text ends the script that has the data.
func TestHostileLinkedData(t *testing.T) {
	const hostile = `</script><script>trap()</script><!--`
	text := taxonomy.Localized{{Locale: "en", Value: hostile}}
	s := open(t, published(t, "odd@2026-01-01-stable", taxonomy.Content{
		Title: text, Description: text, Locales: []string{"en"},
		Type: taxonomy.Type{ID: "odd", Name: text, Categories: []string{}, Subchains: []taxonomy.Subchain{}},
	}), nil)
	p := s.page("/t/odd@latest")
	assert.Equal(t, hostile, linked(t, p)["description"])
	for _, script := range p.all("script") {
		assert.True(t, script.attr("src") != "" || script.attr("type") == "application/ld+json")
	}
}

func TestCitation(t *testing.T) {
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org"})
	p := s.page("/t/ai@latest")
	bib := s.do(http.MethodGet, "/t/ai@latest/cite.bib")
	assert.Equal(t, "application/x-bibtex; charset=utf-8", bib.Header.Get("Content-Type"))
	assert.Equal(t, strings.TrimSpace(bib.body), strings.TrimSpace(p.first(t, "details.cite").first(t, "code").raw()))
	for _, want := range []string{"@misc{ai-2026-11-15-stable,", "year = {2026}", "howpublished = {https://example.org/t/ai@2026-11-15-stable}", "note = {sha256-"} {
		assert.Contains(t, bib.body, want)
	}
	var items []map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.do(http.MethodGet, "/t/ai@latest/cite.json").body), &items))
	require.Len(t, items, 1)
	assert.Equal(t, "dataset", items[0]["type"])
	assert.Equal(t, []any{[]any{2026.0, 11.0, 15.0}}, items[0]["issued"].(map[string]any)["date-parts"])
}

func TestSitemap(t *testing.T) {
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org/dc", MCP: "/mcp"})
	var urls struct {
		Loc []string `xml:"url>loc"`
	}
	require.NoError(t, xml.Unmarshal([]byte(s.do(http.MethodGet, "/sitemap.xml").body), &urls))
	assert.Contains(t, urls.Loc, "https://example.org/dc/t/"+stable+"/e/purpose.benefits")
	for _, loc := range urls.Loc[:5] {
		s.page(strings.TrimPrefix(loc, "https://example.org/dc"))
	}
	robots := s.do(http.MethodGet, "/robots.txt").body
	assert.Equal(t, "User-agent: *\nDisallow: /dc/api/\nDisallow: /dc/mcp\nSitemap: https://example.org/dc/sitemap.xml\n", robots)

	s = open(t, nil, nil)
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/sitemap.xml").StatusCode, "its addresses would not be absolute")
	assert.NotContains(t, s.do(http.MethodGet, "/robots.txt").body, "Sitemap")
}

// TestSitemapIndex checks that a sitemap with too many addresses is an index of several files,
// served and in a static site, which have each address once.
func TestSitemapIndex(t *testing.T) {
	store := someSamples(t, taxonomy.MustVersion(stable))
	service := must(datachain.New(store, nil))
	type sitemap struct {
		XMLName xml.Name
		Pages   []string `xml:"url>loc"`
		Parts   []string `xml:"sitemap>loc"`
	}
	read := func(t *testing.T, text []byte) (s sitemap) {
		t.Helper()
		require.NoError(t, xml.Unmarshal(text, &s))
		return s
	}
	limited := func(most int) *explorer.Explorer {
		e, err := explorer.New(service, &explorer.Options{BaseURL: "https://example.org/dc"})
		require.NoError(t, err)
		e.LimitSitemap(most)
		return e
	}
	t.Run("served", func(t *testing.T) {
		get := func(e *explorer.Explorer, name string) *httptest.ResponseRecorder {
			res := httptest.NewRecorder()
			e.ServeHTTP(res, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/"+name, http.NoBody))
			return res
		}
		e := limited(50_000)
		whole := read(t, get(e, "sitemap.xml").Body.Bytes())
		assert.Equal(t, "urlset", whole.XMLName.Local)
		assert.Equal(t, http.StatusNotFound, get(e, "1-sitemap.xml").Code)
		assert.Equal(t, whole, read(t, get(limited(len(whole.Pages)), "sitemap.xml").Body.Bytes()), "all addresses fit")

		e = limited(len(whole.Pages) - 1)
		index := read(t, get(e, "sitemap.xml").Body.Bytes())
		assert.Equal(t, "sitemapindex", index.XMLName.Local)
		assert.Equal(t, []string{"https://example.org/dc/1-sitemap.xml", "https://example.org/dc/2-sitemap.xml"}, index.Parts)
		first, second := get(e, "1-sitemap.xml"), get(e, "2-sitemap.xml")
		assert.Equal(t, "application/xml; charset=utf-8", second.Header().Get("Content-Type"))
		assert.Equal(t, whole.Pages[:len(whole.Pages)-1], read(t, first.Body.Bytes()).Pages)
		assert.Equal(t, whole.Pages[len(whole.Pages)-1:], read(t, second.Body.Bytes()).Pages)
		for _, none := range []string{"0-sitemap.xml", "3-sitemap.xml", "01-sitemap.xml", "-sitemap.xml"} {
			assert.Equal(t, http.StatusNotFound, get(e, none).Code, none)
		}
	})
	t.Run("written", func(t *testing.T) {
		api, err := httpapi.New(service, &httpapi.Options{Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		var pages, listed []string
		files := make(map[string][]byte)
		require.NoError(t, limited(300).WriteSite(t.Context(), api, func(name string, body []byte) error {
			if strings.HasSuffix(name, ".html") {
				pages = append(pages, "https://example.org/dc/"+name)
			}
			files["https://example.org/dc/"+name] = bytes.Clone(body)
			return nil
		}))
		for _, part := range read(t, files["https://example.org/dc/sitemap.xml"]).Parts {
			list := read(t, files[part]).Pages
			assert.LessOrEqual(t, len(list), 300)
			listed = append(listed, list...)
		}
		assert.ElementsMatch(t, pages, listed)
	})
}
