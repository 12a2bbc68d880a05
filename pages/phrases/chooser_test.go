package phrases_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestNoting checks that texts in other languages are marked in a text that is made of them, and
// the same words in the language of the page are not.
func TestNoting(t *testing.T) {
	c := phrases.NewChooser([]string{"fr", "en"}, "fr").Noting()
	pick := func(locale, text string) string {
		value, found := c.Pick(taxonomy.Localized{{Locale: locale, Value: text}})
		require.Equal(t, locale, found)
		return value
	}
	text := "Au plus : " + pick("en", "Camera <north>") + "; Cameras – " + pick("fr", "Information \uFDD1") + " (" + pick("en", "Information\uFDD0") + ") & " + pick("en-GB", " a\n")
	require.Equal(t, `Au plus : <bdi lang="en">Camera &lt;north&gt;</bdi>; Cameras – Information  (<bdi lang="en">Information</bdi>) &amp; <bdi lang="en-GB">a</bdi>`, phrases.HTML(text))
	require.Equal(t, "Au plus : Camera <north>; Cameras – Information  (Information) & a", phrases.Plain(text))
	require.Empty(t, phrases.HTML(""))
	require.Empty(t, pick("en", "\uFDD0"))
	require.Equal(t, []string{"b &amp; c", "b & c"}, []string{phrases.HTML("b & c"), phrases.Plain("b & c")})
	require.Equal(t, "Camera one. two; three", phrases.Plain(phrases.Join([]string{pick("en", "Camera one."), pick("en", "two"), "three"})))
}

// TestChooserLocale checks which language is the nearest one.
func TestChooserLocale(t *testing.T) {
	for _, c := range []struct {
		there []string
		asked string
		want  string
	}{
		{[]string{"en", "fr"}, "fr", "fr"},
		{[]string{"en", "fr"}, "FR", "fr"},
		{[]string{"en", "fr"}, "fr-CA", "fr"},
		{[]string{"en", "fr-FR"}, "fr-CA", "fr-FR"},
		{[]string{"en", "fr-CA"}, "fr", "fr-CA"},
		{[]string{"en", "zh-Hans", "zh-Hant"}, "zh-TW", "zh-Hant"},
		{[]string{"en", "pt-PT", "pt-BR"}, "pt", "pt-BR"},
		{[]string{"en", "nb"}, "no", "nb"},
		{[]string{"en", "fr"}, "br", "en"}, // not French, though most speakers know it
		{[]string{"en", "fr"}, "de", "en"},
		{[]string{"en", "fr"}, "", "en"},
		{[]string{"en", "fr"}, "fr_<", "en"},
		{[]string{"x-own", "fr"}, "de", "x-own"},
	} {
		require.Equal(t, c.want, phrases.NewChooser(c.there, c.asked).Locale, "%s in %s", c.asked, c.there)
	}
}
