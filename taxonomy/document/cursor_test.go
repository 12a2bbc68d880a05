package document_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// TestAt shows what is at the mark "|" of a text: role, path, what a completion
// replaces, the part of it before the mark, and punctuation that is missing.
func TestAt(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// An empty text.
		{`|`, `value "" <> ""`},
		{` // x|`, `comment "" <> ""`},
		{`|{}`, `outside "" <> ""`},
		{`{} |`, `outside "" <> ""`},
		{`{} /* | */`, `comment "" <> ""`},
		{`/* | */ {}`, `comment "" <> ""`},
		{`tr|`, `value "" <tr> "tr"`},
		// Keys.
		{`{|}`, `key "" <> "" colon-after`},
		{`{|`, `key "" <> "" colon-after`},
		{`{ "el|`, `key "" <"el> "el" colon-after`},
		{`{ "|"}`, `key "" <""> "" colon-after`},
		{`{ "el|ement": 1}`, `key "" <"element"> "el"`},
		{`{ "el\u00e9|m": 1}`, `key "" <"el\u00e9m"> "elé"`},
		{`{ el|: 1}`, `key "" <el> "el"`},
		{`{"a": 1, |}`, `key "" <> "" colon-after`},
		{`{"a": 1, "b|" }`, `key "" <"b"> "b" colon-after`},
		{`{"a": 1 |}`, `key "" <> "" comma-before colon-after`},
		{`{"a": 1 "b|"}`, `key "" <"b"> "b" comma-before colon-after`},
		{`{| "a": 1}`, `key "" <> "" colon-after comma-after`},
		{"{\"b|\n\"a\": 1}", `key "" <"b> "b" colon-after comma-after`},
		{`{"a": 1, | "b": 2}`, `key "" <> "" colon-after comma-after`},
		{`{"a": {"b": [{|}]}}`, `key "a.b[0]" <> "" colon-after`},
		{`[{"a": 1}, {"b": 2, |`, `key "[1]" <> "" colon-after`},
		// Values.
		{`{"a":|}`, `value "a" <> ""`},
		{`{"a": |, "b": 1}`, `value "a" <> ""`},
		{`{"a" |}`, `value "a" <> "" colon-before`},
		{`{"a" "x|"}`, `value "a" <"x"> "x" colon-before`},
		{`{"a": | "b": 1}`, `value "a" <> "" comma-after`},
		{"{\"a\": \"x|\n\"b\": 1}", `value "a" <"x> "x" comma-after`},
		{`{"a": "x|yz", "b": 1}`, `value "a" <"xyz"> "x"`},
		{`{"a": "xyz"|, "b": 1}`, `value "a" <"xyz"> "xyz"`},
		{`{"a": |"xyz"}`, `value "a" <"xyz"> ""`},
		{`{"a": | "xyz"}`, `value "a" <> ""`},
		{`{"a": |{}}`, `value "a" <> ""`},
		{`{"a": tr|}`, `value "a" <tr> "tr"`},
		{`{"a": "x\"|y"}`, `value "a" <"x\"y"> "x\""`},
		{`{"😀": "é|ü"}`, `value "[\"😀\"]" <"éü"> "é"`},
		// Items.
		{`[|]`, `value "[0]" <> ""`},
		{`[1, |]`, `value "[1]" <> ""`},
		{`[1 |]`, `value "[1]" <> "" comma-before`},
		{`[1,,|]`, `value "[2]" <> ""`},
		{`[1,|,2]`, `value "[1]" <> ""`},
		{`[|1]`, `value "[0]" <1> ""`},
		{`[| 1]`, `value "[0]" <> "" comma-after`},
		{`[|{}]`, `value "[0]" <> "" comma-after`},
		{`[{},|{}]`, `value "[1]" <> "" comma-after`},
		{`[{} | {}]`, `value "[1]" <> "" comma-before comma-after`},
		{`[1, "a|" 2]`, `value "[1]" <"a"> "a" comma-after`},
		{`["a", "b|`, `value "[1]" <"b> "b"`},
		// Comments.
		{"{ // |\n}", `comment "" <> ""`},
		{`{"a": /*|*/ 1}`, `comment "" <> ""`},
		{`{"a": /**/| 1}`, `value "a" <> ""`},
		// Brackets that are missing.
		{`[{"a": 1 | {"b": 2}]`, `key "[0]" <> "" comma-before colon-after comma-after`},
		{`{"a": [1 | }`, `value "a[1]" <> "" comma-before`},
	} {
		t.Run(tt.text, func(t *testing.T) {
			offset := strings.Index(tt.text, "|")
			require.GreaterOrEqual(t, offset, 0)
			tree := recovered(t, []byte(tt.text[:offset]+tt.text[offset+1:]))
			checkRecovered(t, tree)
			checkCursor(t, tree, offset)
			assert.Equal(t, tt.want, describe(tree, tree.At(offset)))
		})
	}
}

