package view_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestLocale(t *testing.T) {
	p := present(t, samples(t), sample(t, "benefits.json"))
	for asked, want := range map[string]string{
		"": "en", "fr": "fr", "FR": "fr", "fr-CA": "fr", "es-419": "es", "de": "de", "pt": "en", "tlh": "en", `"><script>`: "en", "-": "en",
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

// TestLanguages writes all languages into one file: each has links to the others, every link leads
// to something, and no id is used twice.
func TestLanguages(t *testing.T) {
	p := present(t, samples(t), sample(t, "crossing-camera.json"))
	one, shown := render(t, p, &view.Options{Locale: "fr"}), render(t, p, &view.Options{Locale: "fr", Languages: true})
	root := parsed(t, shown)
	assert.Equal(t, "fr", attribute(all(root, tag("html"))[0], "lang"), "the one that was asked for is first")
	var languages []string
	for i, main := range all(root, tag("main")) {
		languages = append(languages, attribute(main, "lang"))
		assert.Equal(t, i > 0, class("other")(main))
		assert.Len(t, all(main, class("placement")), len(p.Datachain.Elements))
		links := all(all(main, class("languages"))[0], tag("a"))
		require.Len(t, links, len(p.Locales()))
		assert.Equal(t, "true", attribute(links[i], "aria-current"))
		assert.Equal(t, "#"+attribute(main, "id"), attribute(links[i], "href"))
	}
	assert.Equal(t, []string{"fr", "en", "es", "de", "nl"}, languages)
	ids := make(map[string]bool)
	for _, n := range all(root, func(n *html.Node) bool { return attribute(n, "id") != "" }) {
		assert.False(t, ids[attribute(n, "id")], attribute(n, "id"))
		ids[attribute(n, "id")] = true
	}
	for _, n := range all(root, tag("a")) {
		if to, ok := strings.CutPrefix(attribute(n, "href"), "#"); ok {
			assert.True(t, ids[to], to)
		}
	}
	assert.NotContains(t, one, "</nav>\n<p class=\"kind\">")

	// What is too large for all languages has one.
	o := &view.Options{Locale: "fr", Languages: true, MaxBytes: len(one)}
	assert.Equal(t, one, render(t, p, o))
	o.MaxBytes--
	_, err := view.Write(new(bytes.Buffer), p, o)
	require.ErrorIs(t, err, view.ErrTooLarge)

	var fragment bytes.Buffer
	_, err = view.Fragment(&fragment, p, &view.Options{Locale: "fr", Languages: true})
	require.NoError(t, err)
	assert.Len(t, all(parsed(t, fragment.String()), tag("main")), len(p.Locales()))
}

// TestFallback checks that a text in another language has a lang attribute.
func TestFallback(t *testing.T) {
	r := small()
	r.Title = taxonomy.Localized{{Locale: "fr", Value: "Petit"}}
	r.Description = taxonomy.Localized{{Locale: "sv-FI", Value: "Liten"}, {Locale: `x" onload="`, Value: "Odd"}}
	r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: "sv", Value: "Cyklar"}, {Locale: "en", Value: "Bikes"}}
	r.SchemaSnapshot.Categories[0].Name = taxonomy.Localized{{Locale: `x" onload="`, Value: "Kontakt"}}
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
	r.AuthoringProvenance = &taxonomy.Provenance{Kind: "human", ElementProvenance: map[string]taxonomy.ElementProvenance{"contact.office": {Confidence: "high"}}}
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
	assert.Empty(t, langs["Kontakt"], "an invalid language has no lang attribute")
	fact := all(all(shown, class("facts"))[0], tag("dt"))[1]
	assert.Equal(t, "en", attribute(fact, "lang"), "the words of the page are not Swedish")
	assert.Equal(t, "en", langs["1 June 2026"], "nor are its dates")
	assert.Equal(t, "en", langs["high"])
	assert.Equal(t, "en", attribute(all(shown, class("says"))[0], "lang"))

	// Another region of the same language is nearer than another language, and a tag
	// that is too long is invalid.
	r.Title = taxonomy.Localized{{Locale: "de", Value: "Klein"}, {Locale: "sv-FI", Value: "Liten"}}
	assert.Equal(t, "Liten", content(all(page(t, r, ""), tag("h1"))[0]))
	r.Title = taxonomy.Localized{{Locale: "de" + strings.Repeat("-x", 32), Value: "Klein"}}
	assert.Equal(t, html.TextNode, all(page(t, r, ""), tag("h1"))[0].FirstChild.Type)
}

