package lsp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// large returns a document of about 20 KB, with or without a mistake.
func large(b *testing.B, wrong bool) string {
	b.Helper()
	text, err := os.ReadFile("../../examples/documents/benefits.json")
	require.NoError(b, err)
	doc := string(text)
	if room := 20<<10 - len(doc); room > 0 {
		source := `{"type": "document", "title": "A source of the document", "url": "https://example.org/a/b/c"}`
		doc = strings.Replace(doc, `"sources": [`, `"sources": [`+strings.Repeat(source+",\n    ", room/(len(source)+6)), 1)
	}
	if wrong {
		doc = strings.Replace(doc, "purpose.benefits", "purpose.benefit", 1)
	}
	return doc
}

// BenchmarkDiagnostics measures the time from a change of a document of 20 KB until
// the client has its diagnostics.
func BenchmarkDiagnostics(b *testing.B) {
	e := start(b, lsp.New(opened(samples(b)), nil), nil)
	texts := []string{large(b, false), large(b, true)}
	e.open(chain, texts[0])
	require.Empty(b, e.diagnostics(chain, 1))
	b.ReportAllocs()
	b.SetBytes(int64(len(texts[0])))
	for version := 2; b.Loop(); version++ {
		e.change(chain, version, texts[version%2])
		e.diagnostics(chain, version)
	}
}

// BenchmarkCompletion measures the completion of an element_id with 10,000 elements:
// with nothing typed, an id, a word of a title, and a word that is nowhere.
func BenchmarkCompletion(b *testing.B) {
	version, err := taxonomy.ParseVersion("big@2026-01-01-beta")
	require.NoError(b, err)
	content := taxonomy.Content{
		Title: taxonomy.Localized{{Locale: "en", Value: "Big"}}, Locales: []string{"en"},
		Type:    taxonomy.Type{ID: "big", Name: taxonomy.Localized{{Locale: "en", Value: "Big"}}, Categories: []string{"c"}},
		Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="9"/></svg>`},
		Categories: []taxonomy.Category{{
			ID: "c", Name: taxonomy.Localized{{Locale: "en", Value: "Category"}}, Shape: taxonomy.Circle,
			Description: taxonomy.Localized{{Locale: "en", Value: "All elements."}}, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
		}},
	}
	for i := range 10_000 {
		content.Elements = append(content.Elements, taxonomy.Element{
			ID: fmt.Sprintf("c.element_%05d", i), CategoryID: "c", SymbolID: "dot", IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{},
			Title:       taxonomy.Localized{{Locale: "en", Value: fmt.Sprintf("Element number %d of many", i)}},
			Description: taxonomy.Localized{{Locale: "en", Value: "A description that says what the element means, in a sentence."}},
		})
	}
	release, err := taxonomy.NewRelease(version, content)
	require.NoError(b, err)
	store, err := memstore.New(listing.Publication{Release: release})
	require.NoError(b, err)
	e := start(b, lsp.New(opened(must(datachain.New(store, nil))), nil), full)
	y := &typist{editor: e, version: 1}
	e.open(chain, "")
	for _, typed := range []string{"", "c.element_00", "number 77", "nowhere"} {
		b.Run(fmt.Sprintf("typed=%q", typed), func(b *testing.B) {
			y.set(`{"schema_version": "big@2026-01-01-beta", "elements": [{"element_id": "` + typed + `¦"}]}`)
			params := at(pointAt(y.text, y.cursor))
			e.ask("textDocument/completion", params) // builds the search index
			b.ReportAllocs()
			for b.Loop() {
				e.ask("textDocument/completion", params)
			}
		})
	}
}
