package tolerant_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
)

// outline writes a tree in one line: keys with their values, "?" for a value that is
// missing, and "…" after what is not closed.
func outline(n tolerant.Node) string {
	var b strings.Builder
	if n.IsMember() {
		b.WriteString(n.Key() + "=")
	}
	switch n.Kind() {
	case 0:
		b.WriteString("?")
		return b.String()
	case '{', '[':
		b.WriteByte(n.Kind())
		for c := range n.All() {
			b.WriteString(" ")
			if !c.IsMember() {
				fmt.Fprintf(&b, "%d=", c.Index())
			}
			b.WriteString(outline(c))
		}
		b.WriteString(" " + string(n.Kind()+2))
	case '"', 'w':
		b.WriteString(string(n.Kind()) + n.Text())
	default:
		b.Write(n.Raw())
	}
	if !n.Closed() {
		b.WriteString("…")
	}
	return b.String()
}

func TestRecovery(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"well-formed":                    {`{"a": [1, true, null, "x"], "b": {}}`, `{ a=[ 0=1 1=true 2=null 3="x ] b={ } }`},
		"byte order mark":                {"\uFEFF{\"a\": 1}", `{ a=1 }`},
		"missing comma between members":  {`{"a": 1 "b": 2}`, `{ a=1 b=2 }`},
		"missing comma between items":    {`[1 2 {"a": 3}{}]`, `[ 0=1 1=2 2={ a=3 } 3={ } ]`},
		"trailing commas":                {`{"a": [1, 2,], }`, `{ a=[ 0=1 1=2 ] }`},
		"an item is missing":             {`[1,,2]`, `[ 0=1 2=2 ]`},
		"missing colon":                  {`{"a" 1, "b" {"c" "d"}}`, `{ a=1 b={ c="d } }`},
		"key alone":                      {`{"a"}`, `{ a=? }`},
		"key before another key":         {"{\"a\"\n\"b\": 1}", `{ a=? b=1 }`},
		"two keys on lines of their own": {"{\"a\"\n\"b\"\n}", `{ a=? b=? }`},
		"value missing":                  {`{"a": , "b": 1}`, `{ a=? b=1 }`},
		"value missing without a comma":  {`{"a": "b": 1}`, `{ a=? b=1 }`},
		"key missing":                    {`{: 1, [2], "b": 3}`, `{ =1 =[ 0=2 ] b=3 }`},
		"bare words":                     {`{a: True, b: nul, c: 01, d: -}`, `{ a=wTrue b=wnul c=w01 d=w- }`},
		"numbers":                        {`[-0, 1.5e+3, 1., 1e, .5, 0.0E-1]`, `[ 0=-0 1=1.5e+3 2=w1. 3=w1e 4=w.5 5=0.0E-1 ]`},
		"single quotes":                  {`{'a': 'b "c"', 'd': 'e`, `{ a="b "c" d=we }…`},
		"comments":                       {"{ // one\n\"a\": /* two */ 1, # three\n\"b\": 2 /", `{ a=1 b=2 /=? }…`},
		"block comment that is open":     {`{"a": 1, /* "b": 2}`, `{ a=1 }…`},
		"wrong escapes":                  {`{"a\x": "\u12", "b": "\ud83d", "c": "\ud83d\ude00\n\"", "d": "\`, `{ a\x="\u12 b="` + "\uFFFD" + ` c="😀` + "\n" + `" d="\… }…`},
		"invalid UTF-8":                  {"{\"a\xff\": \"\xc3\", \xfe: 1}", "{ a\uFFFD=\"\uFFFD \uFFFD=1 }"},
		"control characters and spaces":  {"{\x00\"a\":\u00a01,\u2028\"b\t\x01\": 2}", "{ a=1 b\t\x01=2 }"},
		"string open at the end":         {`{"a": "b`, `{ a="b… }…`},
		"string open before a comma":     {"{\"a\": \"b,\n\"c\": 1}", `{ a="b… c=1 }`},
		"string open before brackets":    {"{\"a\": [{\"b\": \"c}], \n\"d\": 1}", `{ a=[ 0={ b="c… } ] d=1 }`},
		"string open after a variable":   {"{\"a\": \"use {{v}}\n, \"d\": 1}", `{ a="use {{v}}… d=1 }`},
		"string open before a string":    {`{"a": "b, "c": 1}`, `{ a="b… c=1 }`},
		"string open before a list":      {`{"a": "b}, ["c"]}`, `{ a="b… =[ 0="c ] }`},
		"key without its closing quote":  {`{"a: "b", "c": 1}`, `{ a="b c=1 }`},
		"key open before a bracket":      {"{\"a: [\n1]}", `{ a=[ 0=1 ] }`},
		"key open before a number":       {"{\"a: 1,\n\"b : true\n}", `{ a=1 b=true }`},
		"text with a colon open":         {"{\"a\": \"Note: 1\n, \"b\": [\"x: yes\n]}", `{ a="Note: 1… b=[ 0="x: yes… ] }`},
		"key without its opening quote":  {`{a": "b", "c": 1}`, `{ a="b c=1 }`},
		"value without opening quote":    {`{"a": b", "c": d"}`, `{ a=wb c=wd }`},
		"wrong bracket":                  {`{"a": [1, 2}, 3]}`, `{ a=[ 0=1 1=2 2=3 ] }`},
		"bracket that closes nothing":    {`{"a": 1], "b": 2}`, `{ a=1 b=2 }`},
		"brace too many":                 {`{"a": {"b": 1}}, "c": 2}`, `{ a={ b=1 } c=2 }`},
		"array open":                     {`{"a": {"b": [1, 2}, "c": 3}`, `{ a={ b=[ 0=1 1=2 ]… } c=3 }`},
		"brace missing between items":    {`[{"a": 1, {"b": 2}]`, `[ 0={ a=1 }… 1={ b=2 } ]`},
		"indented key after open array":  {"{\n  \"a\": [\n  \"b\": 1\n}", `{ a=[ ]… b=1 }`},
		"key within an array":            {"{\n  \"a\": [\n    \"b\": 1\n  ]\n}", `{ a=[ 0="b 1=1 ] }`},
		"bracket by its indentation":     {"{\n  \"a\": {\n    \"b\": {\"c\": [1\n  },\n  \"d\": 2\n}", `{ a={ b={ c=[ 0=1 ]… }… } d=2 }`},
		"root after a word":              {`x {"a": 1} y`, `{ a=1 }`},
		"word alone":                     {`tru`, `wtru`},
		"duplicate keys":                 {`{"a": 1, "a": 2}`, `{ a=1 a=2 }`},
	} {
		t.Run(name, func(t *testing.T) {
			tree := tolerant.Parse([]byte(tt.text))
			checkTree(t, tree)
			assert.Equal(t, tt.want, outline(tree.Root()))
		})
	}
	for _, text := range []string{"", " \n", "// x", "\uFEFF", "]", ",:}"} {
		assert.False(t, tolerant.Parse([]byte(text)).Root().Exists(), text)
	}
}

// TestAgreesWithStrict compares the trees of the samples with those of the strict
// parser.
func TestAgreesWithStrict(t *testing.T) {
	for _, e := range documents.Valid() {
		if e.Resolved() && e.Name != "air-station-suggestion.resolved.json" {
			continue // much of the same
		}
		t.Run(e.Name, func(t *testing.T) { requireAgreement(t, e.Text) })
	}
	deep := strings.Repeat(`{"a":[`, jcs.MaxDepth/2) + strings.Repeat(`]}`, jcs.MaxDepth/2)
	requireAgreement(t, []byte(deep))
	requireAgreement(t, []byte("{\n\"a\": {\n\"b\": [\n{\n\"c\": 1\n}\n]\n}\n}"))
	requireAgreement(t, []byte(`["\u00e9\ud83d\ude00\"\\", 1e5, -0.0, {"\"k": ""}]`))
}

// requireAgreement checks that a strict text has the same tree in both parsers.
func requireAgreement(t *testing.T, text []byte) {
	t.Helper()
	strict, err := document.Parse(text)
	require.NoError(t, err)
	tree := tolerant.Parse(text)
	checkTree(t, tree)
	var compare func(want document.Value, got tolerant.Node)
	compare = func(want document.Value, got tolerant.Node) {
		require.Equal(t, string(want.Kind()), string(got.Kind()))
		require.Equal(t, want.Range(), got.Range())
		require.Equal(t, want.KeyRange(), got.KeyRange())
		require.Equal(t, want.Key(), got.Key())
		require.Equal(t, want.Text(), got.Text())
		require.Equal(t, want.Path(), got.Path())
		require.True(t, got.Closed())
		require.Equal(t, want.Len(), got.Len())
		children := got.All()
		var nodes []tolerant.Node
		for n := range children {
			nodes = append(nodes, n)
		}
		i := 0
		for v := range want.All() {
			compare(v, nodes[i])
			i++
		}
	}
	compare(strict.Root(), tree.Root())
}

// TestPrefixes types a document byte by byte. Every value that is complete is in
// the tree, in the same place.
func TestPrefixes(t *testing.T) {
	for name, text := range map[string][]byte{
		"sample":  sample(t, "benefits.json"),
		"compact": []byte(`{"id":"é😀","n":[1,2,{"a":null,"b":[true]}],"s":"\u00e9\"","e":{},"x":[[]]}`),
	} {
		t.Run(name, func(t *testing.T) {
			whole := tolerant.Parse(text)
			var values []tolerant.Node
			walk(whole.Root(), func(n tolerant.Node) { values = append(values, n) })
			for end := range text {
				tree := tolerant.Parse(text[:end])
				for _, want := range values {
					if want.Range().End > end || !want.Closed() {
						continue
					}
					got, _ := tree.Find(want.Path())
					if want.Range() != got.Range() || want.KeyRange() != got.KeyRange() { // quicker than require.Equal
						require.Failf(t, "not found", "%s in the first %d bytes", want.Path(), end)
					}
				}
				checkCursor(t, tree, end)
			}
		})
	}
}

// TestOneByteMissing removes each comma, colon and quote of a document in turn. The
// tree keeps the paths of all values.
func TestOneByteMissing(t *testing.T) {
	text := []byte(`{
  "id": "chain-1",
  "title": [{"locale": "en", "value": "Title"}, {"locale": "fr", "value": "Titre"}],
  "elements": [
    {
      "element_id": "purpose.safety",
      "variables": [
        {"id": "v", "value": [1, true]},
        {"id": "w", "value": {"a": null}}
      ],
      "priority": 3
    },
    {
      "element_id": "storage.local"
    }
  ],
  "end": false
}
`)
	whole := paths(tolerant.Parse(text))
	for i, c := range text {
		if !strings.ContainsRune(`,:"`, rune(c)) {
			continue
		}
		broken := append(append([]byte{}, text[:i]...), text[i+1:]...)
		tree := tolerant.Parse(broken)
		checkTree(t, tree)
		assert.Equal(t, whole, paths(tree), "without the %q at %d:\n%s", c, i, broken)
	}
}

// sample returns a document, cut where that keeps the test fast.
func sample(t *testing.T, name string) []byte {
	t.Helper()
	e, ok := documents.Find(name)
	require.True(t, ok)
	return e.Text[:min(len(e.Text), 1500)]
}

func paths(tree *tolerant.Tree) (all []string) {
	walk(tree.Root(), func(n tolerant.Node) { all = append(all, n.Path().String()) })
	return all
}

func walk(n tolerant.Node, visit func(tolerant.Node)) {
	if !n.Exists() {
		return
	}
	visit(n)
	for c := range n.All() {
		walk(c, visit)
	}
}

// TestHostile parses texts that are expensive for careless parsers.
func TestHostile(t *testing.T) {
	const n = 50_000
	for _, part := range []string{
		"[", "{", "]", "}", `{"a":`, `[{`, `"`, `'`, `\`, `"\`, `,`, `:`, `"a" `, `a" `, `"a, "b`, `'\' `,
		"/*", "//", "/* */", "\n", "\"a\n", `"{`, `"}]`, "\xff", "\x00", "1", "1 ", `{"a":[`, "[\n\"a\":", "}\n]",
	} {
		tree := tolerant.Parse([]byte(strings.Repeat(part, n/len(part))))
		depth := 0
		walk(tree.Root(), func(node tolerant.Node) { depth = max(depth, len(node.Path())) })
		assert.LessOrEqual(t, depth, jcs.MaxDepth, "%q", part)
		for offset := 0; offset <= n; offset += n / 4 {
			checkCursor(t, tree, offset)
		}
	}
	deep := []byte(strings.Repeat("[", jcs.MaxDepth+9) + "1" + strings.Repeat("]", jcs.MaxDepth+9))
	assert.Equal(t, document.Range{Start: 0, End: len(deep)}, tolerant.Parse(deep).Root().Range(), "what is too deep is skipped, brackets included")
	assert.True(t, tolerant.Parse(deep).Root().Closed())
}

// TestLinear parses texts with many strings that may or may not be closed, which are looked for
// on one line.
func TestLinear(t *testing.T) {
	for name, c := range map[string]struct{ before, part, after string }{
		"keys":     {"", `"a:{\`, "\n"},
		"no end":   {"", `"a:{\`, ""},
		"brackets": {"", `"a:{\`, strings.Repeat("]", 50_000) + "\n"},
		"single":   {"", `'\' {\`, "\n"},
		"mixed":    {"", `"a:{\'b`, "\n"},
		"numbers":  {"", `"a:1\`, "\n"},
		"items":    {"[", `"a,{"`, "\n"},
		"spaces":   {"", `a"  "  `, "\n"},
		"nested":   {"", `[}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, 1000, func(n int) func() {
				text := []byte(c.before + strings.Repeat(c.part, n) + c.after)
				return func() { tolerant.Parse(text) }
			})
		})
	}
}

// BenchmarkParse parses what an editor parses at each keystroke: a document of 20 KB
// whose end is missing.
func BenchmarkParse(b *testing.B) {
	text := bytes.Repeat([]byte(`{"element_id": "purpose.safety", "variables": [{"id": "v", "value": []}]},`+"\n"), 20_000/75)
	text = append([]byte(`{"id": "chain-1", "elements": [`), text...)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tolerant.Parse(text)
	}
}

