package audit_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/audit"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestCheckSymbols shows that symbols are checked although the content hash is
// right.
func TestCheckSymbols(t *testing.T) {
	t.Parallel()
	en := func(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: text}} }
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	r, err := taxonomy.NewRelease(v, taxonomy.Content{
		Title: en("Robots"), Description: en("Robots."), Locales: []string{"en"},
		Type: taxonomy.Type{ID: "robot", Name: en("Robot"), Categories: []string{"purpose"}},
		Categories: []taxonomy.Category{{
			ID: "purpose", Name: en("Purpose"), Description: en("Why."), Shape: taxonomy.Circle,
		}},
		Elements: []taxonomy.Element{{
			ID: "care", Title: en("Care"), Description: en("It cares."), CategoryID: "purpose", SymbolID: "bad",
			IconVariants: []string{"default", "dark"},
		}},
		Symbols: map[string]string{
			"bad":   `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><script>x()</script></svg>`,
			"loose": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">  <circle cx="18" cy="18" r="9"/>  </svg>`,
		},
	})
	require.NoError(t, err)
	s, err := memstore.New(listing.Publication{Release: r})
	require.NoError(t, err)
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	got, err := audit.Check(t.Context(), s, x.Entries()[0])
	require.NoError(t, err)
	require.Len(t, got.Problems, 4, got.Problems)
	assert.Contains(t, got.Problems[0], "The symbol bad is not safe: ")
	assert.Contains(t, got.Problems[1], "The symbol loose is not in its published form")
	assert.Contains(t, got.Problems[2], "The icon care/default can't be drawn: ")
}

// TestDamagedEvolution reports a text of evolution that a server refuses.
func TestDamagedEvolution(t *testing.T) {
	store, err := memstore.New(layouttest.Publications()...)
	require.NoError(t, err)
	for text, problems := range map[string]int{"": 0, "{}": 0, "[]": 1} {
		store.Evolve("sensor", []byte(text))
		found, err := audit.Store(t.Context(), store, audit.Options{})
		require.NoError(t, err)
		require.Len(t, found.Problems, problems, text)
		for _, problem := range found.Problems {
			require.Contains(t, problem, "Evolution of sensor: ")
		}
	}
}
