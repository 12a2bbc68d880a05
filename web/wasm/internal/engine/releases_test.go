package engine_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/web/wasm/internal/engine"
)

func TestDecode(t *testing.T) {
	store, err := taxonomies.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	entry, ok := index.Lookup(taxonomy.MustVersion("ai@2026-11-15-stable").Ref())
	require.True(t, ok)
	other, ok := index.Lookup(taxonomy.MustVersion("ai@2026-09-01-stable").Ref())
	require.True(t, ok)
	r, err := store.Release(t.Context(), entry.ID)
	require.NoError(t, err)
	var text bytes.Buffer
	_, err = r.WriteTo(&text)
	require.NoError(t, err)
	parts := engine.Parts{Release: text.Bytes(), Symbols: map[string]string{}}
	for _, id := range r.SymbolIDs() {
		parts.Symbols[id], _ = r.Symbol(id)
	}

	got, err := parts.Decode(entry)
	require.NoError(t, err)
	require.Equal(t, entry.ContentHash, got.ContentHash())
	_, err = parts.Decode(other)
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
	_, err = engine.Parts{Release: parts.Release}.Decode(entry)
	require.Error(t, err)
	parts.Pack = []byte("pack")
	_, err = parts.Decode(entry)
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
}

func ExampleNeed() {
	entry := taxonomy.Entry{ID: taxonomy.MustVersion("ai@2026-09-01-stable")}
	needed := engine.Need(entry)
	fmt.Println(needed.ID, needed.Packed)
	// Output: ai@2026-09-01-stable false
}
