package edit_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
)

// TestAddition adds a member or an item in the layout of the ones that are there.
func TestAddition(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"compact object", `{"x":{"a":1}}`, `{"x":{"a":1,"k":{"v": 2}}}`},
		{"spaced object", `{"x": {"a": 1}}`, `{"x": {"a": 1, "k": {"v": 2}}}`},
		{"own colon", `{"x": {"a" :1, "b" :2}}`, `{"x": {"a" :1, "b" :2, "k" :{"v": 2}}}`},
		{"lines", "{\n  \"x\": {\n    \"a\": 1\n  }\n}", "{\n  \"x\": {\n    \"a\": 1,\n    \"k\": {\"v\": 2}\n  }\n}"},
		{"empty object", `{"x": { }}`, `{"x": {"k": {"v": 2}}}`},
		{"compact array", `{"x":[1]}`, `{"x":[1,{"v": 2}]}`},
		{"spaced array", `{"x": [1, 3]}`, `{"x": [1, 3, {"v": 2}]}`},
		{"array on lines", "{\r\n\t\"x\": [\r\n\t\t1\r\n\t]\r\n}", "{\r\n\t\"x\": [\r\n\t\t1,\r\n\t\t{\"v\": 2}\r\n\t]\r\n}"},
		{"in an array", `[{"x": []}]`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := document.Parse([]byte(c.text))
			require.NoError(t, err)
			to, ok := doc.Root().Get("x")
			if c.want == "" { // the root is not an object
				item, _ := doc.Root().At(0)
				to, ok = item.Get("x")
				c.want = `[{"x": [{"v": 2}]}]`
			}
			require.True(t, ok)
			edit := edit.New(doc).Addition(to, "k", []byte(`{"v": 2}`))
			got, err := document.ApplyEdits(doc.Text(), []document.Edit{edit})
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

// TestLeading adds fields with which a document begins where its format has them.
func TestLeading(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		remove           string
		keys             []string
	}{
		{name: "first", text: `{"elements": []}`, keys: []string{"created_at", "id"}, want: `{"id": 0, "created_at": 0, "elements": []}`},
		{name: "after another", text: "{\n\t\"id\": 1,\n\t\"elements\": []\n}", keys: []string{"created_at"}, want: "{\n\t\"id\": 1,\n\t\"created_at\": 0,\n\t\"elements\": []\n}"},
		{name: "before one on lines", text: "{\n  \"schema_version\": 1,\n  \"elements\": []\n}", keys: []string{"id"}, want: "{\n  \"id\": 0,\n  \"schema_version\": 1,\n  \"elements\": []\n}"},
		{name: "between and last", text: `{"id":1,"created_at":1}`, keys: []string{"x", "title", "schema_version"}, want: `{"id":1,"title":0,"schema_version":0,"created_at":1,"x":0}`},
		{name: "own order", text: `{"created_at": 1, "id": 1, "x": 1}`, keys: []string{"title"}, want: `{"created_at": 1, "id": 1, "title": 0, "x": 1}`},
		{name: "after the nearest", text: `{"id": 1, "schema_version": 1, "title": 1}`, keys: []string{"created_at"}, want: `{"id": 1, "schema_version": 1, "created_at": 0, "title": 1}`},
		{name: "instead of another", text: `{"id": 1, "elements": []}`, remove: "id", keys: []string{"title"}, want: `{"title": 0, "elements": []}`},
		{name: "in an empty document", text: `{}`, keys: []string{"id"}, want: `{"id": 0}`},
		{name: "of what was removed", text: `{"x": 1}`, remove: "x", keys: []string{"id"}, want: `{"id": 0}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := document.Parse([]byte(c.text))
			require.NoError(t, err)
			e := edit.New(doc)
			e.RemoveMember(doc.Root(), c.remove)
			for _, key := range c.keys {
				e.Add(doc.Root(), key, []byte("0"))
			}
			got, err := document.ApplyEdits(doc.Text(), e.Edits())
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

// TestLeadingFields checks that a document begins with its fields in the order of the model.
func TestLeadingFields(t *testing.T) {
	names := jsonfields.Names[taxonomy.Instance]()
	names = names[:slices.Index(names, "elements")]
	doc, err := document.Parse([]byte(`{"elements": []}`))
	require.NoError(t, err)
	e := edit.New(doc)
	for _, name := range slices.Backward(names) {
		e.Add(doc.Root(), name, []byte("0"))
	}
	text, err := document.ApplyEdits(doc.Text(), e.Edits())
	require.NoError(t, err)
	after, err := document.Parse(text)
	require.NoError(t, err)
	var got []string
	for member := range after.Root().All() {
		got = append(got, member.Key())
	}
	require.Equal(t, append(names, "elements"), got, "add what is missing to lead in editor.go")
}

// TestEdits makes several edits at once: what is new is formatted like the document, and
// what is removed takes its comma along.
func TestEdits(t *testing.T) {
	doc, err := document.Parse([]byte(`{"a": [1, 2, 3], "b": {"c": 4}, "d": {}}`))
	require.NoError(t, err)
	a, _ := doc.Root().Get("a")
	b, _ := doc.Root().Get("b")
	d, _ := doc.Root().Get("d")
	first, _ := a.At(0)
	e := edit.New(doc)
	e.Replace(first, []byte("0"))
	e.Remove(a, 1)
	require.Equal(t, 2, e.Add(a, "", []byte(`{"x":5}`)))
	e.RenameKey(b, "bb")
	e.RemoveMember(b, "c")
	require.Equal(t, 0, e.AddTo(d, "list", []byte("6")))
	require.Equal(t, 1, e.AddTo(d, "list", []byte("7")))
	got, err := document.ApplyEdits(doc.Text(), e.Edits())
	require.NoError(t, err)
	require.Equal(t, `{"a": [0, 3, {"x": 5}], "bb": {}, "d": {"list": [6, 7]}}`, string(got)) //nolint:testifylint // the white space counts
	require.Equal(t, e.Edits(), e.Clone().Edits())
}
