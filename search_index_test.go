package datachain_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// indexed is a store with search indexes that a test changes.
type indexed struct {
	taxonomy.Store
	change func(data []byte) []byte
}

func (s indexed) SearchIndex(_ context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	x, err := search.Build(r, locale)
	if err != nil {
		return nil, err
	}
	data, err := x.AppendBinary(nil)
	return s.change(data), err
}

// Whatever the store has, a search finds what it should, and what can't be used is
// reported once.
func TestPublishedIndexes(t *testing.T) {
	query := datachain.ElementQuery{Text: "camera personal data"}
	want, err := open(t, "ai@latest").Elements(t.Context(), query)
	require.NoError(t, err)
	require.NotEmpty(t, want.Elements)
	for name, c := range map[string]struct {
		change  func(data []byte) []byte
		reports int
	}{
		"as published": {func(data []byte) []byte { return data }, 0},
		"stale":        {func(data []byte) []byte { data[8]++; return data }, 0},
		"damaged":      {func(data []byte) []byte { data[len(data)/2]++; return data }, 1},
		"truncated":    {func(data []byte) []byte { return data[:len(data)/2] }, 1},
		"forged": {func(data []byte) []byte {
			// Postings without impact, with the right checksum.
			body := data[:len(data)-4]
			const counts = 9 + 4 + len("sha256-") + 64 + 4 + len("en")
			number := func(at int) int { return int(binary.LittleEndian.Uint32(body[at:])) }
			postings := counts + 20 + 12*number(counts+4) + 4*number(counts+12)
			clear(body[postings:][:4*number(counts+16)])
			return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			reports := 0
			s := must(datachain.New(indexed{sampleStore(t), c.change}, &datachain.Options{Report: func(error) { reports++ }}))
			for range 2 {
				got, err := openIn(t, s, "ai@latest").Elements(t.Context(), query)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			require.Equal(t, c.reports, reports)
		})
	}
}

// inParts is a store whose search indexes are read in parts.
type inParts struct {
	indexed
	open func() *io.SectionReader
}

func (s inParts) OpenSearchIndex(context.Context, *taxonomy.Release, string) (*io.SectionReader, error) {
	return s.open(), nil
}

// readerAt is a function that reads.
type readerAt func(data []byte, at int64) (int, error)

func (f readerAt) ReadAt(data []byte, at int64) (int, error) { return f(data, at) }

// An index whose file fails while it is searched is replaced: by that of the new file if
// there is one, otherwise by one that is built.
func TestIndexesInParts(t *testing.T) {
	store, version := manyElements(t)
	query := datachain.ElementQuery{Text: "camera number7"}
	want, err := openIn(t, must(datachain.New(store, nil)), version).Elements(t.Context(), query)
	require.NoError(t, err)
	require.NotEmpty(t, want.Elements)
	data, err := indexed{store, func(data []byte) []byte { return data }}.SearchIndex(t.Context(), openIn(t, must(datachain.New(store, nil)), version).Release(), "en")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		fails   func(opened, read int) error
		opened  int
		reports int
	}{
		"readable":        {func(int, int) error { return nil }, 1, 0},
		"replaced":        {func(opened, read int) error { return failure(opened == 1 && read > 5, taxonomy.ErrNotFound) }, 2, 0},
		"removed":         {func(opened, read int) error { return failure(opened > 1 || read > 5, taxonomy.ErrNotFound) }, 2, 0},
		"never readable":  {func(int, int) error { return io.ErrNoProgress }, 1, 1},
		"failing later":   {func(_, read int) error { return failure(read > 5, io.ErrNoProgress) }, 1, 1},
		"replaced always": {func(_, read int) error { return failure(read > 5, taxonomy.ErrNotFound) }, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			reports, opened := 0, 0
			s := must(datachain.New(inParts{indexed{Store: store}, func() *io.SectionReader {
				opened++
				this, read := opened, 0
				return io.NewSectionReader(readerAt(func(p []byte, at int64) (int, error) {
					read++
					if err := c.fails(this, read); err != nil {
						return 0, err
					}
					return bytes.NewReader(data).ReadAt(p, at)
				}), 0, int64(len(data)))
			}}, &datachain.Options{Report: func(error) { reports++ }}))
			for range 2 {
				got, err := openIn(t, s, version).Elements(t.Context(), query)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			require.Equal(t, c.reports, reports)
			require.Equal(t, c.opened, opened)
		})
	}
}

func failure(fails bool, err error) error {
	if fails {
		return err
	}
	return nil
}

// manyElements returns a store with so many elements that their search index is not read
// at once.
func manyElements(t *testing.T) (taxonomy.Store, string) {
	t.Helper()
	in := func(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: text}} }
	c := taxonomy.Content{
		Title: in("Many"), Locales: []string{"en"},
		Symbols:    map[string]string{"s": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M9 9v18"/></svg>`},
		Type:       taxonomy.Type{ID: "many", Categories: []string{"c"}, Subchains: []taxonomy.Subchain{}},
		Categories: []taxonomy.Category{{ID: "c", Name: in("C"), Description: in("C"), Shape: taxonomy.Circle}},
	}
	for i := range 8000 {
		var text strings.Builder
		for k := range 40 {
			fmt.Fprintf(&text, "number%d ", (i*i/3+k*k*7+k*i)%400)
		}
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("e%05d", i), CategoryID: "c", SymbolID: "s", Title: in("A camera"), Description: in(text.String()),
			IconVariants: []string{taxonomy.VariantDefault, taxonomy.VariantDark}, Variables: []taxonomy.Variable{},
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("many@2026-09-01-stable"), c)
	require.NoError(t, err)
	store, err := memstore.New(taxonomy.Publication{Release: r})
	require.NoError(t, err)
	return store, r.Version().String()
}
