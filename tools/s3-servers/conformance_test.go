package s3servers_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/release/layout"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
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

// become makes a bucket hold the publications and no others.
func become(t testing.TB, url, address string, pubs []listing.Publication) {
	t.Helper()
	at := access(url, nil)
	target, err := s3target.Open(t.Context(), address, &at)
	require.NoError(t, err)
	for i := range pubs {
		pubs[i].Again = true
	}
	report, err := publish.Publish(t.Context(), target, pubs, nil)
	require.NoError(t, err)
	wanted := make(map[taxonomy.Version]bool)
	for _, p := range pubs {
		wanted[p.Release.Version()] = true
	}
	var gone []taxonomy.Retired
	for _, e := range report.Index.Entries() {
		if !wanted[e.ID] {
			gone = append(gone, taxonomy.Retired{ID: e.ID})
		}
	}
	if len(gone) > 0 {
		_, err = publish.Retire(t.Context(), target, nil, gone...)
		require.NoError(t, err)
	}
	if len(pubs) == 0 && report.Index.Len() == 0 {
		text, _, err := target.Read(t.Context(), layout.IndexFile)
		require.NoError(t, err)
		if text == nil {
			require.NoError(t, target.Replace(t.Context(), layout.IndexFile, []byte(`{"format":2,"versions":[]}`), ""))
		}
	}
	require.NoError(t, target.Close())
}

func open(t testing.TB, url, address string) *s3store.Store {
	t.Helper()
	s, err := s3store.Open(t.Context(), address, &s3store.Options{Endpoint: url, Config: access(url, nil).Config, MaxAge: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestStore(t *testing.T) {
	servers(t, func(t *testing.T, s server) {
		next := s.names()
		full, empty := next(t), next(t)
		become(t, s.url, full, storetest.Publications())
		become(t, s.url, empty, nil)
		storetest.Run(t, func(t *testing.T, pubs []listing.Publication) taxonomy.Store {
			if len(pubs) == 0 {
				return open(t, s.url, empty)
			}
			return open(t, s.url, full)
		})
		storetest.RunUpdates(t, func(t *testing.T, pubs []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication)) {
			address := next(t)
			become(t, s.url, address, pubs)
			return open(t, s.url, address), func(t *testing.T, pubs []listing.Publication) { become(t, s.url, address, pubs) }
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
