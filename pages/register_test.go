package pages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/manual"
	examples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// shelf is a directory of documents.
type shelf struct {
	t   testing.TB
	dir string
}

// put writes an example with other fields.
func (s *shelf) put(file, example string, fields map[string]any) {
	s.t.Helper()
	e, ok := examples.Find(example)
	require.True(s.t, ok)
	var doc map[string]any
	require.NoError(s.t, json.Unmarshal(e.Text, &doc))
	maps.Copy(doc, fields)
	text, err := json.Marshal(doc)
	require.NoError(s.t, err)
	name := filepath.Join(s.dir, file)
	require.NoError(s.t, os.WriteFile(name, text, 0o644))
	if updated, ok := fields["updated_at"].(string); ok {
		written, err := time.Parse(time.RFC3339, updated)
		require.NoError(s.t, err)
		require.NoError(s.t, os.Chtimes(name, written, written))
	}
}

// settings writes register.yaml, as JSON.
func (s *shelf) settings(text string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, "register.yaml"), []byte(text), 0o644))
}

// newShelf returns a directory with three documents, one of which has two editions.
func newShelf(t testing.TB) *shelf {
	t.Helper()
	s := &shelf{t, t.TempDir()}
	camera := map[string]any{
		"updated_at": "2026-06-01T00:00:00Z",
		"register": map[string]any{
			"slug": "camera", "status": "in_use", "since": "2025-01-01", "review_by": "2026-01-31", "themes": []any{"Traffic"},
			"organisation": map[string]any{"name": []any{map[string]any{"locale": "en", "value": "Roads Office"}, map[string]any{"locale": "fr", "value": "Bureau des routes"}}},
			"places":       []any{map[string]any{"name": "Lindenplatz", "geometry": map[string]any{"type": "Point", "coordinates": []any{12.3, 51.3}}}},
			"withheld":     []any{map[string]any{"what": "The supplier", "reason": "A tender is open"}},
		},
	}
	s.put("camera.json", "crossing-camera.json", camera)
	old := maps.Clone(camera)
	old["updated_at"], old["title"] = "2026-02-01T00:00:00Z", []any{map[string]any{"locale": "en", "value": "An earlier <title>"}}
	s.put("camera-old.json", "crossing-camera.json", old)
	s.put("benefits.json", "benefits.json", map[string]any{"register": map[string]any{"slug": "benefits", "status": "retired"}})
	s.put("chat.json", "library-chat.json", map[string]any{"register": map[string]any{"slug": "chat"}})
	return s
}

// write writes another file.
func (s *shelf) write(file, text string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, file), []byte(text), 0o644))
}

// register opens the documents of a shelf.
func (s *shelf) register() (*datachain.Service, *register.Register) {
	s.t.Helper()
	store, err := published.Store()
	require.NoError(s.t, err)
	service := must(datachain.New(store, nil))
	dir, err := register.OpenDirectory(s.dir, nil)
	require.NoError(s.t, err)
	r, err := register.New(service, []register.Origin{dir}, &register.Options{Refresh: -1})
	require.NoError(s.t, err)
	s.t.Cleanup(func() { require.NoError(s.t, r.Close()) })
	for _, refused := range r.State().Refused() {
		s.t.Errorf("%s: %v", refused.File, refused.Issues)
	}
	return service, r
}

// describing returns a store with the versions that documents name.
func describing(t *testing.T, reg *register.Register) taxonomy.Store {
	t.Helper()
	versions := make(map[taxonomy.Version]bool)
	for _, d := range reg.State().Documents() {
		versions[d.Version] = true
	}
	return someSamples(t, slices.Collect(maps.Keys(versions))...)
}

// serve serves the documents of a shelf.
func (s *shelf) serve(o *pages.Options) *site {
	t := s.t.(*testing.T)
	t.Helper()
	if o == nil {
		o = new(pages.Options)
	}
	_, reg := s.register()
	o.Documents = reg
	return open(t, nil, o)
}

func TestRegisterList(t *testing.T) {
	s := newShelf(t).serve(nil)
	for _, path := range []string{"/", "/d"} {
		res := s.do(http.MethodGet, path)
		require.Equal(t, http.StatusOK, res.StatusCode, res.body)
		assert.Equal(t, "public, max-age=60", res.Header.Get("Cache-Control"))
		assert.Contains(t, res.Header.Get("Vary"), "Accept-Language")
		assert.NotEmpty(t, res.Header.Get("ETag"))
		p := parse(t, res.body)
		rows := p.all("li.record")
		require.Len(t, rows, 2, "retired ones are left out")
		assert.Contains(t, p.text(), "Roads Office")
		assert.Contains(t, p.text(), "1 description is overdue")
		assert.NotEmpty(t, p.all("li.record")[0].all("svg"))
	}
	assert.Contains(t, s.page("/d", "Accept-Language", "fr").text(), "Bureau des routes")
	assert.Len(t, slices.DeleteFunc(s.page("/d").all("a"), func(a *node) bool { return !strings.Contains(a.attr("href"), ".atom") }), 1, "the feed has one link")
	assert.NotEmpty(t, s.page("/t").all("li.taxonomy"), "taxonomies have a page of their own")
	for _, has := range []bool{true, false} {
		server := newShelf(t).serve(&pages.Options{Tools: []manual.Operation{{Name: "list_versions"}, {Name: "list_documents", Listed: func() bool { return has }}}, MCP: "/mcp"})
		body := server.do(http.MethodGet, "/docs").body
		assert.Contains(t, body, "list_versions")
		assert.Equal(t, has, strings.Contains(body, "list_documents"))
	}
	assert.Equal(t, http.StatusNotFound, open(t, nil, nil).do(http.MethodGet, "/t").StatusCode)
}

// TestRegisterPurposes: a row names two purposes of a document, and says how many more there are.
func TestRegisterPurposes(t *testing.T) {
	shelf := newShelf(t)
	put := func(words string) {
		e, _ := examples.Find("crossing-camera.json")
		var doc map[string]any
		require.NoError(t, json.Unmarshal(e.Text, &doc))
		added := map[string]any{"element_id": "purpose.traffic", "variables": []any{map[string]any{"id": "in_short", "value": []any{map[string]any{"locale": "en", "value": words}}}}}
		elements, _ := doc["elements"].([]any)
		shelf.put("purposes.json", "crossing-camera.json", map[string]any{"id": "purposes", "elements": append(elements, added)})
	}
	row := func() string {
		p := shelf.serve(nil).page("/d")
		for _, row := range p.all("li.record") {
			if strings.Contains(row.text(), "change in time") && strings.Contains(row.first(t, "a").attr("href"), "purposes") {
				return row.text()
			}
		}
		return ""
	}
	put("They count buses.")
	assert.Contains(t, row(), "change in time. Safety of people and property and 1 more")
	put(strings.Repeat("They count buses. ", 20))
	assert.Contains(t, row(), "change in time. Safety of people and property and 1 more", "two at most")
}

// TestRegisterFilters checks filters, facets and the forms for programs, which have the same
// documents.
func TestRegisterFilters(t *testing.T) {
	s := newShelf(t).serve(nil)
	meant := s.page("/d?q=libarry&type=ai&page=1").first(t, "#results").first(t, "p.hint").first(t, "a")
	assert.Equal(t, "library", meant.text())
	assert.Equal(t, "/d?q=library&type=ai", meant.attr("href"))
	assert.Empty(t, s.page("/d?q=libarry&type=sensor").first(t, "#results").all("p.hint"), "nothing is found in this type")
	for query, want := range map[string][]string{
		"":                                 {"camera", "chat"},
		"?q=libarry":                       {"chat"}, // a typo
		"?status=retired":                  {"benefits"},
		"?status=in_use":                   {"camera"},
		"?q=library":                       {"chat"},
		"?organisation=roads+office":       {"camera"},
		"?theme=traffic&place=Lindenplatz": {"camera"},
		"?theme=none":                      nil,
		"?q=webcam":                        {"camera"}, // a keyword of its elements
		"?q=zzzzzz":                        nil,
	} {
		p := s.page("/d" + query)
		assert.NotEmpty(t, p.first(t, "aside.side").all("a"), "filters remain")
		var rows []string
		for _, row := range p.all("li.record") {
			rows = append(rows, strings.TrimPrefix(row.first(t, "a").attr("href"), "/d/"))
		}
		assert.ElementsMatch(t, want, rows, query)
		assert.Equal(t, query != "", strings.Contains(s.do(http.MethodGet, "/d"+query).body, "noindex"), query)
		var list struct {
			Documents []struct{ Slug string }
		}
		require.NoError(t, json.Unmarshal([]byte(s.do(http.MethodGet, "/d.json"+query).body), &list))
		assert.Len(t, list.Documents, len(want), query)
	}
	for _, format := range lists.Formats() {
		res := s.do(http.MethodGet, "/d."+string(format))
		require.Equal(t, http.StatusOK, res.StatusCode, format)
		assert.Equal(t, format.ContentType(), res.Header.Get("Content-Type"))
		assert.Equal(t, "public, max-age=60", res.Header.Get("Cache-Control"))
	}
	p := s.page("/d?theme=Traffic")
	assert.Equal(t, "/d", p.first(t, "ul.chips").first(t, "a").attr("href"), "a filter can be removed")
	facets := p.first(t, "aside.side")
	assert.Contains(t, facets.text(), "In use 1")
	require.Equal(t, http.StatusOK, s.do(http.MethodGet, facets.all("a")[0].attr("href")).StatusCode)
	assert.Equal(t, http.StatusBadRequest, s.do(http.MethodGet, "/d?status=broken").StatusCode)
	assert.Contains(t, s.page("/d?page=9").first(t, "p.notice").text(), "There is no page “9”")
	long := s.do(http.MethodGet, "/d?q=camera"+strings.Repeat("+a", 2000))
	assert.Less(t, len(long.body), len(s.do(http.MethodGet, "/d?q=camera").body)+100_000, "links repeat the beginning of a long query only")

	part := s.do(http.MethodGet, "/d?q=camera&part=results")
	assert.NotContains(t, part.body, "<html")
	assert.Contains(t, part.body, "/d/camera")
}

