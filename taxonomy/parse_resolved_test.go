package taxonomy_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/resolved"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// resolvedWith returns a resolved document with the texts of a snapshot.
func resolvedWith(typ, categories, elements string) string {
	return fullInstance[:len(fullInstance)-1] + `,"schema_snapshot":{"categories":[` + categories + `],"datachain_type":` + typ + `,"elements":[` + elements + `]},"suggested_elements":[]}`
}

// requireParsed compares a parser with document.Parse: the errors, the trees and
// what they are decoded to. It returns how many parts were recognized.
func requireParsed(t testing.TB, parser *resolved.Parser, text string) (parts int) {
	t.Helper()
	want, wantErr := document.Parse([]byte(text))
	got, err := parser.Parse([]byte(text))
	require.Equal(t, wantErr, err)
	if err != nil {
		return 0
	}
	var outline func(v document.Value) []any
	outline = func(v document.Value) []any {
		if v.Part() != nil {
			parts++
		}
		list := []any{v.Kind(), v.Range(), v.KeyRange(), v.Key(), v.Text()}
		for m := range v.All() {
			list = append(list, outline(m))
		}
		return list
	}
	require.Equal(t, outline(want.Root()), outline(got.Root()))
	decoded, wantErr := taxonomy.DecodeResolved(want)
	again, err := taxonomy.DecodeResolved(got)
	require.Equal(t, wantErr, err)
	require.Empty(t, cmp.Diff(decoded, again))
	return parts
}

func TestResolvedParser(t *testing.T) {
	r := release(t)
	typ, purpose, sense := r.TypeJSON(), r.CategoryJSON(r.Categories()[0].ID), r.CategoryJSON(r.Categories()[1].ID)
	safety, image := r.ElementJSON("purpose.safety"), r.ElementJSON("image")
	spaced := func(text string) string { return strings.Replace(text, ":", ": ", 1) }
	for name, c := range map[string]struct {
		text  string
		parts int
	}{
		"as resolved":                      {resolvedWith(typ, purpose+","+sense, safety+","+image), 5},
		"in another order, and twice":      {resolvedWith(typ, sense+","+purpose, image+","+image+","+safety), 6},
		"formatted":                        {resolvedWith(spaced(typ), spaced(purpose), spaced(safety)), 0},
		"edited":                           {resolvedWith(typ, purpose, strings.Replace(safety, `"value":"`, `"value":"X`, 1)+","+image), 3},
		"another id":                       {resolvedWith(typ, purpose, strings.Replace(safety, `"id":"purpose.safety"`, `"id":"image"`, 1)), 2},
		"an unknown id":                    {resolvedWith(typ, purpose, strings.Replace(safety, `"id":"purpose.safety"`, `"id":"other"`, 1)), 2},
		"no id":                            {resolvedWith(typ, purpose, `{"category_id":"purpose"}`), 2},
		"another field":                    {resolvedWith(typ, purpose, strings.TrimSuffix(safety, "}")+`,"x":1}`), 2},
		"parts of another kind":            {resolvedWith(purpose, typ+","+image, sense+","+typ), 5},
		"parts in unknown fields":          {`{"x":{"y":[` + image + `,` + purpose + `]},"z":` + safety + `}`, 3},
		"a part alone":                     {image, 1},
		"cut off in a part":                {resolvedWith(typ, purpose, safety)[:len(resolvedWith(typ, purpose, ""))], 0},
		"the beginning of an element":      {`[` + safety[:len(safety)-1], 0},
		"the beginning of an element only": {`[{"category_id":`, 0},
		"no snapshot":                      {fullInstance, 0},
	} {
		t.Run(name, func(t *testing.T) {
			parser := resolved.NewParser(r)
			require.Equal(t, c.parts, requireParsed(t, parser, c.text))
			require.Equal(t, c.parts, requireParsed(t, parser, c.text), "once the parts are known")
		})
	}
}

// TestResolvedParserRandomly changes, removes and repeats bytes of a resolved document.
func TestResolvedParserRandomly(t *testing.T) {
	r := release(t)
	text := resolvedWith(r.TypeJSON(), r.CategoryJSON(r.Categories()[0].ID), r.ElementJSON("purpose.safety")+","+r.ElementJSON("image"))
	text = strings.TrimPrefix(text, fullInstance[:len(fullInstance)-1]+",")
	parser := resolved.NewParser(r)
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		at, n := random.IntN(len(text)), random.IntN(8)
		rest := text[min(at+n, len(text)):]
		insert := []string{"", "{", "}", ",", `"`, "\xff", `\u00e9`, text[at:], `,"id":"image"`, string(rune(random.IntN(0x300)))}[random.IntN(10)]
		requireParsed(t, parser, "{"+text[:at]+insert+rest)
	}
}

// TestResolvedParserKeepsSome has more elements than a parser keeps parts of.
func TestResolvedParserKeepsSome(t *testing.T) {
	r := largeRelease(t, 4500)
	parser := resolved.NewParser(r)
	texts := make([]string, len(r.ElementIDs()))
	for i, id := range r.ElementIDs() {
		texts[i] = r.ElementJSON(id)
	}
	text := []byte(`[` + strings.Join(texts, ",") + `]`)
	for range 2 {
		doc, err := parser.Parse(text)
		require.NoError(t, err)
		require.Equal(t, len(texts), doc.Root().Len())
		size, i := 0, 0
		for v := range doc.Root().All() {
			if part := v.Part(); part != nil {
				require.Equal(t, texts[i], part.Text())
				size += len(texts[i])
			}
			i++
		}
		require.Less(t, size, len(text))
		require.InDelta(t, 4<<20, size, 4<<10)
	}
}
