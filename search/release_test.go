package search_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// doc is an element as a test writes it, in one locale.
type doc struct {
	category                     string // "a" if it is empty
	title, description, keywords string
}

// release returns a release of elements e0, e1, … in the given order, which must be that of
// their categories. An empty field is not translated.
func release(t testing.TB, locale string, docs ...doc) *taxonomy.Release {
	t.Helper()
	return releaseWith(t, locale, nil, docs...)
}

// releaseWith returns a release with groups of synonyms.
func releaseWith(t testing.TB, locale string, groups [][]string, docs ...doc) *taxonomy.Release {
	t.Helper()
	text := func(s string) taxonomy.Localized {
		if s == "" {
			return taxonomy.Localized{}
		}
		return taxonomy.Localized{{Locale: locale, Value: s}}
	}
	content := taxonomy.Content{
		Title: text("Test"), Description: text("Test"), Locales: []string{locale},
		Type:    taxonomy.Type{ID: "test", Name: text("Test"), Categories: []string{}},
		Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M18 9v18"/></svg>`},
	}
	if groups != nil {
		content.Synonyms = []taxonomy.Synonyms{{Locale: locale, Groups: groups}}
	}
	for i, d := range docs {
		if d.category == "" {
			d.category = "a"
		}
		if n := len(content.Categories); n == 0 || content.Categories[n-1].ID != d.category {
			content.Type.Categories = append(content.Type.Categories, d.category)
			content.Categories = append(content.Categories, taxonomy.Category{
				ID: d.category, Name: text("Name"), Description: text("Description"), Shape: taxonomy.Circle,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			})
		}
		content.Elements = append(content.Elements, taxonomy.Element{
			ID: fmt.Sprintf("e%d", i), Order: i + 1, Title: text(d.title), Description: text(d.description), Keywords: text(d.keywords),
			CategoryID: d.category, SymbolID: "dot",
			IconVariants: []string{taxonomy.VariantDefault, taxonomy.VariantDark}, Variables: []taxonomy.Variable{},
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("test@2026-09-01-beta"), content)
	require.NoError(t, err)
	return r
}

// content returns a copy of what a release is made of, to be changed.
func content(r *taxonomy.Release) taxonomy.Content {
	m := r.Manifest()
	c := taxonomy.Content{
		Title: m.Title, Description: m.Description, Locales: r.Locales(), Synonyms: m.Synonyms, Type: *r.Type(), Symbols: map[string]string{},
	}
	for _, category := range r.Categories() {
		c.Categories = append(c.Categories, *category)
	}
	for _, e := range r.Elements() {
		c.Elements = append(c.Elements, *e)
	}
	for _, id := range r.SymbolIDs() {
		c.Symbols[id], _ = r.Symbol(id)
	}
	return c
}

// build indexes a release in its first locale.
func build(t testing.TB, r *taxonomy.Release) *search.Index {
	t.Helper()
	x, err := search.Build(r, r.Locales()[0])
	require.NoError(t, err)
	return x
}

// samples are compiled once.
var samples = sync.OnceValues(published.Store)

// sample opens a version of the sample taxonomies.
func sample(t testing.TB, version string) *taxonomy.Release {
	t.Helper()
	store, err := samples()
	require.NoError(t, err)
	ref, err := taxonomy.ParseRef(version)
	require.NoError(t, err)
	r, err := taxonomy.Open(t.Context(), store, ref)
	require.NoError(t, err)
	return r
}

// ids returns the ids of the hits.
func ids(r search.Result) []string {
	found := []string{}
	for _, h := range r.Hits {
		found = append(found, h.Element.ID)
	}
	return found
}
