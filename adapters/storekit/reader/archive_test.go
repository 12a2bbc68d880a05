package reader_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/taxonomy"
)

// icon draws what is no icon, but differs for each.
func icon(e *taxonomy.Element, variant string) ([]byte, error) {
	return fmt.Appendf(nil, "<svg><!-- %s %s --></svg>", e.ID, variant), nil
}

// archived returns the archive of a release with its entry.
func archived(t testing.TB, r *taxonomy.Release) (taxonomy.Entry, []byte) {
	t.Helper()
	var archive bytes.Buffer
	require.NoError(t, reader.WriteArchive(&archive, r, icon))
	return named(r, archive.Bytes()), archive.Bytes()
}

// named returns the entry of an index that names data as the archive of a release.
func named(r *taxonomy.Release, data []byte) taxonomy.Entry {
	return taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash(), Archive: sha256.Sum256(data)}
}

func ExampleWriteArchive() {
	r := layouttest.Publications()[4].Release
	var archive bytes.Buffer
	err := reader.WriteArchive(&archive, r, nil)
	if err != nil {
		fmt.Println(err)
	}
	// Any program that reads ZIP files opens it.
	files, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range files.File {
		fmt.Println(f.Name)
	}
	opened, err := reader.Open(taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash(), Archive: sha256.Sum256(archive.Bytes())}, archive.Bytes())
	fmt.Println(opened.Release.Version(), err)
	// Output:
	// release.json
	// symbols/Lens-2.svg
	// symbols/_spare.svg
	// symbols/shield.svg
	// sensor@2026-02-28-stable <nil>
}

