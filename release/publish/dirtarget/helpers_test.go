package dirtarget_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// publishTo publishes into a directory, as a program does.
func publishTo(ctx context.Context, dir string, pubs []listing.Publication, o *publish.Options) (*publish.Report, error) {
	target, err := dirtarget.Create(ctx, dir)
	if err != nil {
		return nil, err
	}
	report, err := publish.Publish(ctx, target, pubs, o)
	return report, errors.Join(err, target.Close())
}

func openTarget(t testing.TB, dir string) *dirtarget.Target {
	t.Helper()
	target, err := dirtarget.Open(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, target.Close()) })
	return target
}

func retire(t testing.TB, dir string, versions ...taxonomy.Version) error {
	t.Helper()
	target, err := dirtarget.Open(t.Context(), dir)
	if err != nil {
		return err
	}
	var retired []taxonomy.RetiredVersion
	for _, v := range versions {
		retired = append(retired, taxonomy.RetiredVersion{ID: v, At: "2026-11-16"})
	}
	_, err = publish.Retire(t.Context(), target, nil, retired...)
	return errors.Join(err, target.Close())
}

// publishedDir returns a directory with publications in it.
func publishedDir(t testing.TB, pubs []listing.Publication) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	_, err := publishTo(t.Context(), dir, pubs, nil)
	require.NoError(t, err)
	return dir
}

func openDir(t testing.TB, dir string, o *fsstore.Options) *fsstore.Store {
	t.Helper()
	s, err := fsstore.OpenDir(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// archiveOf returns the archive of a release without icons, and its name.
func archiveOf(t testing.TB, r *taxonomy.Release) (name string, data []byte) {
	t.Helper()
	var archive bytes.Buffer
	require.NoError(t, reader.WriteArchive(&archive, r, nil))
	return layout.ArchiveFile(taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash(), Archive: sha256.Sum256(archive.Bytes())}), archive.Bytes()
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
func icon(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
	return fmt.Appendf(nil, "<svg><!-- %s %s %s --></svg>", r.Version().Type(), e.ID, variant), nil
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

// emptyRelease returns a release without categories.
func emptyRelease(t testing.TB, id string) listing.Publication {
	t.Helper()
	v := taxonomy.MustVersion(id)
	r, err := taxonomy.NewRelease(v, taxonomy.Content{
		Locales: []string{"en"}, Type: taxonomy.Type{ID: v.Type(), Categories: []string{}, Subchains: []taxonomy.Subchain{}},
	})
	require.NoError(t, err)
	return listing.Publication{Release: r}
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

var sequence = regexp.MustCompile(`"sequence":\d+,`)

// contents returns what all files below a directory hold, by name.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range files(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		all[name] = string(data)
	}
	all[layout.IndexFile] = sequence.ReplaceAllString(all[layout.IndexFile], "")
	return all
}

// times returns when each file and directory was last written.
func times(t testing.TB, dir string) map[string]time.Time {
	t.Helper()
	all := map[string]time.Time{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		all[name] = info.ModTime()
		return err
	}))
	return all
}

// add adds text to a file, which it makes if need be.
func add(name, text string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
