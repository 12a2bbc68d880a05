package pages_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages"
)

func TestHome(t *testing.T) {
	s := open(t, nil, &pages.Options{MCP: "/mcp"})
	p := s.page("/")
	cards := p.all("li.taxonomy")
	require.Len(t, cards, 2)
	assert.Contains(t, cards[0].text(), "54 elements 11 categories 5 languages")
	assert.Equal(t, "/t/"+stable, cards[0].first(t, "h3").first(t, "a").attr("href"))
	assert.Len(t, cards[0].all("span.icon"), 8)
	assert.Contains(t, cards[0].first(t, "p.others").text(), "18 November 2026 (Beta)")
	assert.Contains(t, p.first(t, "div.doors").text(), "/mcp")
	assert.Contains(t, s.page("/?lang=en").first(t, "p.lead").text(), "A datachain explains a system")
	assert.Len(t, s.page("/").first(t, "ol.datachain").all("li"), 5)
}

// TestEveryPage opens each kind of page that needs no register.
func TestEveryPage(t *testing.T) {
	s := open(t, nil, nil)
	sample := strings.NewReplacer("{version}", "ai@2026-11-18-beta", "/c/{id}", "/c/input_data", "/e/{id}", "/e/input_data.identity",
		"/s/{id}", "/s/gdpr", "/codes/{id}", "/codes/parse_error")
	for _, pattern := range pages.Patterns() {
		path := sample.Replace(pattern)
		require.NotContains(t, path, "{", "add an id for the new page %s", pattern)
		require.NotEmpty(t, s.page(path).all("h1"), path)
	}
}

func TestNothingPublished(t *testing.T) {
	store, err := memstore.New()
	require.NoError(t, err)
	p := open(t, store, nil).page("/")
	assert.Contains(t, p.first(t, "section.notice").text(), "datachain schema publish")
	assert.Empty(t, p.all("form.search"))
}

// TestHeaders checks what every page is sent with, and that a browser that has it is
// told so.
func TestHeaders(t *testing.T) {
	s := open(t, nil, nil)
	res := s.do(http.MethodGet, "/", "Accept-Encoding", "gzip")
	assert.Equal(t, "gzip", res.Header.Get("Content-Encoding"))
	assert.Equal(t, "no-cache", res.Header.Get("Cache-Control"))
	assert.Equal(t, "Accept-Encoding, Accept-Language", res.Header.Get("Vary"))
	assert.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
	assert.Equal(t, "no-referrer", res.Header.Get("Referrer-Policy"))
	assert.Contains(t, res.Header.Get("Content-Security-Policy"), "script-src 'self'; style-src 'self';")
	assert.NotContains(t, res.Header.Get("Content-Security-Policy"), "unsafe")
	assert.Equal(t, `</api/v2/schemas>; rel="alternate"; type="application/json"`, res.Header.Get("Link"))
	assert.Less(t, len(res.body), 60<<10)
	again := s.do(http.MethodGet, "/", "Accept-Encoding", "gzip", "If-None-Match", res.Header.Get("ETag"))
	assert.Equal(t, http.StatusNotModified, again.StatusCode)
	head := s.do(http.MethodHead, "/", "Accept-Encoding", "gzip")
	assert.Equal(t, res.Header.Get("Content-Length"), head.Header.Get("Content-Length"))
	assert.Empty(t, head.body)
}

// TestAssets checks that the files of a page exist and are cached forever.
func TestAssets(t *testing.T) {
	s := open(t, nil, &pages.Options{BaseURL: "https://example.org/dc/"})
	p := s.page("/")
	for _, n := range append(p.all("link"), p.all("script")...) {
		address := n.attr("href") + n.attr("src")
		switch n.attr("rel") {
		case "canonical":
			assert.Equal(t, "https://example.org/dc/", address)
		case "alternate":
			assert.Equal(t, "/dc/api/v2/schemas", address)
		default:
			require.Regexp(t, `^/dc/assets/\w+\.[0-9a-f]{12}\.(css|js|svg)$`, address)
			res := s.do(http.MethodGet, address[len("/dc"):])
			assert.Equal(t, http.StatusOK, res.StatusCode, address)
			assert.Contains(t, res.Header.Get("Cache-Control"), "immutable")
		}
	}
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/assets/explorer.css").StatusCode)
}

// TestPrivate checks that shared caches store nothing that is behind authentication.
func TestPrivate(t *testing.T) {
	s := open(t, nil, &pages.Options{Private: true})
	assert.Equal(t, "private, no-cache", s.do(http.MethodGet, "/").Header.Get("Cache-Control"))
	style := s.page("/").all("script")[0].attr("src")
	assert.Equal(t, "private, max-age=31536000, immutable", s.do(http.MethodGet, style).Header.Get("Cache-Control"))
}

