package fsstore_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestLastGood: behind laststore, damage to the index or a release does not reach
// callers while there is a good copy, and is reported once.
func TestLastGood(t *testing.T) {
	pubs := layouttest.Publications()
	fsys := mapFS(t, pubs)
	var told []string
	s := must(laststore.New(open(t, fsys, nil), &laststore.Options{RetryAfter: -1, Report: func(err error) { told = append(told, err.Error()) }}))
	require.NoError(t, holds(t, s, pubs))
	good := fsys["index.json"]

	// The index is damaged, missing, back.
	fsys["index.json"] = &fstest.MapFile{Data: good.Data[:50]}
	require.NoError(t, holds(t, s, pubs))
	require.NoError(t, holds(t, s, pubs))
	require.Len(t, told, 1)
	require.Contains(t, told[0], "fsstore: index: ")
	delete(fsys, "index.json")
	require.NoError(t, holds(t, s, pubs))
	require.NoError(t, holds(t, s, pubs))
	require.Len(t, told, 2)
	for range 2 { // after a recovery it is reported again
		fsys["index.json"] = good
		require.NoError(t, holds(t, s, pubs))
		delete(fsys, "index.json")
		require.NoError(t, holds(t, s, pubs))
	}
	require.Len(t, told, 4)

	// A beta is replaced by one that is damaged.
	beta := pubs[5].Release
	changed := []listing.Publication{edited(t, beta, "Changed")}
	release, _ := archiveOf(t, changed[0].Release)
	all := slices.Concat(pubs[:5], changed)
	maps.Copy(fsys, mapFS(t, all))
	whole := fsys[release]
	fsys[release] = &fstest.MapFile{Data: whole.Data[:len(whole.Data)-1]}
	told = nil
	for range 2 {
		r, err := s.Release(t.Context(), beta.Version())
		require.NoError(t, err)
		require.Equal(t, text(beta), text(r))
	}
	require.Len(t, told, 1)
	require.Contains(t, told[0], "release Draft_1-x@2026-05-05-beta")
	delete(fsys, release)
	_, err := s.Release(t.Context(), beta.Version())
	require.NoError(t, err)
	require.Len(t, told, 2)
	fsys[release] = whole
	require.NoError(t, holds(t, s, all))
	require.Len(t, told, 2)

	// A retired version is not found, last good copy or not.
	fsys["index.json"] = mapFS(t, pubs[:5])["index.json"]
	_, err = s.Release(t.Context(), beta.Version())
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	// And when it comes back damaged there is no copy any more.
	fsys["index.json"] = mapFS(t, all)["index.json"]
	delete(fsys, release)
	_, err = s.Release(t.Context(), beta.Version())
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Len(t, told, 3)
}

// countingFS counts how often each file is opened, and can hold readers back.
type countingFS struct {
	fs.FS
	mu     sync.Mutex
	opened map[string]int
	block  chan struct{} // nil for none
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.mu.Lock()
	c.opened[path.Ext(name)]++
	c.mu.Unlock()
	if c.block != nil && path.Ext(name) == ".zip" {
		<-c.block
	}
	return c.FS.Open(name)
}

// Stat is there so that a reading of a file opens it once.
func (c *countingFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(c.FS, name) }

func (c *countingFS) count(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opened[name]
}

