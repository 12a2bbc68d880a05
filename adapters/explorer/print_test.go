package explorer_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestPrint(t *testing.T) {
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org"})
	p := s.page("/t/ai@latest/print")
	cover := p.first(t, "section.cover").text()
	for _, want := range []string{stable, "15 November 2026", "sha256-", "https://example.org/t/" + stable, "English, Français, Español"} {
		assert.Contains(t, cover, want)
	}
	assert.Len(t, p.first(t, "nav.contents").all("li"), 10)
	assert.Len(t, p.all("section.chapter"), 10)
	assert.Len(t, p.all("article.item"), 44)
	text := p.text()
	for _, want := range []string{"purpose.benefits", "Service in which it is used service", "text, required", "Context: How personal the data is", "Personal personal #1B62A5"} {
		assert.Contains(t, text, want)
	}
	for _, link := range p.first(t, "nav.contents").all("a") {
		assert.Len(t, p.all(link.attr("href")), 1)
	}
	assert.Equal(t, "/t/"+stable+"/print?paper=letter", p.first(t, "div.print-bar").all("a")[2].attr("href"))
	assert.Contains(t, p.first(t, "style").text(), "size:a4")
	assert.Contains(t, s.page("/t/ai@latest/print?paper=letter").first(t, "style").text(), "size:letter")
	assert.Contains(t, s.page("/t/ai@latest/print?paper=nothing").first(t, "style").text(), "size:a4")
	assert.Contains(t, s.page("/t/ai@latest").first(t, "section.version-end").text(), "Print")
}

// TestPrintPolicy checks that the one inline style is allowed by its hash, and that no
// title ends it.
func TestPrintPolicy(t *testing.T) {
	const hostile = `</style><script>trap()</script>"};@import "//evil.example";\`
	c := taxonomy.Content{
		Title: taxonomy.Localized{{Locale: "en", Value: hostile}}, Locales: []string{"en"},
		Type: taxonomy.Type{ID: "odd", Name: taxonomy.Localized{{Locale: "en", Value: hostile}}, Categories: []string{}, Subchains: []taxonomy.Subchain{}},
	}
	store := published(t, "odd@2026-01-01-stable", c)
	res := open(t, store, nil).do(http.MethodGet, "/t/odd@latest/print")
	require.Equal(t, http.StatusOK, res.StatusCode)
	p := parse(t, res.body)
	styles := p.all("style")
	require.Len(t, styles, 1)
	style := styles[0].FirstChild.Data
	assert.NotContains(t, style, "@import")
	assert.NotContains(t, res.body, "<script>")
	sum := sha256.Sum256([]byte(style))
	assert.Contains(t, res.Header.Get("Content-Security-Policy"), "style-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
}

// TestPrintLarge checks that large taxonomies are printed in parts.
func TestPrintLarge(t *testing.T) {
	s := open(t, many(t, 3000), nil)
	p := s.page("/t/big@latest/print")
	assert.Empty(t, p.all("article.item"))
	parts := p.first(t, "ul.parts").all("a")
	require.Len(t, parts, 2)
	assert.Len(t, s.page(parts[0].attr("href")).all("article.item"), 1500)
}