func TestRegisterDocument(t *testing.T) {
	s := newShelf(t).serve(&pages.Options{BaseURL: "https://example.org"})
	for _, path := range []string{"/d/camera", "/d/camera/"} {
		res := s.do(http.MethodGet, path)
		require.Equal(t, http.StatusOK, res.StatusCode, res.body)
		p := parse(t, res.body)
		assert.Equal(t, "In use since 1 January 2025 Review overdue", p.first(t, "span.status").text())
		assert.Contains(t, p.first(t, "aside").text(), "A tender is open")
		assert.Contains(t, res.body, `<link rel="canonical" href="https://example.org/d/camera">`)
		assert.Contains(t, res.body, `hreflang="fr" href="https://example.org/d/camera?lang=fr"`)
		assert.Contains(t, res.body, `property="og:title"`)
		assert.NotContains(t, res.Header.Get("Content-Security-Policy"), "unsafe-inline")
	}
	assert.Equal(t, "fr", s.page("/d/camera?lang=fr").first(t, "html").attr("lang"))
	for path, contentType := range map[string]string{"/d/camera.json": "application/json", "/d/camera.resolved.json": "application/json"} {
		res := s.do(http.MethodGet, path)
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		assert.Contains(t, res.Header.Get("Content-Type"), contentType)
		assert.True(t, json.Valid([]byte(res.body)))
	}
	assert.Contains(t, s.do(http.MethodGet, "/d/camera.md").body, "# Cameras at the Mill Street crossing\n")
	assert.Contains(t, s.do(http.MethodGet, "/d/camera.jsonld").body, `"@id":"https://example.org/d/camera/"`)
	for _, path := range []string{"/d/none", "/d/camera.x", "/d/camera/history/000000000000", "/d/none.json"} {
		assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, path).StatusCode, path)
	}
	assert.Contains(t, s.do(http.MethodGet, "/sitemap.xml").body, "https://example.org/d/camera<")
	assert.Contains(t, s.do(http.MethodGet, "/d").body, `type="application/atom&#43;xml" href="/d.atom"`)
}

// TestRegisterDeprecated shows that the page of a document says that its schema version is
// deprecated or was retired, and what to upgrade to, and that the list marks it.
func TestRegisterDeprecated(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	const before = "sensor@2026-11-15-stable"
	next := taxonomy.MustVersion("sensor@2026-06-15-stable")
	deprecated, err := listing.SetState(index, taxonomy.MustVersion(before), taxonomy.State{Deprecated: "2026-11-17", Successor: next})
	require.NoError(t, err)
	retired, err := listing.Remove(index, taxonomy.RetiredVersion{ID: taxonomy.MustVersion(before), At: "2027-03-01", Successor: next})
	require.NoError(t, err)
	for want, index := range map[string]*taxonomy.Index{
		"The version of its taxonomy has been deprecated since 17 November 2026. Upgrade to " + next.String():            deprecated,
		"The version of its taxonomy is not published any more. It is shown as it was then. Upgrade to " + next.String(): retired,
	} {
		shelf := newShelf(t)
		camera, ok := examples.Find("crossing-camera.resolved.json")
		require.True(t, ok)
		shelf.put("camera.json", camera.Name, map[string]any{"register": map[string]any{"slug": "camera"}})
		require.NoError(t, os.Remove(filepath.Join(shelf.dir, "camera-old.json")))
		service := must(datachain.New(withIndex{store, index}, nil))
		dir, err := register.OpenDirectory(shelf.dir, nil)
		require.NoError(t, err)
		r, err := register.New(service, []register.Origin{dir}, &register.Options{Refresh: -1})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, r.Close()) })
		s := open(t, withIndex{store, index}, &pages.Options{Documents: r})
		band := s.page("/d/camera?lang=en").first(t, "p.warn")
		assert.Equal(t, want, band.text())
		assert.Equal(t, "/t/"+next.String()+"?lang=en", band.first(t, "a").attr("href"))
		assert.Empty(t, s.page("/d/chat").all("p.warn"))
		var marked []string
		for _, card := range s.page("/d?lang=en").all("li.record") {
			if old := card.all("p.warn"); len(old) > 0 {
				marked = append(marked, card.first(t, "a").attr("href"))
				assert.Contains(t, want, old[0].text())
			}
		}
		assert.Equal(t, []string{"/d/camera?lang=en"}, marked, "in the list, too")
	}
}

func TestRegisterHistory(t *testing.T) {
	s := newShelf(t).serve(nil)
	p := s.page("/d/camera/history")
	require.Len(t, p.all("li.edition"), 2)
	old := p.all("li.edition")[1].first(t, "a").attr("href")
	res := s.do(http.MethodGet, old)
	require.Equal(t, http.StatusOK, res.StatusCode)
	assert.Equal(t, "public, max-age=3600", res.Header.Get("Cache-Control"))
	assert.Contains(t, parse(t, res.body).first(t, "div.first").text(), "This is an earlier edition")
	assert.Contains(t, res.body, "An earlier &lt;title&gt;")
	assert.Equal(t, "Cameras at the Mill Street crossing", p.first(t, "h1").text())
	codes := p.all("code")
	require.Len(t, codes, 2)
	assert.Len(t, p.first(t, "details.fold").all("code"), 2, "hashes are folded")
	assert.Regexp(t, "^sha256-[0-9a-f]{64}$", codes[0].text())
	changes := p.all("li.edition")[0].first(t, "ul.changes")
	assert.Contains(t, changes.text(), "Changed titleAn earlier <title> Cameras at the Mill Street crossing")
	assert.Contains(t, s.page("/d/camera/history?lang=fr").first(t, "ul.changes").text(), "Modifié titre")
}

// TestOwnLanguage shows a document in every language of the register, says in which language its texts are,
// and marks the languages in the header in which it lacks texts.
func TestOwnLanguage(t *testing.T) {
	shelf := newShelf(t)
	shelf.settings(`{"languages": ["en", "fr", "de", "ar"]}`)
	text := func(texts ...string) (list []any) {
		for i := 0; i < len(texts); i += 2 {
			list = append(list, map[string]any{"locale": texts[i], "value": texts[i+1]})
		}
		return list
	}
	elements := []any{map[string]any{"element_id": "purpose.traffic", "variables": []any{map[string]any{"id": "in_short", "value": text("en", "It counts cars.")}}}}
	for slug, title := range map[string][]any{"english": text("en", "Counter"), "titled": text("en", "Counter", "de", "Zähler")} {
		e, ok := examples.Find("crossing-camera.json")
		require.True(t, ok)
		var doc map[string]any
		require.NoError(t, json.Unmarshal(e.Text, &doc))
		rest := slices.DeleteFunc(doc["elements"].([]any), func(e any) bool { return e.(map[string]any)["element_id"] == "purpose.traffic" })
		for _, e := range rest {
			for _, v := range anyList(e.(map[string]any)["variables"]) {
				if list, ok := v.(map[string]any)["value"].([]any); ok && len(list) > 1 {
					v.(map[string]any)["value"] = list[:1]
				}
			}
		}
		shelf.put(slug+".json", "crossing-camera.json", map[string]any{"id": slug, "title": title, "elements": append(slices.Clone(elements), rest...), "register": map[string]any{"slug": slug}})
	}
	s := shelf.serve(nil)
	line := func(address string) string {
		if below := s.page(address).first(t, "main").first(t, "header").all("p.meta"); len(below) > 0 {
			return below[0].text()
		}
		return ""
	}
	assert.Empty(t, line("/d/english?lang=en"))
	assert.Equal(t, "Sprache dieser Beschreibung: English", line("/d/english?lang=de"))
	assert.Equal(t, "لغة هذا الوصف: English", line("/d/english?lang=ar"))
	assert.Equal(t, "Nur der Titel ist auf Deutsch. Das Übrige: English", line("/d/titled?lang=de"))
	page := s.page("/d/titled?lang=de")
	assert.Equal(t, "de", page.first(t, "html").attr("lang"))
	assert.Equal(t, "de", page.first(t, "main").attr("lang"))
	assert.Equal(t, "Zähler", page.first(t, "h1").text())
	var languages []string
	for _, a := range page.first(t, "details.languages").all("a") {
		languages = append(languages, a.text())
	}
	assert.Equal(t, []string{"English", "Deutsch (teilweise)", "Français (teilweise)", "العربية (teilweise)"}, languages)
}