// TestTongues checks that the facts name the languages of the document, and that texts in further
// ones are marked.
func TestTongues(t *testing.T) {
	fr := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "fr-CA", Value: s}} }
	r := small()
	r.Title, r.Description = fr("Petit"), en("All of it")
	r.SchemaSnapshot.DatachainType.Name = fr("Vélos")
	r.SchemaSnapshot.Categories[1].Name = fr("Données")
	r.SchemaSnapshot.Elements[1].Title = fr("Bureau")
	r.SubchainInstances = []taxonomy.SubchainInstance{{ID: "a", SubchainID: "use", HeadRefs: []string{"contact.office"}}}
	r.Elements = []taxonomy.Placement{
		{ElementID: "contact.office", SubchainInstanceID: "a"},
		{ElementID: "data.trips", ContextTypeID: "tag", Variables: []taxonomy.VariableValue{
			{ID: "days", Text: en("7 days")}, {ID: "where", Options: []string{"here"}}, {ID: "note", Text: taxonomy.Localized{{Locale: "tlh", Value: "maj"}}}, {ID: "more", Text: taxonomy.Localized{{Locale: "fr-FR", Value: "Plus"}}},
		}},
	}
	shown := page(t, r, "fr")
	var marked []string
	for _, n := range all(shown, class("language-tag")) {
		assert.Equal(t, "bdi", n.Data, "it does not change the direction of the text around it")
		assert.Equal(t, "tlh", attribute(n.Parent, "lang"), "it is one item with its text")
		assert.Equal(t, "fr", attribute(n, "lang"))
		assert.Equal(t, attribute(n, "title"), attribute(n, "aria-label"))
		marked = append(marked, content(n.Parent)+" "+attribute(n, "aria-label"))
	}
	assert.Equal(t, []string{"maj TLH Langue\u00A0: tlh"}, marked)
	assert.Contains(t, content(all(shown, class("facts"))[0]), "LangueFrançais, English")
}

// TestForeign checks that a page in another language, entirely or in part, names it once.
func TestForeign(t *testing.T) {
	r := small()
	r.SchemaSnapshot.DatachainType.Name = append(taxonomy.Localized{{Locale: "de", Value: "Räder"}}, r.SchemaSnapshot.DatachainType.Name...)
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}, {ElementID: "data.trips", ContextTypeID: "tag"}}
	shown := page(t, r, "de")
	assert.Equal(t, "de", attribute(all(shown, tag("html"))[0], "lang"))
	assert.Empty(t, all(shown, class("language-tag")))
	assert.Equal(t, "ArtRäder Beschrieben seit1. Juni 2026 SpracheEnglish", content(all(shown, class("facts"))[0]))
	assert.Equal(t, "en", attribute(all(shown, tag("h3"))[0].FirstChild, "lang"), "machines are told all the same")

	r.Title = taxonomy.Localized{{Locale: "de", Value: "Klein"}}
	shown = page(t, r, "de")
	assert.Empty(t, all(shown, class("language-tag")))
	assert.Contains(t, content(all(shown, class("facts"))[0]), "SpracheDeutsch, English")
}

// TestDays checks the format of dates.
func TestDays(t *testing.T) {
	for lang, want := range map[string][2]string{
		"en": {"1 June 2026", "2 June 2026"}, "fr": {"1er juin 2026", "2 juin 2026"}, "es": {"1 de junio de 2026", "2 de junio de 2026"},
		"de": {"1. Juni 2026", "2. Juni 2026"}, "it": {"1 giugno 2026", "2 giugno 2026"}, "pt": {"1 de junho de 2026", "2 de junho de 2026"},
		"nl": {"1 juni 2026", "2 juni 2026"}, "ar": {"1 يونيو 2026", "2 يونيو 2026"}, "ja": {"1 June 2026", "2 June 2026"},
	} {
		r := small()
		r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: lang, Value: "X"}}
		r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
		day := func() string { return texts(all(page(t, r, lang), class("facts"))[0], tag("dd"))[1] }
		assert.Equal(t, want[0], day())
		r.UpdatedAt = "2026-06-02T10:00Z"
		assert.Equal(t, want[1], day())
		r.UpdatedAt = "2026-02-30T10:00Z"
		assert.Equal(t, r.UpdatedAt, day(), "an invalid date is shown as it is")
	}
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

// TestArabic checks a page with fixed texts in a right-to-left language.
func TestArabic(t *testing.T) {
	service, document := mirrored(t)
	p := present(t, service, document)
	shown := parsed(t, render(t, p, &view.Options{Locale: "ar-EG"}))
	assert.Equal(t, "ar", attribute(all(shown, tag("html"))[0], "lang"))
	assert.Equal(t, mirror("Who you are"), content(all(shown, func(n *html.Node) bool { return attribute(n, "id") == "t5" })[0]))
	assert.Contains(t, content(all(shown, class("facts"))[0]), "2 أكتوبر 2026")
}

// TestWords checks that every language has every word.
func TestWords(t *testing.T) {
	seen := map[string]string{}
	for _, lang := range []string{"en", "fr", "es", "de", "it", "pt", "nl", "ar"} {
		r := small()
		r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: lang, Value: "X"}}
		r.SubchainInstances = []taxonomy.SubchainInstance{{ID: "a", SubchainID: "use", HeadRefs: []string{"x"}}}
		r.SuggestedElements = []taxonomy.Element{{ID: "data.new", CategoryID: "data", Description: en("{{x}}")}}
		r.Elements = []taxonomy.Placement{{ElementID: "contact.office", SubchainInstanceID: "a", Sources: []taxonomy.Source{{Title: "S"}}}, {ElementID: "data.new"}}
		r.SchemaSnapshot.Elements[1].Sources = []taxonomy.Source{{Title: "T"}}
		r.LinkedInstanceIDs = []string{"other"}
		r.InstanceVersion = "2"
		r.AuthoringProvenance = &taxonomy.Provenance{Kind: "ai_generated", Model: "M", ElementProvenance: map[string]taxonomy.ElementProvenance{
			"data.new": {Confidence: "medium", SourceReferences: []taxonomy.SourceReference{{Quote: "Q"}}, VariableRationale: map[string]json.RawMessage{"x": json.RawMessage(`"y"`)}},
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
