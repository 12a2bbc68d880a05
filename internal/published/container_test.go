package published_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/published"
)

// section is a section to write.
type section struct{ name, text string }

// packed returns a pack of sections.
func packed(t testing.TB, sections ...section) []byte {
	t.Helper()
	var out bytes.Buffer
	w := published.NewPackWriter(&out)
	for _, s := range sections {
		require.NoError(t, w.Begin(s.name))
		_, err := io.WriteString(w, s.text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestSections(t *testing.T) {
	for _, sections := range [][]section{
		nil,
		{{"a", ""}},
		{{"a", "1"}, {"b", ""}, {"c", "12345678"}, {"d", "123456789"}},
		{{"icons", "i"}, {"later", "?"}, {"release", "r"}, {"search/en", "s"}, {"symbols", "x"}},
		{{strings.Repeat("n", published.MaxSection), "long name"}},
	} {
		data := packed(t, sections...)
		require.Equal(t, data, packed(t, sections...), "the same sections give the same bytes")
		p, err := published.OpenContainer(data)
		require.NoError(t, err)
		var got []section
		for name, text := range p.Sections() {
			got = append(got, section{name, string(text)})
			assert.Len(t, text, cap(text), "appending to %s must not change the next section", name)
		}
		require.Equal(t, sections, got)
		for _, s := range sections {
			text, ok := p.Section(s.name)
			require.True(t, ok, s.name)
			require.Equal(t, s.text, string(text))
		}
		_, ok := p.Section("missing")
		require.False(t, ok)
	}
}

// TestBytes has the format as docs/internals/pack-format.md specifies it.
func TestBytes(t *testing.T) {
	want := "" +
		"89 44 43 50 41 43 4b 0a  01 00 00 00 00 00 00 00" + // header
		"01 02 03 00 00 00 00 00" + // section a
		"ff 00 00 00 00 00 00 00" + // section bc
		"10 00 00 00 00 00 00 00  03 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00" +
		"18 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00  02 00 00 00 00 00 00 00" +
		"61 62 63 00 00 00 00 00" + // names
		"20 00 00 00 00 00 00 00  02 00 00 00 03 00 00 00" + // footer
		"78 00 00 00 00 00 00 00  44 43 50 4b 45 4e 44 0a"
	got := packed(t, section{"a", "\x01\x02\x03"}, section{"bc", "\xff"})
	require.Equal(t, strings.ReplaceAll(want, " ", ""), hex.EncodeToString(got))
}

func TestWriterRefuses(t *testing.T) {
	for name, use := range map[string]func(w *published.PackWriter) error{
		"write before a section": func(w *published.PackWriter) error { _, err := w.Write([]byte("x")); return err },
		"name too long":          func(w *published.PackWriter) error { return w.Begin(strings.Repeat("x", published.MaxSection+1)) },
		"empty name":             func(w *published.PackWriter) error { return w.Begin("") },
		"same name":              func(w *published.PackWriter) error { return errors.Join(w.Begin("b"), w.Begin("b")) },
		"wrong order":            func(w *published.PackWriter) error { return errors.Join(w.Begin("b"), w.Begin("a")) },
		"use after close":        func(w *published.PackWriter) error { return errors.Join(w.Close(), w.Begin("a")) },
	} {
		w := published.NewPackWriter(io.Discard)
		require.Error(t, use(w), name)
		require.Error(t, w.Close(), "%s: the error stays", name)
	}
}

// full is a writer that has no room left after n bytes.
type full struct{ n int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	n := min(f.n, len(p))
	f.n -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestWriterFails lets writing fail at every byte.
func TestWriterFails(t *testing.T) {
	write := func(out io.Writer) error {
		w := published.NewPackWriter(out)
		_ = w.Begin(published.IconsSection)
		if err := published.WriteTable(w, contents(map[string]string{"a": "1", "b": "2"})); err != nil {
			return errors.Join(err, w.Close())
		}
		_ = w.Begin(published.SymbolsSection)
		_, _ = w.Write([]byte("x"))
		return w.Close()
	}
	var whole bytes.Buffer
	require.NoError(t, write(&whole))
	for n := range whole.Len() {
		require.ErrorIs(t, write(&full{n}), errFull, n)
	}
}

// TestOpenRefuses changes a pack and expects that it is refused.
func TestOpenRefuses(t *testing.T) {
	data := packed(t, section{"a", "123"}, section{"b", "12345678"}, section{"c", ""})
	for n := range data {
		_, err := published.OpenContainer(data[:n])
		require.ErrorIs(t, err, published.ErrPack, "cut to %d bytes", n)
	}
	_, err := published.OpenContainer(append(bytes.Clone(data), make([]byte, 8)...))
	require.ErrorIs(t, err, published.ErrPack)
	_, err = published.OpenContainer(append(bytes.Clone(data), data[len(data)-32:]...))
	require.ErrorIs(t, err, published.ErrPack)

	newer := bytes.Clone(data)
	binary.LittleEndian.PutUint32(newer[8:], published.PackFormat+1)
	_, err = published.OpenContainer(newer)
	require.ErrorIs(t, err, published.ErrFormat)

	// Every number of the directory and the footer is checked.
	for at := 16 + 8 + 8; at < len(data); at++ {
		for _, bit := range []byte{0x01, 0x80} {
			changed := bytes.Clone(data)
			changed[at] ^= bit
			p, err := published.OpenContainer(changed)
			if err != nil {
				continue
			}
			// What remains are names, lengths within the padding, and padding.
			total := 0
			for _, text := range p.Sections() {
				total += len(text)
			}
			assert.Less(t, total, 3+8+8, "byte %d", at)
		}
	}
}

// contents returns a table with the values of keys, each distinct one once.
func contents(values map[string]string) published.Contents {
	var c published.Contents
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		i := slices.Index(texts, values[key])
		if i < 0 {
			i = len(texts)
			texts, c.Sizes = append(texts, values[key]), append(c.Sizes, len(values[key]))
		}
		c.Keys, c.Shares = append(c.Keys, key), append(c.Shares, uint32(i))
	}
	c.WriteValues = func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(texts, ""))
		return err
	}
	return c
}

func table(t testing.TB, values map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, published.WriteTable(&out, contents(values)))
	return out.Bytes()
}

