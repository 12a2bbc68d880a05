package search_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// file is an index in a file that counts what is read, and fails if it should.
type file struct {
	*bytes.Reader
	read atomic.Int64
	fail atomic.Pointer[error]
}

func (f *file) ReadAt(data []byte, at int64) (int, error) {
	if err := f.fail.Load(); err != nil {
		return 0, *err
	}
	n, err := f.Reader.ReadAt(data, at)
	f.read.Add(int64(n))
	return n, err
}

// large returns an index that is not read at once: of 500 words, each element has 40.
var large = sync.OnceValues(func() (*search.Index, []byte) {
	words := []string{"camera", "cameras", "caméra", "data", "œuvre", "the", "of", "目的"}
	for i := len(words); i < 500; i++ {
		words = append(words, fmt.Sprintf("%c%d", 'a'+i%26, i))
	}
	docs := make([]doc, 9000)
	for i := range docs {
		var text strings.Builder
		for k := range 40 {
			text.WriteString(words[(i*i/3+k*k*7+k*i)%len(words)] + " ")
		}
		docs[i] = doc{category: fmt.Sprintf("c%d", i/3000), title: words[i%len(words)], description: text.String()}
	}
	x := build(must{}, release(must{}, "en", docs...))
	data, _ := x.AppendBinary(nil) // it is not the zero Index
	return x, data
})

// must is for what is made once for several tests: it panics instead of failing one.
type must struct{ testing.TB }

func (must) Helper()                           {}
func (must) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (must) FailNow()                          { panic("this must not fail") }

// openLarge opens it as a file.
func openLarge(t *testing.T) (*search.Index, *file) {
	t.Helper()
	built, data := large()
	f := &file{Reader: bytes.NewReader(data)}
	x, err := search.OpenAt(built.Release(), f, f.Size())
	require.NoError(t, err)
	return x, f
}

// TestOpenAtConcurrently compares an index that is read in parts with the one that was stored, for many
// queries at a time.
func TestOpenAtConcurrently(t *testing.T) {
	built, data := large()
	x, f := openLarge(t)
	require.Less(t, f.read.Load(), f.Size()/8, "only the terms are read")
	x.Search(search.Query{Text: "oeuvre", Whole: true})
	require.Less(t, f.read.Load(), f.Size()/2, "and then the postings of a word")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, text := range []string{"camera", "camera data", "cam", "camrea", "the of a", "caméra oeuvre", "d", "的"} {
				for _, q := range []search.Query{{Text: text}, {Text: text, Limit: 200}, {Text: text, Whole: true, Categories: []string{"c0"}}} {
					assert.Equal(t, built.Search(q), x.Search(q), text)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, x.Err())
	read := f.read.Load()
	x.Search(search.Query{Text: "camera data"})
	require.Equal(t, read, f.read.Load(), "what was read is kept")
	again, err := x.AppendBinary([]byte("before"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, again[len("before"):]))
}

// TestOpenAtSmall shows that a small index is read once, with its checksum.
func TestOpenAtSmall(t *testing.T) {
	r, data := stored(t)
	f := &file{Reader: bytes.NewReader(data)}
	x, err := search.OpenAt(r, f, f.Size())
	require.NoError(t, err)
	failed := io.ErrUnexpectedEOF
	f.fail.Store(&failed)
	require.NotEmpty(t, x.Search(search.Query{Text: "camera street"}).Hits)
	require.NoError(t, x.Err())
	data[len(data)/2]++
	_, err = search.OpenAt(r, bytes.NewReader(data), int64(len(data)))
	require.ErrorIs(t, err, search.ErrCorrupt)
	_, err = search.OpenAt(r, f, f.Size())
	require.ErrorIs(t, err, failed)
}

// TestOpenAtFails lets reading fail after an index was opened.
func TestOpenAtFails(t *testing.T) {
	x, f := openLarge(t)
	want := x.Search(search.Query{Text: "camera"})
	require.NotEmpty(t, want.Hits)
	failed := errors.New("the disk is gone")
	f.fail.Store(&failed)
	require.Equal(t, want, x.Search(search.Query{Text: "camera"}), "it was read before")
	require.NoError(t, x.Err())
	x.Search(search.Query{Text: "d"})
	require.ErrorIs(t, x.Err(), failed)
	require.NotErrorIs(t, x.Err(), search.ErrCorrupt)
	_, err := x.AppendBinary(nil)
	require.ErrorIs(t, err, failed)
	_, err = search.OpenAt(x.Release(), f, f.Size())
	require.ErrorIs(t, err, failed)
}

// TestOpenAtTruncated opens a file that is shorter than it was said to be.
func TestOpenAtTruncated(t *testing.T) {
	built, data := large()
	for _, n := range []int{0, 1, 100, 5000, len(data) / 3, len(data) - 5} {
		_, err := search.OpenAt(built.Release(), bytes.NewReader(data[:n]), int64(len(data)))
		require.Error(t, err, "%d bytes", n)
		_, err = search.OpenAt(built.Release(), bytes.NewReader(data[:n]), int64(n))
		require.ErrorIs(t, err, search.ErrCorrupt, "%d bytes", n)
	}
	_, err := search.OpenAt(sample(t, "ai@latest"), bytes.NewReader(data), int64(len(data)))
	require.ErrorIs(t, err, search.ErrStale)
}

// TestOpenPartsDamaged changes every byte of an index whose checksum is not computed: it is
// refused, or can be searched.
func TestOpenPartsDamaged(t *testing.T) {
	r, data := stored(t)
	opened := 0
	for i := range data {
		for _, to := range []byte{0, 0xff, data[i] + 1, data[i] ^ 0x10} {
			changed := slices.Clone(data)
			changed[i] = to
			x, err := openParts(r, changed)
			if err != nil {
				require.True(t, isRefusal(err), "byte %d: %v", i, err)
				continue
			}
			opened++
			trial(t, x)
			require.True(t, x.Err() == nil || isRefusal(x.Err()))
		}
		x, err := openParts(r, data[:i])
		require.ErrorIs(t, err, search.ErrCorrupt)
		require.Nil(t, x)
	}
	require.Positive(t, opened)
}

func openParts(r *taxonomy.Release, data []byte) (*search.Index, error) {
	return search.OpenParts(r, bytes.NewReader(data), int64(len(data)))
}

// TestAllHits compares the hits of a query that returns all of many with those that are asked
// for in parts.
func TestAllHits(t *testing.T) {
	x, _ := large()
	var long strings.Builder // with scores above 64
	for i := 26; i < 26+60; i++ {
		fmt.Fprintf(&long, "%c%d ", 'a'+i%26, i)
	}
	for _, text := range []string{"camera", "the data", "a26 b27 目的", long.String()} {
		all := x.Search(search.Query{Text: text, Limit: 1 << 20})
		require.Greater(t, all.Total, 1500)
		require.Len(t, all.Hits, all.Total)
		positions := x.Positions(search.Query{Text: text, Limit: 1 << 20})
		require.Len(t, positions, all.Total)
		for i, h := range all.Hits {
			require.Equal(t, h.Position, int(positions[i]))
		}
		var parts []search.Hit
		for len(parts) < all.Total {
			part := x.Search(search.Query{Text: text, Offset: len(parts), Limit: 997})
			require.Equal(t, all.Total, part.Total)
			require.NotEmpty(t, part.Hits)
			parts = append(parts, part.Hits...)
		}
		require.True(t, slices.Equal(parts, all.Hits), text)
		require.True(t, slices.IsSortedFunc(all.Hits, func(a, b search.Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Position, b.Position))
		}), text)
	}
}
