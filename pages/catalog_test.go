package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

func TestCatalog(t *testing.T) {
	s := open(t, nil, nil)
	p := s.page("/t/ai@latest")
	assert.Equal(t, "AI systems, explained to the people they affect", p.first(t, "h1").text())
	sections := p.all("section.category")
	require.Len(t, sections, 11)
	assert.Equal(t, "c-purpose", sections[0].attr("id"))
	assert.Contains(t, sections[0].first(t, "ul.facts").text(), "RequiredChanged6 elements3 contexts")
	assert.Len(t, p.all("li.element"), 54)
	card := sections[0].first(t, "li.element")
	assert.Equal(t, "/t/"+stable+"/e/purpose.benefits", card.first(t, "a").attr("href"))
	assert.Equal(t, "Service in which it is used", card.first(t, "span.blank").text())
	assert.Len(t, card.all("svg"), 2, "for light and for dark pages")
	nav := p.first(t, "aside.side").first(t, "nav").all("a")
	require.Len(t, nav, 11)
	assert.Equal(t, "/t/"+stable+"#c-purpose", nav[0].attr("href"))
	assert.Contains(t, p.first(t, "p.since").text(), "Since the stable version of 1 September 2026: 10 new, 44 changed, 0 removed.")
	assert.Empty(t, p.all("p.warn"))
	res := s.do(http.MethodGet, "/t/ai@latest")
	assert.Contains(t, res.Header.Get("Link"), "</api/v2/schemas/"+stable+"/release>")
	assert.Contains(t, res.body, `<link rel="canonical" href="/t/`+stable+`">`)
}

// TestOrder checks that elements come before everything about the version, and that the icons
// alone are a state of the address.
func TestOrder(t *testing.T) {
	s := open(t, nil, nil)
	text := s.do(http.MethodGet, "/t/ai@latest?lang=en").body
	assert.Less(t, strings.Index(text, "Benefits and permits"), strings.Index(text, `id="version-end"`))
	p := s.page("/t/ai@latest?view=icons")
	assert.Len(t, p.all("ul.dense"), 11)
	assert.Empty(t, s.page("/t/ai@latest").all("ul.dense"))
	assert.Len(t, p.first(t, "#c-input_data").all("li.context"), 5, "contexts have their colours")
	found := s.page("/t/ai@latest?view=icons&q=data")
	assert.NotEmpty(t, found.all("ul.dense"))
	assert.Equal(t, "/t/"+stable+"?view=icons", found.first(t, "section.found").first(t, "a").attr("href"), "it stays when the search ends")
}

func TestBeta(t *testing.T) {
	p := open(t, nil, nil).page("/t/" + beta + "?lang=fr")
	assert.Equal(t, "/t/"+stable+"?lang=fr", p.first(t, "p.warn").first(t, "a").attr("href"))
	assert.NotEmpty(t, p.all("span.added"))
	assert.Contains(t, p.first(t, "p.since").text(), "nouveaux")
}

// TestDeprecatedVersion shows that pages of a deprecated version say until when, why and what
// to upgrade to, and that lists of versions mark it.
func TestDeprecatedVersion(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	index, err = listing.SetState(index, taxonomy.MustVersion(stable), taxonomy.State{
		Deprecated: "2026-11-17", Sunset: "2027-06-30", Successor: taxonomy.MustVersion(beta), Reason: "Risks <are> incomplete.",
	})
	require.NoError(t, err)
	s := open(t, withIndex{store, index}, nil)
	for _, path := range []string{"/t/" + stable, "/t/" + stable + "/e/input_data.health", "/t/" + stable + "/c/purpose"} {
		band := s.page(path).first(t, "p.ending")
		assert.Equal(t, "This version has been deprecated since 17 November 2026. It is expected to be retired on 30 June 2027. Risks <are> incomplete. Upgrade to "+beta+". Compare the two versions", band.text(), path)
		assert.Equal(t, "/t/"+beta, band.first(t, "a").attr("href"), path)
	}
	assert.Empty(t, s.page("/t/"+beta).all("p.ending"))
	for _, pair := range []string{"old=" + stable + "&new=" + beta, "old=" + beta + "&new=" + stable} {
		bands := s.page("/compare?" + pair).all("p.ending")
		require.Len(t, bands, 1)
		assert.Contains(t, bands[0].text(), stable+": This version has been deprecated since 17 November 2026.")
	}
	assert.Contains(t, s.page("/").first(t, "main").text(), "Deprecated")
}

