package rest_test

import (
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/release/rest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// serve serves a store with routes.
func serve(t *testing.T, store taxonomy.Store, routes ...httpapi.Route) *resttest.Client {
	t.Helper()
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	h, err := httpapi.New(service, &httpapi.Options{Routes: routes, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return resttest.Serve(t, h)
}

func TestMappings(t *testing.T) {
	text := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr", Value: s + " (fr)"}}
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-09-01-stable"), taxonomy.Content{
		Title: text("T"), Description: text("T"), Locales: []string{"en", "fr"},
		Schemes: []taxonomy.Scheme{{ID: "law", Title: text("Law")}},
		Type:    taxonomy.Type{ID: "ai", Name: text("AI"), Categories: []string{"c"}},
		Categories: []taxonomy.Category{{
			ID: "c", Name: text("Rights"), Description: text("C"), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			Mappings: []taxonomy.Mapping{{Scheme: "law", ID: "Art. 13", Relation: "broad", Note: text("In part")}, {Scheme: "law", ID: "Art. 5", Relation: "close"}},
		}},
	})
	require.NoError(t, err)
	store, err := memstore.New(listing.Publication{Release: r})
	require.NoError(t, err)
	w := serve(t, store, rest.Mappings())
	const path, all = "/schemas/ai@latest/mappings", `[{"scheme":"law","id":"Art. 5","relation":"close","category_id":"c","title":[{"locale":"en","value":"Rights"},{"locale":"fr","value":"Rights (fr)"}]},`
	for query, want := range map[string]string{
		"?scheme=law&id=art.%2013&locales=fr": `[{"scheme":"law","id":"Art. 13","relation":"broad","note":[{"locale":"fr","value":"In part (fr)"}],"category_id":"c","title":[{"locale":"fr","value":"Rights (fr)"}]}]`,
		"?scheme=gdpr":                        `[]`,
		"?id=Art.%206":                        `[]`,
		"":                                    all,
	} {
		a := w.Get(path + query)
		require.Equal(t, 200, a.StatusCode, query)
		require.Contains(t, a.Text, `{"ok":true,"version":"ai@2026-09-01-stable","mappings":`+want, query)
	}
	for query, want := range map[string]string{"?scheme=a&scheme=b": "The parameter scheme is repeated.", "?id=%zz": "The query string is malformed"} {
		require.Contains(t, w.Wrong(http.MethodGet, path+query, "").Issue(t, 400, "bad_request")["message"], want)
	}
	a := w.Get(path + "?locales=fr&locales=en&id=Art.+5")
	require.Equal(t, "/api/v2/schemas/ai@2026-09-01-stable/mappings?id=Art.+5&locales=fr%2Cen", a.Header.Get("Content-Location"))
	require.Equal(t, "public, max-age=86400, immutable", a.Header.Get("Cache-Control"))
	require.Equal(t, r.ContentHash().String(), a.Header.Get("Service-Content-Hash"))
	require.Equal(t, http.StatusNotModified, w.Do(http.MethodGet, path+"?id=Art.+5&locales=fr,en", "", "If-None-Match", a.Header.Get("ETag")).StatusCode)
}
