package published_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestStore checks that the store in memory has what the files have.
func TestStore(t *testing.T) {
	files, err := fsstore.Open(published.FS(), nil)
	require.NoError(t, err)
	want, err := files.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, 5, want.Len())
	store, err := published.Store()
	require.NoError(t, err)
	got, err := store.Index(t.Context())
	require.NoError(t, err)
	for _, e := range want.Entries() {
		entry, ok := got.Lookup(e.ID.Ref())
		require.True(t, ok, e.ID)
		require.Equal(t, []any{e.ContentHash, e.Aliases, e.Released}, []any{entry.ContentHash, entry.Aliases, entry.Released})
		r, err := store.Release(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, e.ContentHash, r.ContentHash())
	}
	for alias, id := range map[string]string{
		"ai@latest": "ai@2026-11-15-stable", "ai@latest-beta": "ai@2026-11-18-beta", "sensor@latest": "sensor@2026-11-15-stable",
	} {
		ref, err := taxonomy.ParseRef(alias)
		require.NoError(t, err)
		e, ok := got.Lookup(ref)
		require.True(t, ok, alias)
		require.Equal(t, id, e.ID.String())
	}
}

func ExampleStore() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	release, err := store.Release(context.Background(), taxonomy.MustVersion("sensor@2026-11-15-stable"))
	if err != nil {
		panic(err)
	}
	for _, c := range release.Categories() {
		fmt.Println(c.Name.Pick("en"))
	}
	// Output:
	// Purpose
	// Device
	// What it collects
	// Who is affected
	// How the data is processed
	// Storage
	// Who can see the data
	// Who is responsible
	// Your choices and rights
}
