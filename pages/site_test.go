package pages_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"log/slog"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// writeSite returns the files of a site of a store.
func writeSite(t *testing.T, store taxonomy.Store, o *pages.Options) map[string][]byte {
	t.Helper()
	service := must(datachain.New(store, nil))
	e, err := pages.New(service, o)
	require.NoError(t, err)
	api, err := httpapi.New(service, &httpapi.Options{Routes: routes(nil), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	files := make(map[string][]byte)
	require.NoError(t, e.WriteSite(t.Context(), api, func(name string, body []byte) error {
		require.Nil(t, files[name], "%s: written twice", name)
		files[name] = bytes.Clone(body)
		return nil
	}))
	return files
}

// someSamples returns a store with some versions of the samples. A site of all of them has
// thousands of pages, which no test needs.
func someSamples(t *testing.T, versions ...taxonomy.Version) taxonomy.Store {
	t.Helper()
	samples, err := published.Store()
	require.NoError(t, err)
	var list []listing.Publication
	for _, version := range versions {
		r, err := samples.Release(t.Context(), version)
		require.NoError(t, err)
		list = append(list, listing.Publication{Release: r})
	}
	store, err := memstore.New(list...)
	require.NoError(t, err)
	return store
}

// TestSite follows every link of a site: each leads to a file or a place in one. In short
// mode, those of the pages in English are followed.
func TestSite(t *testing.T) {
	files := writeSite(t, someSamples(t, taxonomy.MustVersion(stable), taxonomy.MustVersion(beta)), nil)
	for _, name := range []string{
		"index.html", "en/index.html", "fr/t/" + stable + ".html", "es/t/" + stable + "/e/purpose.benefits.html",
		"en/t/" + beta + "/c/purpose.html", "api/schemas/" + stable + "/release.json",
	} {
		assert.NotNil(t, files[name], name)
	}
	assert.NotNil(t, files["nl/index.html"])
	assert.Nil(t, files["it/index.html"], "no taxonomy has Italian texts")
	for name, body := range files {
		assert.Equal(t, path.Ext(name) == ".html", bytes.HasPrefix(body, []byte("<!doctype html>")), name)
		assert.Equal(t, path.Ext(name) == ".json" || path.Ext(name) == ".jsonld", json.Valid(body), name)
	}
	t.Run("comparison", func(t *testing.T) { // is there as JSON and Markdown, too
		const name = "fr/compare~new=" + beta + "~old=" + stable
		var report diff.Report
		require.NoError(t, json.Unmarshal(files[name+".json"], &report))
		assert.NotEmpty(t, report.Changes)
		assert.Contains(t, string(files[name+".md"]), ": "+beta+"\n\nChanges since "+stable+".\n")
		assert.Contains(t, string(files[name+".md"]), "### Comment il fonctionne (`technique`)")
		var links []string
		for _, a := range parse(t, string(files[name+".html"])).first(t, "p.row").all("a") {
			links = append(links, a.attr("href"))
		}
		assert.Equal(t, []string{path.Base(name) + ".md", path.Base(name) + ".json"}, links)
	})
	s := &writtenSite{files: files, pages: make(map[string]*node)}
	for name := range files {
		if !strings.HasSuffix(name, ".html") || testing.Short() && !strings.HasPrefix(name, "en/") {
			continue
		}
		p := s.page(t, name)
		for d := range p.Descendants() {
			n := &node{d}
			for _, address := range []string{n.attr("href"), n.attr("src"), n.attr("action"), n.attr("poster")} {
				if address != "" {
					s.follow(t, name, address)
				}
			}
		}
		assert.Empty(t, p.all("form"), "%s: no server answers a form", name)
		if strings.HasPrefix(name, "en/") {
			assert.Equal(t, "Made with datachain, open source.", p.first(t, "footer").first(t, "p").text(), name)
		}
	}
}

// TestSiteNames checks that the ids of elements are not taken for the extensions of files,
// and that no file has the name of a directory or of a device.
func TestSiteNames(t *testing.T) {
	for _, ids := range [][]string{
		{"compare.json", "compare.md", "list.csv", "picture.png", "icon.svg", "x", "x.json", "x_json"},
		{"aux", "com1", "con", "lpt1", "aux.x", "console", "nul.data", "prn.svg"}, // devices of Windows
	} {
		content := large(len(ids))
		for i, id := range ids {
			content.Elements[i].ID = id
		}
		files := writeSite(t, storeOf(t, "big@2026-10-01-stable", content), nil)
		renamed := map[string]string{"aux": "+61ux", "com1": "+63om1", "con": "+63on", "lpt1": "+6cpt1", "aux.x": "+61ux.x", "nul.data": "+6eul.data", "prn.svg": "+70rn.svg"}
		for _, e := range content.Elements {
			name := cmp.Or(renamed[e.ID], e.ID)
			assert.Contains(t, string(files["en/t/big@2026-10-01-stable/e/"+name+".html"]), "<!doctype html>", e.ID)
			element := strings.Replace(name, ".json", "+2ejson", 1) + ".json"
			assert.Contains(t, string(files["api/schemas/big@2026-10-01-stable/elements/"+element]), `"id":"`+e.ID+`"`, e.ID)
		}
		for name := range files {
			assert.NotRegexp(t, `(^|/)(aux|com1|con|lpt1|nul|prn)(\.|/|$)`, name, "Windows can't create it")
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				assert.Nil(t, files[dir], "%s: is a directory, too", dir)
			}
		}
	}
}

// TestStyles checks that a style sheet has the classes of lists, since entries touch without
// a rule, and that links are underlined below the underscores of ids.
func TestStyles(t *testing.T) {
	read := func(pattern string) string {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		var b strings.Builder
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			b.Write(text)
		}
		return b.String()
	}
	styles := style.CSS + read("internal/*/*.css")
	assert.Regexp(t, `\na:has\(code\) \{ text-underline-offset: 0\.[3-9]`, styles)
	for _, list := range regexp.MustCompile(`<[ou]l class="([\w ]+)"`).FindAllStringSubmatch(read("internal/*/*.html"), -1) {
		assert.True(t, slices.ContainsFunc(strings.Fields(list[1]), func(class string) bool {
			return regexp.MustCompile(`\.` + class + `\b`).MatchString(styles)
		}), list[1])
	}
}