// withIndex is a store with another index.
type withIndex struct {
	taxonomy.Store
	index *taxonomy.Index
}

func (w withIndex) Index(context.Context) (*taxonomy.Index, error) { return w.index, nil }

func TestSearch(t *testing.T) {
	s := open(t, nil, nil)
	p := s.page("/t/ai@latest?q=bneefits+and+premits")
	first := p.first(t, "li.element")
	assert.Equal(t, "Benefits and permits", first.first(t, "h3").text(), "with typos")
	assert.Equal(t, "Benefits", first.first(t, "mark").text())
	assert.Equal(t, "bneefits and premits", p.first(t, "#q").attr("value"))
	meant := p.first(t, "#results").first(t, "p.hint")
	assert.Equal(t, "Did you mean: benefits and permits", meant.text())
	assert.Equal(t, "/t/ai@2026-11-15-stable?q=benefits+and+permits", meant.first(t, "a").attr("href"))
	assert.Empty(t, s.page(meant.first(t, "a").attr("href")).first(t, "#results").all("p.hint"))
	assert.Contains(t, s.page("/?q=bneefits").first(t, "main").text(), "Did you mean: benefits")
	assert.Contains(t, s.page("/t/ai@latest?q=donees&lang=fr").first(t, "#results").text(), "Vouliez-vous dire : données")
	assert.Empty(t, p.all("section.category"))

	// A filter restricts a search, and lists a category without one.
	p = s.page("/t/ai@latest?q=data&category=retention")
	for _, c := range p.all("li.element") {
		assert.Contains(t, c.first(t, "a").attr("href"), "/e/retention.")
	}
	assert.Len(t, s.page("/t/ai@latest?category=purpose").all("li.element"), 6)
	assert.Len(t, s.page("/t/ai@latest?category=nothing").all("section.category"), 11)

	// Part of the page is enough for scripts.
	res := s.do(http.MethodGet, "/t/ai@latest?q=camera&part=results")
	assert.NotContains(t, res.body, "<html")
	assert.Contains(t, res.body, `id="found"`)
	assert.Contains(t, s.do(http.MethodGet, "/t/ai@latest?part=nothing").body, "<html")
	assert.Contains(t, s.page("/t/ai@latest?q=xyzzyq").first(t, "p.notice").text(), "Nothing found")
	assert.Equal(t, http.StatusOK, s.do(http.MethodGet, "/t/ai@latest?q="+strings.Repeat("%C3%A9", 900)+"&page=99999999999").StatusCode)

	// All taxonomies at once.
	p = s.page("/?q=camera&lang=es")
	assert.NotEmpty(t, p.first(t, "#results").all("li.element"))
}

// TestLarge checks that a large catalog is shown in pages.
func TestLarge(t *testing.T) {
	s := open(t, many(t, 3000), nil)
	res := s.do(http.MethodGet, "/t/big@latest", "Accept-Encoding", "gzip")
	assert.Less(t, len(res.body), 60<<10)
	p := s.page("/t/big@latest")
	assert.LessOrEqual(t, len(p.all("li.element")), 240)
	more := p.first(t, "p.more").first(t, "a")
	assert.Equal(t, "All 1,500 elements of “Category 0”", more.text())
	p = s.page(more.attr("href"))
	assert.Len(t, p.all("li.element"), 60)
	links := p.first(t, "nav.pages").all("a")
	last := links[len(links)-1]
	assert.Equal(t, "25", last.text())
	p = s.page(last.attr("href"))
	assert.Len(t, p.all("li.element"), 60)
	assert.Equal(t, "25", p.first(t, "nav.pages").all("a")[len(p.first(t, "nav.pages").all("a"))-1].text())
	assert.Len(t, s.page("/t/big@latest?q=statement").all("li.element"), 60)
	for query, want := range map[string]string{
		"category=c0&page=26": "There is no page “26”. This is page 25 of 25.", "q=statement&page=51": "There is no page “51”. This is page 50 of 50.",
	} {
		p = s.page("/t/big@latest?" + query)
		assert.Equal(t, want, p.first(t, "p.notice").text())
		assert.Len(t, p.all("li.element"), 60, "the last page is shown instead")
	}
	p = s.page("/t/big@latest?q=zzzzqqq&page=2")
	assert.Contains(t, p.first(t, "p.notice").text(), "Nothing found.")
}

