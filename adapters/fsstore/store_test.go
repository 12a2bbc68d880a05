package fsstore_test

import (
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store {
		t.Helper()
		return openDir(t, published(t, pubs), nil)
	})
	storetest.RunUpdates(t, func(t *testing.T, pubs []taxonomy.Publication) (taxonomy.Store, func(*testing.T, []taxonomy.Publication)) {
		t.Helper()
		dir := published(t, pubs)
		return openDir(t, dir, nil), func(t *testing.T, pubs []taxonomy.Publication) {
			t.Helper()
			update(t, dir, pubs)
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
