package explorer_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
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
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

// TestSiteSearch writes a site that can be searched: each page names files that exist.
func TestSiteSearch(t *testing.T) {
	files := writeSite(t, many(t, 60), &explorer.Options{Assets: fstest.MapFS{"site.wasm": {Data: []byte("module")}, "wasm_exec.js": {Data: []byte("loader")}}})
	checked := 0
	for name, body := range files {
		if !strings.HasSuffix(name, ".html") || name == "index.html" {
			continue
		}
		p := parse(t, string(body))
		var site map[string]string
		require.NoError(t, json.Unmarshal([]byte(p.first(t, "body").attr("data-site")), &site), name)
		for _, key := range []string{"script", "worker", "module", "loader", "api"} {
			require.NotNil(t, files[path.Join(path.Dir(name), site[key])], "%s: %s %s", name, key, site[key])
		}
		assert.Equal(t, name, site["file"])
		for _, form := range p.all("form.search") {
			_, hidden := attribute(form, "hidden")
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
	for _, name := range slices.Sorted(maps.Keys(writeSite(t, many(t, 20), &explorer.Options{Assets: fstest.MapFS{"editor.js": {}}}))) {
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
	store, err := taxonomies.Store()
	require.NoError(t, err)
	e, err := explorer.New(must(datachain.New(store, nil)), nil)
	require.NoError(t, err)
	const oldest = "ai@2026-09-01-stable" // nothing is marked as new or changed
	for _, lang := range []string{"en", "fr", "es"} {
		for _, path := range []string{"/", "/t/" + oldest} {
			for _, q := range []string{"", "camera", "persnal data", "données", "zzzz", `<b>"&`, strings.Repeat("x", 300)} {
				for _, state := range []url.Values{{"part": {"results"}}, {"part": {"palette"}}, {"part": {"results"}, "category": {"purpose"}}} {
					state.Set("q", q)
					got, err := e.SitePart(t.Context(), explorer.SitePart{File: lang + path + ".html", Path: path, Query: state.Encode(), Lang: lang})
					require.NoError(t, err)
					state.Set("lang", lang)
					want := s.do("GET", path+"?"+state.Encode()).body
					if state.Get("part") == "palette" && q == "" {
						continue // a site has fewer pages
					}
					assert.Equal(t, links.ReplaceAllString(want, ""), links.ReplaceAllString(string(got), ""), "%s %s %s", lang, path, state)
				}
			}
		}
	}
}

// TestSitePartLinks checks that links lead to files, with the state in the query.
func TestSitePartLinks(t *testing.T) {
	e, err := explorer.New(must(datachain.New(many(t, 300), nil)), nil)
	require.NoError(t, err)
	const version = "big@2026-10-01-stable"
	got, err := e.SitePart(t.Context(), explorer.SitePart{
		File: "en/t/" + version + "/e/x.html", Path: "/t/" + version, Query: "q=statement&part=results&page=2", Lang: "en",
	})
	require.NoError(t, err)
	part := parse(t, string(got))
	assert.Regexp(t, `^e\d{5}\.html$`, part.first(t, "li.card").first(t, "a").attr("href"))
	pages := part.first(t, "nav.pages").all("a")
	require.NotEmpty(t, pages)
	assert.Equal(t, "../../"+version+".html?q=statement", pages[0].attr("href"))

	for name, wrong := range map[string]explorer.SitePart{
		"no part":    {Path: "/t/" + version, Lang: "en"},
		"no page":    {Path: "/nothing", Query: "part=results", Lang: "en"},
		"no version": {Path: "/t/none@2026-10-01-stable", Query: "part=results", Lang: "en"},
		"no path":    {Path: "%zz", Lang: "en"},
	} {
		_, err := e.SitePart(t.Context(), wrong)
		require.Error(t, err, name)
	}
}