// anyList returns a list of JSON, or nothing.
func anyList(v any) []any {
	list, _ := v.([]any)
	return list
}

// TestEarlierEdition shows that the page of an earlier edition says what that edition said: its
// title, status, places and facts, not those of the current one.
func TestEarlierEdition(t *testing.T) {
	shelf := newShelf(t)
	for file, about := range map[string][]string{"a.json": {"2026-02-01", "trial", "North gate"}, "b.json": {"2026-06-01", "retired", "South gate"}} {
		shelf.put(file, "crossing-camera.json", map[string]any{
			"id": "gate", "title": []any{map[string]any{"locale": "en", "value": "Camera at the " + about[2]}}, "updated_at": about[0] + "T00:00:00Z",
			"register": map[string]any{"slug": "gate", "status": about[1], "since": about[0], "until": about[0], "review_by": "2026-03-01", "places": []any{map[string]any{"name": about[2]}}, "themes": []any{"Theme of the " + about[2]}},
		})
	}
	s := shelf.serve(nil)
	now := s.page("/d/gate")
	assert.Contains(t, now.first(t, "div.first").text(), "Retired since 1 June 2026")
	earlier := "/d/gate/history/" + must(latest(shelf, "gate")).Editions[1].Short()
	old := s.page(earlier)
	assert.Equal(t, "Camera at the North gate", old.first(t, "h1").text())
	assert.Contains(t, old.first(t, "title").text(), "North gate")
	assert.Equal(t, "On trial since 1 February 2026", old.first(t, "span.status").text(), "whether a review is overdue is said of the current one")
	facts := old.first(t, "aside").text()
	assert.Contains(t, facts, "North gate")
	assert.Contains(t, facts, "Theme of the North gate")
	assert.NotContains(t, old.text(), "South gate")
	assert.NotContains(t, old.text(), "This system is retired", "the notice is about today")
	assert.Contains(t, old.first(t, "p.notice").text(), "This is an earlier edition")
	const file = `href="/d/gate.json"`
	assert.Contains(t, s.do(http.MethodGet, "/d/gate").body, file)
	assert.NotContains(t, s.do(http.MethodGet, earlier).body, file, "the files are of the current edition")
}

// latest returns a document of a shelf.
func latest(s *shelf, slug string) (*register.Document, error) {
	_, reg := s.register()
	d, ok := reg.State().Document(slug)
	if !ok {
		return nil, fmt.Errorf("no document %s", slug)
	}
	return d, nil
}

// TestRegisterPassed says that the date passed for which a system was planned, and counts it as overdue.
func TestRegisterPassed(t *testing.T) {
	shelf := newShelf(t)
	for slug, since := range map[string]string{"passed": "2020-05-01", "ahead": "2199-05-01"} {
		shelf.put(slug+".json", "air-station.json", map[string]any{"id": slug, "register": map[string]any{"slug": slug, "status": "planned", "since": since}})
	}
	s := shelf.serve(nil)
	assert.Equal(t, "Planned for 1 May 2020, date passed", s.page("/d/passed?lang=en").first(t, "span.status").text())
	assert.Contains(t, s.page("/d/passed?lang=en").text(), "This system was planned for a date that has passed. Nothing newer is said about it.")
	assert.NotContains(t, s.page("/d/passed?lang=en").text(), "It is not in use yet")
	assert.Equal(t, "Planned from 1 May 2199", s.page("/d/ahead?lang=en").first(t, "span.status").text())
	assert.Contains(t, s.page("/d/ahead?lang=en").text(), "It is not in use yet")
	assert.Contains(t, s.page("/?lang=en").text(), "2 descriptions are overdue: Cameras at the Mill Street crossing, ")
	found := s.page("/d?lang=en&gap=review_overdue")
	assert.Len(t, found.all("li.record"), 2)
	assert.Contains(t, found.text(), "date passed")
}

// TestRegisterSign checks that a printed code tells what has changed since.
func TestRegisterSign(t *testing.T) {
	shelf := newShelf(t)
	_, reg := shelf.register()
	s := shelf.serve(&pages.Options{BaseURL: "https://example.org"})
	d, ok := reg.State().Document("camera")
	require.True(t, ok)
	now, old := "-"+d.Editions[0].Short()[:6], "-"+d.Editions[1].Short()[:6]
	for code, want := range map[string]string{
		"2026-06-01" + now:  "Nothing has changed since 1 June 2026, the date of the sign.",
		"2026-06-01":        "Nothing has changed since 1 June 2026, the date of the sign.",
		"2026-11-18" + now:  "Nothing has changed since 18 November 2026, the date of the sign.", // the digits alone decide
		"2026-02-01" + old:  "Changed since 1 February 2026, the date of the sign",
		"2026-06-01" + old:  "Changed since 1 June 2026, the date of the sign",
		"2026-02-01":        "Changed since 1 February 2026, the date of the sign",
		"2026-06-01-abcdef": "The sign is dated 1 June 2026. What was published then can't be compared any more.",
		"2026-01-31-abcdef": "This sign is older than our records. This page is current: 1 June 2026.",
		"2026-05-31":        "The sign is dated 31 May 2026. What was published then can't be compared any more.",
	} {
		p := s.page("/d/camera/?s=" + code)
		assert.Contains(t, p.first(t, "div.first").text(), want)
		assert.Equal(t, strings.HasPrefix(want, "Changed"), len(p.all("ul.changes")) > 0, code)
		french, canonical := "", ""
		for _, link := range append(p.all("a"), p.all("link")...) {
			switch {
			case link.attr("rel") == "canonical":
				canonical = link.attr("href")
			case link.attr("rel") == "" && link.attr("hreflang") == "fr":
				french = link.attr("href")
			}
		}
		assert.Equal(t, "/d/camera?lang=fr&s="+code, french, "the language switch keeps the edition")
		assert.Equal(t, "https://example.org/d/camera", canonical)
	}
	for _, code := range []string{"x", "2026-06-01-", "2026-06-01-abcde", "2026-06-01-abcdefa", "2026-06-01-xyzxyz"} {
		assert.NotContains(t, s.page("/d/camera/?s="+code).first(t, "div.first").text(), "sign", code)
	}
	// Codes name the edition.
	code := string(must(sheet.CodeSVG("https://example.org/d/camera/?s=2026-06-01" + now)))
	assert.Equal(t, code, s.do(http.MethodGet, "/d/camera/qr.svg").body)
	drawn := code[strings.LastIndex(code, "<path"):]
	for _, path := range []string{"/d/camera/sign.html", "/d/camera"} {
		assert.Contains(t, s.do(http.MethodGet, path).body, drawn, path)
	}
}

// TestRegisterLanguage checks that lists, pages, files and boards have one language if none is
// asked for or they do not have it, and a board never two.
func TestRegisterLanguage(t *testing.T) {
	shelf := &shelf{t, t.TempDir()}
	title := func(texts ...string) (list []any) {
		for i := 0; i < len(texts); i += 2 {
			list = append(list, map[string]any{"locale": texts[i], "value": texts[i+1]})
		}
		return list
	}
	shelf.put("a.json", "air-station.json", map[string]any{"id": "a", "title": title("fr", "Un", "en", "One", "ar", "واحد")})
	shelf.put("b.json", "crossing-camera.json", map[string]any{"id": "b", "title": title("fr", "Deux", "ar", "اثنان")})
	shelf.put("c.json", "air-station.json", map[string]any{"id": "c", "title": title("en", "Three", "fr", "Trois")})
	s := shelf.serve(nil)
	for _, accepted := range []string{"", "ja", "sv-SE,sv;q=0.5"} {
		for _, path := range []string{"/", "/d", "/d?q=air", "/d.json", "/d.csv", "/d.atom", "/d/a", "/d/b", "/d/c", "/d/a.md", "/d/a/history", "/compare?documents=a,c", "/compare.json?documents=a,c"} {
			res := s.do(http.MethodGet, path, "Accept-Language", accepted)
			require.Equal(t, http.StatusOK, res.StatusCode, path)
			assert.Equal(t, "fr", res.Header.Get("Content-Language"), path)
		}
		assert.Contains(t, s.do(http.MethodGet, "/d.csv", "Accept-Language", accepted).body, ",Trois,")
	}
	for _, language := range []string{"en", "fr", "ar"} {
		p := s.page("/compare?documents=a,b&lang=" + language)
		assert.Equal(t, language, p.first(t, "html").attr("lang"))
		assert.Contains(t, p.first(t, "table.board").text(), phrases.In(language).Headings["purpose"])
		for _, other := range []string{"en", "fr", "ar"} {
			if other != language {
				assert.NotContains(t, p.first(t, "table.board").text(), phrases.In(other).Headings["purpose"])
				assert.NotContains(t, p.first(t, "table.board").text(), phrases.In(other).Nothing["decision"])
			}
		}
	}
}

