//go:build linux || darwin

package fsstore_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// overwrite changes a byte of a file in place, and keeps its size and modification time.
func overwrite(t *testing.T, file string, at int64) {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	require.NoError(t, err)
	var b [1]byte
	_, err = f.ReadAt(b[:], at)
	require.NoError(t, err)
	b[0] ^= 1
	_, err = f.WriteAt(b[:], at)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
}

// TestVerifiedForms alters the form in a pack in many ways, and the index with it: no
// altered form may be used, neither when it is opened first nor after that. A release
// gives the same answers as one that is decoded in full.
func TestVerifiedForms(t *testing.T) {
	t.Parallel()
	pub := storetest.Publications()[0]
	v := pub.Release.Version()
	fsys, name := packedFS(t, pub)
	good := fsys[name].Data
	opened, err := published.OpenContainer(good)
	require.NoError(t, err)
	form, ok := opened.Section(published.ReleaseSection)
	require.True(t, ok)
	begin := bytes.Index(good, form)

	root := t.TempDir()
	var dirs []string
	write := func(data []byte) {
		reindexed(t, fsys, name, data)
		dir := filepath.Join(root, strconv.Itoa(len(dirs)))
		require.NoError(t, os.CopyFS(dir, fsys))
		dirs = append(dirs, dir)
	}
	write(good)
	for at := range form {
		for _, change := range []byte{1, 0x80, form[at]} {
			altered := slices.Clone(good)
			if altered[begin+at] ^= change; change != 0 {
				write(altered)
			}
		}
	}
	for _, width := range []int{4, 8} { // numbers that change places
		for at := 0; at+2*width <= len(form); at += width {
			altered := slices.Clone(good)
			copy(altered[begin+at:], form[at+width:at+2*width])
			copy(altered[begin+at+width:], form[at:at+width])
			if !bytes.Equal(altered, good) {
				write(altered)
			}
		}
	}
	var mu sync.Mutex
	reports := make(map[string]int)
	o := &fsstore.Options{VerifiedDir: filepath.Join(t.TempDir(), "verified"), Report: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		reports[err.Error()]++
	}}
	// Files that have just been written are not remembered: the last ones least of all.
	last := publishedDir(t, []taxonomy.Publication{pub})
	remembered(t, last, v, o, 1)
	for i, dir := range dirs {
		for range 2 {
			clear(reports)
			_, r, err := loaded(t, dir, v, o)
			require.NoError(t, err)
			require.Equal(t, answers(pub.Release), answers(r), "altered form %d", i)
			if i == 0 {
				require.Empty(t, reports)
				continue
			}
			require.Len(t, reports, 1, "altered form %d", i)
			for says := range reports {
				require.Contains(t, says, "release "+v.String()+": "+name+": ")
				require.Contains(t, says, "publish or copy the release again")
			}
		}
	}
	found, err := os.ReadDir(o.VerifiedDir)
	require.NoError(t, err)
	require.Len(t, found, 2, "only packs with a form that fits are remembered")
}

// answers is everything that callers find in a release.
func answers(r *taxonomy.Release) []any {
	all := []any{text(r), r.ElementIDs(), r.Elements(), r.SymbolIDs()}
	for _, id := range r.ElementIDs() {
		e, ok := r.Element(id)
		all = append(all, ok, e, r.ElementJSON(id))
	}
	for _, c := range r.Categories() {
		all = append(all, r.ElementsOf(c.ID))
	}
	return all
}

// A release that was verified before is read as far as it is needed, and gives the same.
func TestVerified(t *testing.T) {
	t.Parallel()
	pub := storetest.Publications()[0]
	dir := t.TempDir()
	_, err := publishTo(t.Context(), dir, []taxonomy.Publication{pub}, &publish.Options{Icon: icon, SearchIndex: searchIndex})
	require.NoError(t, err)
	v := pub.Release.Version()
	before := contents(t, dir)
	o := &fsstore.Options{VerifiedDir: filepath.Join(t.TempDir(), "cache", "verified")}
	remembered(t, dir, v, o, 1)
	require.Equal(t, before, contents(t, dir), "nothing is written into the store")

	s, r, err := loaded(t, dir, v, o)
	require.NoError(t, err)
	require.Equal(t, text(pub.Release), text(r))
	require.Equal(t, pub.Release.Elements(), r.Elements())
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			want, err := icon(r, e, variant)
			require.NoError(t, err)
			got, err := s.Icon(t.Context(), r, e.ID, variant)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		}
	}
	want, err := searchIndex(r, "en")
	require.NoError(t, err)
	got, err := s.SearchIndex(t.Context(), r, "en")
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = s.SearchIndex(t.Context(), r, "xx")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)

	t.Run("a pack that changes later", func(t *testing.T) {
		file := filepath.Join(dir, releaseDir(r), "release.pack")
		for _, change := range []func(){
			func() { overwrite(t, file, 100) },
			func() { require.NoError(t, os.Truncate(file, 50)) },
			func() { require.NoError(t, os.Remove(file)) },
		} {
			change()
			_, err := s.SearchIndex(t.Context(), r, "en")
			require.ErrorIs(t, err, taxonomy.ErrNotFound)
			require.Equal(t, text(pub.Release), text(r))
			_, _, err = loaded(t, dir, v, o)
			require.Error(t, err)
		}
	})
}