// TestArchive fixes the bytes of an archive, and shows that opening it gives what was written.
func TestArchive(t *testing.T) {
	r := layouttest.Publications()[4].Release
	e, data := archived(t, r)
	require.Equal(t, "sha256-5c741", e.Archive.String()[:12], "the bytes of archives must not change: stores name them by their SHA-256")
	a, err := reader.Open(e, data)
	require.NoError(t, err)
	require.Equal(t, r.ContentHash(), a.Release.ContentHash())
	for _, element := range r.Elements() {
		for _, variant := range element.IconVariants {
			want, _ := icon(element, variant)
			got, err := a.Icon(element.ID, variant)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	_, err = a.Icon("purpose_2", "none")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, again := archived(t, r)
	require.Equal(t, data, again)
}

// member is a file in an archive that a hostile program writes.
type member struct {
	zip.FileHeader
	data []byte
}

// rezipped returns an archive with other members, written by another program.
func rezipped(t testing.TB, data []byte, change func([]member) []member) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	var members []member
	for _, f := range in.File {
		r, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		members = append(members, member{zip.FileHeader{
			Name: f.Name, Method: f.Method, CreatorVersion: f.CreatorVersion, ReaderVersion: f.ReaderVersion,
			ModifiedDate: f.ModifiedDate, //nolint:staticcheck // Modified would add an extra field
			CRC32:        f.CRC32, CompressedSize64: f.CompressedSize64, UncompressedSize64: f.UncompressedSize64,
		}, content})
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range change(members) {
		f, err := w.CreateRaw(&m.FileHeader)
		require.NoError(t, err)
		_, err = f.Write(m.data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// TestHostileArchives has archives that an index names, but that no publisher writes: they are
// refused, whatever another program would read in them.
func TestHostileArchives(t *testing.T) {
	r := layouttest.Publications()[4].Release
	_, good := archived(t, r)
	header := func(change func(m *member)) func() []byte {
		return func() []byte {
			return rezipped(t, good, func(members []member) []member {
				change(&members[len(members)-1])
				return members
			})
		}
	}
	require.Equal(t, good, header(func(*member) {})(), "the other program writes the same if it is honest")
	// with adds or replaces a file.
	with := func(name, text string) func() []byte {
		return func() []byte {
			return rezipped(t, good, func(members []member) []member {
				members = slices.DeleteFunc(members, func(m member) bool { return m.Name == name })
				members = append(members, member{zip.FileHeader{
					Name: name, CreatorVersion: 20, ReaderVersion: 20,
					ModifiedDate: 0x21, //nolint:staticcheck // Modified would add an extra field
					CRC32:        crc32.ChecksumIEEE([]byte(text)), CompressedSize64: uint64(len(text)), UncompressedSize64: uint64(len(text)),
				}, []byte(text)})
				slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.Name, b.Name) })
				return members
			})
		}
	}
	var release strings.Builder
	_, err := r.WriteWithoutSymbols(&release)
	require.NoError(t, err)
	require.Equal(t, good, with("release.json", release.String())())
	texts := make(map[string]string)
	for _, id := range r.SymbolIDs() {
		texts[id], _ = r.Symbol(id)
	}
	symbols, err := json.Marshal(texts)
	require.NoError(t, err)
	end := len(good) - 22
	for name, hostile := range map[string]func() []byte{
		"nothing":               func() []byte { return nil },
		"no archive":            func() []byte { return []byte(strings.Repeat("x", 100)) },
		"half of it":            func() []byte { return good[:len(good)/2] },
		"bytes before":          func() []byte { return append([]byte("#!/bin/sh\n"), good...) },
		"bytes after":           func() []byte { return append(bytes.Clone(good), 0) },
		"a comment":             func() []byte { return append(append(bytes.Clone(good[:len(good)-2]), 2, 0), "hi"...) },
		"another archive first": func() []byte { return append(bytes.Clone(good), good...) },
		"more entries than there are": func() []byte {
			data := bytes.Clone(good)
			data[end+8], data[end+10] = data[end+8]+1, data[end+10]+1
			return data
		},
		"ZIP64": func() []byte {
			data := bytes.Clone(good)
			copy(data[end+8:], "\xff\xff\xff\xff")
			return data
		},
		"a local name that differs": func() []byte { return bytes.Replace(good, []byte("release.json"), []byte("release.jsox"), 1) },
		"a listed name that differs": func() []byte {
			at := bytes.LastIndex(good, []byte("release.json"))
			data := bytes.Clone(good)
			data[at+len("release.jso")] = 'x'
			return data
		},
		"no release.json": func() []byte {
			return rezipped(t, good, func(members []member) []member {
				var rest []member
				for _, m := range members {
					if m.Name != "release.json" {
						rest = append(rest, m)
					}
				}
				return rest
			})
		},
		"a name twice": func() []byte {
			return rezipped(t, good, func(members []member) []member { return append(members, members[len(members)-1]) })
		},
		"another order": func() []byte {
			return rezipped(t, good, func(members []member) []member { return append(members[1:], members[0]) })
		},
		"compression": func() []byte {
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			in, err := zip.NewReader(bytes.NewReader(good), int64(len(good)))
			require.NoError(t, err)
			for _, f := range in.File {
				to, err := w.Create(f.Name)
				require.NoError(t, err)
				from, err := f.Open()
				require.NoError(t, err)
				_, err = io.Copy(to, from)
				require.NoError(t, err)
			}
			require.NoError(t, w.Close())
			return out.Bytes()
		},
		"overlapping entries": func() []byte {
			// The last entry of the directory is at the place of the one before.
			data := bytes.Clone(good)
			last := bytes.LastIndex(data, []byte("PK\x01\x02"))
			before := bytes.LastIndex(data[:last], []byte("PK\x01\x02"))
			copy(data[last+42:last+46], data[before+42:before+46])
			return data
		},
		"a time":                   header(func(m *member) { m.ModifiedTime = 1 }),
		"an attribute":             header(func(m *member) { m.ExternalAttrs = 1 << 16 }),
		"a flag":                   header(func(m *member) { m.Flags = 1 << 11 }),
		"an extra field":           header(func(m *member) { m.Extra = []byte{1, 2, 0, 0} }),
		"a comment of a file":      header(func(m *member) { m.Comment = "hi" }),
		"another version":          header(func(m *member) { m.ReaderVersion = 45 }),
		"another checksum":         header(func(m *member) { m.CRC32++ }),
		"a size that is too large": header(func(m *member) { m.UncompressedSize64++ }),
		"a path that leads out":    header(func(m *member) { m.Name = "symbols/../../x.svg" }),
		"an absolute path":         header(func(m *member) { m.Name = "/symbols/x.svg" }),
		"a drive":                  header(func(m *member) { m.Name = `symbols\x.svg` }),
		"a directory": func() []byte {
			return rezipped(t, good, func(members []member) []member {
				return append(members, member{FileHeader: zip.FileHeader{Name: "symbols/t/", CreatorVersion: 20, ReaderVersion: 20, ModifiedDate: 0x21}}) //nolint:staticcheck // Modified would add an extra field
			})
		},
		"an icon of no element":   with("icons/nobody/default.svg", "<svg/>"),
		"an icon of no variant":   with("icons/"+r.ElementIDs()[0]+"/none.svg", "<svg/>"),
		"white space in the JSON": with("release.json", strings.Replace(release.String(), ",", ", ", 1)),
		"another field":           with("release.json", strings.Replace(release.String(), "{", `{"also":1,`, 1)),
		"symbols in the JSON":     with("release.json", strings.TrimSuffix(release.String(), "}")+`,"symbols":`+string(symbols)+"}"),
		"another file": func() []byte {
			return rezipped(t, good, func(members []member) []member {
				return append(members, member{FileHeader: zip.FileHeader{Name: "symbols/x.txt", CreatorVersion: 20, ReaderVersion: 20, ModifiedDate: 0x21}}) //nolint:staticcheck // Modified would add an extra field
			})
		},
		"a symbol too many": func() []byte {
			return rezipped(t, good, func(members []member) []member {
				return append(members, member{FileHeader: zip.FileHeader{Name: "symbols/x.svg", CreatorVersion: 20, ReaderVersion: 20, ModifiedDate: 0x21}}) //nolint:staticcheck // Modified would add an extra field
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := hostile()
			require.NotEqual(t, good, data)
			a, err := reader.Open(named(r, data), data)
			require.Error(t, err)
			require.ErrorContains(t, err, "publish")
			t.Log(err)
			if a != nil {
				require.Nil(t, a.Release)
			}
		})
	}
	_, err = reader.Open(named(r, good), append(bytes.Clone(good), 0))
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
	other := layouttest.Publications()[3].Release
	_, err = reader.Open(named(other, good), good)
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
}

// TestManyIcons shows that a release whose icons do not fit is refused.
func TestManyIcons(t *testing.T) {
	text := taxonomy.Localized{{Locale: "en", Value: "x"}}
	c := taxonomy.Content{
		Title: text, Locales: []string{"en"}, Type: taxonomy.Type{ID: "ai", Categories: []string{"c"}, Subchains: []taxonomy.Subchain{}},
		Categories: []taxonomy.Category{{ID: "c", Name: text, Shape: taxonomy.Circle}}, Symbols: map[string]string{"s": "<svg/>"},
	}
	for i := range 32_500 {
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("c.%06d", i), Title: text, CategoryID: "c", SymbolID: "s", IconVariants: []string{taxonomy.VariantDefault, taxonomy.VariantDark},
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-01-01-beta"), c)
	require.NoError(t, err)
	require.ErrorIs(t, reader.WriteArchive(io.Discard, r, icon), reader.ErrTooManyMembers)
	require.NoError(t, reader.WriteArchive(io.Discard, r, nil))
}

// TestAnnouncedFiles shows that an archive has as many files as it says, of which a ZIP file has only the
// last 16 bits, before memory is allocated for them.
func TestAnnouncedFiles(t *testing.T) {
	r := layouttest.Publications()[4].Release
	_, good := archived(t, r)
	end := bytes.LastIndex(good, []byte("PK\x05\x06"))
	begin := int(binary.LittleEndian.Uint32(good[end+16:]))
	first := good[begin : begin+46+int(binary.LittleEndian.Uint16(good[begin+28:]))]
	hostile := bytes.Clone(good[:end])
	hostile = append(hostile, bytes.Repeat(first, 1<<16)...)
	last := bytes.Clone(good[end:])
	binary.LittleEndian.PutUint32(last[12:], uint32(len(hostile)-begin))
	hostile = append(hostile, last...)
	entry := named(r, hostile)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := reader.Open(entry, hostile)
	runtime.ReadMemStats(&after)
	require.ErrorContains(t, err, "it has no directory of at most 65000 files at its end")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

// FuzzOpen opens archives that an index names: nothing but what a publisher writes is accepted.
func FuzzOpen(f *testing.F) {
	r := layouttest.Publications()[4].Release
	_, good := archived(f, r)
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := reader.Open(named(r, data), data)
		if err != nil {
			return
		}
		require.Equal(t, r.ContentHash(), a.Release.ContentHash())
	})
}
