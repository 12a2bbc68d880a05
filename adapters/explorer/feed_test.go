package explorer_test

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

type feedLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

// feed is a feed as a reader sees it.
type feed struct {
	XMLName xml.Name   `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string     `xml:"lang,attr"`
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Links   []feedLink `xml:"link"`
	Entries []struct {
		ID       string     `xml:"id"`
		Title    string     `xml:"title"`
		Updated  string     `xml:"updated"`
		Links    []feedLink `xml:"link"`
		Category struct {
			Term string `xml:"term,attr"`
		} `xml:"category"`
		Summary string `xml:"summary"`
	} `xml:"entry"`
}

// eventful is a store in which versions were released, deprecated and retired.
func eventful(t *testing.T) taxonomy.Store {
	t.Helper()
	samples, err := taxonomies.Store()
	require.NoError(t, err)
	r, err := samples.Release(t.Context(), taxonomy.MustVersion("sensor@2026-11-15-stable"))
	require.NoError(t, err)
	noted, err := taxonomy.NewRelease(taxonomy.MustVersion("sensor@2027-01-01-stable"), taxonomy.Content{
		Title: r.Manifest().Title, Description: r.Manifest().Description, Locales: r.Locales(), Type: taxonomy.Type{
			ID: "sensor", Name: r.Type().Name, Categories: []string{"c"}, Subchains: []taxonomy.Subchain{},
		},
		Notes: taxonomy.Localized{{Locale: "en", Value: "New: <b>& \x01\"quoted\"]]></summary>"}, {Locale: "fr", Value: "Nouveau"}},
		Categories: []taxonomy.Category{{
			ID: "c", Name: r.Type().Name, Description: r.Type().Name, Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
		}},
	})
	require.NoError(t, err)
	old, err := samples.Release(t.Context(), taxonomy.MustVersion("sensor@2026-06-15-stable"))
	require.NoError(t, err)
	store, err := memstore.New(publish.Publication{Release: noted, Released: "2027-01-04"}, publish.Publication{Release: r}, publish.Publication{Release: old})
	require.NoError(t, err)
	x, err := store.Index(t.Context())
	require.NoError(t, err)
	x, err = publish.SetState(x, r.Version(), taxonomy.State{Deprecated: "2027-02-01", Sunset: "2027-06-30", Reason: "Old <words>.", Successor: noted.Version()})
	require.NoError(t, err)
	x, err = publish.Remove(x, taxonomy.Retired{ID: old.Version(), At: "2027-03-01", Reason: "Nobody uses it.", Successor: r.Version()})
	require.NoError(t, err)
	return withIndex{store, x}
}

func readFeed(t *testing.T, text string) *feed {
	t.Helper()
	f := new(feed)
	require.NoError(t, xml.Unmarshal([]byte(text), f))
	return f
}

// TestFeed tells what happened to the versions of a type, the newest first.
func TestFeed(t *testing.T) {
	s := open(t, eventful(t), &explorer.Options{BaseURL: "https://example.org/dc/"})
	res := s.do(http.MethodGet, "/t/sensor.atom?lang=en")
	require.Equal(t, 200, res.StatusCode)
	assert.Equal(t, "application/atom+xml; charset=utf-8", res.Header.Get("Content-Type"))
	assert.Equal(t, "public, max-age=60", res.Header.Get("Cache-Control"))
	assert.NotEmpty(t, res.Header.Get("ETag"))
	assert.Equal(t, http.StatusNotModified, s.do(http.MethodGet, "/t/sensor.atom?lang=en", "If-None-Match", res.Header.Get("ETag")).StatusCode)

	f := readFeed(t, res.body)
	assert.Equal(t, "en", f.Lang)
	assert.Equal(t, "tag:example.org,2026:releases:en:sensor", f.ID)
	assert.Equal(t, "2027-03-01T00:00:00Z", f.Updated)
	assert.Equal(t, []feedLink{{"self", "https://example.org/dc/t/sensor.atom?lang=en"}, {"alternate", "https://example.org/dc/t/sensor@2027-01-01-stable?lang=en"}}, f.Links)
	var got [][]string
	for _, e := range f.Entries {
		got = append(got, []string{e.ID, e.Category.Term, e.Updated, e.Title, e.Summary, e.Links[len(e.Links)-1].Href})
	}
	at := func(version string) string { return "https://example.org/dc/t/" + version + "?lang=en" }
	assert.Equal(t, [][]string{
		{
			"tag:example.org,2026:retirement:sensor@2026-06-15-stable", "retirement", "2027-03-01T00:00:00Z", "sensor@2026-06-15-stable: Retired on 1 March 2027",
			"Nobody uses it.\nUpgrade to sensor@2026-11-15-stable.", at("sensor@2026-11-15-stable"),
		},
		{
			"tag:example.org,2026:deprecation:sensor@2026-11-15-stable", "deprecation", "2027-02-01T00:00:00Z", "sensor@2026-11-15-stable: Deprecated",
			"This version has been deprecated since 1 February 2027.\nIt is expected to be retired on 30 June 2027.\nOld <words>.\nUpgrade to sensor@2027-01-01-stable.", at("sensor@2027-01-01-stable"),
		},
		{
			"tag:example.org,2026:release:sensor@2027-01-01-stable", "release", "2027-01-04T00:00:00Z", "sensor@2027-01-01-stable: Released 4 January 2027",
			"New: <b>& \ufffd\"quoted\"]]></summary>", at("sensor@2027-01-01-stable"),
		},
		{"tag:example.org,2026:release:sensor@2026-11-15-stable", "release", "2026-11-15T00:00:00Z", "sensor@2026-11-15-stable: Released 15 November 2026", "", at("sensor@2026-11-15-stable")},
	}, got)

	assert.Equal(t, "Nouveau", readFeed(t, s.do(http.MethodGet, "/t/sensor.atom?lang=fr").body).Entries[2].Summary)
	for _, path := range []string{"/t/nothing.atom", "/t/sensor@latest.atom", "/t/.atom", "/t/sensor%2f.atom"} {
		assert.Equal(t, 404, s.do(http.MethodGet, path).StatusCode, path)
	}
	for _, path := range []string{"/", "/t/sensor@latest"} {
		links := s.page(path).all("link")
		assert.True(t, slices.ContainsFunc(links, func(n *node) bool {
			return n.attr("type") == "application/atom+xml" && n.attr("rel") == "alternate" && strings.Contains(n.attr("href"), "/t/sensor.atom")
		}), path)
	}
}

// TestFeedOfSite shows that a static site has the feed in each language, although a retired
// version has no page.
func TestFeedOfSite(t *testing.T) {
	files := writeSite(t, eventful(t), nil)
	f := readFeed(t, string(files["fr/t/sensor.atom"]))
	assert.Equal(t, []feedLink{{"self", "sensor.atom"}, {"alternate", "sensor@2027-01-01-stable.html"}}, f.Links)
	for _, e := range f.Entries {
		for _, link := range e.Links {
			file := "fr/t/" + link.Href
			if up, ok := strings.CutPrefix(link.Href, "../"); ok {
				file = "fr/" + up
			}
			assert.Contains(t, files, file)
		}
	}
	assert.Contains(t, string(files["en/index.html"]), `href="t/sensor.atom"`)
}