// writtenSite has the files of a site, and the pages that were parsed.
type writtenSite struct {
	files map[string][]byte
	pages map[string]*node
}

func (w *writtenSite) page(t *testing.T, name string) *node {
	t.Helper()
	if w.pages[name] == nil {
		w.pages[name] = parse(t, string(w.files[name]))
	}
	return w.pages[name]
}

// follow checks a link of a page.
func (w *writtenSite) follow(t *testing.T, from, address string) {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	if u.Scheme == "http" || u.Scheme == "https" {
		return
	}
	if path.Base(u.Path) != "compose.html" { // whose script reads the query
		require.Empty(t, u.RawQuery, "%s: %s", from, address)
	}
	require.Empty(t, u.Scheme+u.Host, "%s: %s", from, address)
	require.False(t, path.IsAbs(u.Path), "%s: %s", from, address)
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	require.NotNil(t, w.files[to], "%s: %s", from, address)
	if u.Fragment != "" {
		require.NotEmpty(t, w.page(t, to).all("#"+u.Fragment), "%s: %s", from, address)
	}
}

func TestSiteIsReproducible(t *testing.T) {
	store := many(t, 20)
	a, b := writeSite(t, store, nil), writeSite(t, store, nil)
	require.Len(t, b, len(a))
	for name := range a {
		require.Equal(t, string(a[name]), string(b[name]), name)
	}
}

// TestSiteLarge checks that all elements of a large taxonomy have a page that is reached
// by links.
func TestSiteLarge(t *testing.T) {
	elements := 250
	if testing.Short() {
		elements = 50
	}
	files := writeSite(t, many(t, elements), nil)
	found := 0
	for name := range files {
		if strings.HasPrefix(name, "en/t/big@2026-10-01-stable/e/") {
			found++
		}
	}
	assert.Equal(t, elements, found)
}