// An editor asks what can be typed at the end of a document that is not complete.
func Example() {
	text := `{
  "id": "chain-1",
  "elements": [
    {"element_id": "purpose.safety"},
    {"context_type_id": "low", "element_id": "sto`
	tree := tolerant.Parse([]byte(text))
	at := tree.At(len(text))
	fmt.Printf("a %s at %s starts with %q\n", at.Role, at.Path, at.Prefix)
	fmt.Printf("a completion replaces %s\n", text[at.Replace.Start:at.Replace.End])
	for n := range at.Siblings() {
		fmt.Println("the object also has", n.Key())
	}
	elements, _ := tree.Root().Get("elements")
	for e := range elements.All() {
		id, _ := e.Get("element_id")
		fmt.Println(e.Path(), id.Text(), id.Closed())
	}
	// Output:
	// a value at elements[1].element_id starts with "sto"
	// a completion replaces "sto
	// the object also has context_type_id
	// elements[0] purpose.safety true
	// elements[1] sto false
}

// A key is missing between two members, and the comma after it.
func ExampleTree_At() {
	text := `{"id": "chain-1", "elements": []}`
	at := tolerant.Parse([]byte(text)).At(len(`{"id": "chain-1", `) - 1)
	fmt.Println(at.Role, at.Missing.CommaBefore, at.Missing.ColonAfter, at.Missing.CommaAfter)
	// Output: key false true true
}
