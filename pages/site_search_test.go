package pages_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages"
)

// TestSiteSearch writes a site that can be searched: each page with a form names files that exist.
func TestSiteSearch(t *testing.T) {
	files := writeSite(t, many(t, 60), &pages.Options{Assets: fstest.MapFS{"site.wasm": {Data: []byte("module")}, "wasm_exec.js": {Data: []byte("loader")}}})
	checked := 0
	for name, body := range files {
		if !strings.HasSuffix(name, ".html") || name == "index.html" {
			continue
		}
		p := parse(t, string(body))
		said, forms := p.first(t, "body").attr("data-site"), p.all("form.search")
		if said == "" {
			assert.Empty(t, forms, "%s: no script answers the form", name)
			continue
		}
		var site map[string]string
		require.NoError(t, json.Unmarshal([]byte(said), &site), name)
		for _, key := range []string{"script", "worker", "module", "loader", "api"} {
			require.NotNil(t, files[path.Join(path.Dir(name), site[key])], "%s: %s %s", name, key, site[key])
		}
		assert.Equal(t, name, site["file"])
		for _, form := range forms {
			hidden := false
			for n := form.Node; n != nil; n = n.Parent {
				_, is := attribute(&node{n}, "hidden")
				hidden = hidden || is
			}
			assert.True(t, hidden, "%s: only the script can answer the form", name)
			assert.NotNil(t, files[path.Join(path.Dir(name), form.attr("action"))], name)
			checked++
		}
	}
	assert.NotZero(t, checked)
	for name, body := range files {
		if strings.HasSuffix(name, ".wasm.gz") {
			r, err := gzip.NewReader(bytes.NewReader(body))
			require.NoError(t, err)
			module, err := io.ReadAll(r)
			require.NoError(t, err)
			assert.Equal(t, "module", string(module))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(writeSite(t, many(t, 20), &pages.Options{Assets: fstest.MapFS{"editor.js": {}}}))) {
		assert.NotContains(t, name, "site.", "a site without the files has no search")
	}
}

func attribute(n *node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// links are the addresses on a part of a page, which differ between a server and files.
var links = regexp.MustCompile(` href="[^"]*"`)

// TestSitePart compares what a static site finds with what the server finds.
func TestSitePart(t *testing.T) {
	s := open(t, nil, nil)
	store, err := published.Store()
	require.NoError(t, err)
	e, err := pages.New(must(datachain.New(store, nil)), nil)
	require.NoError(t, err)
	const oldest = "ai@2026-09-01-stable" // nothing is marked as new or changed
	for _, lang := range []string{"en", "fr", "es"} {
		for _, path := range []string{"/", "/t/" + oldest} {
			for _, q := range []string{"", "camera", "persnal data", "données", "zzzz", `<b>"&`, strings.Repeat("x", 300)} {
				for _, state := range []url.Values{{"part": {"results"}}, {"part": {"results"}, "category": {"purpose"}}} {
					state.Set("q", q)
					got := handled(t, e.SiteHandler(lang+path+".html", lang), "GET", path+"?"+state.Encode(), "", "")
					require.Equal(t, http.StatusOK, got.Code)
					state.Set("lang", lang)
					want := s.do("GET", path+"?"+state.Encode()).body
					assert.Equal(t, links.ReplaceAllString(want, ""), links.ReplaceAllString(got.Body.String(), ""), "%s %s %s", lang, path, state)
				}
			}
		}
	}
}

// TestSitePartLinks checks that links lead to files, with the state in the query.
func TestSitePartLinks(t *testing.T) {
	e, err := pages.New(must(datachain.New(many(t, 300), nil)), nil)
	require.NoError(t, err)
	const version = "big@2026-10-01-stable"
	pages := e.SiteHandler("en/t/"+version+"/e/x.html", "en")
	got := handled(t, pages, "GET", "/t/"+version+"?q=statement&part=results&page=2", "", "")
	require.Equal(t, http.StatusOK, got.Code)
	part := parse(t, got.Body.String())
	assert.Regexp(t, `^e\d{5}\.html$`, part.first(t, "li.element").first(t, "a").attr("href"))
	others := part.first(t, "nav.pages").all("a")
	require.NotEmpty(t, others)
	assert.Equal(t, "../../"+version+".html?q=statement", others[0].attr("href"))

	for address, want := range map[string]int{
		"/t/" + version: http.StatusBadRequest, "/nothing?part=results": http.StatusNotFound, "/t/none@2026-10-01-stable?part=results": http.StatusNotFound,
	} {
		assert.Equal(t, want, handled(t, pages, "GET", address, "", "").Code, address)
	}
}

// handled returns the response to a request.
func handled(t *testing.T, h http.Handler, method, address, contentType, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestSiteForm answers the form in a static site as the server does, with links between files:
// those of the form stay on its page, in whatever language it is shown.
func TestSiteForm(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	e, err := pages.New(must(datachain.New(store, nil)), nil)
	require.NoError(t, err)
	pages := e.SiteHandler("en/compose.html", "en")
	doc := string(documents.Valid()[0].Text)
	for _, do := range []string{"check", "open c-purpose", "up elements[1]", "save", "page"} {
		f := url.Values{"document": {doc}, "open": {""}, "do": {do}}
		const kind = "application/x-www-form-urlencoded"
		here := handled(t, pages, "POST", "/compose", kind, f.Encode())
		require.Equal(t, http.StatusOK, here.Code, do)
		there := handled(t, e, "POST", "/compose?lang=en", kind, f.Encode())
		assert.Equal(t, there.Header().Get("Content-Disposition"), here.Header().Get("Content-Disposition"), do)
		if do == "save" || do == "page" {
			assert.Equal(t, there.Body.String(), here.Body.String(), do)
			continue
		}
		got, want := parse(t, here.Body.String()), parse(t, there.Body.String())
		assert.Equal(t, want.first(t, "input").attr("value"), got.first(t, "input").attr("value"), "the document after %s", do)
		assert.Len(t, got.all(".question"), len(want.all(".question")), do)
		assert.Equal(t, "compose.html#open", got.first(t, "#compose").attr("action"))
		for _, button := range got.all("button") {
			assert.NotEqual(t, "json", button.attr("value"), "there is no other form")
		}
		for _, a := range got.first(t, "#composer").all("a") {
			assert.Regexp(t, `^(#|t/|codes/|https?://|mailto:)`, a.attr("href"))
		}
	}
	french := parse(t, handled(t, pages, "POST", "/compose?lang=fr", "application/x-www-form-urlencoded", url.Values{"document": {doc}}.Encode()).Body.String())
	assert.Equal(t, "fr", french.first(t, "html").attr("lang"))
	assert.Equal(t, "compose.html?lang=fr#open", french.first(t, "#compose").attr("action"))
	assert.True(t, strings.HasPrefix(french.first(t, "p.pinned").first(t, "a").attr("href"), "../fr/t/"), "others are in the language")
	assert.Equal(t, http.StatusBadRequest, handled(t, pages, "POST", "/compose", "text/plain", doc).Code)

	started := parse(t, handled(t, pages, "GET", "/compose?new=ai@2026-11-15-stable", "", "").Body.String())
	assert.Equal(t, "ai@2026-11-15-stable", started.first(t, "#compose").attr("data-version"))
	assert.Equal(t, http.StatusNotFound, handled(t, pages, "GET", "/compose?new=none@latest", "", "").Code)
}

// TestSiteCompose writes the page of the form: one file in each language, which says what to do
// without scripts, or if the site has no module.
func TestSiteCompose(t *testing.T) {
	const version = "big@2026-10-01-stable"
	with := writeSite(t, many(t, 20), &pages.Options{Assets: fstest.MapFS{"site.wasm": {Data: []byte("module")}, "wasm_exec.js": {Data: []byte("loader")}}})
	without := writeSite(t, many(t, 20), nil)
	page := parse(t, string(with["en/compose.html"]))
	assert.Contains(t, page.first(t, "#needs").text(), "JavaScript and WebAssembly")
	_, hidden := attribute(page.first(t, "#composer"), "hidden")
	assert.True(t, hidden, "until the script has started")
	assert.Equal(t, "begin "+version, page.first(t, "li.taxonomy").first(t, "button").attr("value"))
	assert.Contains(t, string(with["en/t/"+version+".html"]), `href="../compose.html?new=`)
	page = parse(t, string(without["en/compose.html"]))
	assert.Contains(t, page.first(t, "#needs").text(), "published without the form")
	assert.Contains(t, page.first(t, "#needs").text(), "datachain serve")
	assert.Empty(t, page.all("#composer"))
	assert.NotContains(t, string(without["en/compose.html"]), "compose.js")
	for name := range with {
		assert.NotContains(t, name, "compose~")
	}
}
