package search_test

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// stored builds a small index and serializes it.
func stored(t testing.TB) (*taxonomy.Release, []byte) {
	t.Helper()
	r := release(t, "en",
		doc{title: "Camera", description: "Takes pictures of the street", keywords: "video film"},
		doc{title: "Microphone", description: "Records sound in the street"},
		doc{category: "b", title: "Street cameras", description: "More than one camera"},
		doc{category: "c", title: "Données", description: "個人情報 {{who}}"},
	)
	data, err := build(t, r).AppendBinary(nil)
	require.NoError(t, err)
	return r, data
}

// repaired sets the checksum of changed bytes.
func repaired(data []byte) []byte {
	body := data[:len(data)-4]
	return binary.LittleEndian.AppendUint32(slices.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

// trial searches an untrusted index in many ways. Nothing may panic, and results must be
// consistent, whatever the scores.
func trial(t testing.TB, x *search.Index) {
	t.Helper()
	elements := x.Release().Elements()
	for _, q := range []search.Query{
		{Text: "camera street"},
		{Text: "c"},
		{Text: "camrea microphnoe", Limit: 1},
		{Text: "個人情報", Whole: true},
		{Text: "the street video donnees", Offset: 1},
		{Text: "camera", Categories: []string{"b", "c"}},
	} {
		got := x.Search(q)
		require.LessOrEqual(t, got.Total, len(elements))
		require.LessOrEqual(t, len(got.Hits), got.Total)
		seen := map[string]bool{}
		for i, h := range got.Hits {
			require.Contains(t, elements, h.Element)
			require.False(t, seen[h.Element.ID], "an element is found twice")
			seen[h.Element.ID] = true
			require.Positive(t, h.Score)
			require.True(t, i == 0 || h.Score <= got.Hits[i-1].Score, "the order is wrong")
			checkPlaces(t, x, h.Element, x.Places(h.Element, q))
		}
	}
}

func TestLoad(t *testing.T) {
	for _, version := range []string{"ai@latest", "ai@latest-beta", "sensor@latest"} {
		r := sample(t, version)
		for _, locale := range r.Locales() {
			t.Run(version+" "+locale, func(t *testing.T) {
				built, err := search.Build(r, locale)
				require.NoError(t, err)
				data, err := built.AppendBinary([]byte("before"))
				require.NoError(t, err)
				require.Equal(t, "before", string(data[:6]))
				loaded, err := search.Load(r, data[6:])
				require.NoError(t, err)
				require.Equal(t, locale, loaded.Locale())
				require.Equal(t, built.Terms(), loaded.Terms())
				require.Same(t, r, loaded.Release())
				clear(data) // the index does not hold on to it
				for _, text := range []string{"camera", "données personnelles", "datos d", "privcay", "le la les the", "vidoe surveilance"} {
					q := search.Query{Text: text}
					got := loaded.Search(q)
					require.Equal(t, built.Search(q), got, text)
					for _, h := range got.Hits {
						require.Equal(t, built.Places(h.Element, q), loaded.Places(h.Element, q))
					}
				}
				again, err := loaded.AppendBinary(nil)
				require.NoError(t, err)
				once, err := built.AppendBinary(nil)
				require.NoError(t, err)
				require.Equal(t, once, again)
				opened, err := search.Open(r, once)
				require.NoError(t, err)
				again, err = opened.AppendBinary(nil)
				require.NoError(t, err)
				require.Equal(t, once, again)
			})
		}
	}
}

// TestLoadPromoted checks that an index belongs to content, not to a version.
func TestLoadPromoted(t *testing.T) {
	r, data := stored(t)
	promoted, err := r.WithVersion(taxonomy.MustVersion("test@2026-09-01-stable"))
	require.NoError(t, err)
	x, err := search.Load(promoted, data)
	require.NoError(t, err)
	require.Same(t, promoted, x.Release())
}

func TestLoadRefuses(t *testing.T) {
	r, data := stored(t)
	other := release(t, "en", doc{title: "Something else"})
	change := func(at int, to ...byte) []byte {
		changed := slices.Clone(data)
		copy(changed[at:], to)
		return repaired(changed)
	}
	const locale = 9 + 4 + len("sha256-") + 64 + 4 // its position, after its length
	const counts = locale + len("en")
	for _, c := range []struct {
		name  string
		r     *taxonomy.Release
		data  []byte
		want  error
		wants string
	}{
		{"other content", other, data, search.ErrStale, "content"},
		{"other format", r, change(8, 1), search.ErrStale, "format version 1, want 3"},
		{"other format, of any length", r, append([]byte("dcsearch\xff"), 1, 2, 3, 4, 5), search.ErrStale, "version 255"},
		{"nothing", r, nil, search.ErrCorrupt, "corrupt"},
		{"no index", r, []byte(`{"this": "is JSON"}`), search.ErrCorrupt, "corrupt"},
		{"no checksum", r, data[:len(data)-4], search.ErrCorrupt, "checksum"},
		{"more behind", r, append(slices.Clone(data), 0), search.ErrCorrupt, "checksum"},
		{"more behind, repaired", r, repaired(append(slices.Clone(data), 0)), search.ErrCorrupt, "length"},
		{"another locale", r, change(locale, 'f', 'r'), search.ErrCorrupt, `no locale "fr"`},
		{"more elements", r, change(counts, 5), search.ErrCorrupt, "number of elements"},
		{"more terms", r, change(counts+4, 255, 255, 255, 255), search.ErrCorrupt, "length"},
		{"longer terms", r, change(counts+8, 255, 255, 255, 255), search.ErrCorrupt, "length"},
		{"more blocks", r, change(counts+12, 255, 255, 255, 255), search.ErrCorrupt, "length"},
		{"a third of them", r, change(counts+12, 0x56, 0x55, 0x55, 0x55), search.ErrCorrupt, "length"},
		{"more postings", r, change(counts+16, 255, 255, 255, 255), search.ErrCorrupt, "length"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := search.Load(c.r, c.data)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.wants)
			require.ErrorContains(t, err, "search: index of test@2026-09-01-beta: ")
			require.Nil(t, x)
		})
	}
}

