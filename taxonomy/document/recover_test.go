package document_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// outline writes a tree in one line: keys with their values, "?" for a value that is
// missing, and "…" after what is not closed.
// recovered parses any text.
func recovered(t testing.TB, text []byte) *document.Document {
	t.Helper()
	doc, err := document.ParseWith(text, &document.Options{Recover: true})
	require.NoError(t, err)
	return doc
}

func outline(n document.Value) string {
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
		index := -1
		for c := range n.All() {
			if index++; c.Kind() == 0 && !c.IsMember() {
				continue
			}
			b.WriteString(" ")
			if !c.IsMember() {
				fmt.Fprintf(&b, "%d=", index)
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
		"invalid UTF-8":                  {"{\"a\xff\": \"\xc3\", \xfe: 1}", "{ a\uFFFD=\"\uFFFD =1 }"},
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
			tree := recovered(t, []byte(tt.text))
			checkRecovered(t, tree)
			assert.Equal(t, tt.want, outline(tree.Root()))
		})
	}
	for _, text := range []string{"", " \n", "// x", "\uFEFF", "]", ",:}"} {
		assert.False(t, recovered(t, []byte(text)).Root().Exists(), text)
	}
}

// TestPrefixes types a document byte by byte. Every value that is complete is in
// the tree, in the same place.
func TestPrefixes(t *testing.T) {
	for name, text := range map[string][]byte{
		"sample":  sample(t, "benefits.json"),
		"compact": []byte(`{"id":"é😀","n":[1,2,{"a":null,"b":[true]}],"s":"\u00e9\"","e":{},"x":[[]]}`),
	} {
		t.Run(name, func(t *testing.T) {
			whole := recovered(t, text)
			var values []document.Value
			walk(whole.Root(), func(n document.Value) { values = append(values, n) })
			for end := range text {
				tree := recovered(t, text[:end])
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
	whole := paths(recovered(t, text))
	for i, c := range text {
		if !strings.ContainsRune(`,:"`, rune(c)) {
			continue
		}
		broken := append(append([]byte{}, text[:i]...), text[i+1:]...)
		tree := recovered(t, broken)
		checkRecovered(t, tree)
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

func paths(tree *document.Document) (all []string) {
	walk(tree.Root(), func(n document.Value) { all = append(all, n.Path().String()) })
	return all
}

func walk(n document.Value, visit func(document.Value)) {
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
	for name, c := range hostile {
		tree := recovered(t, []byte(c.before+strings.Repeat(c.part, n/len(c.part))+c.after))
		depth := 0
		walk(tree.Root(), func(node document.Value) { depth = max(depth, len(node.Path())) })
		assert.LessOrEqual(t, depth, jcs.MaxDepth, name)
		for offset := 0; offset <= n; offset += n / 4 {
			checkCursor(t, tree, offset)
		}
	}
	deep := []byte(strings.Repeat("[", jcs.MaxDepth+9) + "1" + strings.Repeat("]", jcs.MaxDepth+9))
	assert.Equal(t, document.Range{Start: 0, End: len(deep)}, recovered(t, deep).Root().Range(), "what is too deep is skipped, brackets included")
	assert.True(t, recovered(t, deep).Root().Closed())
}

// hostile are texts that are expensive for careless parsers: before, a part many times, and after.
var hostile = map[string]struct{ before, part, after string }{
	"array":                 {"", "[", ""},
	"object":                {"", "{", ""},
	"object in an array":    {"", "[{", ""},
	"member":                {"", `{"a":`, ""},
	"list":                  {"", `{"a":[`, ""},
	"closing":               {"", "]", ""},
	"closing object":        {"", "}", ""},
	"mixed closing":         {"", "]}", ""},
	"wrong bracket":         {"", "[}", ""},
	"wrong brackets":        {"[", "{]", ""},
	"brackets on lines":     {"", "[\n}\n", ""},
	"brackets of a root":    {"", "{},", ""},
	"closed by others":      {`[`, "\n {[[[[\n }", ""},
	"too deep":              {strings.Repeat("[", jcs.MaxDepth), "[]", ""},
	"too deep, open":        {strings.Repeat("[", jcs.MaxDepth), "[", ""},
	"deep brackets":         {strings.Repeat("[", jcs.MaxDepth-1), "[}", ""},
	"deep lines":            {strings.Repeat("[", jcs.MaxDepth-1), "[\n }", ""},
	"quotes":                {"", `"`, ""},
	"single quotes":         {"", `'`, ""},
	"backslashes":           {"", `\`, ""},
	"escaped quotes":        {"", `"\`, ""},
	"strings":               {"", `"a" `, ""},
	"strings in an array":   {"[", `"a" `, ""},
	"string ends":           {"", `a" `, ""},
	"strings in strings":    {"{", `"a, "b`, ""},
	"open strings":          {"[", "\"a\n", ""},
	"open keys":             {"{", "\"a\n", ""},
	"open in an object":     {"", `{"`, ""},
	"open before brackets":  {"", `"}]`, ""},
	"single escaped":        {"", `'\' `, ""},
	"keys":                  {"", `"a:{\`, "\n"},
	"keys, no end":          {"", `"a:{\`, ""},
	"brackets after a line": {"", `"a:{\`, strings.Repeat("]", 10_000) + "\n"},
	"single, brackets":      {"", `'\' {\`, "\n"},
	"mixed quotes":          {"", `"a:{\'b`, "\n"},
	"numbers":               {"", `"a:1\`, "\n"},
	"items":                 {"[", `"a,{"`, "\n"},
	"spaces":                {"", `a"  "  `, "\n"},
	"indented":              {strings.Repeat(" ", 10_000), "[", ""},
	"indented lines":        {"[", "\n                                             }", ""},
	"commas":                {"[", ",", ""},
	"commas of an object":   {"{", ",", ""},
	"colons":                {"{", ":", ""},
	"colons of an array":    {"[", ":", ""},
	"keys of an array":      {"[", `"a":`, ""},
	"lines of an array":     {"[", "\n\"a\":", ""},
	"same keys":             {"{", `"a":1,`, ""},
	"same keys, no value":   {"{", `"a"` + "\n", ""},
	"block comments":        {"[", "/* */", ""},
	"open comments":         {"[", "/*", ""},
	"comments":              {"[", "//\n", ""},
	"comments in values":    {"[", "1 // a\n /* */ ", ""},
	"NUL":                   {"[", "\x00", ""},
	"words before NUL":      {"[", "a\x00", ""},
	"invalid UTF-8":         {"[\"", "\xff", ""},
	"digits":                {"[", "1", ""},
	"zeros":                 {"[", "0 ", ""},
	"words":                 {"[", "a ", ""},
	"lines of words":        {"[", "a\n", ""},
	"half a pair":           {"[\"", `\ud800`, ""},
	"top level":             {"", "1 ", ""},
}

// TestLinear parses hostile texts of two sizes.
func TestLinear(t *testing.T) {
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, 1000, func(n int) func() {
				text := []byte(c.before + strings.Repeat(c.part, n) + c.after)
				return func() { recovered(t, text) }
			})
		})
	}
}

// TestInterruptRecovery ends reading on, wherever it loops.
func TestInterruptRecovery(t *testing.T) {
	stop := errors.New("stop")
	for name, text := range map[string]string{
		"items":     "[" + strings.Repeat(",", 10_000),
		"top level": strings.Repeat("1 ", 10_000),
		"comments":  "[" + strings.Repeat("/**/", 10_000),
		"too deep":  strings.Repeat("[", jcs.MaxDepth) + strings.Repeat("[]", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			_, err := document.ParseWith([]byte(text), &document.Options{Recover: true, Interrupt: func() error {
				if calls++; calls > 2 { // the first ones come before the first value
					return stop
				}
				return nil
			}})
			require.ErrorIs(t, err, stop)
			require.Equal(t, 3, calls)
		})
	}
}

// BenchmarkRecover parses what an editor parses at each keystroke: a document of 20 KB
// whose end is missing.
func BenchmarkRecover(b *testing.B) {
	text := bytes.Repeat([]byte(`{"element_id": "purpose.safety", "variables": [{"id": "v", "value": []}]},`+"\n"), 20_000/75)
	text = append([]byte(`{"id": "chain-1", "elements": [`), text...)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		recovered(b, text)
	}
}

// FuzzRecover compares a document of any text with the strict one.
func FuzzRecover(f *testing.F) {
	for _, text := range strictTexts {
		f.Add([]byte(text), 0)
	}
	for _, c := range laxTexts {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text), 3)
		}
	}
	for _, c := range hostile {
		f.Add([]byte(c.before + c.part + c.part + c.after)[:min(200, len(c.before+c.part+c.part+c.after))], 5)
	}
	for _, text := range []string{
		`{"a": [1, {"b": "c", `, `{"a" 1 b: [,2}]`, "{\"a\": \"b,\n\"c\": 'd'}", `[{"a": 1, {"b": 2}]`,
		`{"a": "b, "c": 1}`, "{\"a,\n \"ba, \"b", "// x\n[/* y */ 1]", "\uFEFF{\"\\ud83d\": \"\\x\xff", "{\n\"a\": [\n\"b\": 1\n}",
	} {
		f.Add([]byte(text), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, offset int) { checkRecovery(t, text, offset) })
}

// checkRecovery checks what holds for any text.
func checkRecovery(t *testing.T, text []byte, offsets ...int) {
	t.Helper()
	given := string(text)
	strict, err := document.Parse(text)
	doc := recovered(t, text)
	require.Equal(t, given, string(text), "the text must not be changed")
	require.Equal(t, err == nil, doc.Strict())
	checkRecovered(t, doc)
	for _, at := range append(offsets, 0, len(text)/2, len(text)) {
		checkCursor(t, doc, at)
	}
	if err == nil {
		require.Equal(t, outline(strict.Root()), outline(doc.Root()))
		walk(doc.Root(), func(v document.Value) {
			require.True(t, v.Sound() && v.Closed() && !v.Open() && !v.Doubtful() && !v.Broken() && !v.BrokenKey())
		})
		return
	}
	errs := doc.SyntaxErrors()
	require.Equal(t, err, errs[0])
	for i, e := range errs[1:] {
		require.Greater(t, e.Point.Line, errs[i].Point.Line)
		requirePlainWords(t, e.Reason)
	}
}
