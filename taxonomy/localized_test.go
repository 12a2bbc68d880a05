package taxonomy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestLocalizedGet(t *testing.T) {
	l := taxonomy.Localized{{Locale: "en", Value: "a"}, {Locale: "fr-CA", Value: ""}, {Locale: "EN", Value: "second"}}
	for _, c := range []struct {
		locale, value string
		ok            bool
	}{
		{"en", "a", true}, {"En", "a", true}, {"FR-ca", "", true}, {"fr", "", false}, {"", "", false},
	} {
		value, ok := l.Get(c.locale)
		require.Equal(t, c.ok, ok, c.locale)
		require.Equal(t, c.value, value, c.locale)
	}
}

func TestLocalizedPick(t *testing.T) {
	l := three("a")
	require.Equal(t, "a (français)", l.Pick("de", "FR", "en"))
	require.Equal(t, "a", l.Pick("de"))
	require.Equal(t, "a", l.Pick())
	require.Empty(t, taxonomy.Localized(nil).Pick("en"))
}
