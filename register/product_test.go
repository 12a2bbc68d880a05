package register_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy/document"
)

const supplied = `"register": {"product": {"supplier": {"name": "Gauge Makers"}}},`

// TestProducts shows no product as a document, also one that is valid, and refuses one with mistakes
// besides its gaps.
func TestProducts(t *testing.T) {
	dir, target := t.TempDir(), new(targettest.Memory)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	registertest.Write(t, dir, "products/gauge.json", "gauge", registertest.Monday, supplied)
	registertest.Write(t, dir, "wrong.json", "wrong", registertest.Monday, strings.Replace(supplied, "name", "title", 1))
	text, err := os.ReadFile(filepath.Join(dir, "products", "gauge.json"))
	require.NoError(t, err)
	require.Contains(t, string(text), `"elements"`)

	r := registertest.OpenDir(t, dir)
	s := r.State()
	require.Len(t, s.Documents(), 1)
	require.Len(t, s.Products(), 1)
	require.Equal(t, "products/gauge.json", s.Products()[0].File)
	require.Equal(t, "Gauge Makers", s.Products()[0].Supplier.Name.Plain)
	require.Len(t, s.Refused(), 1)
	require.Equal(t, "wrong.json", s.Refused()[0].File)
	report, err := publishing.Documents(t.Context(), target, r, nil)
	require.NoError(t, err)
	require.Len(t, report.Publications, 1)
}

// TestBecomesProduct removes a document from a register once its file describes a product.
func TestBecomesProduct(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	r := live(t, dir, nil)
	require.Len(t, r.State().Documents(), 1)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Tuesday, supplied)
	eventually(t, r, func(s *register.State) bool { return len(s.Products()) == 1 && len(s.Documents()) == 0 })
	registertest.Write(t, dir, "rain.json", "rain", "2026-07-08T10:00:00Z", "")
	eventually(t, r, func(s *register.State) bool { return len(s.Products()) == 0 && len(s.Documents()) == 1 })
}

// TestStoredProduct does not show a product that an older program has published.
func TestStoredProduct(t *testing.T) {
	dir, target := t.TempDir(), new(targettest.Memory)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	registertest.Write(t, dir, "wind.json", "wind", registertest.Monday, "")
	_, err := publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)

	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, supplied)
	text, err := os.ReadFile(filepath.Join(dir, "rain.json"))
	require.NoError(t, err)
	doc, err := document.Parse(text)
	require.NoError(t, err)
	hash := trust.EditionHash(doc)
	files := publishing.TargetFiles(target)
	index, _, err := files.ReadFile(t.Context(), documents.IndexFile, "", documents.MaxIndex)
	require.NoError(t, err)
	x, err := documents.Decode(index)
	require.NoError(t, err)
	for i := range x.Documents {
		if e := &x.Documents[i]; e.ID == "rain" {
			e.Current, e.Editions[0].Hash = hash, hash
		}
	}
	index, err = x.Encode()
	require.NoError(t, err)
	require.NoError(t, target.Put(t.Context(), documents.IndexFile, index))
	require.NoError(t, target.Put(t.Context(), "documents/rain/"+hex.EncodeToString(hash[:])+".json", text))

	s := registertest.OpenTarget(t, target).State()
	require.Len(t, s.Products(), 1)
	_, shown := s.Document("rain")
	require.False(t, shown)
	events, _ := s.Changes(0)
	for _, e := range events {
		require.Equal(t, "wind", e.Slug)
	}
}
