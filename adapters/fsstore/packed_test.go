package fsstore_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestPackedLayout fixes the names of a packed store, and its index.
func TestPackedLayout(t *testing.T) {
	pub := storetest.Publications()[4] // sensor@2026-02-28-stable, alias sensor@v2
	dir := t.TempDir()
	_, err := publishTo(t.Context(), dir, []taxonomy.Publication{pub}, &publish.Options{Icon: icon, SearchIndex: searchIndex})
	require.NoError(t, err)
	base := releaseDir(pub.Release) + "/"
	require.Equal(t, []string{"index.json", "sensor/2026-02-28-stable/bound", base + "release.json", base + "release.pack"}, files(t, dir))
	all := contents(t, dir)
	sum := taxonomy.Hash(sha256.Sum256([]byte(all[base+"release.pack"])))
	require.Equal(t, `{"format":1,"versions":[{"aliases":["sensor@latest","sensor@v2"],"content_hash":"`+pub.Release.ContentHash().String()+
		`","id":"sensor@2026-02-28-stable","pack":"`+sum.String()+`","status":"stable"}]}`, all["index.json"])
}

// TestSameInBothLayouts shows that a store returns the same bytes in either
// published.
func TestSameInBothLayouts(t *testing.T) {
	pubs := storetest.Publications()
	read := func(l publish.Layout) map[string]string {
		dir := t.TempDir()
		_, err := publishTo(t.Context(), dir, pubs, &publish.Options{Layout: l, Icon: icon, SearchIndex: searchIndex})
		require.NoError(t, err)
		s, got := openDir(t, dir, nil), make(map[string]string)
		for _, p := range pubs {
			id := p.Release.Version().String()
			r, err := s.Release(t.Context(), p.Release.Version())
			require.NoError(t, err)
			got[id] = text(r)
			for _, e := range r.Elements() {
				for _, variant := range e.IconVariants {
					svg, err := s.Icon(t.Context(), r, e.ID, variant)
					require.NoError(t, err)
					got[id+" "+e.ID+" "+variant] = string(svg)
				}
			}
			for _, locale := range r.Locales() {
				index, err := s.SearchIndex(t.Context(), r, locale)
				require.NoError(t, err)
				got[id+" "+locale] = string(index)
			}
			for _, unknown := range [][2]string{{"purpose_2", "none"}, {"none", "dark"}, {"purpose_2/dark", "dark"}, {"..", "dark"}, {"", ""}} {
				_, err := s.Icon(t.Context(), r, unknown[0], unknown[1])
				require.ErrorIs(t, err, taxonomy.ErrNotFound, "%q", unknown)
			}
			_, err = s.SearchIndex(t.Context(), r, "xx")
			require.ErrorIs(t, err, taxonomy.ErrNotFound)
		}
		return got
	}
	require.Equal(t, read(publish.LayoutFiles), read(publish.LayoutPack))
}

// TestLayoutChanges shows that a store follows a release into another published.
func TestLayoutChanges(t *testing.T) {
	pubs := storetest.Publications()
	dir := publishedDir(t, pubs)
	s := openDir(t, dir, nil)
	require.NoError(t, holds(t, s, pubs))
	r := pubs[0].Release
	e := r.Elements()[0]
	for range 2 {
		for _, l := range []publish.Layout{publish.LayoutFiles, publish.LayoutPack} {
			_, err := publishTo(t.Context(), dir, pubs, &publish.Options{Layout: l, Icon: icon})
			require.NoError(t, err)
			require.NoError(t, holds(t, s, pubs))
			svg, err := s.Icon(t.Context(), r, e.ID, "dark")
			require.NoError(t, err, l)
			want, _ := icon(r, e, "dark")
			require.Equal(t, string(want), string(svg))
		}
	}
}

// packedFS returns a packed store in memory, and the name of the pack of its
// release.
func packedFS(t *testing.T, pub taxonomy.Publication) (fsys fstest.MapFS, name string) {
	t.Helper()
	dir := t.TempDir()
	_, err := publishTo(t.Context(), dir, []taxonomy.Publication{pub}, &publish.Options{Icon: icon})
	require.NoError(t, err)
	fsys = fstest.MapFS{}
	for name, text := range contents(t, dir) {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys, releaseDir(pub.Release) + "/release.pack"
}

// TestDamagedPack shows that a pack with any other byte is refused, and that the
// error says what to do.
func TestDamagedPack(t *testing.T) {
	pub := storetest.Publications()[0]
	fsys, name := packedFS(t, pub)
	good := fsys[name].Data
	load := func() error {
		_, err := open(t, fsys, nil).Release(t.Context(), pub.Release.Version())
		return err
	}
	require.NoError(t, load())
	for at := 0; at < len(good); at += 7 {
		changed := slices.Clone(good)
		changed[at] ^= 0x10
		fsys[name] = &fstest.MapFile{Data: changed}
		err := load()
		require.ErrorIs(t, err, taxonomy.ErrHashMismatch, at)
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "publish or copy the release again")
	}
	fsys[name] = &fstest.MapFile{Data: good[:len(good)-1]}
	require.ErrorIs(t, load(), taxonomy.ErrHashMismatch)
	delete(fsys, name)
	err := load()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "publish or copy the release again")
	require.NotErrorIs(t, err, taxonomy.ErrNotFound, "the index lists the version")
}

// reindexed sets the pack in the index to the one that is stored, as an attacker
// with access to all files would.
func reindexed(t *testing.T, fsys fstest.MapFS, name string, data []byte) {
	t.Helper()
	old := taxonomy.Hash(sha256.Sum256(fsys[name].Data)).String()
	sum := taxonomy.Hash(sha256.Sum256(data)).String()
	fsys[name] = &fstest.MapFile{Data: data}
	fsys["index.json"] = &fstest.MapFile{Data: bytes.ReplaceAll(fsys["index.json"].Data, []byte(old), []byte(sum))}
}