func TestTable(t *testing.T) {
	large := make(map[string]string)
	for i := range 20_000 {
		large[fmt.Sprintf("element.%d/default", i)] = fmt.Sprintf("<svg>%d</svg>", i%300)
	}
	for _, values := range []map[string]string{
		{}, {"": ""}, {"a": ""}, {"a": "x", "b": "x", "ab": "y"}, large,
	} {
		opened, err := published.OpenTable(table(t, values))
		require.NoError(t, err)
		require.Equal(t, len(values), opened.Len())
		got := make(map[string]string)
		for key, value := range opened.All() {
			got[key] = string(value)
		}
		require.Equal(t, values, got)
		for key, value := range values {
			got, ok := opened.Get(key)
			require.True(t, ok, key)
			require.Equal(t, value, string(got))
			require.Len(t, got, cap(got))
		}
		for _, key := range []string{"0", "aa", "element.7", "element.7/default ", "zzz"} {
			_, ok := opened.Get(key)
			require.False(t, ok, key)
		}
	}
	opened, err := published.OpenTable(table(t, large))
	require.NoError(t, err)
	require.Equal(t, 300, opened.Values(), "each distinct value once")
	_, ok := published.Table{}.Get("a")
	require.False(t, ok)
}

func TestTableBytes(t *testing.T) {
	want := "" +
		"03 00 00 00 02 00 00 00  04 00 00 00 00 00 00 00" + // three keys, two values, four bytes of keys
		"01 00 00 00 03 00 00 00 04 00 00 00" + // ends of keys
		"00 00 00 00 01 00 00 00 00 00 00 00" + // values of keys
		"01 00 00 00 00 00 00 00  03 00 00 00 00 00 00 00" + // ends of values
		"61 61 62 62 00 00 00 00" + // a, ab, b
		"78 79 79" // x, yy
	got := table(t, map[string]string{"a": "x", "b": "x", "ab": "yy"})
	require.Equal(t, strings.ReplaceAll(want, " ", ""), hex.EncodeToString(got))
}

func TestWriteTableRefuses(t *testing.T) {
	for name, c := range map[string]published.Contents{
		"keys without values": {Keys: []string{"a"}},
		"unknown value":       {Keys: []string{"a"}, Shares: []uint32{0}},
		"wrong order":         {Keys: []string{"b", "a"}, Shares: []uint32{0, 0}, Sizes: []int{0}},
		"twice":               {Keys: []string{"a", "a"}, Shares: []uint32{0, 0}, Sizes: []int{0}},
		"too few bytes":       {Keys: []string{"a"}, Shares: []uint32{0}, Sizes: []int{1}},
		"negative size":       {Sizes: []int{-1}},
	} {
		assert.Error(t, published.WriteTable(io.Discard, c), name)
	}
}

func TestOpenTableRefuses(t *testing.T) {
	data := table(t, map[string]string{"a": "x", "b": "x", "ab": "yy"})
	for n := range data {
		_, err := published.OpenTable(data[:n])
		require.ErrorIs(t, err, published.ErrPack, n)
	}
	_, err := published.OpenTable(append(bytes.Clone(data), 0))
	require.ErrorIs(t, err, published.ErrPack)
}

// brokenReader fails from an offset on.
type brokenReader struct {
	data []byte
	good int64
}

var errDisk = errors.New("disk on fire")

func (b brokenReader) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > b.good {
		return 0, errDisk
	}
	return bytes.NewReader(b.data).ReadAt(p, at)
}

// TestReadSection reads the sections of a file one by one.
func TestReadSection(t *testing.T) {
	var out bytes.Buffer
	w := published.NewPackWriter(&out)
	for _, name := range []string{"a", "b", "c"} {
		require.NoError(t, w.Begin(name))
		_, err := w.Write([]byte(strings.Repeat(name, 100)))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	file := bytes.NewReader(out.Bytes())
	d, err := published.ReadDirectory(file, file.Size())
	require.NoError(t, err)
	for _, name := range []string{"a", "b", "c"} {
		data, ok, err := d.ReadSection(file, name)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, strings.Repeat(name, 100), string(data))
	}
	_, ok, err := d.ReadSection(file, "d")
	require.NoError(t, err)
	require.False(t, ok)
	for _, good := range []int64{0, 20, file.Size() - 1} {
		_, err := published.ReadDirectory(brokenReader{out.Bytes(), good}, file.Size())
		require.ErrorIs(t, err, errDisk)
	}
	_, ok, err = d.ReadSection(brokenReader{out.Bytes(), 150}, "b")
	require.ErrorIs(t, err, errDisk)
	require.False(t, ok)
	_, err = published.ReadDirectory(file, file.Size()-8)
	require.ErrorIs(t, err, published.ErrPack)
}