// many returns a store with many elements in two categories.
func many(t *testing.T, n int) taxonomy.Store {
	t.Helper()
	return storeOf(t, "big@2026-10-01-stable", large(n))
}

// large returns a taxonomy with n elements in two categories.
func large(n int) taxonomy.Content {
	en := func(format string, args ...any) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: fmt.Sprintf(format, args...)}}
	}
	c := taxonomy.Content{
		Title: en("Big"), Description: en("Large"), Locales: []string{"en"},
		Type:    taxonomy.Type{ID: "big", Name: en("Big"), Categories: []string{"c0", "c1"}, Subchains: []taxonomy.Subchain{}},
		Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="6"/></svg>`},
	}
	for i := range 2 {
		c.Categories = append(c.Categories, taxonomy.Category{
			ID: fmt.Sprintf("c%d", i), Name: en("Category %d", i), Description: en("About %d", i), Shape: taxonomy.Circle,
			Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
		})
	}
	for i := range n {
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("e%05d", i), Title: en("Statement %d", i), Description: en("Something about a system, number %d.", i),
			CategoryID: fmt.Sprintf("c%d", 2*i/n), SymbolID: "dot", IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{},
		})
	}
	return c
}

// storeOf returns a store with one version.
func storeOf(t *testing.T, version string, c taxonomy.Content) taxonomy.Store {
	t.Helper()
	return publishedAll(t, map[string]taxonomy.Content{version: c})
}

// publishedAll returns a store with some versions.
func publishedAll(t *testing.T, versions map[string]taxonomy.Content) taxonomy.Store {
	t.Helper()
	var list []listing.Publication
	for version, c := range versions {
		r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
		require.NoError(t, err)
		list = append(list, listing.Publication{Release: r})
	}
	store, err := memstore.New(list...)
	require.NoError(t, err)
	return store
}

// TestReleased checks that pages have one date for a version: that of its release, if the
// index has one, since imported versions have another one in their id.
func TestReleased(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	var list []listing.Publication
	for version, released := range map[string]string{stable: "2026-01-02", beta: "2026-01-03"} {
		r, err := samples.Release(t.Context(), taxonomy.MustVersion(version))
		require.NoError(t, err)
		list = append(list, listing.Publication{Release: r, Released: released})
	}
	store, err := memstore.New(list...)
	require.NoError(t, err)
	s := open(t, store, nil)
	for _, path := range []string{"/", "/t/" + stable, "/t/" + beta, "/t/" + beta + "/e/purpose.triage", "/t/" + beta + "/c/purpose"} {
		text := s.page(path + "?lang=en").text()
		assert.Contains(t, text, "January 2026", path)
		assert.NotContains(t, text, "15 November 2026", path)
		assert.NotContains(t, text, "1 December 2026", path)
		assert.NotContains(t, text, `"dateCreated":"2026-1`, path)
	}
}

// TestSinceOfSameContent checks that a version is compared with the one before it, even if an
// earlier one has the same content.
func TestSinceOfSameContent(t *testing.T) {
	c := large(2)
	s := open(t, publishedAll(t, map[string]taxonomy.Content{"big@2026-01-01-stable": c, "big@2026-02-01-stable": c, "big@2026-03-01-stable": c}), nil)
	for version, before := range map[string]string{"big@2026-02-01-stable": "1 January 2026", "big@2026-03-01-stable": "1 February 2026"} {
		assert.Contains(t, s.page("/t/"+version+"?lang=en").first(t, "p.since").text(), "Since the stable version of "+before, version)
	}
}

// TestBetaDate checks that the date in the id of a beta is not called that of a release.
func TestBetaDate(t *testing.T) {
	s := open(t, must(published.Store()), nil)
	assert.Contains(t, s.page("/t/"+stable+"?lang=en").text(), "Released 15 November 2026")
	text := s.page("/t/" + beta + "?lang=en").text()
	assert.Contains(t, text, "18 November 2026")
	assert.NotContains(t, text, "Released")
}
