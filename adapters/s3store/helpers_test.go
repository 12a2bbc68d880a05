package s3store_test

import (
	"bytes"
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

const (
	bucket  = "releases"
	prefix  = "public/v1/"
	address = "s3://releases/public/v1"
)

// reading returns the options of a store that reads what a handler answers.
func reading(handler http.Handler) *s3store.Options {
	return through(s3test.Direct{Handler: handler})
}

func through(transport http.RoundTripper) *s3store.Options {
	return &s3store.Options{Endpoint: s3test.Endpoint, Config: s3test.Config(transport)}
}

// open opens a store that always asks.
func open(t testing.TB, handler http.Handler, change func(*s3store.Options)) *s3store.Store {
	t.Helper()
	o := reading(handler)
	o.Refresh = -1
	if change != nil {
		change(o)
	}
	s, err := s3store.Open(t.Context(), address, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// fill makes a bucket hold publications, as a copy of a directory.
func fill(t testing.TB, server *s3test.S3, pubs []listing.Publication) {
	t.Helper()
	put(server, layouttest.Files(t, indexOf(t, server), nil, pubs...))
}

// set makes a bucket hold the content of a clause.
func set(t testing.TB, server *s3test.S3, c storetest.Content) {
	t.Helper()
	put(server, layouttest.FilesOf(t, indexOf(t, server), nil, c))
}

// indexOf returns the index in a bucket, or nil.
func indexOf(t testing.TB, server *s3test.S3) *taxonomy.Index {
	t.Helper()
	text, ok := server.Objects(bucket)[prefix+layout.IndexFile]
	if !ok {
		return nil
	}
	last, err := taxonomy.DecodeIndex([]byte(text))
	require.NoError(t, err)
	return last
}

// put copies files into a bucket, the index last.
func put(server *s3test.S3, files fstest.MapFS) {
	for name, f := range files {
		if name != layout.IndexFile {
			server.Put(bucket, prefix+name, string(f.Data))
		}
	}
	server.Put(bucket, prefix+layout.IndexFile, string(files[layout.IndexFile].Data))
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
		require.Equal(t, text(t, p.Release), text(t, r))
	}
}

func text(t testing.TB, r *taxonomy.Release) string {
	t.Helper()
	var b bytes.Buffer
	_, err := r.WriteTo(&b)
	require.NoError(t, err)
	return b.String()
}