// TestRegisterGone checks the addresses of documents that were withdrawn or erased.
func TestRegisterGone(t *testing.T) {
	shelf, target := newShelf(t), new(targettest.Memory)
	service, live := shelf.register()
	_, err := publishing.Documents(t.Context(), target, live, nil)
	require.NoError(t, err)
	camera, _ := live.State().Document("camera")
	_, err = publishing.Withdraw(t.Context(), target, "chat", "It was <b>stopped</b>.")
	require.NoError(t, err)
	_, err = publishing.Erase(t.Context(), target, "camera", camera.Editions[1].Hash, "It had a name in it.")
	require.NoError(t, err)
	_, err = publishing.Erase(t.Context(), target, "benefits", taxonomy.Hash{}, "A court ordered it.")
	require.NoError(t, err)
	reg, err := register.New(service, []register.Origin{register.Stored("memory", publishing.TargetFiles(target), nil)}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	s := open(t, nil, &pages.Options{Documents: reg})

	chat := s.do(http.MethodGet, "/d/chat")
	assert.Equal(t, http.StatusGone, chat.StatusCode)
	assert.Contains(t, parse(t, chat.body).first(t, "div.first").text(), "Reason: It was <b>stopped</b>.")
	assert.Contains(t, chat.body, "noindex")
	assert.NotEmpty(t, parse(t, chat.body).all("article"), "the last edition is shown")
	assert.Equal(t, http.StatusGone, s.do(http.MethodGet, "/d/chat", "If-None-Match", "*").StatusCode)
	assert.Equal(t, http.StatusOK, s.do(http.MethodGet, "/d/chat/history").StatusCode)

	benefits := s.do(http.MethodGet, "/d/benefits")
	assert.Equal(t, http.StatusGone, benefits.StatusCode)
	assert.Contains(t, parse(t, benefits.body).first(t, "main").text(), "A court ordered it.")
	assert.NotContains(t, benefits.body, "housing benefit")
	assert.NotContains(t, s.do(http.MethodGet, "/d/benefits/history").body, "housing benefit")

	history := s.page("/d/camera/history")
	assert.Contains(t, history.all("li.edition")[1].text(), "It had a name in it.")
	assert.Contains(t, history.all("li.edition")[0].text(), "can't be told")
	old := s.do(http.MethodGet, "/d/camera/history/"+camera.Editions[1].Short())
	assert.Equal(t, http.StatusGone, old.StatusCode)
	assert.NotContains(t, old.body, "An earlier")
	assert.Contains(t, s.page("/d/camera?s=2026-03-01").first(t, "div.first").text(), "This sign is older than our records.")
	assert.Contains(t, s.page("/d/camera?s=2026-03-01-"+camera.Editions[1].Short()[:6]).first(t, "div.first").text(), "can't be compared any more")
	for _, extension := range []string{".json", ".resolved.json", ".jsonld", ".md"} {
		assert.Equal(t, http.StatusOK, s.do(http.MethodGet, "/d/camera"+extension).StatusCode)
		res := s.do(http.MethodGet, "/d/chat"+extension)
		assert.Equal(t, http.StatusGone, res.StatusCode)
		assert.Contains(t, res.body, `"code":"gone"`)
	}
	assert.Len(t, s.page("/d").all("li.record"), 1)
	for _, s := range []*site{s, open(t, nil, &pages.Options{Documents: reg, BaseURL: "https://example.org", Signs: new(artist)})} {
		for _, slug := range []string{"chat", "benefits"} {
			for _, file := range []string{".json", ".resolved.json", ".jsonld", ".md", "/sign.svg", "/sign.pdf?size=A9", "/qr.svg"} {
				res := s.do(http.MethodGet, "/d/"+slug+file, "Accept", "text/html")
				assert.Equal(t, http.StatusGone, res.StatusCode, file)
				assert.Contains(t, res.body, `"fix_hint":"see /d/`+slug+`/history for what was published"`, file)
			}
			want := s.do(http.MethodGet, "/d/"+slug)
			for _, file := range []string{"/", "/sign.html", "/card", "/card?languages=xx"} {
				res := s.do(http.MethodGet, "/d/"+slug+file)
				assert.Equal(t, http.StatusGone, res.StatusCode, file)
				assert.Equal(t, want.body, res.body, file)
				assert.Equal(t, want.Header.Get("Content-Security-Policy"), res.Header.Get("Content-Security-Policy"), file)
			}
		}
	}

	files := writeSite(t, many(t, 2), &pages.Options{Documents: reg, BaseURL: "https://example.org"})
	require.Contains(t, files, "en/d/chat.html")
	assert.Contains(t, string(files["sitemap.xml"]), "https://example.org/en/d/camera.html<")
	assert.NotContains(t, string(files["sitemap.xml"]), "d/chat")
	assert.NotContains(t, string(files["sitemap.xml"]), "d/benefits")
}

// TestRegisterChange changes documents under a running register: the list, the page and their
// ETags follow, and an earlier slug goes on showing its document while a file has it.
func TestRegisterChange(t *testing.T) {
	shelf := newShelf(t)
	store, err := published.Store()
	require.NoError(t, err)
	dir, err := register.OpenDirectory(shelf.dir, nil)
	require.NoError(t, err)
	reg, err := register.New(must(datachain.New(store, nil)), []register.Origin{dir}, &register.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	s := open(t, nil, &pages.Options{Documents: reg})
	get := func(path string) reply {
		res := s.do(http.MethodGet, path)
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		return res
	}
	paths := []string{"/", "/d", "/d?q=chat", "/d.json", "/d.atom", "/d/chat", "/d/chat.json", "/d/chat.md", "/d/chat/history", "/compare?documents=camera,chat"}
	before := make(map[string]reply)
	for _, path := range paths {
		before[path] = get(path)
		require.Equal(t, http.StatusNotModified, s.do(http.MethodGet, path, "If-None-Match", before[path].Header.Get("ETag")).StatusCode, path)
	}
	tag := reg.State().Tag()
	shelf.put("library.json", "library-chat.json", map[string]any{
		"updated_at": "2026-11-06T00:00:00Z", "title": []any{map[string]any{"locale": "en", "value": "A changed chat"}},
		"register": map[string]any{"slug": "library"},
	})
	require.Eventually(t, func() bool { return reg.State().Tag() != tag }, time.Minute, time.Millisecond)
	for _, path := range paths {
		res := s.do(http.MethodGet, path, "If-None-Match", before[path].Header.Get("ETag"))
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		assert.NotEqual(t, before[path].Header.Get("ETag"), res.Header.Get("ETag"), path)
		if path != "/d/chat/history" {
			assert.Contains(t, res.body, "A changed chat", path)
		}
	}

	// The list leads to the new address, and the old one shows the same page.
	assert.Contains(t, get("/d").body, `href="/d/library"`)
	for _, path := range []string{"/d/chat", "/d/chat/", "/d/library", "/d/library/"} {
		p := parse(t, get(path).body)
		assert.Equal(t, "A changed chat", p.first(t, "h1").text(), path)
	}
	assert.Equal(t, get("/d/library.json").body, get("/d/chat.json").body)

	// One that is removed is not found any more. The older file is removed last: without it, the old
	// address is not known even while the newer one is still listed.
	for _, name := range []string{"library.json", "chat.json"} {
		require.NoError(t, os.Remove(filepath.Join(shelf.dir, name)))
	}
	require.Eventually(t, func() bool { return s.do(http.MethodGet, "/d/chat").StatusCode == http.StatusNotFound }, time.Minute, time.Millisecond)
	assert.NotContains(t, get("/d").body, "A changed chat")
}

// TestRegisterNotModified checks that a client that has a list already is told so, also if the
// list is not kept, with the headers that a kept one has.
func TestRegisterNotModified(t *testing.T) {
	_, reg := newShelf(t).register()
	kept, bare := open(t, nil, &pages.Options{Documents: reg}), open(t, nil, &pages.Options{Documents: reg, CacheBytes: -1})
	for _, path := range []string{"/d", "/d?q=chat&lang=en", "/d?status=in_use&part=results", "/d.json", "/d.csv", "/d/chat/history"} {
		t.Run(path, func(t *testing.T) {
			send := func(s *site, headers ...string) reply { return s.do(http.MethodGet, path, headers...) }
			tag := send(kept, "Accept-Encoding", "gzip").Header.Get("ETag")
			require.Equal(t, http.StatusOK, send(bare, "Accept-Encoding", "gzip", "If-None-Match", `"0", *x`).StatusCode)
			for _, had := range []string{tag, "W/" + tag, `"0", ` + tag} {
				want := send(kept, "Accept-Encoding", "gzip", "If-None-Match", had)
				got := send(bare, "Accept-Encoding", "gzip", "If-None-Match", had)
				require.Equal(t, http.StatusNotModified, got.StatusCode)
				for _, name := range []string{"Date", "X-Request-Id"} {
					got.Header.Set(name, want.Header.Get(name))
				}
				require.Equal(t, want.Header, got.Header)
			}
			if strings.HasSuffix(tag, `-gzip"`) {
				require.Equal(t, http.StatusOK, send(bare, "Accept-Encoding", "identity", "If-None-Match", tag).StatusCode)
			}
		})
	}
}

// TestRegisterRepeated checks that a request that was sent before gets the page of an
// handler that keeps nothing, in its language and form and after a change.
func TestRegisterRepeated(t *testing.T) {
	shelf := newShelf(t)
	service := must(datachain.New(must(published.Store()), nil))
	dir := must(register.OpenDirectory(shelf.dir, nil))
	reg := must(register.New(service, []register.Origin{dir}, &register.Options{Refresh: time.Millisecond}))
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	kept := must(pages.New(service, &pages.Options{Documents: reg}))
	bare := must(pages.New(service, &pages.Options{Documents: reg, CacheBytes: -1}))
	send := func(e *pages.Handler, path, language string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody), httptest.NewRecorder()
		r.Header.Set("Accept-Language", language)
		e.ServeHTTP(w, r)
		return w
	}
	compare := func() {
		t.Helper()
		for range 4 { // a search is kept when it comes again
			for _, path := range []string{
				"/", "/d", "/d?q=chat", "/d?q=chat&lang=fr", "/d?q=chat&part=results", "/d?q=camera", "/d?q=%zz", "/d?status=in_use", "/d.json?q=chat",
				"/d/chat", "/d/chat?lang=en", "/d/camera", "/d/chat/history", "/d/nothing",
			} {
				for _, language := range []string{"", "en", "fr-CA,fr;q=0.8", "de"} {
					want, got := send(bare, path, language), send(kept, path, language)
					require.Equal(t, want.Code, got.Code, path)
					require.Equal(t, want.Header(), got.Header(), path)
					require.Equal(t, want.Body.String(), got.Body.String(), path)
				}
			}
		}
	}
	compare()
	before := reg.State().Tag()
	title := func(value string) map[string]any {
		return map[string]any{"title": []any{map[string]any{"locale": "en", "value": value}}}
	}
	shelf.put("chat.json", "library-chat.json", title("A changed chat"))
	require.Eventually(t, func() bool { return reg.State().Tag() != before }, time.Minute, time.Millisecond)
	compare()
}

// TestRegisterSite follows every link of a static register.
func TestRegisterSite(t *testing.T) {
	_, reg := newShelf(t).register()
	files := writeSite(t, describing(t, reg), &pages.Options{Documents: reg})
	for _, name := range []string{"en/index.html", "en/t.html", "fr/d/camera.html", "d/camera/index.html", "d/camera.json", "d/camera.resolved.json", "en/d/camera/history.html", "en/d/camera.md", "d.json", "d.csv", "d.geojson", "d.atom", "d.jsonld", "fr/d.json", "en/d~status=retired.html"} {
		assert.NotNil(t, files[name], name)
	}
	s := &writtenSite{files: files, pages: make(map[string]*node)}
	for name := range files {
		if !strings.HasSuffix(name, ".html") || !strings.HasPrefix(name, "d/") && !strings.HasPrefix(name, "en/d") && name != "en/index.html" {
			continue
		}
		for d := range s.page(t, name).Descendants() {
			n := &node{d}
			for _, address := range []string{n.attr("href"), n.attr("src")} {
				if address != "" && !strings.HasPrefix(address, "mailto:") && !strings.HasPrefix(address, "tel:") {
					s.follow(t, name, address)
				}
			}
		}
	}
}

// TestSiteLanguages follows every link of a static register in some of its languages: pages and
// links in others are left out, also where a document has none of them.
func TestSiteLanguages(t *testing.T) {
	_, reg := newShelf(t).register()
	files := writeSite(t, describing(t, reg), &pages.Options{Documents: reg, BaseURL: "https://example.org", Languages: []string{"fr"}})
	assert.NotNil(t, files["fr/d/camera.html"])
	assert.NotNil(t, files["d/camera/index.html"])
	s := &writtenSite{files: files, pages: make(map[string]*node)}
	for name, body := range files {
		first, _, below := strings.Cut(name, "/")
		assert.True(t, !below || slices.Contains([]string{"fr", "d", "api", "assets"}, first), name)
		assert.NotContains(t, string(body), "https://example.org/en/", name)
		if strings.HasSuffix(name, ".html") {
			for d := range s.page(t, name).Descendants() {
				if address := (&node{d}).attr("href"); address != "" && !strings.HasPrefix(address, "mailto:") && !strings.HasPrefix(address, "tel:") {
					s.follow(t, name, address)
				}
			}
		}
	}

	e := must(pages.New(must(datachain.New(describing(t, reg), nil)), &pages.Options{Documents: reg, Languages: []string{"fr", "tlh"}}))
	err := e.WriteSite(t.Context(), http.NotFoundHandler(), func(string, []byte) error { return nil })
	require.ErrorContains(t, err, "no text is in the language tlh: use en")
}

// TestRegisterSiteList checks that the list of a static site is one page, which needs no scripts:
// they only filter it.
func TestRegisterSiteList(t *testing.T) {
	shelf := newShelf(t)
	for i := range 30 {
		shelf.put(strconv.Itoa(i)+".json", "library-chat.json", map[string]any{"id": "chat-" + strconv.Itoa(i)})
	}
	_, reg := shelf.register()
	files := writeSite(t, describing(t, reg), &pages.Options{Documents: reg})
	p := parse(t, string(files["en/d.html"]))
	assert.Len(t, p.all("li.record"), 32, "all but the one that is retired")
	assert.Empty(t, p.all("nav.pages"))
	form := p.first(t, "form.search")
	_, hidden := attribute(form, "hidden")
	assert.True(t, hidden, "until there is a script")
	assert.Empty(t, p.all("select"))
	assert.Contains(t, form.attr("data-counts"), `"other":"%s systems"`)
	_, hidden = attribute(p.first(t, "#nothing"), "hidden")
	assert.True(t, hidden)
	for name := range files {
		assert.NotContains(t, name, ".words.")
		assert.NotRegexp(t, `d~(page|sort)=`, name)
	}
}

// TestRegisterCounts checks that pages count systems that are listed and whose schema versions mark what
// is counted, and nothing else.
func TestRegisterCounts(t *testing.T) {
	home := func(shelf *shelf) string { return shelf.serve(nil).page("/?lang=en").text() }
	shelf := newShelf(t)
	all := home(shelf)
	assert.Contains(t, all, "2 of 2 descriptions of this register that can be counted say what you can do.")
	assert.NotContains(t, all, "the rest")

	shelf.put("chat.json", "benefits.json", map[string]any{"id": "old", "schema_version": withoutRoles, "register": map[string]any{"slug": "chat"}})
	some := home(shelf)
	assert.Contains(t, some, "1 of 1 descriptions of this register that can be counted say what you can do. What the rest say about this is not counted: see their pages.")

	assert.Contains(t, some, "Not sorted by data 1")
	chosen := shelf.serve(nil).page("/d?lang=en&data=.not_known")
	assert.Len(t, chosen.all("li.record"), 1)
	assert.Contains(t, chosen.first(t, ".chips").text(), "Not sorted by data")

	shelf.put("camera.json", "air-station.json", map[string]any{"schema_version": "sensor@2026-06-15-stable", "register": map[string]any{"slug": "camera"}})
	shelf.put("benefits.json", "benefits.json", map[string]any{"schema_version": withoutRoles, "register": map[string]any{"slug": "benefits"}})
	require.NoError(t, os.Remove(filepath.Join(shelf.dir, "camera-old.json")))
	s := shelf.serve(nil)
	for _, path := range []string{"/?lang=en", "/d?lang=en", "/compare?lang=en&documents=chat,camera"} {
		text := s.page(path).text()
		assert.NotContains(t, text, "what you can do", path)
		assert.NotContains(t, text, "at most", path)
	}
}

// TestRegisterSettings checks that the words of the publisher are on every page.
func TestRegisterSettings(t *testing.T) {
	shelf := newShelf(t)
	shelf.settings(`{
		"title": {"en": "Systems of Lindenau", "fr": "Systèmes de Lindenau"}, "url": "https://register.example.org", "languages": ["en", "fr"],
		"publisher": {"name": {"en": "City of Lindenau"}, "id": "https://lindenau.example", "contact": {"email": "open@lindenau.example", "phone": "+1 234"}},
		"licence": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}, "accessibility": "https://lindenau.example/accessible"}`)
	shelf.put("benefits.json", "benefits.json", map[string]any{"schema_version": withoutRoles, "register": map[string]any{"slug": "benefits"}}) // it names no contact
	s := shelf.serve(nil)
	for _, path := range []string{"/", "/d/camera", "/d/camera/history", "/t", "/t/" + stable, "/compare"} {
		p := s.page(path)
		foot := p.all("footer")[len(p.all("footer"))-1]
		for _, want := range []string{"City of Lindenau", "open@lindenau.example", "CC BY 4.0", "Accessibility"} {
			assert.Contains(t, foot.text(), want, path)
		}
		assert.Contains(t, p.text(), "Systems of Lindenau", path)
	}
	assert.Contains(t, s.do(http.MethodGet, "/none").body, "Systems of Lindenau")
	p := s.page("/d?lang=fr")
	assert.Equal(t, "Systèmes de Lindenau", p.first(t, "h1").text())
	body := s.do(http.MethodGet, "/d/camera").body
	assert.Contains(t, body, `<link rel="canonical" href="https://register.example.org/d/camera">`)
	assert.Contains(t, body, `href="tel:&#43;1234"`)
	assert.Contains(t, s.do(http.MethodGet, "/d/benefits").body, `href="mailto:open@lindenau.example?subject=`, "errors are reported to the publisher")
	private := shelf.serve(&pages.Options{Private: true}).do(http.MethodGet, "/d/camera")
	assert.Equal(t, "private, max-age=60", private.Header.Get("Cache-Control"))
	assert.Empty(t, private.Header.Get("Set-Cookie"))
}

// TestRegisterSameName checks that a place with the name of the organisation is not named
// twice.
func TestRegisterSameName(t *testing.T) {
	shelf := newShelf(t)
	shelf.put("library.json", "air-station.json", map[string]any{"id": "library", "register": map[string]any{
		"organisation": map[string]any{"name": "City Library"},
		"places":       []any{map[string]any{"name": "City Library"}},
	}})
	rows := shelf.serve(nil).page("/d").all("li.record")
	require.NotEmpty(t, rows)
	for _, row := range rows {
		for _, p := range row.all("p.meta") {
			assert.LessOrEqual(t, strings.Count(p.text(), "City Library"), 1, p.text())
		}
	}
}

// svgPolicy is the policy of pictures, everywhere.
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// TestRegisterSigns checks what hangs beside a system.
func TestRegisterSigns(t *testing.T) {
	shelf := newShelf(t)
	s := shelf.serve(&pages.Options{BaseURL: "https://example.org"})
	res := s.do(http.MethodGet, "/d/camera/sign.html?size=A4")
	require.Equal(t, http.StatusOK, res.StatusCode, res.body)
	assert.Contains(t, res.body, "example.org/d/camera")
	policy := res.Header.Get("Content-Security-Policy")
	assert.Regexp(t, `^default-src 'none'; script-src 'self'; style-src 'self'( 'sha256-[^']+'){5}; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$`, policy)
	assert.NotContains(t, s.do(http.MethodGet, "/d/camera/card").Header.Get("Content-Security-Policy"), "frame-ancestors 'none'", "a card can be framed")
	code := s.do(http.MethodGet, "/d/camera/qr.svg").Header
	assert.Equal(t, "image/svg+xml", code.Get("Content-Type"))
	assert.Equal(t, svgPolicy, code.Get("Content-Security-Policy"))
	assert.Equal(t, http.StatusBadRequest, s.do(http.MethodGet, "/d/camera/sign.html?size=A9").StatusCode)
	assert.Contains(t, s.do(http.MethodGet, "/d/camera").body, `href="/d/camera/sign.html"`)
	for _, path := range []string{"/d/benefits/sign.html?lang=en", "/d/benefits/qr.svg", "/d/benefits/card"} {
		res := s.do(http.MethodGet, path)
		assert.Equal(t, http.StatusNotFound, res.StatusCode)
		assert.Contains(t, res.body, "This system is retired, so no sign is made.")
	}
	res = shelf.serve(nil).do(http.MethodGet, "/d/camera/sign.html")
	assert.Equal(t, http.StatusNotFound, res.StatusCode)
	assert.Contains(t, res.body, "Start it with --base-url")
}

// TestRegisterUnnamedSign makes no sign that names nobody, whoever publishes the register, and says where
// to write the name.
func TestRegisterUnnamedSign(t *testing.T) {
	shelf := newShelf(t)
	shelf.settings("publisher: {name: City of Lindenau}")
	shelf.put("benefits.json", "benefits.json", map[string]any{"schema_version": withoutRoles, "register": map[string]any{"slug": "unnamed"}})
	shelf.put("named.json", "benefits.json", map[string]any{"id": "named", "schema_version": withoutRoles, "register": map[string]any{"slug": "named", "organisation": map[string]any{"name": "Housing Office"}}})
	s := shelf.serve(&pages.Options{BaseURL: "https://example.org", Signs: new(artist)})
	chooser := s.page("/d/unnamed/sign.html?lang=en")
	assert.Equal(t, "No sign is made, because the description does not name who answers for the system. "+withoutRoles+" does not mark what names it. "+
		"Write the name as register.organisation.name in the document, or add roles for this taxonomy to register.yaml, or use a newer version of the taxonomy.", chooser.first(t, ".notice").text())
	assert.Empty(t, chooser.all("form.choose"))
	assert.Empty(t, chooser.all(".sheet"))
	for _, path := range []string{"/d/unnamed/card", "/d/unnamed/sign.svg", "/d/unnamed/sign.pdf?kind=label"} {
		res := s.do(http.MethodGet, path)
		assert.Equal(t, http.StatusNotFound, res.StatusCode, path)
		assert.Contains(t, res.body, "No sign is made without a name of who answers for the system", path)
	}
	assert.Contains(t, s.do(http.MethodGet, "/d/unnamed").body, `href="/d/unnamed/sign.html"`)
	assert.NotContains(t, s.do(http.MethodGet, "/d/unnamed").body, `href="/d/unnamed/sign.pdf"`)
	assert.Contains(t, s.page("/d/named/sign.html?lang=en").first(t, "#preview").text(), "Who answers for it Housing Office")
	assert.Equal(t, http.StatusOK, s.do(http.MethodGet, "/d/named/sign.pdf").StatusCode)
}

// TestRegisterSignPage checks the page that prints a sign: what is chosen, by forms and by links, and
// what it says if a sign can't be made.
func TestRegisterSignPage(t *testing.T) {
	shelf := newShelf(t)
	shelf.settings(`{"publisher": {"name": {"en": "Lindenau"}, "logo": "logo.svg"}}`)
	require.NoError(t, os.WriteFile(filepath.Join(shelf.dir, "logo.svg"), []byte(`<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>`), 0o600))
	s := shelf.serve(&pages.Options{BaseURL: "https://example.org", Signs: new(artist)})
	checked := func(p *node) (values []string) {
		for _, field := range p.all("input") {
			if slices.ContainsFunc(field.Attr, func(a html.Attribute) bool { return a.Key == "checked" }) {
				values = append(values, field.attr("name")+"="+field.attr("value"))
			}
		}
		return values
	}
	p := s.page("/d/camera/sign.html")
	assert.Equal(t, "Print a sign", p.first(t, "h1").text())
	assert.Equal(t, []string{"kind=sign", "size=A5", "languages=en"}, checked(p))
	assert.Equal(t, "/d/camera", p.first(t, "a.back").attr("href"))
	assert.Contains(t, p.first(t, "aside").text(), "A5 can be read and scanned from 0.5 m.")
	assert.Equal(t, "/logo.svg", p.first(t, ".sheet").first(t, "img").attr("src"))
	assert.Contains(t, p.first(t, "style").text(), "@page{size:148mm 210mm;margin:0}")
	for address, want := range map[string][]string{
		"?kind=notice&size=A3&languages=fr&languages=en&mono=1": {"kind=notice", "size=A3", "languages=en", "languages=fr", "mono=1"},
		"?kind=label&languages=en,fr":                           {"kind=label", "size=A5", "languages=en", "languages=fr"},
		"?kind=card&lang=fr":                                    {"kind=card", "size=A5", "languages=fr"},
	} {
		p := s.page("/d/camera/sign.html" + address)
		assert.Equal(t, want, checked(p), address)
		p.first(t, ".sheet")
	}
	card := s.page("/d/camera/sign.html?kind=card&languages=en,fr&mono=1")
	assert.Equal(t, `<iframe src="https://example.org/d/camera/card?languages=en%2Cfr&amp;mono=1" title="Cameras at the Mill Street crossing" width="100%" height="320" loading="lazy"></iframe>`, card.first(t, "#embed-code").text())
	alone := s.page(card.first(t, ".embed").first(t, "a").attr("href"))
	assert.Contains(t, alone.first(t, ".sheet").attr("class"), "is-card is-mono")
	assert.Empty(t, p.all(".embed"))
	var groups []string
	for _, legend := range p.all("legend") {
		groups = append(groups, legend.text())
	}
	assert.Equal(t, []string{"Kind", "Size", "Language one or two", "Colour"}, groups)
	p = s.page("/d/camera/sign.html?lang=fr&languages=en&languages=fr&languages=es")
	assert.Equal(t, "Choisissez une ou deux langues.", p.first(t, ".notice").text())
	assert.Len(t, checked(p), 5)
	part := s.do(http.MethodGet, "/d/camera/sign.html?size=A4&part=preview")
	assert.True(t, strings.HasPrefix(part.body, "<style>@page{size:210mm 297mm"), part.body)

	file := filepath.Join(shelf.dir, "camera.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	notice := s.page("/d/camera/sign.html?lang=fr&languages=en,fr&size=A6&mono=1").first(t, "#preview").first(t, ".notice")
	assert.Contains(t, notice.text(), "Choisir A5")
	assert.NotContains(t, notice.text(), "Choisissez un autre format", "the button does")
	larger := s.page(notice.first(t, "a").attr("href"))
	assert.Equal(t, []string{"kind=sign", "size=A5", "languages=en", "languages=fr", "mono=1"}, checked(larger))
	larger.first(t, ".sheet")
	long := strings.Replace(string(text), "Two cameras count", strings.Repeat("Two cameras count ", 60), 1)
	require.NoError(t, os.WriteFile(file, []byte(long), 0o600))
	s = shelf.serve(&pages.Options{BaseURL: "https://example.org"})
	p = s.page("/d/camera/sign.html?lang=fr&languages=en,fr")
	assert.Regexp(t, `^Le texte ne tient pas sur le format A5\. À quoi cela sert \(English\) : \d+ caractères, et il y a de la place pour \d+\. .*Choisissez un autre format`, p.first(t, "#preview").first(t, ".notice").text())
	assert.Equal(t, []string{"kind=sign", "size=A5", "languages=en", "languages=fr"}, checked(p))
}

// artist is a [sheet.Drawer] that draws nothing, and remembers what it was asked for.
type artist struct {
	sheet.Drawer
	mu      sync.Mutex
	options sheet.Options
	logo    string
	locale  string // of signs of the camera that do not fit
	fails   error
}

func (a *artist) draw(form string, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.options, a.logo = *o, string(s.Logo)
	if a.fails != nil {
		return nil, a.fails
	}
	if strings.HasSuffix(s.Address, "/camera/") && slices.Contains(o.Locales, a.locale) {
		return nil, &sheet.FitError{Size: sheet.A5, Texts: []sheet.LongText{{Field: "purpose", Locale: a.locale, Length: 9, Limit: 8}}}
	}
	return []byte(form + " of " + s.Address), nil
}

func (a *artist) SVG(_ context.Context, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
	return a.draw("svg", s, o)
}

func (a *artist) PDF(_ context.Context, o *sheet.Options, list ...*sheet.Subject) ([]byte, error) {
	if o.Size == sheet.A6 {
		return nil, &sheet.FitError{Size: sheet.A6, Texts: []sheet.LongText{{Field: "purpose", Locale: "en", Length: 9, Limit: 8}}}
	}
	return a.draw("pdf", list[0], o)
}

// TestRegisterDrawings checks signs as files.
func TestRegisterDrawings(t *testing.T) {
	shelf, drawer := newShelf(t), new(artist)
	shelf.settings(`{"publisher": {"name": {"en": "Lindenau"}, "logo": "logo.svg"}}`)
	const logo = `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>`
	require.NoError(t, os.WriteFile(filepath.Join(shelf.dir, "logo.svg"), []byte(logo), 0o600))
	s := shelf.serve(&pages.Options{BaseURL: "https://example.org", Signs: drawer})
	for path, want := range map[string][2]string{
		"/d/camera/sign.svg?size=A4&kind=notice&languages=fr,en&mono=1": {"image/svg+xml", "svg of https://example.org/d/camera/"},
		"/d/camera/sign.pdf?size=A4&kind=notice&languages=fr,en&mono=1": {"application/pdf", "pdf of https://example.org/d/camera/"},
	} {
		res := s.do(http.MethodGet, path)
		require.Equal(t, http.StatusOK, res.StatusCode, res.body)
		assert.Equal(t, want, [2]string{res.Header.Get("Content-Type"), res.body})
		assert.Equal(t, want[0] == "image/svg+xml", res.Header.Get("Content-Security-Policy") == svgPolicy, path)
		assert.Equal(t, sheet.Options{Kind: sheet.Notice, Size: sheet.A4, Locales: []string{"fr", "en"}, Mono: true}, drawer.options)
		assert.Equal(t, logo, drawer.logo)
	}
	long := s.do(http.MethodGet, "/d/camera/sign.pdf?size=A6")
	assert.Equal(t, http.StatusBadRequest, long.StatusCode)
	assert.Contains(t, long.body, "purpose (en) has 9 characters")

	page := s.do(http.MethodGet, "/d/camera?lang=fr").body
	for _, form := range []string{"pdf", "svg"} {
		assert.Contains(t, page, `href="/d/camera/sign.`+form)
		assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/d/benefits/sign."+form).StatusCode, "retired systems have no sign")
	}

	for reason, err := range map[string]error{"has no font": sheet.ErrNoGlyph, "be drawn as vectors": sheet.ErrNotVector, "text of the sign": sheet.ErrNotSet} {
		s := shelf.serve(&pages.Options{BaseURL: "https://example.org", Signs: &artist{fails: fmt.Errorf("%w: more", err)}})
		for _, path := range []string{"/d/camera/sign.svg", "/d/camera/sign.pdf"} {
			res := s.do(http.MethodGet, path)
			assert.Equal(t, http.StatusBadRequest, res.StatusCode)
			assert.Contains(t, res.body, reason)
			assert.Contains(t, res.body, "print sign.html in a browser")
		}
	}

	plain := shelf.serve(&pages.Options{BaseURL: "https://example.org"})
	for _, path := range []string{"/d/camera/sign.svg", "/d/camera/sign.pdf"} {
		res := plain.do(http.MethodGet, path)
		assert.Equal(t, http.StatusNotFound, res.StatusCode)
		assert.Contains(t, res.body, "Print sign.html in a browser")
	}
	assert.NotContains(t, plain.do(http.MethodGet, "/d/camera").body, "sign.pdf")
	for _, path := range []string{"/d/camera/sign.png", "/d/camera/picture.png", "/t/" + stable + "/picture.png", "/t/" + stable + "/e/purpose.benefits/picture.png"} {
		assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, path).StatusCode, path)
	}
	for _, path := range []string{"/", "/d/camera", "/t/" + stable, "/t/" + stable + "/e/purpose.benefits"} {
		page := s.do(http.MethodGet, path).body
		assert.Contains(t, page, "og:title", path)
		assert.Contains(t, page, "og:description", path)
		assert.NotContains(t, page, "og:image", path)
	}
}

