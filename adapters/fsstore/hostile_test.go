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
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestBitFlips changes single bits of every file. A fresh store must refuse
// what was changed; that it serves something else is the one thing that must
// never happen. In short mode there are fewer changes.
func TestBitFlips(t *testing.T) {
	flips := 200
	if testing.Short() {
		flips = 20
	}
	pubs := layouttest.Publications()[:1]
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
	pubs := layouttest.Publications()
	r, promoted := pubs[1].Release, pubs[3].Release
	archive, data := archiveOf(t, r)
	_, of := archiveOf(t, promoted)
	_, other := archiveOf(t, edited(t, r, "Other").Release)
	for _, c := range []struct {
		name   string
		damage func(fsys fstest.MapFS)
		want   error
		says   string
	}{
		{"no archive", func(fsys fstest.MapFS) { delete(fsys, archive) }, fs.ErrNotExist, "publish or copy the release again"},
		{"an empty archive", func(fsys fstest.MapFS) { fsys[archive] = &fstest.MapFile{} }, taxonomy.ErrHashMismatch, archive},
		{"half an archive", func(fsys fstest.MapFS) { fsys[archive] = &fstest.MapFile{Data: data[:len(data)/2]} }, taxonomy.ErrHashMismatch, "SHA-256"},
		{"the release of another version", func(fsys fstest.MapFS) { fsys[archive] = &fstest.MapFile{Data: of} }, taxonomy.ErrHashMismatch, "SHA-256"},
		{"other content", func(fsys fstest.MapFS) { fsys[archive] = &fstest.MapFile{Data: other} }, taxonomy.ErrHashMismatch, "SHA-256"},
		{"a folder for a file", func(fsys fstest.MapFS) {
			fsys[archive] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		}, nil, "not a regular file"},
		{"a pipe for a file", func(fsys fstest.MapFS) {
			fsys[archive] = &fstest.MapFile{Mode: fs.ModeNamedPipe | 0o644}
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
	pubs := layouttest.Publications()
	fsys := mapFS(t, pubs)
	for _, name := range []string{".DS_Store", "other.zip", "Thumbs.db"} {
		fsys[path.Join(releaseDir(pubs[0].Release), name)] = &fstest.MapFile{Data: []byte("x")}
	}
	require.NoError(t, holds(t, open(t, fsys, nil), pubs))
}

// TestLimits shows that nothing larger than the limit is read.
func TestLimits(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	r := pubs[0].Release
	_, data := archiveOf(t, r)
	size := int64(len(data))
	_, err := open(t, mapFS(t, pubs), &fsstore.Options{MaxRelease: size}).Release(t.Context(), r.Version())
	require.NoError(t, err)
	_, err = open(t, mapFS(t, pubs), &fsstore.Options{MaxRelease: -1}).Release(t.Context(), r.Version())
	require.NoError(t, err, "a negative limit is none")
	_, err = open(t, mapFS(t, pubs), &fsstore.Options{MaxRelease: size - 1}).Release(t.Context(), r.Version())
	require.ErrorContains(t, err, "limit of")
}

// TestBrokenIndexes shows that a store does not open with an invalid index.
func TestBrokenIndexes(t *testing.T) {
	clean := mapFS(t, layouttest.Publications())
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
	pubs := layouttest.Publications()[:1]
	r := pubs[0].Release
	archive, _ := archiveOf(t, r)
	// What is replaced by a link to the same thing elsewhere.
	for name, replaced := range map[string]string{"the archive": archive, "the release": releaseDir(r), "the type": r.Version().Type()} {
		t.Run(name, func(t *testing.T) {
			dir, outside := publishedDir(t, pubs), publishedDir(t, pubs)
			link := filepath.Join(dir, filepath.FromSlash(replaced))
			require.NoError(t, os.RemoveAll(link))
			require.NoError(t, os.Symlink(filepath.Join(outside, filepath.FromSlash(replaced)), link))
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