// TestHostilePack has packs that the index names, but that were not published.
func TestHostilePack(t *testing.T) {
	pub := storetest.Publications()[0]
	build := func(sections map[string]string) []byte {
		var out bytes.Buffer
		w := published.NewPackWriter(&out)
		for _, name := range []string{published.IconsSection, "later", published.SymbolsSection} {
			if text, ok := sections[name]; ok {
				require.NoError(t, w.Begin(name))
				_, err := w.Write([]byte(text))
				require.NoError(t, err)
			}
		}
		require.NoError(t, w.Close())
		return out.Bytes()
	}
	fsys, name := packedFS(t, pub)
	opened, err := published.OpenContainer(fsys[name].Data)
	require.NoError(t, err)
	symbols, _ := opened.Section(published.SymbolsSection)
	newer := slices.Clone(fsys[name].Data)
	binary.LittleEndian.PutUint32(newer[8:], 2)
	for title, c := range map[string]struct {
		data []byte
		says string // "" if the release can be read
	}{
		"no icons, and an unknown section": {build(map[string]string{published.SymbolsSection: string(symbols), "later": "?"}), ""},
		"no symbols":                       {build(nil), "does not match"},
		"icons that are no table":          {build(map[string]string{published.SymbolsSection: string(symbols), published.IconsSection: "x"}), "publish the release again"},
		"symbols that are no table":        {build(map[string]string{published.SymbolsSection: strings.Repeat("x", 64)}), "publish the release again"},
		"not a pack":                       {[]byte("<svg/>"), "does not begin like a pack"},
		"empty":                            {nil, "does not begin like a pack"},
		"another format":                   {newer, "use the version of this program that published it"},
	} {
		t.Run(title, func(t *testing.T) {
			fsys, name := packedFS(t, pub)
			reindexed(t, fsys, name, c.data)
			s := open(t, fsys, nil)
			r, err := s.Release(t.Context(), pub.Release.Version())
			if c.says != "" {
				require.ErrorContains(t, err, c.says)
				_, err = s.Icon(t.Context(), pub.Release, "purpose_2", "dark")
				require.ErrorContains(t, err, c.says)
				return
			}
			require.NoError(t, err)
			_, err = s.Icon(t.Context(), r, "purpose_2", "dark")
			require.ErrorIs(t, err, taxonomy.ErrNotFound, "it is composed")
		})
	}
}

// TestPackLimits shows that limits hold for packs, too.
func TestPackLimits(t *testing.T) {
	pub := storetest.Publications()[0]
	r := pub.Release
	dir := t.TempDir()
	_, err := publishTo(t.Context(), dir, []taxonomy.Publication{pub}, &publish.Options{
		Icon: func(_ *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
			return []byte(e.ID + variant + strings.Repeat("-", 2000)), nil
		},
	})
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(releaseDir(r)), "release.pack"))
	require.NoError(t, err)
	require.Greater(t, info.Size(), int64(r.Len()))

	_, err = openDir(t, dir, &fsstore.Options{MaxRelease: info.Size()}).Release(t.Context(), r.Version())
	require.NoError(t, err)
	_, err = openDir(t, dir, &fsstore.Options{MaxRelease: info.Size() - 1}).Release(t.Context(), r.Version())
	require.ErrorContains(t, err, "release.pack: has")
	_, err = openDir(t, dir, &fsstore.Options{MaxSVG: 10}).Release(t.Context(), r.Version())
	require.ErrorContains(t, err, "limit of 10")
	s := openDir(t, dir, &fsstore.Options{MaxSVG: 2000})
	_, err = s.Release(t.Context(), r.Version())
	require.NoError(t, err)
	_, err = s.Icon(t.Context(), r, "purpose_2", "dark")
	require.ErrorContains(t, err, "more than the limit of 2000")
}

// TestIconsReadOnce shows that all icons are read with the first one.
func TestIconsReadOnce(t *testing.T) {
	pub := storetest.Publications()[0]
	dir := t.TempDir()
	_, err := publishTo(t.Context(), dir, []taxonomy.Publication{pub}, &publish.Options{Icon: icon})
	require.NoError(t, err)
	counted := &countingFS{FS: os.DirFS(dir), opened: map[string]int{}}
	s, err := fsstore.Open(counted, nil)
	require.NoError(t, err)
	r, err := s.Release(t.Context(), pub.Release.Version())
	require.NoError(t, err)
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			_, err := s.Icon(t.Context(), r, e.ID, variant)
			require.NoError(t, err)
		}
	}
	require.Equal(t, 2, counted.count("release.pack"), "for the release, and for its icons")
}

// A bucket that was copied into a directory is readable: its packs have another name.
func TestCopiedBucket(t *testing.T) {
	pubs := storetest.Publications()[:2]
	dir := publishedDir(t, pubs)
	index, err := openDir(t, dir, nil).Index(t.Context())
	require.NoError(t, err)
	for _, e := range index.Entries() {
		at := filepath.Join(dir, filepath.FromSlash(published.Dir(e.ID, e.ContentHash)))
		require.NoError(t, os.Rename(filepath.Join(at, published.PackFile), filepath.Join(at, published.PackOf(e.Pack))))
	}
	require.NoError(t, holds(t, openDir(t, dir, nil), pubs))
	// Publishing gives them the usual name.
	_, err = publishTo(t.Context(), dir, pubs, nil)
	require.NoError(t, err)
	require.Equal(t, contents(t, publishedDir(t, pubs)), contents(t, dir))
}