// TestRegisterSiteSigns writes sites in which a sign of a document does not fit: they have no file of
// it, and its page says so. Only programs that can draw write signs as files. All sizes are pages.
func TestRegisterSiteSigns(t *testing.T) {
	shelf := newShelf(t)
	file := filepath.Join(shelf.dir, "camera.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	long := strings.Replace(string(text), "Two cameras count", strings.Repeat("Two cameras count ", 20), 1)
	require.NotEqual(t, string(text), long)
	require.NoError(t, os.WriteFile(file, []byte(long), 0o644))
	_, reg := shelf.register()
	for name, c := range map[string]struct {
		drawer      sheet.Drawer
		want, wrong []string
	}{
		"pages": {
			nil,
			[]string{"en/d/camera/sign.html", "fr/d/camera/sign.html", "en/d/chat/sign.html"},
			[]string{"fr/d/camera/sign.svg", "fr/d/camera/sign.pdf"},
		},
		"files": {
			&artist{locale: "en"},
			[]string{"en/d/camera/sign.html", "fr/d/camera/sign.html", "fr/d/camera/sign.svg", "fr/d/camera/sign.pdf", "en/d/chat/sign.html"},
			[]string{"en/d/camera/sign.svg", "en/d/camera/sign.pdf"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			site := writeSite(t, many(t, 2), &pages.Options{
				BaseURL: "https://example.org", Documents: reg, Signs: c.drawer,
			})
			linked := func(file string) bool {
				page, rest, _ := strings.Cut(file, "/sign.")
				return strings.Contains(string(site[page+".html"]), `href="camera/sign.`+rest+`"`) || strings.Contains(string(site[page+".html"]), `href="chat/sign.`+rest+`"`)
			}
			for _, want := range c.want {
				assert.Contains(t, site, want)
				assert.True(t, linked(want), want)
			}
			for _, wrong := range c.wrong {
				assert.NotContains(t, site, wrong)
				assert.False(t, linked(wrong), wrong)
			}
			assert.Contains(t, string(site["en/d/camera/sign.html"]), "The text does not fit on A5.")
			assert.Contains(t, string(site["fr/d/camera/sign~kind=card.html"]), "https://example.org/fr/d/camera/card.html")
			assert.Contains(t, string(site["fr/d/camera/card.html"]), "is-card")
			var signs []string
			for name := range site {
				if rest, ok := strings.CutPrefix(name, "fr/d/camera/sign"); ok && strings.HasSuffix(name, ".html") {
					signs = append(signs, strings.TrimSuffix(rest, ".html"))
				}
			}
			slices.Sort(signs)
			assert.Equal(t, []string{"", "~kind=card", "~kind=label", "~kind=notice~size=A4", "~size=A3", "~size=A4", "~size=A6", "~size=Letter"}, signs)
		})
	}
}

// TestRegisterBoard compares documents side by side.
func TestRegisterBoard(t *testing.T) {
	s := newShelf(t).serve(nil)
	for _, path := range []string{"/compare?documents=camera,chat", "/compare?documents=camera&documents=chat"} {
		p := s.page(path)
		assert.Len(t, p.first(t, "table.board").first(t, "thead").all("th"), 2)
		assert.Contains(t, p.text(), "Cameras at the Mill Street crossing")
	}
	res := s.do(http.MethodGet, s.page("/compare?documents=camera,chat").all("p.meta")[0].first(t, "a").attr("href"))
	require.Equal(t, http.StatusOK, res.StatusCode)
	assert.Contains(t, res.body, `"columns"`)
	for _, typed := range []string{"camera", "camera,", ",,,,", "", "camera,camera"} {
		p := s.page("/compare?lang=fr&documents=" + typed) // the list, to choose from
		assert.Contains(t, p.first(t, "div.chosen").text(), "Cochez de 2 à 6 systèmes à comparer.", typed)
		assert.Len(t, p.all("li.record"), 2, typed)
		assert.Equal(t, http.StatusBadRequest, s.do(http.MethodGet, "/compare.json?documents="+typed).StatusCode, typed)
	}
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/compare?documents=camera,none").StatusCode)
	assert.Len(t, s.page("/compare").all("li.record"), 2, "nothing chosen leads to choosing")
	assert.Equal(t, http.StatusNotFound, open(t, nil, nil).do(http.MethodGet, "/compare?documents=a,b").StatusCode)
}

// TestRegisterSelection chooses documents to compare by following links, as one does without scripts, and
// keeps the choice through searches, filters, pages and languages.
func TestRegisterSelection(t *testing.T) {
	shelf := newShelf(t)
	for i := range 40 {
		shelf.put(fmt.Sprintf("air-%d.json", i), "air-station.json", map[string]any{
			"id": fmt.Sprintf("air-%d", i), "title": []any{map[string]any{"locale": "en", "value": fmt.Sprintf("Air station %d", i)}}, "register": map[string]any{"status": "in_use", "themes": []any{"Air"}},
		})
	}
	s := shelf.serve(nil)
	link := func(p *node, name string) string {
		for _, a := range p.all("a") {
			if a.text() == name || a.attr("aria-label") == name {
				return a.attr("href")
			}
		}
		t.Fatalf("there is no link %q", name)
		return ""
	}
	follow := func(p *node, name string) *node { return s.page(link(p, name)) }
	chosen := func(p *node) string {
		for _, kept := range p.first(t, "#search").all("input") {
			if kept.attr("name") == "documents" {
				return kept.attr("value")
			}
		}
		return "none"
	}
	p := s.page("/d?lang=en")
	assert.Equal(t, "none", chosen(p))
	assert.Empty(t, p.all("a.pick"))
	p = follow(p, "Compare")
	assert.Equal(t, "0 chosen · Select 2 to 6 systems to compare. · Cancel", p.first(t, "div.chosen").text())
	assert.Len(t, p.all("a.pick"), 25)
	assert.Empty(t, follow(p, "Cancel").all("a.pick"))
	p = s.page(strings.TrimSuffix(link(follow(follow(p, "Title"), "2"), "Compare: Cameras at the Mill Street crossing"), "#r-camera"))
	assert.Equal(t, "camera", chosen(p))
	assert.Len(t, p.all("li.record"), 42-25, "one stays on the page")
	assert.Equal(t, []string{"Compare: Cameras at the Mill Street crossing"}, checkedBoxes(p))
	for _, name := range []string{"Air 40", "1", "Last change", "In use 41", "Français"} {
		assert.Equal(t, "camera", chosen(follow(p, name)), name)
	}
	p = follow(s.page("/d?lang=en&q=library&status=in_use,trial&select=1&documents=camera"), "Clear all")
	assert.Equal(t, "camera", chosen(p))
	p = follow(follow(p, "Title"), "Compare: Air station 7")
	assert.Equal(t, []string{"2 chosen · Compare · Clear", "2 chosen · Compare · Clear"}, []string{p.all("div.chosen")[0].text(), p.all("div.chosen")[1].text()})
	assert.Equal(t, "Compare 2 systems", follow(p, "Compare").first(t, "h1").text())
	assert.Equal(t, "camera", chosen(follow(p, "Compare: Air station 7")), "a box that is checked takes the document out")
	assert.Empty(t, chosen(follow(p, "Clear")))
	assert.Equal(t, "camera", chosen(follow(s.page("/d/camera?lang=en"), "Compare with another system")))
	assert.Equal(t, "camera,air-7", chosen(s.page("/d?select=1&documents=camera,none,air-7,camera")), "each document of the register once")

	full := s.page("/d?lang=en&select=1&documents=camera,air-1,air-2,air-3,air-4,air-5,air-6")
	assert.Equal(t, "camera,air-1,air-2,air-3,air-4,air-5", chosen(full))
	for _, box := range full.all("a.pick") {
		assert.Equal(t, "true", box.attr("aria-checked"), "no other can be chosen")
	}
	assert.NotEmpty(t, full.all("span.pick"))
	assert.Contains(t, s.do(http.MethodGet, "/d?lang=en&select=1").body, `rel="alternate" type="text/csv" href="/d.csv?lang=en"`, "files have no choice")
}

// checkedBoxes returns the names of the boxes in a list that are checked.
func checkedBoxes(p *node) (names []string) {
	for _, box := range p.all("a.pick") {
		if box.attr("aria-checked") == "true" {
			names = append(names, box.attr("aria-label"))
		}
	}
	return names
}

// TestRegisterMatches: a row that a search found by an element says which, and retired systems are a
// row at the end.
func TestRegisterMatches(t *testing.T) {
	s := newShelf(t).serve(nil)
	assert.Contains(t, s.page("/d?q=webcam").first(t, "li.record").text(), "matches: Camera")
	assert.NotContains(t, s.page("/d?q=crossing").first(t, "li.record").text(), "matches")
	rows := func(path string) (list []string) {
		for _, li := range s.page(path).first(t, "ol.rows").all("li") {
			list = append(list, li.attr("class"))
		}
		return list
	}
	assert.Equal(t, []string{"record", "record", "besides"}, rows("/d"))
	assert.Equal(t, []string{"besides"}, rows("/d?q=benefit"), "only a retired one")
	assert.Equal(t, []string{"record"}, rows("/d?q=camera"))
	assert.Equal(t, []string{"record"}, rows("/d?status=retired"))
	p := s.page("/d?q=benefit").first(t, "li.besides").first(t, "a")
	assert.Equal(t, "1 retired system", p.text())
	assert.Len(t, s.page(p.attr("href")).all("li.record"), 1)
}

// TestRegisterByAnswered: a list can be sorted by who answers soonest, and then says it.
func TestRegisterByAnswered(t *testing.T) {
	shelf := newShelf(t)
	assert.NotContains(t, shelf.serve(nil).page("/d").text(), "Time to answer")
	shelf.put("chat.json", "library-chat.json", map[string]any{"register": map[string]any{
		"slug": "chat", "answered": map[string]any{"from": "2026-01-01", "to": "2026-06-30", "asked": 4, "answered": 3, "days": 9},
	}})
	s := shelf.serve(nil)
	rows := s.page("/d?sort=answered").all("li.record")
	assert.Contains(t, rows[0].text(), "From 1 January 2026 to 30 June 2026: 4 requests, 3 answered within 9 days.")
	assert.NotContains(t, s.page("/d").text(), "4 requests")
	assert.Contains(t, s.page("/d").text(), "Time to answer")
}

// TestPublisherInFooter: a register without a publisher asks no one questions, and a long address
// of one breaks before its @.
func TestPublisherInFooter(t *testing.T) {
	s := newShelf(t)
	assert.NotContains(t, s.serve(nil).page("/").first(t, "footer").text(), "Questions about this register")
	s.settings(`{"publisher": {"name": "Lindenau", "contact": {"email": "desk@lindenau.example"}}}`)
	served := s.serve(nil)
	assert.Contains(t, served.page("/").first(t, "footer").text(), "Questions about this register Lindenau")
	assert.Contains(t, served.do(http.MethodGet, "/").body, "desk<wbr>@lindenau.example</a>")
}