// TestLoadChecks changes single numbers of an index of one term in 600 elements, that is in
// two windows, and sets the checksum.
func TestLoadChecks(t *testing.T) {
	docs := make([]doc, 600)
	for i := range docs {
		docs[i].title = "camera"
	}
	r := release(t, "en", docs...)
	data, err := build(t, r).AppendBinary(nil)
	require.NoError(t, err)
	const counts = 9 + 4 + len("sha256-") + 64 + 4 + len("en")
	const ends, lasts, blocks, postings = counts + 20, counts + 24, counts + 32, counts + 40
	require.Equal(t, uint32(1), binary.LittleEndian.Uint32(data[counts+4:]), "terms")
	require.Equal(t, uint32(2), binary.LittleEndian.Uint32(data[counts+12:]), "blocks")
	require.Equal(t, uint32(600), binary.LittleEndian.Uint32(data[counts+16:]), "postings")
	first := binary.LittleEndian.Uint32(data[postings:])
	block, next := binary.LittleEndian.Uint32(data[blocks:]), binary.LittleEndian.Uint32(data[blocks+4:])
	const window, count = 1 << 20, 1 << 11 // one of each, in a block
	for _, c := range []struct {
		name  string
		at    int
		to    uint32
		wants string
	}{
		{"the end of a term, before that of the text", ends, 5, "boundaries of terms"},
		{"beyond it", ends, 7, "boundaries of terms"},
		{"a term of no block", lasts, 0, "no postings"},
		{"fewer blocks", lasts, 1, "without a term"},
		{"more blocks", lasts, 3, "no postings"},
		{"a term of no posting", lasts + 4, 0, "no postings"},
		{"fewer postings", lasts + 4, 599, "without a term"},
		{"more postings", lasts + 4, 601, "no postings"},
		{"a window that is another's", blocks + 4, next - window, "out of order"},
		{"a window that is none", blocks + 4, next + window, "without an element"},
		{"a window far beyond", blocks + 4, next | 0xFFF*window, "without an element"},
		{"a shorter block", blocks, block - count, "out of order"},
		{"a block beyond the postings", blocks + 4, next + count, "out of order"},
		{"postings of no block", blocks + 4, next - count, "without a block"},
		{"a higher maximum", blocks, block + 1, "maximum"},
		{"a higher impact", postings, first | 1<<22, "maximum"},
		{"an element twice", postings + 4, first, "out of order"},
		{"an element that is not there", postings + 599*4, 511<<23 | 1, "without an element"},
		{"no impact", postings, first >> 23 << 23, "without impact"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := slices.Clone(data)
			binary.LittleEndian.PutUint32(changed[c.at:], c.to)
			_, err := search.Load(r, repaired(changed))
			require.ErrorIs(t, err, search.ErrCorrupt)
			require.ErrorContains(t, err, c.wants)
			x, err := search.Open(r, repaired(changed))
			if err == nil {
				require.NoError(t, x.Err())
				require.Empty(t, x.Search(search.Query{Text: "camera"}).Hits, "invalid postings are ignored")
				err = x.Err()
			}
			require.ErrorIs(t, err, search.ErrCorrupt)
			require.ErrorContains(t, err, c.wants)
		})
	}
}

