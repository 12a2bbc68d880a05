package httpstore_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// sampleServer serves the sample taxonomies.
func sampleServer() (*httptest.Server, *memstore.Store) {
	samples, err := published.Store()
	if err != nil {
		log.Panic(err)
	}
	service, err := datachain.New(samples, nil)
	if err != nil {
		log.Panic(err)
	}
	handler, err := httpapi.New(service, nil)
	if err != nil {
		log.Panic(err)
	}
	return httptest.NewServer(handler), samples
}

// A program follows a server, and keeps working when the server is down, even
// after a restart.
func Example() {
	ctx := context.Background()
	server, _ := sampleServer()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(dir)
	latest, err := taxonomy.ParseRef("ai@latest")
	if err != nil {
		log.Panic(err)
	}

	show := func() {
		remote, err := httpstore.Open(server.URL, &httpstore.Options{CacheDir: dir})
		if err != nil {
			log.Panic(err)
		}
		defer remote.Close()
		store, err := laststore.New(remote, &laststore.Options{
			Fallback: remote.Cached(),
			Report:   func(error) { fmt.Println("offline, showing the last good copy") },
		})
		if err != nil {
			log.Panic(err)
		}
		release, err := taxonomy.Open(ctx, store, latest)
		if err != nil {
			log.Panic(err)
		}
		fmt.Println(release.Version())
	}
	show()
	server.Close()
	show()
	// Output:
	// ai@2026-11-15-stable
	// offline, showing the last good copy
	// ai@2026-11-15-stable
}

// TestSampleServer reads all that the server of this module serves.
func TestSampleServer(t *testing.T) {
	server, samples := sampleServer()
	defer server.Close()
	dir := t.TempDir()
	index, err := samples.Index(t.Context())
	require.NoError(t, err)
	pubs := make([]listing.Publication, 0, index.Len())
	for _, e := range index.Entries() {
		r, err := samples.Release(t.Context(), e.ID)
		require.NoError(t, err)
		pubs = append(pubs, listing.Publication{Release: r, Released: e.Released})
	}
	require.NotEmpty(t, pubs)
	s := open(t, server.URL, &httpstore.Options{CacheDir: dir, Refresh: -1})
	for range 2 { // the second time with the tag of the first
		require.NoError(t, holds(t, s, pubs))
	}
	require.NoError(t, s.Err())
	server.Close()
	require.NoError(t, holds(t, openLast(t, server.URL, &httpstore.Options{CacheDir: dir}), pubs))
}
