package published_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

func Example() {
	v := taxonomy.MustVersion("sensor@2026-02-28-stable")
	dir := published.Dir(v, taxonomy.Hash{0xab})
	fmt.Println(strings.TrimRight(dir, "0"))
	fmt.Println(published.Icons + "/" + published.Icon("purpose.safety", taxonomy.VariantDark))
	again, _, ok := published.ParseDir(dir)
	fmt.Println(again, ok)
	// Output:
	// sensor/2026-02-28-stable/sha256-ab
	// icons/purpose.safety/dark.svg
	// sensor@2026-02-28-stable true
}

func TestParseDir(t *testing.T) {
	v, h := taxonomy.MustVersion("Draft_1-x@2026-05-05-beta"), taxonomy.Hash{1, 2, 3}
	gotVersion, gotHash, ok := published.ParseDir(published.Dir(v, h))
	require.True(t, ok)
	require.Equal(t, v, gotVersion)
	require.Equal(t, h, gotHash)
	hash := h.String()
	for _, dir := range []string{
		"", ".", "..", "ai", "ai/2026-05-05-beta", "ai/2026-05-05-beta/", "ai/2026-05-05-beta/.new-" + hash,
		"ai/2026-05-05-draft/" + hash, "ai/latest/" + hash, "a.i/2026-05-05-beta/" + hash, "/ai/2026-05-05-beta/" + hash,
		"ai/2026-05-05-beta/" + hash + "/icons", "ai/2026-05-05-beta/" + strings.ToUpper(hash), "ai@2026-05-05-beta/" + hash,
	} {
		_, _, ok := published.ParseDir(dir)
		require.False(t, ok, dir)
	}
}

func TestSymbolID(t *testing.T) {
	id, ok := published.SymbolID(published.Symbol("Lens-2"))
	require.True(t, ok)
	require.Equal(t, "Lens-2", id)
	for _, name := range []string{"", ".svg", "a", "a.png", "a.svg.bak", ".DS_Store", "a b.svg", "a/b.svg", "../a.svg"} {
		_, ok := published.SymbolID(name)
		require.False(t, ok, name)
	}
}

func TestSearchIndex(t *testing.T) {
	name, ok := published.SearchIndex("pt-BR")
	require.True(t, ok)
	require.Equal(t, "pt-BR.index", name)
	for _, locale := range []string{"", "..", "en/us", "en_US", "é"} {
		_, ok := published.SearchIndex(locale)
		require.False(t, ok, locale)
	}
}