// TestReadOnce: concurrent callers share one read, even if some of them leave, and a
// release is not read again.
func TestReadOnce(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	v := pubs[0].Release.Version()
	fsys := mapFS(t, pubs)
	synctest.Test(t, func(t *testing.T) {
		counting := &countingFS{FS: fsys, opened: map[string]int{}, block: make(chan struct{})}
		s, err := fsstore.Open(counting, nil)
		require.NoError(t, err)
		impatient, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		var gaveUp error
		wg.Go(func() { _, gaveUp = s.Release(impatient, v) })
		synctest.Wait() // it has begun to read
		got, errs := make([]*taxonomy.Release, 20), make([]error, 20)
		for i := range got {
			wg.Go(func() { got[i], errs[i] = s.Release(t.Context(), v) })
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		require.ErrorIs(t, gaveUp, context.Canceled)
		close(counting.block)
		wg.Wait()
		require.NoError(t, errors.Join(errs...))
		for _, r := range got {
			require.Same(t, got[0], r)
		}
		r, err := s.Release(t.Context(), v)
		require.NoError(t, err)
		require.Same(t, got[0], r)
		require.Equal(t, 1, counting.count(".zip"))
	})
}

// TestReadAgain: a damaged release is read again at each call, and served when it
// is complete.
func TestReadAgain(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	v := pubs[0].Release.Version()
	whole := mapFS(t, pubs)
	archive, _ := archiveOf(t, pubs[0].Release)
	fsys := fstest.MapFS{"index.json": whole["index.json"], archive: {Data: []byte("{}")}}
	counting := &countingFS{FS: fsys, opened: map[string]int{}}
	s, err := fsstore.Open(counting, nil)
	require.NoError(t, err)
	for i := range 3 {
		_, err := s.Release(t.Context(), v)
		require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
		require.Equal(t, i+1, counting.count(".zip"))
	}
	maps.Copy(fsys, whole)
	for range 2 {
		_, err = s.Release(t.Context(), v)
		require.NoError(t, err)
		require.Equal(t, 4, counting.count(".zip"))
	}
}

// TestNotOpened: a Store that was not opened, and options that make no sense, are
// errors.
func TestNotOpened(t *testing.T) {
	r := layouttest.Publications()[0].Release
	var s fsstore.Store
	_, err := s.Index(t.Context())
	require.ErrorContains(t, err, "OpenDir")
	_, err = s.Release(t.Context(), r.Version())
	require.ErrorContains(t, err, "OpenDir")
	_, err = s.Icon(t.Context(), r, "purpose_2", "dark")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.NoError(t, s.Close())
	_, err = fsstore.Open(nil, nil)
	require.ErrorContains(t, err, "nil")
}

// TestIndexNotReadAgain shows that an index that has been at rest is not read
// for every call, and one that was just written is.
func TestIndexNotReadAgain(t *testing.T) {
	dir := publishedDir(t, layouttest.Publications())
	counting := &countingFS{FS: os.DirFS(dir), opened: map[string]int{}}
	s, err := fsstore.Open(counting, nil)
	require.NoError(t, err)
	age := func(d time.Duration) {
		old := time.Now().Add(-d)
		require.NoError(t, os.Chtimes(filepath.Join(dir, "index.json"), old, old))
	}
	look := func() int {
		t.Helper()
		before := counting.count(".json")
		_, err := s.Index(t.Context())
		require.NoError(t, err)
		return counting.count(".json") - before
	}
	require.Equal(t, 1, look(), "just written")
	age(time.Hour)
	require.Equal(t, 1, look(), "with another time")
	require.Equal(t, 0, look(), "at rest")
	// Another file of the same size and time.
	name := filepath.Join(dir, "index.json")
	info, err := os.Stat(name)
	require.NoError(t, err)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name+".new", data, 0o644))
	require.NoError(t, os.Chtimes(name+".new", info.ModTime(), info.ModTime()))
	require.NoError(t, os.Rename(name+".new", name))
	require.Equal(t, 1, look(), "another file")
}

// TestIcons shows that a release has the icons that were drawn when it was published.
func TestIcons(t *testing.T) {
	s := open(t, layouttest.Files(t, nil, icon, layouttest.Publications()...), nil)
	r, err := s.Release(t.Context(), taxonomy.MustVersion("sensor@2026-02-28-stable"))
	require.NoError(t, err)
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			svg, err := s.Icon(t.Context(), r, e.ID, variant)
			require.NoError(t, err)
			want, _ := icon(e, variant)
			require.Equal(t, string(want), string(svg))
		}
	}
	_, err = s.Icon(t.Context(), r, "purpose_2", "none")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
}

// TestNoStore: the error for a wrong directory says what it is, and what to do.
func TestNoStore(t *testing.T) {
	empty := t.TempDir()
	for name, c := range map[string]struct{ dir, want string }{
		"source":            {"../../examples/taxonomies", "this is authoring source"},
		"source of a type":  {"../../examples/taxonomies/ai", "this is authoring source"},
		"source of version": {"../../examples/taxonomies/ai/2026-09-01-stable", "this is authoring source"},
		"empty":             {empty, "there are no published releases here"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fsstore.OpenDir(c.dir, nil)
			require.ErrorIs(t, err, fs.ErrNotExist)
			require.ErrorContains(t, err, "fsstore: "+c.dir+": "+c.want)
			require.ErrorContains(t, err, "'datachain schema publish'")
			require.ErrorContains(t, err, "index.json")
			_, err = fsstore.Open(os.DirFS(c.dir), nil)
			require.ErrorContains(t, err, "fsstore: "+c.want)
		})
	}
}

// TestAllowDamaged opens a store whose index is damaged: calls fail until it is
// repaired. A directory without an index is still refused.
func TestAllowDamaged(t *testing.T) {
	o := &fsstore.Options{AllowDamaged: true}
	for _, damage := range []string{"", "{", `{"versions":[{}]}`, "\xff"} {
		files := fstest.MapFS{"index.json": &fstest.MapFile{Data: []byte(damage)}}
		_, err := fsstore.Open(files, nil)
		require.Error(t, err, damage)
		s, err := fsstore.Open(files, o)
		require.NoError(t, err, damage)
		for range 2 {
			_, err = s.Index(t.Context())
			require.ErrorContains(t, err, "fsstore: ", damage)
			_, err = s.Release(t.Context(), taxonomy.MustVersion("robot@2026-01-01-beta"))
			require.ErrorContains(t, err, "fsstore: ", damage)
		}
		files["index.json"] = &fstest.MapFile{Data: []byte(`{"format":2,"versions":[]}`)}
		index, err := s.Index(t.Context())
		require.NoError(t, err)
		require.Zero(t, index.Len())
	}
	_, err := fsstore.Open(fstest.MapFS{}, o)
	require.ErrorIs(t, err, fs.ErrNotExist)
}
