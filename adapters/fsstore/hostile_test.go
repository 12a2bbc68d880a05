package fsstore_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestBitFlips changes single bits of every file. A fresh store must refuse
// what was changed; that it serves something else is the one thing that must
// never happen. In short mode there are fewer changes.
func TestBitFlips(t *testing.T) {
	flips := 200
	if testing.Short() {
		flips = 20
	}
	pubs := storetest.Publications()[:1]
	r := pubs[0].Release
	clean := mapFS(t, pubs)
	for name, file := range clean {
		t.Run(path.Base(name), func(t *testing.T) {
			step := max(1, len(file.Data)/flips)
			for i := 0; i < len(file.Data); i += step {
				data := bytes.Clone(file.Data)
				data[i] ^= 1 << (i / step % 8)
				damaged := fstest.MapFS{}
				for other := range clean {
					damaged[other] = clean[other]
				}
				damaged[name] = &fstest.MapFile{Data: data}
				s, err := fsstore.Open(damaged, nil)
				if err != nil {
					require.Equal(t, "index.json", name)
					continue
				}
				got, err := s.Release(t.Context(), r.Version())
				if err == nil {
					// White space and the like: the content is still the same.
					require.Equal(t, text(r), text(got), "bit %d of byte %d", i/step%8, i)
					continue
				}
				require.Nil(t, got)
				if name != "index.json" {
					require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
					require.ErrorContains(t, err, r.Version().String())
				}
			}
		})
	}
}

// TestDamagedRelease shows what is said of a release that is not as it should
// be, and that it is never taken for one that was never published.
func TestDamagedRelease(t *testing.T) {
	pubs := storetest.Publications()
	r, promoted := pubs[1].Release, pubs[3].Release
	dir := releaseDir(r)
	release := path.Join(dir, "release.json")
	other := edited(t, r, "Other").Release
	var otherJSON strings.Builder
	_, err := other.WriteTo(&otherJSON)
	require.NoError(t, err)
	for _, c := range []struct {
		name   string
		damage func(fsys fstest.MapFS)
		want   error
		says   string
	}{
		{"no folder", func(fsys fstest.MapFS) {
			for name := range fsys {
				if strings.HasPrefix(name, dir) {
					delete(fsys, name)
				}
			}
		}, fs.ErrNotExist, release},
		{"no release.json", func(fsys fstest.MapFS) { delete(fsys, release) }, fs.ErrNotExist, release},
		{"no symbol", func(fsys fstest.MapFS) { delete(fsys, dir+"/symbols/shield.svg") }, taxonomy.ErrHashMismatch, "shield"},
		{"no spare symbol", func(fsys fstest.MapFS) { delete(fsys, dir+"/symbols/_spare.svg") }, taxonomy.ErrHashMismatch, "content has"},
		{"a symbol too many", func(fsys fstest.MapFS) {
			fsys[dir+"/symbols/more.svg"] = &fstest.MapFile{Data: []byte("<svg/>")}
		}, taxonomy.ErrHashMismatch, "content has"},
		{"an empty release.json", func(fsys fstest.MapFS) { fsys[release] = &fstest.MapFile{} }, taxonomy.ErrHashMismatch, "release"},
		{"the release of another version", func(fsys fstest.MapFS) {
			fsys[release] = fsys[releaseDir(promoted)+"/release.json"]
		}, taxonomy.ErrHashMismatch, "ai@2026-09-01-stable"},
		{"other content", func(fsys fstest.MapFS) {
			fsys[release] = &fstest.MapFile{Data: []byte(otherJSON.String())}
		}, taxonomy.ErrHashMismatch, other.ContentHash().String()},
		{"a folder for a file", func(fsys fstest.MapFS) {
			fsys[release] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		}, nil, "not a regular file"},
		{"a pipe for a symbol", func(fsys fstest.MapFS) {
			fsys[dir+"/symbols/shield.svg"] = &fstest.MapFile{Mode: fs.ModeNamedPipe | 0o644}
		}, nil, "not a regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := mapFS(t, pubs)
			c.damage(fsys)
			s := open(t, fsys, nil)
			got, err := s.Release(t.Context(), r.Version())
			require.Nil(t, got)
			require.ErrorContains(t, err, "fsstore: release ai@2026-09-01-beta: ")
			require.ErrorContains(t, err, c.says)
			require.NotErrorIs(t, err, taxonomy.ErrNotFound)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
			// The others are not affected.
			_, err = s.Release(t.Context(), promoted.Version())
			require.NoError(t, err)
		})
	}
}

