package fsstore_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// publishedDir returns a directory with publications in it.
func publishedDir(t testing.TB, pubs []listing.Publication) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.CopyFS(dir, layouttest.Files(t, nil, nil, pubs...)))
	return dir
}

// indexOf returns the index in a directory.
func indexOf(t *testing.T, dir string) *taxonomy.Index {
	t.Helper()
	x, err := openDir(t, dir, nil).Index(t.Context())
	require.NoError(t, err)
	return x
}

// replace writes the files of a newer index into a directory, and then that index.
func replace(t *testing.T, dir string, next fstest.MapFS) {
	t.Helper()
	for name, f := range next {
		if name != layout.IndexFile {
			name = filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
			require.NoError(t, os.WriteFile(name, f.Data, 0o644))
		}
	}
	replaceIndex(t, dir, next[layout.IndexFile].Data)
}

// replaceIndex replaces the index in a directory in one step.
func replaceIndex(t testing.TB, dir string, text []byte) {
	t.Helper()
	name := filepath.Join(dir, layout.IndexFile)
	require.NoError(t, os.WriteFile(name+"-new", text, 0o644))
	require.NoError(t, os.Rename(name+"-new", name))
}

func openDir(t testing.TB, dir string, o *fsstore.Options) *fsstore.Store {
	t.Helper()
	s, err := fsstore.OpenDir(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func open(t testing.TB, fsys fstest.MapFS, o *fsstore.Options) *fsstore.Store {
	t.Helper()
	s, err := fsstore.Open(fsys, o)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	return s
}

// number sets the sequence of the index in a directory, so that the directory can
// take the place of another.
func number(t testing.TB, dir string, sequence int64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, layout.IndexFile))
	require.NoError(t, err)
	x, err := taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	record := x.Record()
	record.Sequence = sequence
	text, err = taxonomy.EncodeIndex(x.WithRecord(record))
	require.NoError(t, err)
	replaceIndex(t, dir, text)
}

// numbers makes each index of mapFS a newer one.
var numbers atomic.Int64

// archiveOf returns the archive of a release without icons, and its name.
func archiveOf(t testing.TB, r *taxonomy.Release) (name string, data []byte) {
	t.Helper()
	var archive bytes.Buffer
	require.NoError(t, reader.WriteArchive(&archive, r, nil))
	return layout.ArchiveFile(taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash(), Archive: sha256.Sum256(archive.Bytes())}), archive.Bytes()
}

// mapFS returns a store in memory, since the disk is slow. Its index is newer than those before.
func mapFS(t testing.TB, pubs []listing.Publication) fstest.MapFS {
	t.Helper()
	return layouttest.Files(t, new(taxonomy.Index).WithRecord(taxonomy.Record{Sequence: numbers.Add(1)}), nil, pubs...)
}

// holds says why a store does not hold just the publications.
func holds(t testing.TB, s taxonomy.Store, pubs []listing.Publication) error {
	t.Helper()
	x, err := s.Index(t.Context())
	if err != nil {
		return err
	}
	want, err := listing.Add(new(taxonomy.Index), pubs...)
	require.NoError(t, err)
	want = want.WithRecord(taxonomy.Record{Archives: x.Record().Archives}) // with or without icons
	if diff := cmp.Diff(want.Entries(), x.Entries(), cmp.Comparer(func(a, b taxonomy.Version) bool { return a == b })); diff != "" {
		return errors.New("index: " + diff)
	}
	for _, p := range pubs {
		r, err := s.Release(t.Context(), p.Release.Version())
		if err != nil {
			return err
		}
		if diff := cmp.Diff(text(p.Release), text(r)); diff != "" {
			return fmt.Errorf("%s: %s", p.Release.Version(), diff)
		}
	}
	return nil
}

// text returns a release as one text.
func text(r *taxonomy.Release) string {
	var b bytes.Buffer
	_, _ = r.WriteTo(&b)
	for _, id := range r.SymbolIDs() {
		svg, _ := r.Symbol(id)
		fmt.Fprintf(&b, "\n%s %s", id, svg)
	}
	return b.String()
}

// releaseDir returns the directory of a release.
func releaseDir(r *taxonomy.Release) string {
	return layout.Dir(r.Version(), r.ContentHash())
}

// icon draws what is no icon, but differs for each.
func icon(e *taxonomy.Element, variant string) ([]byte, error) {
	return fmt.Appendf(nil, "<svg><!-- %s %s --></svg>", e.ID, variant), nil
}

// edited returns a publication of the release with another title.
func edited(t testing.TB, r *taxonomy.Release, title string) listing.Publication {
	t.Helper()
	c := taxonomy.Content{
		Title: taxonomy.Localized{{Locale: "en", Value: title}}, Locales: r.Locales(), Type: *r.Type(), Symbols: map[string]string{},
	}
	for _, category := range r.Categories() {
		c.Categories = append(c.Categories, *category)
	}
	for _, e := range r.Elements() {
		c.Elements = append(c.Elements, *e)
	}
	for _, id := range r.SymbolIDs() {
		c.Symbols[id], _ = r.Symbol(id)
	}
	changed, err := taxonomy.NewRelease(r.Version(), c)
	require.NoError(t, err)
	return listing.Publication{Release: changed}
}

// files returns the names of all regular files below a directory but the lock.
func files(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && name != ".lock" {
			names = append(names, name)
		}
		return err
	}))
	return names
}