// What is remembered counts for exactly the files that were verified.
func TestVerifiedFilesThatChange(t *testing.T) {
	t.Parallel()
	pub := storetest.Publications()[0]
	v := pub.Release.Version()
	for _, name := range []string{"release.json", "release.pack"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := publishedDir(t, []taxonomy.Publication{pub})
			o := &fsstore.Options{VerifiedDir: filepath.Join(t.TempDir(), "verified")}
			remembered(t, dir, v, o, 1)
			overwrite(t, filepath.Join(dir, releaseDir(pub.Release), name), 200)
			_, _, err := loaded(t, dir, v, o)
			require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
			overwrite(t, filepath.Join(dir, releaseDir(pub.Release), name), 200)
			remembered(t, dir, v, o, 2)
			// The same files elsewhere are others.
			moved := dir + "-moved"
			require.NoError(t, os.Rename(dir, moved))
			remembered(t, moved, v, o, 3)
		})
	}
}

// A file that may still change within the resolution of its time is not remembered.
func TestVerifiedTooEarly(t *testing.T) {
	t.Parallel()
	pub := storetest.Publications()[0]
	dir := publishedDir(t, []taxonomy.Publication{pub})
	file := filepath.Join(dir, releaseDir(pub.Release), "release.json")
	soon := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(file, soon, soon))
	o := &fsstore.Options{VerifiedDir: filepath.Join(t.TempDir(), "verified")}
	_, _, err := loaded(t, dir, pub.Release.Version(), o)
	require.NoError(t, err)
	require.NoDirExists(t, o.VerifiedDir)
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(file, old, old))
	remembered(t, dir, pub.Release.Version(), o, 1)
}

// A directory that others can write to, or that is no directory, is not used.
func TestVerifiedDirectory(t *testing.T) {
	t.Parallel()
	pub := storetest.Publications()[0]
	v := pub.Release.Version()
	dir := publishedDir(t, []taxonomy.Publication{pub})
	root := t.TempDir()
	private := &fsstore.Options{VerifiedDir: filepath.Join(root, "verified")}
	remembered(t, dir, v, private, 1)
	for name, prepare := range map[string]func(dir string) error{
		"writable by others": func(dir string) error {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
			return os.Chmod(dir, 0o777)
		},
		"a file": func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"a link": func(dir string) error {
			target := dir + "-target"
			if err := os.Mkdir(target, 0o700); err != nil {
				return err
			}
			return os.Symlink(target, dir)
		},
		"below a file": func(dir string) error { return os.WriteFile(filepath.Dir(dir), nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(root, name)
			if name == "below a file" {
				at = filepath.Join(root, "file", "verified")
			}
			require.NoError(t, prepare(at))
			_, _, err := loaded(t, dir, v, &fsstore.Options{VerifiedDir: at})
			require.NoError(t, err)
			entries, _ := os.ReadDir(at)
			require.Empty(t, entries)
		})
	}
	t.Run("entries of any kind", func(t *testing.T) {
		entries, err := os.ReadDir(private.VerifiedDir)
		require.NoError(t, err)
		key := filepath.Join(private.VerifiedDir, entries[0].Name())
		require.NoError(t, os.WriteFile(key, []byte("garbage"), 0o600))
		_, _, err = loaded(t, dir, v, private)
		require.NoError(t, err)
		require.NoError(t, os.Remove(key))
		require.NoError(t, os.Mkdir(key, 0o700))
		_, _, err = loaded(t, dir, v, private)
		require.NoError(t, err)
	})
}

// The directory does not grow for ever.
func TestVerifiedIsBounded(t *testing.T) {
	t.Parallel()
	pub := storetest.Publications()[0]
	v := pub.Release.Version()
	dir := publishedDir(t, []taxonomy.Publication{pub})
	o := &fsstore.Options{VerifiedDir: filepath.Join(t.TempDir(), "verified")}
	require.NoError(t, os.Mkdir(o.VerifiedDir, 0o700))
	old := time.Now().Add(-time.Hour)
	for i := range 600 {
		file := filepath.Join(o.VerifiedDir, fmt.Sprintf("%064x", i))
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		require.NoError(t, os.Chtimes(file, old, old.Add(time.Duration(i)*time.Second)))
	}
	remembered(t, dir, v, o, 256)
	_, err := os.Stat(filepath.Join(o.VerifiedDir, fmt.Sprintf("%064x", 599)))
	require.NoError(t, err, "what was used last stays")
	remembered(t, dir, v, o, 256)
}
