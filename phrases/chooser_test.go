package phrases_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestNoting checks that texts in other languages are found in a text that is made of them, as
// whole words.
func TestNoting(t *testing.T) {
	c := phrases.NewChooser([]string{"fr", "en"}, "fr").Noting()
	for _, text := range []string{"Camera", "Camera <north>", "a"} {
		value, locale := c.Pick(taxonomy.Localized{{Locale: "en", Value: text}})
		require.Equal(t, []string{text, "en"}, []string{value, locale})
	}
	own, _ := c.Pick(taxonomy.Localized{{Locale: "en", Value: "Street"}, {Locale: "fr", Value: "Rue"}})
	require.Equal(t, `Au plus : <bdi lang="en">Camera &lt;north&gt;</bdi>; Cameras – `+own+` (<bdi lang="en">Camera</bdi>) &amp; <bdi lang="en">a</bdi>`,
		c.HTML("Au plus : Camera <north>; Cameras – Rue (Camera) & a"))
	require.Empty(t, c.HTML(""))
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
