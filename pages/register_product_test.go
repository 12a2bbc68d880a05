package pages_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBasedOn says in every language of the pages which product a document is based on, with its
// edition and, if that is an address of the web, where it is.
func TestBasedOn(t *testing.T) {
	shelf := newShelf(t)
	based := func(url string) map[string]any {
		return map[string]any{
			"edition": strings.Repeat("4cb8c6724e82", 6)[:64], "title": "Benefit <calculator>", "version": "4.2", "url": url,
			"supplier": map[string]any{"name": "Fairdesk Cooperative"},
		}
	}
	var title []any
	for _, lang := range []string{"en", "fr", "es", "de", "it", "pt", "nl", "ar"} {
		title = append(title, map[string]any{"locale": lang, "value": "Housing benefit " + lang})
	}
	shelf.settings(`{"languages": ["en", "fr", "es", "de", "it", "pt", "nl", "ar"]}`)
	shelf.put("based.json", "benefits.json", map[string]any{"id": "based", "title": title, "register": map[string]any{
		"slug": "based", "organisation": map[string]any{"name": "Town of Lindenau"}, "based_on": based("https://fairdesk.example/p.json"),
	}})
	s := shelf.serve(nil)
	for lang, want := range map[string]string{
		"en": "Based on", "fr": "Fondé sur", "es": "Basado en", "de": "Beruht auf", "it": "Basato su", "pt": "Baseado em", "nl": "Gebaseerd op", "ar": "يستند إلى",
	} {
		page := s.page("/d/based?lang=" + lang)
		text := page.text()
		for _, part := range []string{want, "Benefit <calculator>", "4.2", "Fairdesk Cooperative", "4cb8c6724e82", "Town of Lindenau"} {
			assert.Contains(t, text, part, lang)
		}
		found := false
		for _, a := range page.all("a") {
			if a.attr("href") == "https://fairdesk.example/p.json" {
				found = true
				require.Equal(t, "fairdesk.example", strings.TrimSpace(a.text()))
			}
		}
		require.True(t, found, lang)
	}
	assert.NotContains(t, s.page("/d/camera").text(), "according to")
}
