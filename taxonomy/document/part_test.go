package document_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// partTexts are objects that guesses are made of.
var partTexts = []string{
	`{}`,
	`{"a":1}`,
	`{"a":{"b":[null,{"c":"é\n"}]},"\u0064":[]}`,
	strings.Repeat(`{"a":`, 62) + "1" + strings.Repeat("}", 62),
}

// requireParts compares Pool.Parse with Parse, with guesses that are right, and with one
// that is wrong nearly always. It returns how many parts were found.
func requireParts(t testing.TB, text []byte) int {
	t.Helper()
	var parts []*document.Part
	for i, text := range partTexts {
		part, err := document.NewPart(text, i)
		require.NoError(t, err)
		parts = append(parts, part)
	}
	want, wantErr := document.Parse(text)
	wrong, err := (*document.Pool)(nil).Parse(text, func([]byte) *document.Part { return parts[1] })
	requireSame(t, want, wantErr, wrong, err)
	got, err := (*document.Pool)(nil).Parse(text, func(rest []byte) *document.Part {
		for _, part := range parts {
			if bytes.HasPrefix(rest, []byte(part.Text())) {
				return part
			}
		}
		return nil
	})
	return requireSame(t, want, wantErr, got, err)
}

// requireSame compares two results of parsing. It returns how many parts the second has.
func requireSame(t testing.TB, want *document.Document, wantErr error, got *document.Document, err error) (parts int) {
	t.Helper()
	require.Equal(t, wantErr, err)
	if err != nil {
		return 0
	}
	var walk func(a, b document.Value)
	walk = func(a, b document.Value) {
		require.Equal(t, a.Kind(), b.Kind())
		require.Equal(t, a.Range(), b.Range())
		require.Equal(t, a.KeyRange(), b.KeyRange())
		require.Equal(t, a.Key(), b.Key())
		require.Equal(t, a.Text(), b.Text())
		require.Equal(t, a.Path(), b.Path())
		require.Equal(t, a.Len(), b.Len())
		require.Nil(t, a.Part())
		if part := b.Part(); part != nil {
			require.Equal(t, part.Text(), string(b.Raw()))
			require.Equal(t, partTexts[part.Value().(int)], part.Text())
			parts++
		}
		i := 0
		for m := range a.All() {
			next, ok := child(b, i)
			require.True(t, ok)
			walk(m, next)
			i++
		}
	}
	walk(want.Root(), got.Root())
	require.Equal(t, string(want.Root().AppendCanonical(nil)), string(got.Root().AppendCanonical(nil)))
	return parts
}

// child returns member or item i.
func child(v document.Value, i int) (document.Value, bool) {
	for m := range v.All() {
		if i == 0 {
			return m, true
		}
		i--
	}
	return document.Value{}, false
}

func TestParts(t *testing.T) {
	deep := partTexts[3]
	for _, c := range []struct {
		name, text string
		parts      int
	}{
		{"the whole text", partTexts[2], 1},
		{"with space around", " " + partTexts[1] + " \n", 1},
		{"members", `{"é":` + partTexts[2] + `,"x":0,"\u00e8":` + partTexts[1] + `}`, 2},
		{"items", `[[` + strings.Join([]string{partTexts[0], partTexts[1], partTexts[1], partTexts[2], "1"}, ",") + `]]`, 4},
		{"nothing else is one", `[{"a":2},{"a":1 },{ "a":1},{"a":1,"b":2},"{}"]`, 0},
		{"in three levels", `[[[{"a":1}]]]`, 1},
		{"in four levels", `[[[[{"a":1}]]]]`, 0},
		{"64 levels", `[[` + deep + `]]`, 1},
		{"65 levels", `[[[` + deep + `]]]`, 0},
		{"a key twice", `{"x":{},"y":` + partTexts[2] + `,"x":{}}`, 0},
		{"no comma", `[` + partTexts[2] + partTexts[1] + `]`, 0},
		{"cut off after it", `[` + partTexts[2], 0},
		{"cut off in it", `[` + partTexts[2][:20], 0},
		{"not UTF-8 before it", "[\"\xff\"," + partTexts[2] + `]`, 0},
		{"not UTF-8 between them", "[" + partTexts[2] + ",\"\xff\"," + partTexts[2] + `]`, 0},
		{"not UTF-8 after it", "[" + partTexts[2] + ",\"\xff\"]", 0},
		{"an error before what is not UTF-8", "[" + partTexts[2] + ",1,,\"\xff\"]", 0},
		{"an error after what is not UTF-8", "[" + partTexts[2] + ",\"\xff\",,]", 0},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.parts, requireParts(t, []byte(c.text))) })
	}
}

