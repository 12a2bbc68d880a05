package s3target_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

const (
	bucket  = "releases"
	prefix  = "public/v1/"
	address = "s3://releases/public/v1"
)

// access returns how to reach a handler without a network.
func access(handler http.Handler) s3bucket.Access {
	return through(s3test.Direct{Handler: handler})
}

func through(transport http.RoundTripper) s3bucket.Access {
	return s3bucket.Access{Endpoint: s3test.Endpoint, Config: s3test.Config(transport)}
}

// open opens a store that always asks.
func open(t testing.TB, handler http.Handler) *s3store.Store {
	t.Helper()
	at := access(handler)
	s, err := s3store.Open(t.Context(), address, &s3store.Options{Endpoint: at.Endpoint, Config: at.Config, Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// holds checks that a store has exactly the publications.
func holds(t testing.TB, s taxonomy.Store, pubs []listing.Publication) {
	t.Helper()
	index, err := s.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(pubs), index.Len())
	for _, p := range pubs {
		r, err := s.Release(t.Context(), p.Release.Version())
		require.NoError(t, err)
		require.Equal(t, p.Release.ContentHash(), r.ContentHash())
	}
}
