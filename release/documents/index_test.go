package documents_test

import (
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/taxonomy"
)

const text = `{"documents":[{"current":"sha256-0000000000000000000000000000000000000000000000000000000000000001",` +
	`"editions":[{"hash":"sha256-0000000000000000000000000000000000000000000000000000000000000001","sequence":1,"time":"2026-11-15T10:00:00Z"}],` +
	`"id":"rain","sequence":1,"slug":"rain","slugs":["drizzle"]}],"format":1,"later":true,"sequence":1}`

func ExampleDecode() {
	index, err := documents.Decode([]byte(text))
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range index.Documents {
		thin, resolved := e.Files(e.Edition(e.Current))
		fmt.Println(thin)
		fmt.Println(resolved)
	}
	// Output:
	// documents/rain/0000000000000000000000000000000000000000000000000000000000000001.json
	// documents/rain/0000000000000000000000000000000000000000000000000000000000000001.resolved.json
}

func decode(t *testing.T, text string) *documents.Index {
	t.Helper()
	index, err := documents.Decode([]byte(text))
	require.NoError(t, err)
	return index
}

func TestEncode(t *testing.T) {
	again, err := decode(t, text).Encode()
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(text, string(again)), "with what this program does not know")
	x := &documents.Index{Documents: []documents.Entry{{Slug: "wind"}, {Slug: "rain"}}}
	require.True(t, x.Equal(&documents.Index{Documents: []documents.Entry{{Slug: "rain"}, {Slug: "wind"}}}), "in any order")
	require.Equal(t, "wind", x.Documents[0].Slug, "to compare or encode an index does not change it")
	empty, err := documents.Decode(nil)
	require.NoError(t, err)
	require.Empty(t, empty.Documents)
}

func TestDecodeRefuses(t *testing.T) {
	entry := text[strings.Index(text, "[")+1 : strings.LastIndex(text, "]")]
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":    {"{", "documents/index.json"},
		"incomplete": {strings.Replace(text, `"slug":"rain"`, `"slug":"Rain"`, 1), `the entry "Rain" is incomplete`},
		"slug twice": {strings.Replace(text, entry, entry+","+strings.NewReplacer(`"id":"rain"`, `"id":"wind"`, `"slug":"rain"`, `"slug":"wind"`).Replace(entry), 1), `the slug drizzle belongs to "rain" and to "wind"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := documents.Decode([]byte(c.text))
			require.ErrorContains(t, err, c.want)
		})
	}
	for was, advice := range map[string]string{`"format":2`: "update the program", `"format":0`: "publish the documents", `"x":1`: "publish the documents"} {
		_, err := documents.Decode([]byte(strings.Replace(text, `"format":1`, was, 1)))
		require.ErrorIs(t, err, taxonomy.ErrIndexFormat)
		require.ErrorContains(t, err, advice)
	}
}

func TestCheckNext(t *testing.T) {
	given := func(slug string) string {
		one, _, _ := strings.Cut(strings.TrimPrefix(text, `{"documents":[`), `],"format"`)
		other := strings.NewReplacer(`"id":"rain"`, `"id":"other"`, `"slug":"rain","slugs":["drizzle"]`, `"slug":"`+slug+`"`).Replace(one)
		one = strings.Replace(one, `"slug":"rain","slugs":["drizzle"]`, `"slug":"rain-gauge"`, 1)
		return `{"documents":[` + one + "," + other + `],"format":1,"sequence":3}`
	}
	last := decode(t, strings.Replace(text, `"sequence":1}`, `"sequence":2}`, 1))
	for name, c := range map[string]struct{ next, want string }{
		"older":              {text, "it is an old copy"},
		"same sequence":      {`{"documents":[],"format":1,"sequence":2}`, "other content with the same sequence 2"},
		"without a document": {`{"documents":[],"format":1,"sequence":3}`, "does not list rain any more"},
		"a slug for another": {given("rain"), "gives the slug rain of the document rain to other"},
		"an earlier slug":    {given("drizzle"), "gives the slug drizzle of the document rain to other"},
	} {
		t.Run(name, func(t *testing.T) { require.ErrorContains(t, last.CheckNext(decode(t, c.next)), c.want) })
	}
	require.NoError(t, last.CheckNext(decode(t, strings.Replace(text, `"sequence":1}`, `"sequence":3}`, 1))))
	moved := strings.NewReplacer(`"sequence":1}`, `"sequence":2}`, `"id":"rain"`, `"file":"moved.json","id":"rain"`).Replace(text)
	require.False(t, last.Equal(decode(t, moved)))
	require.NoError(t, last.CheckNext(decode(t, moved)), "logs do not prove names of files, so they do not change the sequence")
	require.NoError(t, last.CheckNext(decode(t, strings.Replace(moved, `"format":1`, `"format":1,"log_size":7`, 1))), "the log may have grown meanwhile")
	require.True(t, last.Equal(decode(t, strings.Replace(text, `"sequence":1}`, `"sequence":2}`, 1))))
	require.False(t, last.Equal(decode(t, text)))
}