func TestNewPartRefuses(t *testing.T) {
	_, err := document.NewPart(`{"a":1,"a":2}`, nil)
	require.ErrorContains(t, err, "twice")
}

// TestHolds checks a property of a part once, and another one apart.
func TestHolds(t *testing.T) {
	part, err := document.NewPart(`{"a":1}`, nil)
	require.NoError(t, err)
	asked := 0
	is := func(answer bool) func(document.Value) bool {
		return func(v document.Value) bool {
			asked++
			return answer && v.Len() == 1
		}
	}
	require.True(t, part.Holds("one", is(true)))
	require.True(t, part.Holds("one", is(false)))
	require.False(t, part.Holds("two", is(false)))
	require.False(t, part.Holds("two", is(true)))
	require.Equal(t, 2, asked)
}

// numbered returns a text with n values and a name.
func numbered(name string, n int) string {
	return fmt.Sprintf(`{"name":%q,"list":[%s0]}`, name, strings.Repeat(`{"a":1},`, n))
}

// TestPool parses documents of different sizes in the memory of others.
func TestPool(t *testing.T) {
	var pool document.Pool
	for _, p := range []*document.Pool{&pool, nil} {
		kept := make(map[string]string)
		for i, n := range []int{1000, 3, 0, 100_000, 5, 2000} {
			name := fmt.Sprint("document ", i)
			text := numbered(name, n)
			d, err := p.Parse([]byte(text), nil)
			require.NoError(t, err)
			want, err := document.Parse([]byte(text))
			require.NoError(t, err)
			assert.Equal(t, string(want.Root().AppendCanonical(nil)), string(d.Root().AppendCanonical(nil)))
			assert.Equal(t, want.Point(len(text)), d.Point(len(text)))
			v, ok := d.Root().Get("name")
			require.True(t, ok)
			kept[name] = v.Text()
			p.Put(d)
			_, err = p.Parse([]byte(text[1:]), nil)
			require.Error(t, err)
		}
		for name, text := range kept {
			assert.Equal(t, name, text, "texts remain valid")
		}
	}
}

// TestPoolWithParts parses the same text with parts and without them.
func TestPoolWithParts(t *testing.T) {
	part, err := document.NewPart(`{"a":1}`, nil)
	require.NoError(t, err)
	var pool document.Pool
	text := []byte(numbered("parts", 10))
	for range 2 {
		d, err := pool.Parse(text, func([]byte) *document.Part { return part })
		require.NoError(t, err)
		list, _ := d.Root().Get("list")
		first, _ := list.At(0)
		assert.Same(t, part, first.Part())
		pool.Put(d)

		d, err = pool.Parse(text, nil)
		require.NoError(t, err)
		list, _ = d.Root().Get("list")
		first, _ = list.At(0)
		assert.Nil(t, first.Part())
		pool.Put(d)
	}
}

// TestPoolConcurrently uses a pool from several goroutines.
func TestPoolConcurrently(t *testing.T) {
	var pool document.Pool
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 200 {
				text := numbered(fmt.Sprint(g), (g+1)*i)
				d, err := pool.Parse([]byte(text), nil)
				if err != nil {
					t.Error(err)
					return
				}
				assert.Equal(t, len(text), d.Root().Range().End)
				list, _ := d.Root().Get("list")
				assert.Equal(t, (g+1)*i+1, list.Len())
				pool.Put(d)
			}
		})
	}
	group.Wait()
}
