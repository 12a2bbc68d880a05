package taxonomy_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// formOf returns the serialized form of a release.
func formOf(t testing.TB, r *taxonomy.Release) []byte {
	t.Helper()
	data, err := r.AppendForm([]byte("before"))
	require.NoError(t, err)
	return data[len("before"):]
}

// openForm opens a release.json with a form.
func openForm(form, text []byte, symbols map[string]string, verified bool) (*taxonomy.Release, error) {
	return taxonomy.OpenForm(form, bytes.NewReader(text), int64(len(text)), symbols, verified)
}

// requireSame compares all that two releases return.
func requireSame(t testing.TB, want, got *taxonomy.Release) {
	t.Helper()
	require.Equal(t, string(releaseJSON(t, want)), string(releaseJSON(t, got)))
	require.Equal(t, want.Manifest(), got.Manifest())
	require.Equal(t, want.Type(), got.Type())
	require.Equal(t, want.Categories(), got.Categories())
	require.Equal(t, want.ElementIDs(), got.ElementIDs())
	for i, e := range want.Elements() {
		require.Equal(t, e, got.ElementRange(i, i+1)[0])
		found, ok := got.Element(e.ID)
		require.True(t, ok)
		require.Same(t, got.ElementRange(i, i+1)[0], found)
		require.Equal(t, want.ElementJSON(e.ID), got.ElementJSON(e.ID))
	}
	require.Equal(t, want.Elements(), got.Elements())
	for _, c := range want.Categories() {
		begin, end := got.CategoryRange(c.ID)
		require.Equal(t, want.ElementsOf(c.ID), got.ElementsOf(c.ID))
		require.Len(t, want.ElementsOf(c.ID), end-begin)
	}
	require.Equal(t, symbols(want), symbols(got))
	require.Equal(t, string(snapshot(t, want, want.ElementIDs()...)), string(snapshot(t, got, got.ElementIDs()...)))
	proof, err := got.Prove([]string{"manifest"})
	require.NoError(t, err)
	require.NoError(t, proof.Verify(want.ContentHash(), want.Leaves(), bodiesOf(t, want, []string{"manifest"})))
}

// empty returns a release with neither categories nor elements.
func empty(t testing.TB) *taxonomy.Release {
	t.Helper()
	c := content()
	c.Type.Categories, c.Type.Subchains, c.Categories, c.Elements = []string{}, nil, nil, nil
	r, err := taxonomy.NewRelease(beta, c)
	require.NoError(t, err)
	return r
}

func TestFormOpensTheSameRelease(t *testing.T) {
	for name, r := range map[string]*taxonomy.Release{"sample": release(t), "empty": empty(t), "large": largeRelease(t, 600)} {
		t.Run(name, func(t *testing.T) {
			form, text := formOf(t, r), releaseJSON(t, r)
			decoded, err := taxonomy.DecodeRelease(text, symbols(r))
			require.NoError(t, err)
			for _, verified := range []bool{false, true} {
				opened, err := openForm(form, text, symbols(r), verified)
				require.NoError(t, err)
				require.Equal(t, form, formOf(t, opened), "a form of an opened release is the same")
				requireSame(t, decoded, opened)
				_, ok := opened.Element("nobody")
				require.False(t, ok)
			}
		})
	}
}

// The form does not depend on the version, so that promoting a beta can keep it.
func TestFormOfAnotherVersion(t *testing.T) {
	r := release(t)
	promoted, err := r.WithVersion(taxonomy.MustVersion("ai@2027-01-01-stable"))
	require.NoError(t, err)
	require.Equal(t, formOf(t, r), formOf(t, promoted))
	opened, err := openForm(formOf(t, r), releaseJSON(t, promoted), symbols(r), false)
	require.NoError(t, err)
	requireSame(t, promoted, opened)
	again, err := opened.WithVersion(r.Version())
	require.NoError(t, err)
	requireSame(t, r, again)
}

// An element is decoded once, whoever asks first.
func TestFormConcurrently(t *testing.T) {
	r := largeRelease(t, 700)
	opened, err := openForm(formOf(t, r), releaseJSON(t, r), symbols(r), false)
	require.NoError(t, err)
	seen := make([][]*taxonomy.Element, 4)
	var wg sync.WaitGroup
	for g := range seen {
		wg.Go(func() {
			seen[g] = make([]*taxonomy.Element, 700)
			for i := range seen[g] {
				at := (i*3 + g*201) % 700
				seen[g][at] = opened.ElementRange(at, at+1)[0]
				if i == 300 {
					_ = opened.ElementsOf("category-03")
				}
				if i == 500 && g == 2 {
					_ = opened.Elements()
				}
			}
		})
	}
	wg.Wait()
	for _, list := range seen {
		for i, e := range list {
			require.Same(t, opened.ElementRange(i, i+1)[0], e)
		}
	}
	requireSame(t, r, opened)
}

