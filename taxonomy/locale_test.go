package taxonomy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestMatchLocale(t *testing.T) {
	for _, c := range []struct{ locales, asked, want string }{
		{"en fr es", "fr", "fr"},
		{"en fr es", "FR", "fr"},
		{"en fr es", "fr-CA", "fr"},
		{"en fr es", "fr_CA", "fr"},
		{"en fr es", "es-419", "es"},
		{"en fr es", "en-GB-oxendict", "en"},
		{"en fr es", "de", ""},
		{"en fr es", "br", ""}, // many who speak Breton know French, and did not ask for it
		{"en fr es", "ca", ""},
		{"en fr-CA", "fr", "fr-CA"},
		{"en-GB en-US", "en", "en-US"},
		{"en-GB en-US", "en-AU", "en-GB"},
		{"pt-BR pt-PT", "pt-AO", "pt-PT"},
		{"zh-Hans zh-Hant", "zh-TW", "zh-Hant"},
		{"zh-Hans zh-Hant", "zh-HK", "zh-Hant"},
		{"zh-Hans zh-Hant", "zh", "zh-Hans"},
		{"en he", "iw", "he"},
		{"en nb", "no", "nb"},
		{"en no", "nb-NO", "no"},
		{"en nn", "no", ""},
		{"en zh", "cmn", "zh"},
		{"en", "xx-unknown", ""},
		{"en", "und", ""},
		{"", "en", ""},
		{"x-private", "x-private", "x-private"},
	} {
		t.Run(c.locales+" for "+c.asked, func(t *testing.T) {
			got, err := taxonomy.MatchLocale(strings.Fields(c.locales), c.asked)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestMatchLocaleMalformed(t *testing.T) {
	for _, asked := range []string{"", " ", "e", "en-", "-en", "english language", "en--US", "français", "en;q=0.5", "en,fr", "*", "\xff", "abcdefghi", "../en", strings.Repeat("a-", 5000)} {
		t.Run(asked[:min(len(asked), 20)], func(t *testing.T) {
			got, err := taxonomy.MatchLocale([]string{"en", "fr"}, asked)
			require.ErrorContains(t, err, "is not a language tag")
			require.Less(t, len(err.Error()), 500)
			require.Empty(t, got)
		})
	}
}