// TestUnknown checks that browsers get a page, and programs what the API answers.
func TestUnknown(t *testing.T) {
	s := open(t, nil, nil)
	for path, status := range map[string]int{
		"/x": 404, "/t": 404, "/t/": 404, "/t/x/": 404, "//": 404, "/t//e/x": 404, "/t/../x": 404, "/t/x/e/..": 404, "/./t": 404, "/assets/": 404, "/a/b/c/d/e/f": 404, "/%2e%2e": 404,
	} {
		res := s.do(http.MethodGet, path, "Accept-Language", "fr-CA")
		assert.Equal(t, status, res.StatusCode, path)
		p := parse(t, res.body)
		assert.Equal(t, "fr", p.first(t, "html").attr("lang"))
		assert.Equal(t, "Page introuvable", p.first(t, "h1").text(), path)
		assert.Equal(t, "no-store", res.Header.Get("Cache-Control"))
		for _, accept := range []string{"application/json", "*/*", ""} {
			res := s.do(http.MethodGet, path, "Accept", accept)
			assert.Equal(t, status, res.StatusCode, path)
			assert.Contains(t, res.body, `{"ok":false,"errors":[{"code":"`, path)
		}
	}
	assert.Contains(t, s.do(http.MethodGet, "/api/v2/nothing").body, `{"ok":false`, "below /api")
	res := s.do(http.MethodPost, "/")
	assert.Equal(t, http.StatusMethodNotAllowed, res.StatusCode)
	assert.Equal(t, "GET, HEAD, OPTIONS", res.Header.Get("Allow"))
	assert.Equal(t, http.StatusNoContent, s.do(http.MethodOptions, "/").StatusCode)
}

func TestLanguage(t *testing.T) {
	s := open(t, nil, nil)
	for _, c := range []struct{ query, header, want, link string }{
		{"", "", "en", "/t/" + stable},
		{"", "fr-CA, en;q=0.5", "fr", "/t/" + stable},
		{"", "sv, es;q=0.3, fr;q=0.2", "es", "/t/" + stable},
		{"", "de-AT, es;q=0.3", "de", "/t/" + stable},
		{"?lang=ar", "", "ar", "/t/" + stable + "?lang=ar"},
		{"", "tlh;q=1.5, ;;, *", "en", "/t/" + stable},
		{"?lang=es", "fr", "es", "/t/" + stable + "?lang=es"},
		{"?lang=fr-BE", "", "fr", "/t/" + stable + "?lang=fr"},
		{"?lang=%22%3E", "fr", "fr", "/t/" + stable},
	} {
		p := s.page("/"+c.query, "Accept-Language", c.header)
		assert.Equal(t, c.want, p.first(t, "html").attr("lang"), c)
		assert.Equal(t, i18n.Direction(c.want), p.first(t, "html").attr("dir"), c)
		assert.Equal(t, c.link, p.first(t, "h3").first(t, "a").attr("href"), c)
	}
}

func TestInvalidOptions(t *testing.T) {
	store, err := memstore.New()
	require.NoError(t, err)
	for _, o := range []pages.Options{{BaseURL: "ftp://x"}, {BaseURL: "x"}, {API: "api"}, {MCP: "mcp"}} {
		_, err := pages.New(must(datachain.New(store, nil)), &o)
		require.Error(t, err)
	}
}

// TestNoLimits shows that a negative number is no limit.
func TestNoLimits(t *testing.T) {
	s := open(t, nil, &pages.Options{Timeout: -1, MaxBody: -1, MaxWork: -1})
	s.page("/compare?old=" + stable + "&new=" + beta)
	res := s.post("/play", "document", `{"padding": "`+strings.Repeat("x", 1<<20)+`"}`)
	assert.Equal(t, http.StatusOK, res.StatusCode)
}

// TestLimits: reading pages does not use up what programs may ask for, forms and drawings have
// a limit of their own, and files with their hash in the name are free.
func TestLimits(t *testing.T) {
	limiter := must(ratelimit.NewMemory(nil))
	shelf := newShelf(t)
	_, register := shelf.register()
	s := openLimited(t, nil, &pages.Options{Documents: register, BaseURL: "https://register.example"}, limiter)
	for range 310 {
		require.Equal(t, http.StatusOK, s.do(http.MethodGet, "/d").StatusCode)
	}
	assert.Equal(t, http.StatusOK, s.do(http.MethodGet, "/api/v2/schemas").StatusCode)
	links := s.page("/d").all("link")
	style := links[slices.IndexFunc(links, func(l *node) bool { return l.attr("rel") == "stylesheet" })].attr("href")
	for _, c := range []struct{ method, path, policy string }{
		{http.MethodGet, "/d", `"pages";q=1200;w=60`},
		{http.MethodGet, "/d.json", `"pages";q=1200;w=60`},
		{http.MethodGet, "/no-such-page", `"pages";q=1200;w=60`},
		{http.MethodGet, "/assets/no-such-file.css", `"pages";q=1200;w=60`},
		{http.MethodPost, "/d", `"pages";q=1200;w=60`},
		{http.MethodPost, "/play", `"forms";q=120;w=60`},
		{http.MethodPost, "/compose", `"forms";q=120;w=60`},
		{http.MethodGet, "/d/camera/sign.html", `"pages";q=1200;w=60`},
		{http.MethodGet, "/d/camera/sign.svg", `"forms";q=120;w=60`},
		{http.MethodGet, "/d/camera/sign.pdf", `"forms";q=120;w=60`},
		{http.MethodGet, style, ""},
	} {
		assert.Equal(t, c.policy, s.do(c.method, c.path).Header.Get("RateLimit-Policy"), "%s %s", c.method, c.path)
	}
	for range 120 {
		s.do(http.MethodGet, "/d/camera/sign.pdf")
	}
	refused := s.do(http.MethodGet, "/d/camera/sign.pdf")
	assert.Equal(t, http.StatusTooManyRequests, refused.StatusCode)
	assert.NotEmpty(t, refused.Header.Get("Retry-After"))
	assert.Equal(t, http.StatusOK, s.do(http.MethodGet, "/d").StatusCode)
}