// Open refuses what DecodeRelease refuses.
func TestFormOpenChecks(t *testing.T) {
	r := release(t)
	form, text := formOf(t, r), releaseJSON(t, r)
	change := func(from, to string) []byte {
		require.Len(t, to, len(from), "the form must still fit")
		require.Contains(t, string(text), from)
		return bytes.Replace(text, []byte(from), []byte(to), 1)
	}
	for name, c := range map[string]struct {
		text    []byte
		symbols map[string]string
		is      error
	}{
		"a title":       {change("Comfort", "Cumfort"), symbols(r), taxonomy.ErrHashMismatch},
		"a category":    {change("Identifiability", "Identifiabilitz"), symbols(r), taxonomy.ErrHashMismatch},
		"a symbol":      {text, map[string]string{"shield": "<svg/>", "camera": svg, "unused": "<svg/>"}, taxonomy.ErrHashMismatch},
		"no symbol":     {text, map[string]string{"camera": svg, "unused": "<svg/>"}, nil},
		"an id":         {change(`"id":"image"`, `"id":"imagx"`), symbols(r), taxonomy.ErrForm},
		"not JSON":      {change(`"Ease"`, `"Ease,`), symbols(r), nil},
		"no comma":      {change(`},{"category_id":"purpose","description":[{"locale":"en","value":"Ease`, `} {"category_id":"purpose","description":[{"locale":"en","value":"Ease`), symbols(r), taxonomy.ErrForm},
		"not canonical": {change(`"order":1`, `"order" :`), symbols(r), nil},
		"longer":        {append(slices.Clone(text), '\n'), symbols(r), nil},
		"shorter":       {text[:len(text)-20], symbols(r), nil},
		"half":          {text[:len(text)/2], symbols(r), taxonomy.ErrForm},
		"nothing":       {nil, symbols(r), taxonomy.ErrForm},
	} {
		t.Run(name, func(t *testing.T) {
			opened, err := openForm(form, c.text, c.symbols, false)
			require.Error(t, err)
			require.Nil(t, opened)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
			use(openForm(form, c.text, c.symbols, true))
		})
	}
}

// use calls the methods of a release, if there is one.
func use(r *taxonomy.Release, err error) {
	if err != nil {
		return
	}
	for i, id := range r.ElementIDs() {
		_, _ = r.Element(id)
		_ = r.ElementRange(i, i+1)[0].Variables
		_ = r.ElementJSON(id)
	}
	for _, c := range r.Categories() {
		_ = r.ElementsOf(c.ID)
	}
	_, _ = r.SortIDs(r.ElementIDs()[:len(r.ElementIDs())/2])
	_, _ = r.WriteTo(io.Discard)
	_, _ = r.Prove([]string{"manifest"})
	_, _ = r.AppendForm(nil)
}

// A form is trusted in nothing: Open gives the release that it belongs to, or an error.
func TestHostileForms(t *testing.T) {
	r := release(t)
	form, text := formOf(t, r), releaseJSON(t, r)
	for i := range form {
		for _, with := range []byte{0, 1, 0x80, 0xff, form[i] + 1, form[i] - 1} {
			hostile := slices.Clone(form)
			hostile[i] = with
			checkForm(t, hostile, text, r)
		}
		checkForm(t, form[:i], text, r)
	}
	for i := 0; i+4 <= len(form); i++ {
		for _, with := range []uint32{0, 1, uint32(len(text)), 1<<31 - 1, 1 << 31, 1<<32 - 1} {
			hostile := slices.Clone(form)
			binary.LittleEndian.PutUint32(hostile[i:], with)
			checkForm(t, hostile, text, r)
		}
	}
}

func checkForm(t testing.TB, form, text []byte, want *taxonomy.Release) {
	t.Helper()
	opened, err := openForm(form, text, symbols(want), false)
	if err == nil {
		requireSame(t, want, opened)
	}
	use(openForm(form, text, symbols(want), true))
}

func TestOpenFormErrors(t *testing.T) {
	form := formOf(t, release(t))
	newer := slices.Clone(form)
	newer[7]++
	for name, data := range map[string][]byte{"nothing": nil, "other data": bytes.Repeat([]byte("x"), 100), "newer": newer, "longer": append(form, 0)} {
		_, err := openForm(data, releaseJSON(t, release(t)), symbols(release(t)), false)
		require.ErrorIs(t, err, taxonomy.ErrForm, name)
	}
	_, err := openForm(form, releaseJSON(t, empty(t)), symbols(release(t)), false)
	require.Error(t, err)
}

// brokenReader fails after some bytes.
type brokenReader struct {
	text []byte
	good int64
}

