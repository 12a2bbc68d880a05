package server_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
)

// Everything that can be counted of a server: requests, the limiter, the store,
// and whether it is in trouble.
func ExampleNewMetrics() {
	dir := newExampleStore()
	defer os.RemoveAll(dir)
	limiter, err := ratelimit.NewMemory(nil)
	if err != nil {
		log.Panic(err)
	}
	files, err := fsstore.OpenDir(dir, nil)
	if err != nil {
		log.Panic(err)
	}
	defer files.Close()
	var store *laststore.Store
	m := server.NewMetrics(&server.MetricsOptions{
		Limiter:   limiter.Stats,
		InTrouble: func() bool { return store.Err() != nil },
	})
	if store, err = laststore.New(m.Store(files), &laststore.Options{Report: m.Report}); err != nil {
		log.Panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Panic(err)
	}
	api, err := httpapi.New(service, &httpapi.Options{
		Limiter: limiter,
		Observe: m.Observe,
	})
	if err != nil {
		log.Panic(err)
	}
	public := m.Handler(api)
	admin := m.Page() // for a port of its own, which is not public

	get(public, "/api/v2/schemas")
	if err := os.Remove(filepath.Join(dir, "index.json")); err != nil {
		log.Panic(err)
	}
	fmt.Println(get(public, "/api/v2/schemas").Code)
	for line := range strings.Lines(get(admin, "/metrics").Body.String()) {
		for _, name := range []string{"http_requests_total", `limiter_requests_total{bucket="read"`, "store_in_trouble", "store_trouble_total"} {
			if strings.HasPrefix(line, "datachain_"+name) {
				fmt.Print(line)
			}
		}
	}
	// Output:
	// 200
	// datachain_http_requests_total{code="200",method="GET",route="/api/v2/schemas"} 2
	// datachain_limiter_requests_total{bucket="read",outcome="allowed"} 2
	// datachain_limiter_requests_total{bucket="read",outcome="refused"} 0
	// datachain_store_in_trouble 1
	// datachain_store_trouble_total 1
}

// newExampleStore creates a store to serve.
func newExampleStore() string {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Panic(err)
	}
	target, err := dirtarget.Open(context.Background(), dir)
	if err != nil {
		log.Panic(err)
	}
	defer target.Close()
	if _, err := publish.Publish(context.Background(), target, layouttest.Publications(), nil); err != nil {
		log.Panic(err)
	}
	return dir
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	return answer
}
