package fsstore_test

import (
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestStore(t *testing.T) {
	// The disk is slow, so the clauses that do not write share two directories.
	full, empty := publishedDir(t, storetest.Publications()), publishedDir(t, nil)
	storetest.Run(t, func(t *testing.T, pubs []listing.Publication) taxonomy.Store {
		t.Helper()
		if len(pubs) == 0 {
			return openDir(t, empty, nil)
		}
		return openDir(t, full, nil)
	})
	storetest.RunUpdates(t, func(t *testing.T, pubs []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication)) {
		t.Helper()
		dir := publishedDir(t, pubs)
		return openDir(t, dir, nil), func(t *testing.T, pubs []listing.Publication) {
			t.Helper()
			update(t, dir, pubs)
		}
	})
}

// TestMapFS proves the store over a file system in memory, which has neither
// times nor identities of files.
func TestMapFS(t *testing.T) {
	storetest.Run(t, func(t *testing.T, pubs []listing.Publication) taxonomy.Store {
		t.Helper()
		return open(t, mapFS(t, pubs), nil)
	})
}