var errDisk = errors.New("disk on fire")

func (b brokenReader) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > b.good {
		return 0, errDisk
	}
	return bytes.NewReader(b.text).ReadAt(p, at)
}

func TestFormReportsReadErrors(t *testing.T) {
	r := largeRelease(t, 600)
	form, text := formOf(t, r), releaseJSON(t, r)
	for _, good := range []int{0, 100, len(text) / 2, len(text) - 1} {
		_, err := taxonomy.OpenForm(form, brokenReader{text, int64(good)}, int64(len(text)), symbols(r), false)
		require.ErrorIs(t, err, errDisk)
	}
}

// Segments are checked at the same time, and the error is always the one of the first
// element.
func TestFormReportsTheFirstError(t *testing.T) {
	r := largeRelease(t, 2000)
	form, text := formOf(t, r), string(releaseJSON(t, r))
	for _, i := range []int{700, 701, 1200, 1999} {
		element := r.ElementJSON(r.ElementIDs()[i])
		text = strings.Replace(text, element, strings.Replace(element, `"symbol_id":"`, `"symbol_id"x"`, 1), 1)
	}
	for range 10 {
		_, err := openForm(form, []byte(text), symbols(r), false)
		require.ErrorContains(t, err, "elements[700]")
	}
}

// Elements with the same hash are found, and duplicates are still refused.
func TestElementLookup(t *testing.T) {
	for _, n := range []int{1, 2, 3, 255, 1000} {
		c := content()
		c.Elements = c.Elements[:0]
		for i := range n {
			c.Elements = append(c.Elements, taxonomy.Element{
				ID: fmt.Sprintf("e%05d", i), Title: en("t"), Description: en("d"), CategoryID: "purpose", SymbolID: "shield",
				IconVariants: []string{"default", "dark"},
			})
		}
		r, err := taxonomy.NewRelease(beta, c)
		require.NoError(t, err)
		for i := range n {
			e, ok := r.Element(fmt.Sprintf("e%05d", i))
			require.True(t, ok)
			require.Same(t, r.ElementRange(i, i+1)[0], e)
		}
		for _, id := range []string{"", "e", "e00000x", fmt.Sprintf("e%05d", n)} {
			_, ok := r.Element(id)
			require.False(t, ok, id)
		}
	}
}

// The content hash does not cover the order of elements, so Open checks it.
func TestFormOpenChecksTheOrder(t *testing.T) {
	c := content()
	c.Elements = c.Elements[:0]
	for i := range 3 {
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("e%d", i), Title: en("t"), Description: en("d"), CategoryID: "purpose", SymbolID: "shield",
			IconVariants: []string{"default", "dark"},
		})
	}
	r, err := taxonomy.NewRelease(beta, c)
	require.NoError(t, err)
	// Two elements of the same length change places, and so do their slots.
	a, b := r.ElementJSON("e0"), r.ElementJSON("e1")
	text := strings.Replace(string(releaseJSON(t, r)), a+","+b, b+","+a, 1)
	form := formOf(t, r)
	for slots := form[len(form)-8*3:]; len(slots) > 0; slots = slots[8:] {
		if position := binary.LittleEndian.Uint32(slots); position < 2 {
			binary.LittleEndian.PutUint32(slots, 1-position)
		}
	}
	_, err = taxonomy.DecodeRelease([]byte(text), symbols(r))
	require.ErrorContains(t, err, "out of order")
	_, err = openForm(form, []byte(text), symbols(r), false)
	require.ErrorContains(t, err, "elements[1]: element e0 is out of order")
	opened, err := openForm(form, []byte(text), symbols(r), true)
	require.NoError(t, err, "the form itself is consistent")
	require.Equal(t, []string{"e1", "e0", "e2"}, opened.ElementIDs())
}

// BenchmarkOpen opens releases of several sizes: by decoding all of release.json, with
// a form for the first time on a machine, and with a form that was verified before. It
// reports how much heap stays for each element beyond its text.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("elements=%d", n), func(b *testing.B) {
			r := largeRelease(b, n)
			text, symbols, form := releaseJSON(b, r), symbols(r), formOf(b, r)
			for _, way := range []struct {
				name string
				open func() (*taxonomy.Release, error)
			}{
				{"decode", func() (*taxonomy.Release, error) { return taxonomy.DecodeRelease(text, symbols) }},
				{"first", func() (*taxonomy.Release, error) { return openForm(form, text, symbols, false) }},
				{"verified", func() (*taxonomy.Release, error) { return openForm(form, text, symbols, true) }},
			} {
				b.Run(way.name, func(b *testing.B) {
					benchmarkDecode(b, text, n, func() (any, error) { return way.open() })
				})
			}
		})
	}
}
