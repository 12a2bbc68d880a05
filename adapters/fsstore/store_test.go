package fsstore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestStore(t *testing.T) {
	dirOf := func(t *testing.T, c storetest.Content) string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "store")
		require.NoError(t, os.CopyFS(dir, layouttest.FilesOf(t, nil, nil, c)))
		return dir
	}
	open := func(t *testing.T, c storetest.Content) taxonomy.Store {
		t.Helper()
		return openDir(t, dirOf(t, c), nil)
	}
	storetest.Run(t, open)
	storetest.RunUnknownFields(t, open)
	storetest.RunUpdates(t, func(t *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		t.Helper()
		dir := dirOf(t, c)
		return openDir(t, dir, nil), func(t *testing.T, c storetest.Content) {
			t.Helper()
			replace(t, dir, layouttest.FilesOf(t, indexOf(t, dir), nil, c))
		}
	})
}

// TestMapFS proves the store over a file system in memory, which has neither
// times nor identities of files.
func TestMapFS(t *testing.T) {
	open := func(t *testing.T, c storetest.Content) taxonomy.Store {
		t.Helper()
		return open(t, layouttest.FilesOf(t, new(taxonomy.Index).WithRecord(taxonomy.Record{Sequence: numbers.Add(1)}), nil, c), nil)
	}
	storetest.Run(t, open)
	storetest.RunUnknownFields(t, open)
}
