package view_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestLocale(t *testing.T) {
	p := present(t, samples(t), sample(t, "benefits.json"))
	for asked, want := range map[string]string{
		"": "en", "fr": "fr", "FR": "fr", "fr-CA": "fr", "es-419": "es", "de": "en", "tlh": "en", `"><script>`: "en", "-": "en",
	} {
		var b bytes.Buffer
		summary, err := view.Write(&b, p, &view.Options{Locale: asked})
		require.NoError(t, err)
		assert.Equal(t, want, summary.Locale, asked)
		root := all(parsed(t, b.String()), tag("html"))[0]
		assert.Equal(t, want, attribute(root, "lang"))
		assert.Equal(t, "ltr", attribute(root, "dir"))
	}
}

// TestFallback shows that a text in another language says which.
func TestFallback(t *testing.T) {
	r := small()
	r.Title = taxonomy.Localized{{Locale: "fr", Value: "Petit"}}
	r.Description = taxonomy.Localized{{Locale: "sv-FI", Value: "Liten"}, {Locale: `x" onload="`, Value: "Odd"}}
	r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: "sv", Value: "Cyklar"}, {Locale: "en", Value: "Bikes"}}
	r.SchemaSnapshot.Categories[0].Name = taxonomy.Localized{{Locale: `x" onload="`, Value: "Kontakt"}}
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
	shown := page(t, r, "")
	langs := map[string]string{}
	for _, n := range all(shown, func(n *html.Node) bool { return n.Data == "bdi" || n.Data == "span" }) {
		langs[content(n)] = attribute(n, "lang")
	}
	assert.Equal(t, "sv", attribute(all(shown, tag("html"))[0], "lang"), "the first language of the type")
	assert.Empty(t, langs["Cyklar"])
	assert.Equal(t, "fr", langs["Petit"])
	assert.Equal(t, "sv-FI", langs["Liten"])
	assert.Equal(t, "en", langs["Office"])
	assert.Empty(t, langs["Kontakt"], "what is no language is not said to be one")
	facts := all(shown, class("facts"))[0]
	assert.Equal(t, "en", attribute(facts, "lang"), "the words of the page are not Swedish")
	assert.Equal(t, "en", attribute(all(shown, class("says"))[0], "lang"))
}

func TestDirection(t *testing.T) {
	for locale, want := range map[string]string{
		"ar": "rtl", "he": "rtl", "fa-IR": "rtl", "ur": "rtl", "az-Arab": "rtl", "ks-Arab-IN": "rtl", "yi": "rtl",
		"en": "ltr", "ur-Latn": "ltr", "he-Latn-IL": "ltr", "tlh-u-x-arab": "ltr", "zh-Hant": "ltr", "de-1996": "ltr",
	} {
		r := small()
		r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: locale, Value: "X"}}
		r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
		shown := page(t, r, locale)
		assert.Equal(t, want, attribute(all(shown, tag("html"))[0], "dir"), locale)
		assert.Equal(t, want, attribute(all(shown, tag("main"))[0], "dir"), locale)
	}
}

// TestArabic shows a page whose own words are written from right to left.
func TestArabic(t *testing.T) {
	service, document := mirrored(t)
	p := present(t, service, document)
	shown := parsed(t, render(t, p, &view.Options{Locale: "ar-EG"}))
	assert.Equal(t, "ar", attribute(all(shown, tag("html"))[0], "lang"))
	assert.Equal(t, mirror("Who you are"), content(all(shown, func(n *html.Node) bool { return attribute(n, "id") == "t5" })[0]))
	assert.Contains(t, content(all(shown, class("facts"))[0]), "2 أكتوبر 2026")
}

// TestWords shows that no language lacks a word.
func TestWords(t *testing.T) {
	seen := map[string]string{}
	for _, lang := range []string{"en", "fr", "es", "de", "it", "pt", "nl", "ar"} {
		r := small()
		r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: lang, Value: "X"}}
		r.SubchainInstances = []taxonomy.SubchainInstance{{ID: "a", SubchainID: "use", HeadRefs: []string{"x"}}}
		r.SuggestedElements = []taxonomy.Element{{ID: "data.new", CategoryID: "data", Description: en("{{x}}")}}
		r.Elements = []taxonomy.Placement{{ElementID: "contact.office", SubchainInstanceID: "a", Sources: []taxonomy.Source{{Title: "S"}}}, {ElementID: "data.new"}}
		r.LinkedInstanceIDs = []string{"other"}
		r.InstanceVersion = "2"
		r.AuthoringProvenance = &taxonomy.Provenance{Kind: "ai_generated", Model: "M", ElementProvenance: map[string]taxonomy.ElementProvenance{
			"data.new": {Confidence: "medium", SourceReferences: []taxonomy.SourceReference{{Quote: "Q"}}},
		}}
		var b bytes.Buffer
		_, err := view.Fragment(&b, &datachain.Presentation{Datachain: r}, nil)
		require.NoError(t, err)
		shown := parsed(t, b.String())
		for _, name := range []string{"h2", "h4", "summary", "dt", "i"} {
			for _, text := range texts(shown, tag(name)) {
				assert.NotEmpty(t, text, "%s of %s", name, lang)
			}
		}
		for _, name := range []string{"facts", "notice", "new", "confidence", "from"} {
			require.NotEmpty(t, texts(shown, class(name)), "%s in %s", name, lang)
			assert.NotContains(t, texts(shown, class(name)), "", "%s in %s", name, lang)
		}
		harmless(t, b.String())
		assert.NotContains(t, b.String(), "[[")
		flow := content(all(shown, tag("h2"))[0])
		assert.Empty(t, seen[flow], "%s and %s say the same", lang, seen[flow])
		seen[flow] = lang
	}
}
