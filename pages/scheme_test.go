package pages_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// mapped returns a taxonomy with six elements in two categories, some of which are mapped to
// articles of a law.
func mapped() taxonomy.Content {
	c := large(6)
	to := func(id string, relation taxonomy.Relation) taxonomy.Mapping {
		return taxonomy.Mapping{Scheme: "law", ID: id, Relation: relation}
	}
	c.Schemes = []taxonomy.Scheme{{ID: "law", Title: taxonomy.Localized{{Locale: "en", Value: "The Law"}}, URL: "https://example.org/law", Version: "2024"}}
	c.Categories[0].Mappings = []taxonomy.Mapping{to("Art. 13", codes.RelationNarrow)}
	c.Elements[0].Mappings = []taxonomy.Mapping{to("Art. 26", codes.RelationClose), to("Art. 5", codes.RelationBroad)}
	c.Elements[4].Mappings = []taxonomy.Mapping{to("art. 26", codes.RelationExact)}
	c.Elements[4].Mappings[0].Note = taxonomy.Localized{{Locale: "en", Value: "As a note says."}}
	return c
}

// TestMappings checks what pages of elements and categories say about mappings.
func TestMappings(t *testing.T) {
	s := open(t, storeOf(t, "big@2026-10-01-stable", mapped()), nil)
	rows := func(path string) (list []string) {
		for _, section := range s.page(path).all("section") {
			if section.attr("aria-labelledby") == "mappings" {
				for _, li := range section.all("li") {
					list = append(list, li.text())
				}
				assert.Equal(t, "/t/big@2026-10-01-stable/s/law", section.all("a")[0].attr("href"))
				assert.Equal(t, "https://example.org/law", section.all("a")[1].attr("href"))
			}
		}
		return list
	}
	assert.Equal(t, []string{
		"Art. 26 The Law nearly the same meaning Source The Law example.org", "Art. 5 The Law the entry covers more Source The Law example.org",
	}, rows("/t/big@latest/e/e00000"))
	assert.Equal(t, []string{"art. 26 The Law same meaning Source The Law example.org As a note says."}, rows("/t/big@latest/e/e00004"))
	assert.Equal(t, []string{"Art. 13 The Law the entry covers a part Source The Law example.org"}, rows("/t/big@latest/c/c0"))
	assert.Empty(t, rows("/t/big@latest/e/e00001"))
	var links []string
	for _, a := range s.page("/t/big@latest").first(t, "aside.side").all("a") {
		links = append(links, a.attr("href"))
	}
	assert.Contains(t, links, "/t/big@2026-10-01-stable/s/law")
	assert.NotContains(t, open(t, nil, nil).page("/t/ai@2026-09-01-stable").first(t, "aside.side").text(), "Mappings")
}

// TestScheme checks that the page of a scheme has its entries in natural order with what
// answers to them, and the elements that do not.
func TestScheme(t *testing.T) {
	s := open(t, storeOf(t, "big@2026-10-01-stable", mapped()), nil)
	p := s.page("/t/big@latest/s/law")
	assert.Equal(t, "The Law", p.first(t, "h1").text())
	assert.Contains(t, p.first(t, "dl.facts").text(), "Idlaw 2024 Sourceexample.org")
	lists := p.all("ul.rows")
	require.Len(t, lists, 2)
	var got []string
	for _, list := range lists {
		for _, h3 := range list.all("h3") {
			got = append(got, (&node{h3.Parent}).text())
		}
	}
	assert.Equal(t, []string{
		"Art. 5 Statement 0 the entry covers more",
		"Art. 13 Category 0 Category the entry covers a part",
		"Art. 26 Statement 0 nearly the same meaning Statement 4 same meaning As a note says.",
		"Category 0 2 elements Statement 1 Statement 2",
		"Category 1 2 elements Statement 3 Statement 5",
	}, got)
	assert.Contains(t, s.do(http.MethodGet, "/t/big@latest/s/law").Header.Get("Link"), "/api/v2/schemas/big@2026-10-01-stable/mappings?scheme=law>")
	res := s.do(http.MethodGet, "/t/big@latest/s/lax")
	assert.Equal(t, http.StatusNotFound, res.StatusCode)
	assert.Contains(t, res.body, `href="/t/big@latest/s/law"`)
}

// TestSchemeLarge checks that a large crosswalk has several pages, and that what has no
// mapping is shortened.
func TestSchemeLarge(t *testing.T) {
	c := large(1500)
	c.Schemes = []taxonomy.Scheme{{ID: "law", Title: c.Title}}
	for i := range c.Elements[:1100] {
		c.Elements[i].Mappings = []taxonomy.Mapping{{Scheme: "law", ID: fmt.Sprintf("Art. %d", i/2), Relation: codes.RelationRelated}}
	}
	store := storeOf(t, "big@2026-10-01-stable", c)
	s := open(t, store, nil)
	assert.Contains(t, s.page("/t/big@latest/s/law?page=-1").first(t, "p.notice").text(), "There is no page “-1”. This is page 1 of 3.")
	for page, want := range map[string]string{"": "Art. 0", "?page=2": "Art. 250", "?page=3": "Art. 500", "?page=9": "Art. 500", "?page=-1": "Art. 0"} {
		p := s.page("/t/big@latest/s/law" + page)
		assert.Equal(t, want, p.first(t, "h3").text(), page)
		assert.Len(t, p.first(t, "nav.pages").all("a"), 3, page)
		unmapped := p.all("ul.rows")[1]
		assert.Contains(t, unmapped.text(), "Category 1 400 elements Statement 1100")
		assert.Len(t, unmapped.all("a"), 1+120)
	}
}

// TestSchemeInSite checks that a static site has the page of a scheme, and that its links
// lead to files.
func TestSchemeInSite(t *testing.T) {
	files := writeSite(t, storeOf(t, "big@2026-10-01-stable", mapped()), nil)
	const name = "en/t/big@2026-10-01-stable/s/law.html"
	require.NotNil(t, files[name])
	s := &writtenSite{files: files, pages: make(map[string]*node)}
	for _, a := range s.page(t, name).all("a") {
		s.follow(t, name, a.attr("href"))
	}
	assert.Contains(t, string(files["en/t/big@2026-10-01-stable.html"]), `href="big@2026-10-01-stable/s/law.html"`)
	assert.Contains(t, string(files["en/t/big@2026-10-01-stable/e/e00000.html"]), `href="../s/law.html"`)
}