// TestLoadTruncated truncates an index at every position, with and without a valid checksum.
func TestLoadTruncated(t *testing.T) {
	r, data := stored(t)
	for n := range data {
		_, err := search.Load(r, data[:n])
		require.Error(t, err, "%d bytes", n)
		if n >= 4 {
			_, err = search.Load(r, repaired(data[:n]))
			require.Error(t, err, "%d bytes, repaired", n)
		}
	}
}

// TestLoadDamaged changes every byte. With the old checksum that is always detected; with
// a new one, what loads can be searched.
func TestLoadDamaged(t *testing.T) {
	r, data := stored(t)
	loaded := 0
	for i := range data {
		if testing.Short() && i%16 != 0 {
			continue
		}
		for _, to := range []byte{0, 1, 2, 0x7f, 0x80, 0xff, data[i] + 1, data[i] - 1, data[i] ^ 0x10} {
			if to == data[i] {
				continue
			}
			changed := slices.Clone(data)
			changed[i] = to
			_, err := search.Load(r, changed)
			require.Error(t, err, "byte %d", i)
			if x, err := search.Open(r, repaired(changed)); err == nil {
				trial(t, x)
			}
			if x, err := search.Load(r, repaired(changed)); err == nil {
				loaded++
				trial(t, x)
			} else if !isRefusal(err) {
				require.Fail(t, "an error of no kind", "byte %d: %v", i, err)
			}
		}
	}
	require.Positive(t, loaded, "of %d bytes, none could be changed", len(data))
}

// TestOpenConcurrently compares an opened index with the one that was stored, for many queries at a
// time: postings are decoded once.
func TestOpenConcurrently(t *testing.T) {
	r := release(t, "en", newCorpus(1, 1200).docs...)
	built := build(t, r)
	data, err := built.AppendBinary(nil)
	require.NoError(t, err)
	opened, err := search.Open(r, data)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, text := range []string{"camera", "camera data", "cam", "camrea", "the of a", "caméra oeuvre", "d"} {
				for _, q := range []search.Query{{Text: text}, {Text: text, Limit: 200}, {Text: text, Whole: true, Categories: []string{"a"}}} {
					assert.Equal(t, built.Search(q), opened.Search(q), text)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, opened.Err())
	require.NoError(t, built.Err())
	_, err = search.Open(release(t, "en", doc{title: "other"}), data)
	require.ErrorIs(t, err, search.ErrStale)
}
