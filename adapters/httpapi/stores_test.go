package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// The sample taxonomies.
const stable, beta = "ai@2026-11-15-stable", "ai@2026-12-01-beta"

func samples(t *testing.T) *memstore.Store {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	return store
}

// An odd taxonomy: without English, with a category without elements and a context
// without colors.
const oddStable, oddBeta = "lager_1@2024-02-29-stable", "lager_1@2026-03-01-beta"

// oddElements is how many elements the category ort has.
const oddElements = 230

func text(de, ja string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: "de", Value: de}, {Locale: "ja", Value: ja}}
}

func oddContent() taxonomy.Content {
	const symbol = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M10 10h16v16h-16z"/></svg>`
	c := taxonomy.Content{
		Title: text("Ein Lager", "倉庫"), Description: text("Was wo liegt.", "どこに何があるか。"), Locales: []string{"de", "ja"},
		Type:    taxonomy.Type{ID: "lager_1", Name: text("Lager", "倉庫"), Categories: []string{"zweck", "leer", "ort"}, Subchains: []taxonomy.Subchain{}},
		Symbols: map[string]string{"Kiste-1": symbol},
		Categories: []taxonomy.Category{
			{ID: "zweck", Name: text("Zweck", "目的"), Description: text("Wozu.", "何のため。"), Shape: taxonomy.Circle, Required: true, Context: taxonomy.Context{
				ID: "sicht", Values: []taxonomy.ContextValue{{ID: "offen", Label: text("offen", "公開")}, {ID: "geheim", Label: text("geheim", "秘密")}},
			}},
			{ID: "leer", Name: text("Leer", "空"), Description: text("Nichts.", "無い。"), Shape: taxonomy.Octagon, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}},
			{ID: "ort", Name: text("Ort", "場所"), Description: text("Wo.", "どこ。"), Shape: taxonomy.RoundedSquare, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}},
		},
		Elements: []taxonomy.Element{{
			ID: "zweck.Lagern", Title: text("Lagern von Kisten", "箱の保管"), Description: text("Kisten stehen im Regal.", "箱は棚にある。"),
			CategoryID: "zweck", SymbolID: "Kiste-1", IconVariants: []string{"default", "dark", "offen", "geheim"}, Variables: []taxonomy.Variable{},
		}},
	}
	for i := range oddElements {
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("ort.r%03d", i), Title: text(fmt.Sprintf("Regal %d", i), fmt.Sprintf("棚%d番", i)), Description: text("Ein Regal im Lager.", "倉庫の棚。"),
			CategoryID: "ort", SymbolID: "Kiste-1", IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{},
		})
	}
	return c
}

func publication(t *testing.T, version string, c taxonomy.Content) taxonomy.Publication {
	t.Helper()
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
	require.NoError(t, err)
	return taxonomy.Publication{Release: r}
}

var oddReleases = sync.OnceValues(func() ([2]*taxonomy.Release, error) {
	first, err := taxonomy.NewRelease(taxonomy.MustVersion(oddStable), oddContent())
	if err != nil {
		return [2]*taxonomy.Release{}, err
	}
	second, err := first.WithVersion(taxonomy.MustVersion(oddBeta))
	return [2]*taxonomy.Release{first, second}, err
})

func odd(t *testing.T) *memstore.Store {
	t.Helper()
	releases, err := oddReleases()
	require.NoError(t, err)
	store, err := memstore.New(taxonomy.Publication{Release: releases[0]}, taxonomy.Publication{Release: releases[1]})
	require.NoError(t, err)
	return store
}

// oddDocument is a datachain for the odd taxonomy.
func oddDocument(version string) string {
	return `{"id":"d","schema_version":"` + version + `","created_at":"2026-06-01T10:00Z","elements":[{"element_id":"zweck.Lagern","context_type_id":"offen"}]}`
}

// troubled is a store that calls the test before it answers.
type troubled struct {
	taxonomy.Store
	index, release  func(context.Context) error
	indexed, opened atomic.Int64
}

func (s *troubled) Index(ctx context.Context) (*taxonomy.Index, error) {
	s.indexed.Add(1)
	if s.index != nil {
		if err := s.index(ctx); err != nil {
			return nil, err
		}
	}
	return s.Store.Index(ctx)
}

func (s *troubled) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	s.opened.Add(1)
	if s.release != nil {
		if err := s.release(ctx); err != nil {
			return nil, err
		}
	}
	return s.Store.Release(ctx, v)
}

// baked is a store that has icons, all or none.
type baked struct {
	taxonomy.Store
	has  bool
	asks atomic.Int64
}

func (b *baked) Icon(_ context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	b.asks.Add(1)
	if !b.has {
		return nil, fmt.Errorf("icon %s %s: %w", elementID, variant, taxonomy.ErrNotFound)
	}
	var found []byte
	err := icons.Bake(r, func(e *taxonomy.Element, v string, svg []byte) error {
		if e.ID == elementID && v == variant {
			found = bytes.Clone(svg)
		}
		return nil
	}, nil)
	return found, err
}
