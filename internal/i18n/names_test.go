package i18n_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/i18n"
)

func TestEnglish(t *testing.T) {
	for locale, want := range map[string]string{"fr": "French", "FR": "French", "pt-BR": "Portuguese (pt-BR)", "xx": "xx", "": ""} {
		require.Equal(t, want, i18n.English(locale), locale)
	}
	require.Equal(t, "Português", i18n.Endonym("pt-BR"))
	require.Equal(t, "xx", i18n.Endonym("xx"))
}
