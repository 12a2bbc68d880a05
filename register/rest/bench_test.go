package rest_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/rest"
)

// BenchmarkList asks for lists of 10,000 documents: again and again, and each time another one.
func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	e, ok := documents.Find("benefits.json")
	require.True(b, ok)
	for i := range 10_000 {
		id := fmt.Sprintf("doc-%d", i)
		text := bytes.Replace(e.Text, []byte(`"housing-benefit-check"`), []byte(`"`+id+`"`), 1)
		require.NoError(b, os.WriteFile(filepath.Join(dir, id+".json"), text, 0o600))
	}
	service := must(datachain.New(must(published.Store()), nil))
	r := must(register.New(service, []register.Origin{must(register.OpenDirectory(dir, nil))}, &register.Options{Refresh: -1}))
	b.Cleanup(func() { require.NoError(b, r.Close()) })
	h := must(httpapi.New(service, &httpapi.Options{Routes: rest.Routes(r), Logger: slog.New(slog.DiscardHandler)}))
	const list = "/api/v2/documents?query=benefit&facets=true"
	for name, path := range map[string]func(i int) string{
		"repeated":   func(int) string { return list },
		"new":        func(i int) string { return fmt.Sprintf("%s&limit=50&organisation=&place=&theme=x%d", list, i) },
		"new search": func(i int) string { return fmt.Sprintf("/api/v2/documents?query=benefit+papers+%d", i) },
	} {
		b.Run(name, func(b *testing.B) {
			ask := func(i int) {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, path(i), http.NoBody))
				require.Equal(b, http.StatusOK, w.Code)
			}
			ask(0) // the first request indexes the documents
			i := 0
			for b.Loop() {
				i++
				ask(i)
			}
		})
	}
}
