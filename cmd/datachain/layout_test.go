package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// servedAs publishes the samples in a layout and serves them.
func servedAs(t *testing.T, l publish.Layout) (*fsstore.Store, http.Handler) {
	t.Helper()
	samples, err := filepath.Abs("../../examples/taxonomies")
	require.NoError(t, err)
	dir := t.TempDir()
	code, _, stderr := execute(t.Context(), testSystem(dir), "schema", "publish", samples, "--store", "store", "--layout", string(l))
	require.Zero(t, code, stderr)
	s, err := fsstore.OpenDir(filepath.Join(dir, "store"), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	var log bytes.Buffer
	t.Cleanup(func() { require.NotContains(t, log.String(), "icon_miss_fallback") })
	service, err := datachain.New(s, &datachain.Options{Report: func(err error) { t.Error(err) }})
	require.NoError(t, err)
	handler, err := httpapi.New(service, &httpapi.Options{
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.NoError(t, err)
	return s, handler
}

// addresses returns the addresses of everything that can be read of a release.
func addresses(r *taxonomy.Release) []string {
	base := "/api/v2/schemas/" + r.Version().String()
	all := []string{
		base + "/manifest", base + "/categories", base + "/release", base + "/elements?limit=200",
		base + "/elements?query=camera", base + "/elements?query=" + url.QueryEscape("données") + "&locale=fr",
	}
	for _, e := range r.Elements() {
		at := base + "/elements/" + e.ID
		all = append(all, at, at+"/icon.svg")
		for _, variant := range e.IconVariants {
			all = append(all, at+"/icon."+variant+".svg")
		}
	}
	for _, id := range r.SymbolIDs() {
		all = append(all, base+"/symbols/"+id+".svg")
	}
	return all
}

// TestSameInBothLayouts shows that a server responds with the same bytes and
// headers whatever the layout of its store is, and that every icon is a stored
// one. So does a server that follows one with a packed store. In short mode, some of the
// addresses are requested.
func TestSameInBothLayouts(t *testing.T) {
	t.Parallel()
	files, filesHandler := servedAs(t, publish.LayoutFiles)
	_, packHandler := servedAs(t, publish.LayoutPack)
	get := func(h http.Handler, address string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody))
		w.Header().Del("X-Request-Id")
		return w
	}
	index, err := files.Index(t.Context())
	require.NoError(t, err)
	server := httptest.NewServer(packHandler)
	defer server.Close()
	follower, err := httpstore.Open(server.URL, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, follower.Close()) }()

	all := []string{"/api/v2/schemas"}
	for _, e := range index.Entries() {
		r, err := files.Release(t.Context(), e.ID)
		require.NoError(t, err)
		all = append(all, addresses(r)...)
		followed, err := follower.Release(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, r.ContentHash(), followed.ContentHash())
	}
	stride := 1
	if testing.Short() {
		stride = 17 // so that all kinds of addresses are among them
	}
	for i := 0; i < len(all); i += stride {
		address := all[i]
		want, got := get(filesHandler, address), get(packHandler, address)
		require.Equal(t, http.StatusOK, want.Code, "%s: %s", address, want.Body)
		assert.Equal(t, want.Code, got.Code, address)
		assert.Equal(t, want.Body.String(), got.Body.String(), address)
		assert.Equal(t, want.Header(), got.Header(), address)
	}
}
