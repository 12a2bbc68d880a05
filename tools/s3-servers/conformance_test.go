package s3servers_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// names returns a function that creates a new bucket and returns its address.
func (s server) names() func(t testing.TB) string {
	var n atomic.Int32
	return func(t testing.TB) string {
		t.Helper()
		name := fmt.Sprintf("bucket-%d", n.Add(1))
		s.make(t, name)
		return "s3://" + name + "/some/prefix"
	}
}

// hold makes a bucket hold the content of a clause: its files are put as they are published, the index last.
func hold(t testing.TB, url, address string, c storetest.Content) {
	t.Helper()
	at := access(url, nil)
	target, err := s3target.Open(t.Context(), address, &at)
	require.NoError(t, err)
	text, revision, err := target.Read(t.Context(), layout.IndexFile)
	require.NoError(t, err)
	var before *taxonomy.Index
	if text != nil {
		before, err = taxonomy.DecodeIndex(text)
		require.NoError(t, err)
	}
	files := layouttest.FilesOf(t, before, nil, c)
	for name, f := range files {
		if name != layout.IndexFile {
			require.NoError(t, target.Put(t.Context(), name, f.Data))
		}
	}
	require.NoError(t, target.Replace(t.Context(), layout.IndexFile, files[layout.IndexFile].Data, revision))
	require.NoError(t, target.Close())
}

func open(t testing.TB, url, address string) *s3store.Store {
	t.Helper()
	s, err := s3store.Open(t.Context(), address, &s3store.Options{Endpoint: url, Config: access(url, nil).Config, Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestStore(t *testing.T) {
	servers(t, func(t *testing.T, s server) {
		next := s.names()
		holding := func(t *testing.T, c storetest.Content) string {
			address := next(t)
			hold(t, s.url, address, c)
			return address
		}
		storetest.Run(t, func(t *testing.T, c storetest.Content) taxonomy.Store { return open(t, s.url, holding(t, c)) })
		storetest.RunUpdates(t, func(t *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
			address := holding(t, c)
			return open(t, s.url, address), func(t *testing.T, c storetest.Content) { hold(t, s.url, address, c) }
		})
	})
}

func TestTarget(t *testing.T) {
	servers(t, func(t *testing.T, s server) {
		next := s.names()
		targettest.Run(t, func(t *testing.T) targettest.Opener {
			t.Parallel()
			address := next(t)
			return func(ctx context.Context) (publish.Target, error) {
				at := access(s.url, nil)
				return s3target.Open(ctx, address, &at)
			}
		})
	})
}
