package explorer_test

import (
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/concurrent"
)

// BenchmarkPage sends a cached page, and the same bytes with a bare handler, over the
// loopback interface.
func BenchmarkPage(b *testing.B) {
	h := handler(b)
	for _, path := range []string{"/", "/t/" + stable, "/t/" + stable + "/e/input_data.health"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, browser(b, path))
		require.Equal(b, http.StatusOK, w.Code)
		body, header := w.Body.Bytes(), w.Header()
		bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			maps.Copy(w.Header(), header)
			_, _ = w.Write(body)
		})
		b.Run(path+"/bare", func(b *testing.B) { load(b, bare, path) })
		b.Run(path+"/cached", func(b *testing.B) { load(b, h, path) })
	}
}

// BenchmarkMake makes pages and searches, without a cache and without a network.
func BenchmarkMake(b *testing.B) {
	store, err := taxonomies.Store()
	require.NoError(b, err)
	h, err := explorer.New(must(datachain.New(store, nil)), &explorer.Options{CacheBytes: -1})
	require.NoError(b, err)
	for _, path := range []string{"/", "/t/" + stable, "/t/" + stable + "?q=data+storage&part=results", "/t/" + stable + "/e/input_data.health"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, browser(b, path))
				require.Equal(b, http.StatusOK, w.Code)
			}
		})
	}
}

// BenchmarkRegister sends a cached list of 10,000 documents, and the same bytes with a bare
// handler, and makes new lists and pages.
func BenchmarkRegister(b *testing.B) {
	shelf := newShelf(b)
	shelf.settings(`{"boundary": "boundary.geojson"}`)
	boundary := `{"type": "Polygon", "coordinates": [[[12, 51], [13, 51], [13, 52], [12, 52], [12, 51]]]}`
	require.NoError(b, os.WriteFile(filepath.Join(shelf.dir, "boundary.geojson"), []byte(boundary), 0o644))
	for i := range 10_000 {
		shelf.put(strconv.Itoa(i)+".json", "benefits.json", map[string]any{
			"id":    "benefits-" + strconv.Itoa(i),
			"title": []any{map[string]any{"locale": "en", "value": "Benefits of district " + strconv.Itoa(i)}},
			"register": map[string]any{
				"status": []string{"planned", "trial", "in_use", "paused", "retired"}[i%5], "themes": []any{"Theme " + strconv.Itoa(i%20)},
				"organisation": map[string]any{"name": "Department " + strconv.Itoa(i%50)},
				"places": []any{map[string]any{"name": "District " + strconv.Itoa(i), "geometry": map[string]any{
					"type": "Point", "coordinates": []any{12 + float64(i%97)/97, 51 + float64(i%89)/89},
				}}},
			},
		})
	}
	service, register := shelf.register()
	pages := must(explorer.New(service, &explorer.Options{Documents: (*documents.Register)(register)}))
	h := served(b, service, pages)
	const path = "/d?status=in_use"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, browser(b, path))
	require.Equal(b, http.StatusOK, w.Code)
	body, header := w.Body.Bytes(), w.Header()
	b.Run("bare", func(b *testing.B) {
		load(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			maps.Copy(w.Header(), header)
			_, _ = w.Write(body)
		}), path)
	})
	b.Run("cached", func(b *testing.B) { load(b, h, path) })
	uncached := must(explorer.New(service, &explorer.Options{Documents: (*documents.Register)(register), CacheBytes: -1}))
	// Results of the last queries are kept, so the number changes the query, or only the page.
	for _, path := range []string{"/d?page=#", "/d?theme=Theme+#", "/d?q=district+housing+#&part=results", "/d?q=benefits+#", "/d/benefits-7", "/d/camera/history"} {
		uncached.ServeHTTP(httptest.NewRecorder(), browser(b, path)) // which prepares what lists need
		b.Run("new"+path, func(b *testing.B) {
			clock := concurrent.StartClock() // other programs may be busy, too
			defer clock.Stop()
			for n := 0; b.Loop(); n++ {
				w := httptest.NewRecorder()
				uncached.ServeHTTP(w, browser(b, strings.Replace(path, "#", strconv.Itoa(n%20), 1)))
				require.Equal(b, http.StatusOK, w.Code)
			}
			b.ReportMetric(float64(clock.Used().Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// handler returns the explorer as the command serves it.
func handler(b *testing.B) http.Handler {
	b.Helper()
	store, err := taxonomies.Store()
	require.NoError(b, err)
	service := must(datachain.New(store, nil))
	return served(b, service, must(explorer.New(service, nil)))
}

func served(b *testing.B, service *datachain.Service, pages *explorer.Explorer) http.Handler {
	b.Helper()
	h, err := httpapi.New(service, &httpapi.Options{
		Mounts: []httpapi.Mount{{Path: "/", Handler: pages, Bucket: pages.Bucket}}, Logger: slog.New(slog.DiscardHandler), Observe: func(httpapi.Observation) {},
	})
	require.NoError(b, err)
	return h
}

// browser returns a request as a browser sends it.
func browser(b *testing.B, path string) *http.Request {
	b.Helper()
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, http.NoBody)
	r.Header.Set("Accept-Encoding", "gzip")
	r.Header.Set("Accept-Language", "fr-CA,fr;q=0.8,en;q=0.5")
	return r
}

// load sends requests one after another.
func load(b *testing.B, h http.Handler, path string) {
	b.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	r := browser(b, path)
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+path, http.NoBody)
	require.NoError(b, err)
	request.Header = r.Header
	b.ReportAllocs()
	for b.Loop() {
		res, err := client.Do(request)
		require.NoError(b, err)
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(b, err)
		require.NoError(b, res.Body.Close())
	}
}