// TestForeignFiles shows that what other programs leave in a folder is ignored.
func TestForeignFiles(t *testing.T) {
	pubs := storetest.Publications()
	fsys := mapFS(t, pubs)
	for _, name := range []string{"symbols/.DS_Store", "symbols/.svg", "symbols/a b.svg", "symbols/x.svg.orig", "symbols/x/y.svg", "Thumbs.db"} {
		fsys[path.Join(releaseDir(pubs[0].Release), name)] = &fstest.MapFile{Data: []byte("x")}
	}
	require.NoError(t, holds(t, open(t, fsys, nil), pubs))
}

// TestLimits shows that nothing larger than the limits is read.
func TestLimits(t *testing.T) {
	pubs := storetest.Publications()[:1]
	r := pubs[0].Release
	size := int64(r.Len())
	for _, id := range r.SymbolIDs() {
		svg, _ := r.Symbol(id)
		size += int64(len(svg))
	}
	svg, _ := r.Symbol("shield")
	for _, c := range []struct {
		name    string
		options fsstore.Options
		says    string
	}{
		{"just enough", fsstore.Options{MaxRelease: size, MaxSVG: int64(len(svg))}, ""},
		{"too many symbols", fsstore.Options{MaxRelease: size - 1}, "shield.svg: has"},
		{"a release.json too large", fsstore.Options{MaxRelease: int64(r.Len()) - 1}, "release.json: has"},
		{"a symbol too large", fsstore.Options{MaxSVG: int64(len(svg)) - 1}, "limit of"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := open(t, mapFS(t, pubs), &c.options).Release(t.Context(), r.Version())
			if c.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.says)
			}
		})
	}
}

// TestBrokenIndexes shows that a store does not open with an invalid index.
func TestBrokenIndexes(t *testing.T) {
	clean := mapFS(t, storetest.Publications())
	entry := `{"aliases":[],"content_hash":"sha256-` + strings.Repeat("0", 63) + `1","id":"ai@2026-01-01-beta","status":"beta"}`
	for name, data := range map[string]string{
		"empty":             "",
		"not JSON":          "versions: []",
		"one version twice": `{"versions":[` + entry + `,` + entry + `]}`,
		"huge":              `{"versions":[]` + strings.Repeat(" ", 17<<20) + `}`,
		"a path for an id":  strings.Replace(`{"versions":[`+entry+`]}`, "ai@2026", "../ai@2026", 1),
		"a path for a hash": strings.Replace(`{"versions":[`+entry+`]}`, "sha256-0", "../../00", 1),
		"the wrong status":  strings.Replace(`{"versions":[`+entry+`]}`, `"beta"`, `"stable"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			clean["index.json"] = &fstest.MapFile{Data: []byte(data)}
			_, err := fsstore.Open(clean, nil)
			require.ErrorContains(t, err, "fsstore: index")
		})
	}
	_, err := fsstore.Open(fstest.MapFS{}, nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = fsstore.OpenDir(filepath.Join(t.TempDir(), "none"), nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
	empty := t.TempDir()
	_, err = fsstore.OpenDir(empty, nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, empty)
}

// TestLinks shows that links lead nowhere out of the folder.
func TestLinks(t *testing.T) {
	pubs := storetest.Publications()[:1]
	r := pubs[0].Release
	for _, c := range []struct {
		name   string
		layout publish.Layout
		// what is replaced by a link to the same thing elsewhere
		link string
	}{
		{"a symbol", publish.LayoutFiles, releaseDir(r) + "/symbols/shield.svg"},
		{"the symbols", publish.LayoutFiles, releaseDir(r) + "/symbols"},
		{"the pack", publish.LayoutPack, releaseDir(r) + "/release.pack"},
		{"the release", publish.LayoutPack, releaseDir(r)},
		{"the type", publish.LayoutPack, r.Version().Type()},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, outside := publishedAs(t, c.layout, pubs), publishedAs(t, c.layout, pubs)
			link := filepath.Join(dir, filepath.FromSlash(c.link))
			require.NoError(t, os.RemoveAll(link))
			require.NoError(t, os.Symlink(filepath.Join(outside, filepath.FromSlash(c.link)), link))
			_, err := openDir(t, dir, nil).Release(t.Context(), r.Version())
			require.ErrorContains(t, err, "escapes")
		})
	}
	dir, outside := publishedDir(t, pubs), publishedDir(t, pubs)
	require.NoError(t, os.Remove(filepath.Join(dir, "index.json")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "index.json"), filepath.Join(dir, "index.json")))
	_, err := fsstore.OpenDir(dir, nil)
	require.ErrorContains(t, err, "escapes")
}