func describe(tree *document.Document, c document.Cursor) string {
	s := fmt.Sprintf("%s %q <%s> %q", c.Role, c.Path, tree.Text()[c.Replace.Start:c.Replace.End], c.Prefix)
	for _, m := range []struct {
		set  bool
		name string
	}{
		{c.Missing.CommaBefore, "comma-before"},
		{c.Missing.ColonBefore, "colon-before"},
		{c.Missing.ColonAfter, "colon-after"},
		{c.Missing.CommaAfter, "comma-after"},
	} {
		if m.set {
			s += " " + m.name
		}
	}
	return s
}

func TestSiblings(t *testing.T) {
	tree := recovered(t, []byte(`{"a": 1, "b": 2, "c`))
	var keys []string
	for n := range tree.At(18).Siblings() {
		keys = append(keys, n.Key())
	}
	assert.Equal(t, []string{"a", "b"}, keys)
	assert.Equal(t, "c", tree.At(18).Value.Key())
}

// checkCursor checks what holds at every offset of every text.
func checkCursor(t *testing.T, tree *document.Document, offset int) {
	t.Helper()
	c := tree.At(offset)
	require.GreaterOrEqual(t, c.Offset, 0)
	require.LessOrEqual(t, c.Replace.Start, c.Offset)
	require.GreaterOrEqual(t, c.Replace.End, c.Offset)
	require.True(t, utf8.ValidString(c.Prefix))
	if c.Role == document.RoleOutside {
		require.Equal(t, document.Cursor{Offset: c.Offset, Path: c.Path, Replace: c.Replace}, c)
	}
	if c.Role == document.RoleKey {
		require.Equal(t, string('{'), string(c.Container.Kind()))
	}
	if c.Container.Exists() && c.Value.Exists() {
		require.Contains(t, slices.Collect(c.Container.All()), c.Value)
	}
	if c.Container.Exists() {
		r := c.Container.Range()
		require.Less(t, r.Start, c.Offset)
		require.LessOrEqual(t, c.Offset, r.End)
	}
}

// checkRecovered checks what holds for every tree: children are in order, do not
// overlap, and are inside their parents.
func checkRecovered(t *testing.T, tree *document.Document) {
	t.Helper()
	walk(tree.Root(), func(n document.Value) {
		end := n.Range().Start
		require.LessOrEqual(t, n.Range().Start, n.Range().End)
		require.LessOrEqual(t, n.Range().End, len(tree.Text()))
		require.LessOrEqual(t, len(n.Path()), jcs.MaxDepth)
		for c := range n.All() {
			require.Equal(t, c.IsMember(), n.Kind() == '{')
			if c.IsMember() {
				require.LessOrEqual(t, c.KeyRange().End, c.Range().Start)
			}
			require.GreaterOrEqual(t, c.Whole().Start, end)
			end = c.Whole().End
		}
		require.LessOrEqual(t, end, n.Range().End)
	})
}
