package fsstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/publish"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// indexed returns a folder with publications and their search indexes in it.
func indexed(t *testing.T, dir string, pubs []taxonomy.Publication) string {
	t.Helper()
	_, err := publishTo(t.Context(), dir, pubs, &publish.Options{
		SearchIndex: func(r *taxonomy.Release, locale string) ([]byte, error) {
			x, err := search.Build(r, locale)
			if err != nil {
				return nil, err
			}
			return x.AppendBinary(nil)
		},
	})
	require.NoError(t, err)
	return dir
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store {
		t.Helper()
		return openDir(t, indexed(t, published(t, pubs), pubs), nil)
	})
	storetest.RunUpdates(t, func(t *testing.T, pubs []taxonomy.Publication) (taxonomy.Store, func(*testing.T, []taxonomy.Publication)) {
		t.Helper()
		dir := indexed(t, published(t, pubs), pubs)
		return openDir(t, dir, nil), func(t *testing.T, pubs []taxonomy.Publication) {
			t.Helper()
			update(t, dir, pubs)
			indexed(t, dir, pubs)
		}
	})
}

// TestMapFS proves the store over a file system in memory, which has neither
// times nor identities of files.
func TestMapFS(t *testing.T) {
	storetest.Run(t, func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store {
		t.Helper()
		return open(t, mapFS(t, pubs), nil)
	})
}
