package document_test

import (
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// thin is a small datachain.
const thin = `{"id":"a","schema_version":"ai@2026-09-01-stable","elements":[{"element_id":"purpose.x","priority":2,"label":"caf\u00e9"}],"x":[1.5,true,null]}`

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

func nestedObjects(depth int) string {
	return strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
}

// strictTexts are accepted by Parse.
var strictTexts = map[string]string{
	"array empty":               `[]`,
	"array with spaces":         "[ \t\r\n1 , 2\n]",
	"array mixed":               `[null,1,"1",{},[],true,false]`,
	"object empty":              `{}`,
	"object with empty key":     `{"":0}`,
	"object keys differ":        `{"a":1,"A":2,"a ":3,"á":4,"a\u0301":5}`,
	"object escaped key":        `{"\u0061":1,"b":2}`,
	"object same key, nested":   `{"a":{"a":{"a":1}},"b":{"a":1}}`,
	"object NUL in key":         `{"a\u0000b":0}`,
	"lonely null":               `null`,
	"lonely true":               `true`,
	"lonely false":              `false`,
	"lonely string":             `"x"`,
	"lonely number":             `42`,
	"lonely negative":           `-1`,
	"spaces around":             " \r\n\t{} \r\n\t",
	"string escapes":            `"\"\\\/\b\f\n\r\t\u00e9\u20AC"`,
	"string surrogate pair":     `"\ud83d\ude00"`,
	"string last pair":          `"\udbff\udfff"`,
	"string noncharacter":       `"\uffff￿"`,
	"string DEL":                "\"\x7f\"",
	"string BOM inside":         "\"\uFEFF\"",
	"string U+2028":             "\"\u2028\"",
	"string escaped NUL":        `"\u0000"`,
	"string of four bytes":      `"😀"`,
	"depth 64":                  nested(64),
	"depth 64 objects":          nestedObjects(64),
	"number zero":               `0`,
	"number minus zero":         `-0`,
	"number minus zero float":   `-0.0e-0`,
	"number fraction":           `0.5`,
	"number exponent":           `1e2`,
	"number exponent plus":      `1E+2`,
	"number exponent minus":     `1e-2`,
	"number of 64 characters":   "0." + strings.Repeat("1", 62),
	"number 2^53-1":             `9007199254740991`,
	"number -(2^53-1)":          `-9007199254740991`,
	"number 2^53-1 as exponent": `9.007199254740991e15`,
	"number smallest":           `5e-324`,
	"number zero, far exponent": `0e-400`,
	"number zero, far overflow": `0E999999`,
}

// laxTexts are refused by Parse, at an offset and with a part of the reason.
var laxTexts = map[string]struct {
	text   string
	offset int
	reason string
}{
	"nothing":               {"", 0, "the text is empty"},
	"only spaces":           {" \n\t", 3, "the text is empty"},
	"BOM":                   {"\uFEFF{}", 0, "byte order mark"},
	"BOM of UTF-16":         {"\xff\xfe{\x00}\x00", 0, "save it as UTF-8"},
	"UTF-16":                {"{\x00}\x00", 1, "a NUL byte between values"},
	"NUL":                   {"\x00", 0, "a NUL byte between values"},
	"NUL at the end":        {"{}\x00", 2, "more text"},
	"form feed":             {"\f{}", 0, "U+000C is not allowed between values"},
	"no-break space":        {"\u00a0{}", 0, "U+00A0 is not allowed between values"},
	"comment":               {"/**/{}", 0, "JSON has no comments"},
	"comment after":         {"{}//", 2, "more text"},
	"comment within":        {`[1 /* one */]`, 3, "JSON has no comments"},
	"comment to the end":    {"{\"a\":1, # one\n}", 8, "JSON has no comments"},
	"slash":                 {`[/]`, 1, "a value can't start with '/'"},
	"two values":            {`{} {}`, 3, "more text"},
	"two strings":           {`"a"  "\u0062"`, 5, "more text"},
	"comma after":           {`{} ,`, 3, "more text"},
	"bracket after":         {`[]]`, 2, "more text"},
	"brace after":           {`{"a":1}}`, 7, "more text"},
	"array unclosed":        {`[`, 1, "ends before"},
	"array unclosed, value": {`[1`, 2, "ends before"},
	"array unclosed, comma": {`[1,`, 3, "ends before"},
	"array comma last":      {`[1,]`, 2, "extra comma"},
	"array comma first":     {`[,1]`, 1, "extra comma"},
	"array comma twice":     {`[1,,2]`, 3, "extra comma"},
	"array no comma":        {`[1 2]`, 3, "expected a comma or ']' before '2'"},
	"array colon":           {`["a":1]`, 4, "expected a comma or ']' before ':'"},
	"array closed by brace": {`[1}`, 2, "'}' does not match '[': write ']'"},
	"object unclosed":       {`{"a":1`, 6, "ends before"},
	"object only key":       {`{"a"`, 4, "ends before"},
	"object only colon":     {`{"a":`, 5, "ends before"},
	"object no value":       {`{"a":}`, 5, "a key has no value"},
	"object no colon":       {`{"a" 1}`, 5, "expected a colon between a key and its value, but found '1'"},
	"object comma last":     {`{"a":1,}`, 6, "extra comma"},
	"object comma, spaces":  {`{"a":1 , }`, 7, "extra comma"},
	"object comma first":    {`{,}`, 1, "extra comma"},
	"object no comma":       {`{"a":1 "b":2}`, 7, "expected a comma or '}' before a double quote"},
	"object key number":     {`{1:1}`, 1, "a key must be a string"},
	"object key null":       {`{null:1}`, 1, "a key must be a string"},
	"object key bare":       {`{a:1}`, 1, "a key must be a string in double quotes"},
	"object key array":      {`{[]:1}`, 1, "a key must be a string"},
	"object closed wrongly": {`{"a":1]`, 6, "']' does not match '{': write '}'"},
	"object single quotes":  {`{'a':1}`, 1, "can't start with a single quote"},
	"object bracket":        {`{]`, 1, "']' does not match '{'"},
	"object key unclosed":   {"{\n\"a", 4, "the string at line 2, column 1 is not closed"},
	"object no value, list": {`[{"a":]`, 6, "a key has no value"},
	"object no value, next": {`{"a":,"b":1}`, 5, "a key has no value"},
	"object two colons":     {`{"a"::1}`, 5, "a value can't start with ':'"},
	"object comma as colon": {`{"a",1}`, 4, "expected a colon between a key and its value, but found ','"},
	"object equals":         {`{"a"=1}`, 4, "expected a colon between a key and its value, but found '='"},
	"array brace":           {`[}`, 1, "'}' does not match '['"},
	"array in an object":    {"{\"a\":\n [1", 9, "the array at line 2, column 2 is not closed"},
	"text bare":             {`hello, world`, 0, "the word \"hello\" is not in quotes"},
	"text in single quotes": {`['a']`, 1, "start and end with a double quote, not with a single quote"},
	"text in other quotes":  {`[“a”]`, 1, "start and end with a double quote, not with '“'"},
	"literal None":          {`{"a":None}`, 5, "None is not a JSON value: write null"},
	"literal short":         {`nul`, 3, "ends before"},
	"literal long":          {`nulll`, 4, "more text"},
	"literal upper case":    {`True`, 0, "lower case: true"},
	"literal undefined":     {`[undefined]`, 1, "undefined is not a JSON value: write null"},
	"literal wrong":         {`[tru1]`, 4, "the word \"tru1\" is not in quotes"},
	"NaN":                   {`NaN`, 0, "NaN is not a JSON number"},
	"Infinity":              {`-Infinity`, 1, "-Infinity is not a JSON number"},
	"number plus":           {`+1`, 0, "can't start with '+'"},
	"number leading zero":   {`[01]`, 2, "can't start with 0"},
	"number leading zero -": {`[-01]`, 3, "can't start with 0"},
	"number no integer":     {`.5`, 0, "can't start with a period"},
	"number no fraction":    {`[1.]`, 3, "the number \"1.\" is incomplete"},
	"number no exponent":    {`[1e]`, 3, "the number \"1e\" is incomplete"},
	"number minus alone":    {`[-]`, 2, "the number \"-\" is incomplete"},
	"number in an array":    {`[0x1]`, 2, "'x' is not allowed in a number"},
	"number cut":            {`-`, 1, "ends before"},
	"number hexadecimal":    {`0x1`, 1, "more text"},
	"number with space":     {`[1 000]`, 3, "expected a comma or ']' before '0'"},
	"number with digits ١":  {`[١]`, 1, "a value can't start with '١'"},
	"string unclosed":       {`"a`, 2, "ends before"},
	"string escape at end":  {`"\`, 2, "ends before"},
	"string escape control": {`"\` + "\x01\"", 1, "for a backslash"},
	"string hex at end":     {`"\u00`, 5, "the string at line 1, column 1 is not closed"},
	"string pair cut":       {`"\ud83d\ude0`, 12, "is not closed"},
	"string pair bad hex":   {`"\ud83d\ude0g"`, 1, "half of a surrogate pair"},
	"string bad escape":     {`"\x41"`, 1, "write \\\\ for a backslash"},
	"string bad hex":        {`"\u00g0"`, 1, "four hexadecimal digits"},
	"string tab":            {"\"a\tb\"", 2, "write \\t"},
	"string newline":        {"\"a\nb\"", 2, "is not closed at the end of the line"},
	"string NUL":            {"\"\x00\"", 1, "write \\u0000"},
	"string lone high":      {`"\ud800"`, 1, "surrogate"},
	"string lone low":       {`"\udc00"`, 1, "surrogate"},
	"string high and text":  {`"\ud800a"`, 1, "surrogate"},
	"string two high":       {`"\ud800\ud800"`, 1, "surrogate"},
	"string pair swapped":   {`"\udc00\ud800"`, 1, "surrogate"},
	"string invalid byte":   {"\"a\xff\"", 2, "is not valid UTF-8"},
	"string cut UTF-8":      {"\"\xe2\x82\"", 1, "is not valid UTF-8"},
	"string overlong":       {"\"\xc0\xaf\"", 1, "is not valid UTF-8"},
	"string CESU surrogate": {"\"\xed\xa0\x80\"", 1, "is not valid UTF-8"},
	"string too far":        {"\"\xf4\x90\x80\x80\"", 1, "is not valid UTF-8"},
	"key invalid UTF-8":     {"{\"\xff\":1}", 2, "is not valid UTF-8"},
	"key twice":             {`{"a":1,"b":2,"a":3}`, 13, `the key "a" appears twice`},
	"key twice, escaped":    {`{"a":1, "\u0061":2}`, 8, `the key "a" appears twice`},
	"key twice, both":       {`{"\u00e9/~":1,"é\/~":2}`, 14, `the key "é/~" appears twice`},
	"key twice, empty":      {`{"":1,"":2}`, 6, `the key "" appears twice`},
	"depth 65":              {nested(65), 64, "deeper than 64"},
	"depth 65 objects":      {nestedObjects(65), 64 * 5, "deeper than 64"},
	"depth 100,000":         {strings.Repeat("[", 100_000), 64, "deeper than 64"},
	"depth in a key":        {`{` + strings.Repeat("[", 100_000), 1, "a key must be a string"},
	"number of 65":          {"0." + strings.Repeat("1", 63), 0, "at most 64 characters"},
	"number 2^53":           {`[9007199254740992]`, 1, "beyond ±9007199254740991"},
	"number -2^53":          {`[-9007199254740992]`, 1, "beyond ±9007199254740991"},
	"number 2^53+1":         {`9007199254740993`, 0, "beyond"},
	"number 1e16":           {`1e16`, 0, "beyond"},
	"number 1e400":          {`1e400`, 0, "beyond"},
	"number -1e400":         {`-1e400`, 0, "beyond"},
	"number 1e1000000":      {`1e1000000`, 0, "beyond"},
	"number 1e-400":         {`1e-400`, 0, "too small"},
	"number -1e-1000000":    {`-1e-1000000`, 0, "too small"},
	"number 9e-400":         {`9e-400`, 0, "too small"},
	"number 2e-324":         {`2e-324`, 0, "too small"},
}

func TestParseAccepts(t *testing.T) {
	for name, text := range strictTexts {
		t.Run(name, func(t *testing.T) {
			doc, err := document.Parse([]byte(text))
			require.NoError(t, err)
			require.Equal(t, text, string(doc.Text()))
			require.Equal(t, strings.Trim(text, " \r\n\t"), string(doc.Root().Raw()))
			require.True(t, stdjson.Valid([]byte(text)))
			checkTree(t, doc)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range laxTexts {
		t.Run(name, func(t *testing.T) {
			doc, err := document.Parse([]byte(c.text))
			require.Nil(t, doc)
			var syntax *document.SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, c.offset, syntax.Point.Offset, "%v", err)
			require.Contains(t, syntax.Reason, c.reason)
			require.Equal(t, strings.Contains(c.reason, "appears twice"), syntax.DuplicateKey)
			// A number that does not survive is the one thing of these that is valid JSON elsewhere.
			require.Equal(t, slices.Contains([]string{"beyond", "beyond ±9007199254740991", "too small", "at most 64 characters"}, c.reason), syntax.Number)
			require.Equal(t, syntax.Number, syntax.Problem() != "is not valid JSON")
			require.NotNil(t, syntax.Path)
			require.Less(t, len(err.Error()), 400)

			_, err = document.Canonical([]byte(c.text))
			require.Equal(t, syntax, err, "Canonical takes the same texts")
		})
	}
}

// checkTree walks a document and compares each value with the text, and with the value
// of encoding/json.
func checkTree(t testing.TB, doc *document.Document) {
	t.Helper()
	var want any
	require.NoError(t, stdjson.Unmarshal(doc.Text(), &want))
	var walk func(v document.Value, want any)
	walk = func(v document.Value, want any) {
		path := v.Path()
		found, ok := doc.Find(path)
		require.True(t, ok)
		require.Equal(t, v, found)
		r := v.Range()
		require.Equal(t, string(doc.Text()[r.Start:r.End]), string(v.Raw()))
		switch want := want.(type) {
		case map[string]any:
			require.Equal(t, byte('{'), v.Kind())
			require.Equal(t, len(want), v.Len())
			for m := range v.All() {
				kr := m.KeyRange()
				var key string
				require.NoError(t, stdjson.Unmarshal(doc.Text()[kr.Start:kr.End], &key))
				require.Equal(t, key, m.Key())
				got, ok := v.Get(key)
				require.True(t, ok)
				require.Equal(t, m, got)
				walk(m, want[key])
			}
		case []any:
			require.Equal(t, byte('['), v.Kind())
			require.Equal(t, len(want), v.Len())
			i := 0
			for item := range v.All() {
				require.Zero(t, item.KeyRange())
				require.Empty(t, item.Key())
				got, ok := v.At(i)
				require.True(t, ok)
				require.Equal(t, item, got)
				walk(item, want[i])
				i++
			}
			_, ok := v.At(i)
			require.False(t, ok)
			_, ok = v.At(-1)
			require.False(t, ok)
		case string:
			require.Equal(t, byte('"'), v.Kind())
			require.Equal(t, want, v.Text())
		case float64:
			require.Equal(t, byte('0'), v.Kind())
		case bool:
			require.Contains(t, "tf", string(v.Kind()))
		case nil:
			require.Equal(t, byte('n'), v.Kind())
		}
	}
	walk(doc.Root(), want)
}

func TestDocumentValues(t *testing.T) {
	text := `{"a":[10,{"é\n":"x\ty"},[]],"b":{"c":null},"":true}`
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	checkTree(t, doc)

	for _, c := range []struct {
		path, raw, key string
	}{
		{"", text, ""},
		{"a", `[10,{"é\n":"x\ty"},[]]`, `"a"`},
		{"a[0]", "10", ""},
		{`a[1]["é\n"]`, `"x\ty"`, `"é\n"`},
		{"a[2]", "[]", ""},
		{"b.c", "null", `"c"`},
		{`[""]`, "true", `""`},
	} {
		path, err := issue.ParsePath(c.path)
		require.NoError(t, err)
		v, ok := doc.Find(path)
		require.True(t, ok, c.path)
		require.Equal(t, c.raw, string(v.Raw()))
		require.Equal(t, c.path, v.Path().String())
		r := v.KeyRange()
		require.Equal(t, c.key, text[r.Start:r.End])
	}
	for _, s := range []string{"c", "a[3]", "a.b", "b[0]", "a[0].x", "a[0][0]", `["a.b"]`, "b.c.d"} {
		path, err := issue.ParsePath(s)
		require.NoError(t, err)
		_, ok := doc.Find(path)
		require.False(t, ok, s)
	}
	v, _ := doc.Root().Get("a")
	require.Empty(t, v.Text(), "only strings have a text")
	for range v.All() {
		break // an iteration can end early
	}
}

func TestSyntaxErrorPosition(t *testing.T) {
	for _, c := range []struct {
		text, want, path string
	}{
		{"{\n  \"é😀\": tru\n}", "line 2, column 12: the word \"tru\" is not in quotes", ""},
		{"{\"a\": [1, {\"b\": 1e999}]}", "line 1, column 17: the number 1e999 is beyond ±9007199254740991", "a[1].b"},
		{"{\"a\": [1,\r\n {\"é\": 1, \"é\": 2}]}", "line 2, column 11: the key \"é\" appears twice in one object", "a[1]"},
		{"[\n\n", "line 3, column 1: the text ends before the JSON value is complete", ""},
		{"[[0],[" + nested(63) + "]]", "line 1, column 69: objects and arrays nest deeper than 64 levels", "[1]" + strings.Repeat("[0]", 62)},
		{`{"x.y": {"z": [0, "\ud800"]}}`, "line 1, column 20: the escape \\ud800 is half of a surrogate pair", `["x.y"].z`},
		{`{"a":{"b":1,}}`, "line 1, column 12: extra comma", "a"},
	} {
		_, err := document.Parse([]byte(c.text))
		require.ErrorContains(t, err, c.want)
		var syntax *document.SyntaxError
		require.ErrorAs(t, err, &syntax)
		require.Equal(t, c.path, syntax.Path.String())
	}
	_, err := document.Parse([]byte(`{"` + strings.Repeat("k", 1<<20) + `":1,"` + strings.Repeat("k", 1<<20) + `":2}`))
	require.Less(t, len(err.Error()), 400)
}

func TestDocumentPoint(t *testing.T) {
	text := "[\n\"é😀\",\r\n 1]\n"
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	position := func(offset int) issue.Position {
		p := doc.Point(offset)
		return issue.Position{Line: p.Line, Column: p.Column}
	}
	for _, c := range []struct {
		at           string
		line, column int
	}{
		{"[", 1, 1}, {"\n\"", 1, 2}, {"\"é", 2, 1}, {"😀", 2, 3}, {"\",", 2, 4}, {"1]", 3, 2}, {"]", 3, 3},
	} {
		require.Equal(t, issue.Position{Line: c.line, Column: c.column}, position(strings.Index(text, c.at)), c.at)
	}
	require.Equal(t, issue.Position{Line: 4, Column: 1}, position(len(text)))
	require.Equal(t, issue.Position{Line: 4, Column: 1}, position(1<<40))
	require.Equal(t, issue.Position{Line: 1, Column: 1}, position(-1))
}

// Parsing takes linear time. If it were quadratic in size, depth or number of keys,
// this would not end.
func TestParseIsLinear(t *testing.T) {
	const n = 50_000
	var keys strings.Builder
	for i := range n {
		keys.WriteString(`,"` + strings.Repeat("k", i%7) + string(rune('a'+i%26)) + jsonNumber(i) + `":0`)
	}
	for name, text := range map[string]string{
		"items":   "[" + strings.Repeat("1,", n) + "1]",
		"keys":    `{"k":0` + keys.String() + "}",
		"depth":   "[" + strings.Repeat(nested(63)+",", n/64) + "0]",
		"escapes": `"` + strings.Repeat(`\u0061`, n) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := document.Parse([]byte(text))
			require.NoError(t, err)
			for i, v := 0, doc.Root(); i < v.Len() && v.Kind() == '['; i++ {
				item, ok := v.At(i)
				if step := item.Path(); !ok || len(step) != 1 {
					t.Fatal(i, ok, step)
				}
			}
		})
	}
}

func jsonNumber(i int) string {
	b, _ := stdjson.Marshal(i)
	return string(b)
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := document.Parse([]byte("{"))
	require.EqualError(t, err, "line 1, column 2: the text ends before the JSON value is complete: the object at line 1, column 1 is not closed")
}

// The zero Document and the zero Value are empty.
func TestZero(t *testing.T) {
	var doc document.Document
	require.Zero(t, doc.Root())
	require.Empty(t, doc.Text())
	_, ok := doc.Find(issue.Root.Key("a"))
	require.False(t, ok)
	require.False(t, doc.Locate(issue.Root.Key("a")).Exact)
	require.Equal(t, 1, doc.Point(7).Line)

	var v document.Value
	require.Zero(t, v.Kind())
	require.Zero(t, v.Len())
	require.Zero(t, v.Range())
	require.Zero(t, v.KeyRange())
	require.Empty(t, v.Raw())
	require.Empty(t, v.RawKey())
	require.Empty(t, v.Key())
	require.Empty(t, v.Text())
	require.Nil(t, v.Path())
	require.Empty(t, v.AppendCanonical(nil))
	for range v.All() {
		t.Fatal("nothing to yield")
	}
	_, ok = v.Get("a")
	require.False(t, ok)
	_, ok = v.At(0)
	require.False(t, ok)
}

func TestLocate(t *testing.T) {
	const text = "{\n  \"é\": [1, \"😀\", {\"a b\": true}],\r\n  \"x\": {\"😀é\": {}, \"y\": null}\n}"
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	cut := func(s document.Span) string { return text[s.Start.Offset:s.End.Offset] }
	for _, tt := range []struct {
		path, value, key string
		exact            bool
		start            document.Point
	}{
		{"", text, "", true, document.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}},
		{`["é"]`, `[1, "😀", {"a b": true}]`, `"é"`, true, document.Point{Offset: 10, Line: 2, Column: 8, UTF8: 9, UTF16: 8}},
		{`["é"][1]`, `"😀"`, "", true, document.Point{Offset: 14, Line: 2, Column: 12, UTF8: 13, UTF16: 12}},
		{`["é"][2]["a b"]`, `true`, `"a b"`, true, document.Point{Offset: 30, Line: 2, Column: 25, UTF8: 29, UTF16: 26}},
		{`x["😀é"]`, `{}`, `"😀é"`, true, document.Point{Offset: 57, Line: 3, Column: 15, UTF8: 19, UTF16: 16}},
		{`x.y`, `null`, `"y"`, true, document.Point{Offset: 66, Line: 3, Column: 24, UTF8: 28, UTF16: 25}},
		// A missing value is located at the nearest value that contains it.
		{`x.z`, `{"😀é": {}, "y": null}`, `"x"`, false, document.Point{Offset: 46, Line: 3, Column: 8, UTF8: 8, UTF16: 8}},
		{`["é"][9].a`, `[1, "😀", {"a b": true}]`, `"é"`, false, document.Point{Offset: 10, Line: 2, Column: 8, UTF8: 9, UTF16: 8}},
		{`nothing`, text, "", false, document.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			path, err := issue.ParsePath(tt.path)
			require.NoError(t, err)
			l := doc.Locate(path)
			require.Equal(t, tt.exact, l.Exact)
			require.Equal(t, tt.value, cut(l.Value))
			require.Equal(t, tt.key, cut(l.Key))
			require.Equal(t, tt.start, l.Value.Start)
			require.Equal(t, l.Value.Start.Offset+len(tt.value), l.Value.End.Offset)
		})
	}
}

// TestPointOnLongLines compares positions on a long line with counting from its start.
func TestPointOnLongLines(t *testing.T) {
	text := "{\n" + `"k":"` + strings.Repeat("aé😀", 3000) + `"` + "\n\n,\"l\": \"" + strings.Repeat("x", 5000) + "\"}"
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	want := document.Point{Line: 1, Column: 1, UTF8: 1, UTF16: 1}
	for _, r := range text {
		require.Equal(t, want, doc.Point(want.Offset))
		want.Offset += utf8.RuneLen(r)
		want.Column++
		want.UTF8 += utf8.RuneLen(r)
		want.UTF16 += utf16.RuneLen(r)
		if r == '\n' {
			want = document.Point{Offset: want.Offset, Line: want.Line + 1, Column: 1, UTF8: 1, UTF16: 1}
		}
	}
	require.Equal(t, want, doc.Point(len(text)))
	require.Equal(t, want, doc.Point(len(text)+1), "beyond the end is the end")
}
