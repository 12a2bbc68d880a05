package fsstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// withSearch lets the suites check search indexes.
var withSearch = &storetest.Options{LoadSearch: func(r *taxonomy.Release, data []byte) (string, error) {
	x, err := search.Load(r, data)
	if err != nil {
		return "", err
	}
	return x.Locale(), nil
}}

// indexed publishes into a directory, with search indexes.
func indexed(t *testing.T, l publish.Layout, dir string, pubs []taxonomy.Publication) string {
	t.Helper()
	_, err := publishTo(t.Context(), dir, pubs, &publish.Options{
		Layout: l,
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
	for _, l := range publish.Layouts() {
		t.Run(string(l), func(t *testing.T) { testStore(t, l) })
	}
}

func testStore(t *testing.T, l publish.Layout) {
	t.Helper()
	// Publishing waits for the disk, so the clauses that do not write share two
	// directories.
	full, empty := indexed(t, l, t.TempDir(), storetest.Publications()), publishedDir(t, nil)
	storetest.Run(t, func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store {
		t.Helper()
		if len(pubs) == 0 {
			return openDir(t, empty, nil)
		}
		return openDir(t, full, nil)
	}, withSearch)
	storetest.RunUpdates(t, func(t *testing.T, pubs []taxonomy.Publication) (taxonomy.Store, func(*testing.T, []taxonomy.Publication)) {
		t.Helper()
		dir := indexed(t, l, t.TempDir(), pubs)
		return openDir(t, dir, nil), func(t *testing.T, pubs []taxonomy.Publication) {
			t.Helper()
			update(t, l, dir, pubs)
			indexed(t, l, dir, pubs)
		}
	}, withSearch)
}

// TestMapFS proves the store over a file system in memory, which has neither
// times nor identities of files.
func TestMapFS(t *testing.T) {
	pubs := storetest.Publications()
	fsys := mapFS(t, pubs)
	want := contents(t, publishedAs(t, publish.LayoutFiles, pubs))
	require.Len(t, fsys, len(want))
	for name, text := range want {
		require.Equal(t, text, sequence.ReplaceAllString(string(fsys[name].Data), ""), name)
	}
	storetest.Run(t, func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store {
		t.Helper()
		return open(t, mapFS(t, pubs), nil)
	}, withSearch)
}
