package fsstore_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func searchIndex(r *taxonomy.Release, locale string) ([]byte, error) {
	return []byte(r.ContentHash().String() + " in " + locale), nil
}

// TestSearchIndex publishes indexes with releases, adds them to releases that
// are there, and mends them, without touching anything else.
func TestSearchIndex(t *testing.T) {
	pubs := storetest.Publications()
	dir := publishedAs(t, publish.LayoutFiles, pubs)
	r := pubs[0].Release
	store, err := fsstore.OpenDir(dir, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	_, err = store.SearchIndex(t.Context(), r, r.Locales()[0])
	require.ErrorIs(t, err, taxonomy.ErrNotFound)

	both := &publish.Options{Layout: publish.LayoutFiles, Icon: icon, SearchIndex: searchIndex}
	_, err = publishTo(t.Context(), dir, pubs, both)
	require.NoError(t, err)
	for _, p := range pubs {
		for _, locale := range p.Release.Locales() {
			want, _ := searchIndex(p.Release, locale)
			got, err := store.SearchIndex(t.Context(), p.Release, locale)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		}
	}
	whole := contents(t, dir)

	other := filepath.Join(t.TempDir(), "other")
	_, err = publishTo(t.Context(), other, pubs, both)
	require.NoError(t, err)
	require.Equal(t, whole, contents(t, other), "at once gives the same as one after the other")

	damaged := filepath.Join(dir, releaseDir(r), "search", r.Locales()[0]+".index")
	require.NoError(t, os.WriteFile(damaged, []byte("damaged"), 0o644))
	before := times(t, dir)
	_, err = publishTo(t.Context(), dir, pubs, both)
	require.NoError(t, err)
	require.Equal(t, whole, contents(t, dir))
	for name, time := range times(t, dir) {
		if _, isFile := whole[name]; isFile && before[name] != time {
			require.Contains(t, name, "search", "nothing else was written")
		}
	}

	for _, locale := range []string{"", "..", "../../index", "de", "EN\x00", "a_b"} {
		_, err := store.SearchIndex(t.Context(), r, locale)
		require.ErrorIs(t, err, taxonomy.ErrNotFound, "%q", locale)
	}
	failed := errors.New("no index today")
	_, err = publishTo(t.Context(), filepath.Join(t.TempDir(), "third"), pubs, &publish.Options{
		SearchIndex: func(*taxonomy.Release, string) ([]byte, error) { return nil, failed },
	})
	require.ErrorIs(t, err, failed)
}

// TestOpenSearchIndex reads an index in parts, until its pack is another one or gone.
func TestOpenSearchIndex(t *testing.T) {
	pubs := storetest.Publications()[:1]
	r := pubs[0].Release
	locale := r.Locales()[0]
	for name, replace := range map[string]func(t *testing.T, dir, file string){
		"published anew": func(t *testing.T, dir, _ string) {
			_, err := publishTo(t.Context(), dir, pubs, &publish.Options{Icon: icon, SearchIndex: searchIndex})
			require.NoError(t, err)
		},
		"the same bytes, written anew": func(t *testing.T, _, file string) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.Remove(file))
			require.NoError(t, os.WriteFile(file+".new", data, 0o644))
			require.NoError(t, os.Rename(file+".new", file))
			require.NoError(t, os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)))
		},
		"removed": func(t *testing.T, _, file string) { require.NoError(t, os.Remove(file)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := publishTo(t.Context(), dir, pubs, &publish.Options{SearchIndex: searchIndex})
			require.NoError(t, err)
			store := openDir(t, dir, nil)
			section, err := store.OpenSearchIndex(t.Context(), r, locale)
			require.NoError(t, err)
			want, _ := searchIndex(r, locale)
			for range 2 {
				got, err := io.ReadAll(io.NewSectionReader(section, 7, 20))
				require.NoError(t, err)
				require.Equal(t, string(want[7:27]), string(got))
			}
			replace(t, dir, filepath.Join(dir, releaseDir(r), "release.pack"))
			_, err = section.ReadAt(make([]byte, 1), 0)
			require.ErrorIs(t, err, taxonomy.ErrNotFound)
		})
	}
	files := openDir(t, publishedAs(t, publish.LayoutFiles, pubs), nil)
	_, err := files.OpenSearchIndex(t.Context(), r, locale)
	require.ErrorIs(t, err, taxonomy.ErrNotFound, "files are read at once")
}
