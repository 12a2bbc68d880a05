package pages_test

import (
	"bytes"
	"encoding/xml"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestSitemap(t *testing.T) {
	s := open(t, nil, &pages.Options{BaseURL: "https://example.org/dc", MCP: "/mcp"})
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
	limited := func(most int) *pages.Handler {
		e, err := pages.New(service, &pages.Options{BaseURL: "https://example.org/dc"})
		require.NoError(t, err)
		e.LimitSitemap(most)
		return e
	}
	t.Run("served", func(t *testing.T) {
		get := func(e *pages.Handler, name string) *httptest.ResponseRecorder {
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
		api, err := httpapi.New(service, &httpapi.Options{Routes: routes(nil), Logger: slog.New(slog.DiscardHandler)})
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
