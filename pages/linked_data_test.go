package pages_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/taxonomy"
)

// linked returns the linked data of a page.
func linked(t *testing.T, p *node) map[string]any {
	t.Helper()
	for _, script := range p.all("script") {
		if script.attr("type") == "application/ld+json" {
			var ld map[string]any
			require.NoError(t, json.Unmarshal([]byte(script.FirstChild.Data), &ld))
			return ld
		}
	}
	t.Fatal("the page has no linked data")
	return nil
}

func TestLinkedData(t *testing.T) {
	s := open(t, nil, &pages.Options{BaseURL: "https://example.org/dc"})
	set := linked(t, s.page("/t/ai@latest?lang=fr"))
	assert.Equal(t, []any{"DefinedTermSet", "Dataset"}, set["@type"])
	assert.Equal(t, "https://example.org/dc/t/"+stable, set["@id"])
	assert.Equal(t, stable, set["version"])
	term := linked(t, s.page("/t/ai@latest/e/purpose.benefits"))
	assert.Equal(t, "DefinedTerm", term["@type"])
	assert.Equal(t, "purpose.benefits", term["termCode"])
	assert.Equal(t, set["@id"], term["inDefinedTermSet"].(map[string]any)["@id"])
	assert.Equal(t, "purpose", linked(t, s.page("/t/ai@latest/c/purpose"))["termCode"])
}

// TestHostileLinkedData checks that no text ends the script that has the data.
func TestHostileLinkedData(t *testing.T) {
	const hostile = `</script><script>trap()</script><!--`
	text := taxonomy.Localized{{Locale: "en", Value: hostile}}
	s := open(t, storeOf(t, "odd@2026-01-01-stable", taxonomy.Content{
		Title: text, Description: text, Locales: []string{"en"},
		Type: taxonomy.Type{ID: "odd", Name: text, Categories: []string{}, Subchains: []taxonomy.Subchain{}},
	}), nil)
	p := s.page("/t/odd@latest")
	assert.Equal(t, hostile, linked(t, p)["description"])
	for _, script := range p.all("script") {
		assert.True(t, script.attr("src") != "" || script.attr("type") == "application/ld+json")
	}
}
