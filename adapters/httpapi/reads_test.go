package httpapi_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

const (
	day     = "public, max-age=86400, immutable"
	forEver = "public, max-age=31536000, immutable"
)

func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func TestSchemas(t *testing.T) {
	t.Parallel()
	store := samples(t)
	a := open(t, store, nil).get("/schemas")
	require.Equal(t, []string{"ok", "versions"}, keys(a.json))
	require.Equal(t, true, a.json["ok"])
	require.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
	require.Empty(t, a.Header.Get("Service-Content-Hash"), "it is not about a version")
	require.Empty(t, a.Header.Get("Content-Location"))
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	versions := a.json["versions"].([]any)
	require.Len(t, versions, len(index.Entries()))
	for i, e := range index.Entries() {
		aliases := []any{}
		for _, alias := range e.Aliases {
			aliases = append(aliases, alias)
		}
		want := map[string]any{"id": e.ID.String(), "status": string(e.Status), "content_hash": e.ContentHash.String(), "aliases": aliases}
		if e.Released != "" {
			want["released"] = e.Released
		}
		require.Equal(t, want, versions[i])
	}
}

func TestSchemasChange(t *testing.T) {
	t.Parallel()
	store := odd(t)
	w := open(t, store, nil)
	before := w.get("/schemas")
	require.NoError(t, store.Remove(taxonomy.MustVersion(oddBeta)))
	after := w.get("/schemas", "If-None-Match", before.Header.Get("ETag"))
	require.Len(t, after.json["versions"], 1)
	require.Equal(t, []string{"ok", "retired", "versions"}, keys(after.json))
	require.Equal(t, oddBeta, after.json["retired"].([]any)[0].(map[string]any)["id"])
	w.do(request{path: "/schemas/" + oddBeta + "/manifest"}).issue(t, 404, "not_found")
}

// TestRetired checks that a retired version stays 404 and says when and why it was retired
// and what to upgrade to.
func TestRetired(t *testing.T) {
	t.Parallel()
	store := odd(t)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	next := index.Entries()[0].ID
	if next.String() == oddBeta {
		next = index.Entries()[1].ID
	}
	index, err = index.Without(taxonomy.Retired{ID: taxonomy.MustVersion(oddBeta), At: "2026-11-16", Successor: next, Reason: "It was misleading."})
	require.NoError(t, err)
	w := open(t, withIndex{store, index}, nil)
	retired := w.get("/schemas").json["retired"].([]any)[0].(map[string]any)
	delete(retired, "content_hash")
	require.Equal(t, map[string]any{"id": oddBeta, "at": "2026-11-16", "successor": next.String(), "reason": "It was misleading."}, retired)
	got := w.do(request{path: "/schemas/" + oddBeta + "/manifest"}).issue(t, 404, "not_found")
	require.Equal(t, "The schema version "+oddBeta+" was retired on 2026-11-16: It was misleading.", got["message"])
	require.Equal(t, "upgrade to "+next.String(), got["fix_hint"])
}

// withIndex is a store with another index.
type withIndex struct {
	taxonomy.Store
	index *taxonomy.Index
}

func (s withIndex) Index(context.Context) (*taxonomy.Index, error) { return s.index, nil }

// TestVersionScopedReads checks what they have in common.
func TestVersionScopedReads(t *testing.T) {
	t.Parallel()
	store := samples(t)
	w := open(t, store, nil)
	for _, version := range []struct{ asked, canonical, cache string }{
		{stable, stable, day},
		{"ai@latest", stable, day},
		{"ai%40latest", stable, day},
		{"%61i@latest", stable, day},
		{beta, beta, "no-store"},
		{"ai@latest-beta", beta, "no-store"},
	} {
		for _, read := range []struct {
			path string
			keys []string
		}{
			{"/manifest", []string{"manifest", "ok", "version"}},
			{"/categories", []string{"categories", "ok", "version"}},
			{"/elements", []string{"elements", "meta", "ok", "version"}},
			{"/elements/purpose.triage", []string{"element", "ok", "version"}},
			{"/release", []string{"categories", "datachain_type", "elements", "manifest", "symbols"}},
		} {
			t.Run(version.asked+read.path, func(t *testing.T) {
				a := w.in(t).get("/schemas/" + version.asked + read.path)
				require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
				require.Equal(t, read.keys, keys(a.json))
				require.Equal(t, version.cache, a.Header.Get("Cache-Control"))
				require.Equal(t, api+"/schemas/"+version.canonical+read.path, a.Header.Get("Content-Location"))
				release, err := store.Release(t.Context(), taxonomy.MustVersion(version.canonical))
				require.NoError(t, err)
				require.Equal(t, release.ContentHash().String(), a.Header.Get("Service-Content-Hash"))
				if read.path != "/release" {
					require.Equal(t, version.canonical, a.json["version"])
					require.Equal(t, true, a.json["ok"])
				}
			})
		}
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	a := open(t, odd(t), nil).get("/schemas/lager_1@latest/manifest")
	m := a.json["manifest"].(map[string]any)
	require.Equal(t, oddStable, m["id"])
	require.Equal(t, "stable", m["status"])
	require.Equal(t, a.Header.Get("Service-Content-Hash"), m["content_hash"])
	require.Equal(t, []any{map[string]any{"locale": "de", "value": "Ein Lager"}, map[string]any{"locale": "ja", "value": "倉庫"}}, m["title"])
	require.NotEmpty(t, m["description"])
}

func TestCategories(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	categories := w.get("/schemas/" + oddBeta + "/categories").json["categories"].([]any)
	var ids []any
	for _, c := range categories {
		ids = append(ids, c.(map[string]any)["id"])
	}
	require.Equal(t, []any{"zweck", "leer", "ort"}, ids, "in declaration order")
	require.Equal(t, map[string]any{"values": []any{}}, categories[1].(map[string]any)["context"], "always there")
	values := categories[0].(map[string]any)["context"].(map[string]any)["values"].([]any)
	require.NotContains(t, values[0], "color", "a tag has no color")
	require.Equal(t, "circle", categories[0].(map[string]any)["shape"])

	for locales, want := range map[string]int{"": 2, "ja": 1, "JA": 1, "%20de%20,%20ja%20": 2, "en": 0, ",": 2, "de,en": 1} {
		a := w.do(request{path: "/schemas/" + oddBeta + "/categories?locales=" + locales})
		require.Equal(t, 200, a.StatusCode)
		c := a.json["categories"].([]any)[0].(map[string]any)
		require.Len(t, c["name"], want, locales)
		require.Len(t, c["context"].(map[string]any)["values"].([]any)[1].(map[string]any)["label"], want, "also within")
	}
}

func TestReleaseCanBeVerified(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	a := w.get("/schemas/" + oddStable + "/release")
	release, err := taxonomy.DecodeRelease([]byte(a.text), nil)
	require.NoError(t, err)
	require.Equal(t, a.Header.Get("Service-Content-Hash"), release.ContentHash().String())
	canonical, err := document.Canonical([]byte(a.text))
	require.NoError(t, err)
	require.Equal(t, string(canonical), a.text)
}
