package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// fix returns an issue with a fix at its path.
func fix(t *testing.T, path, key, value string) issue.Issue {
	t.Helper()
	p, err := issue.ParsePath(path)
	require.NoError(t, err)
	f := &issue.Fix{Path: p, Key: key}
	if value != "" {
		f.Value = []byte(value)
	}
	return issue.Issue{Code: "test", Path: p, Fix: f}
}

func TestApplyFixes(t *testing.T) {
	type edit struct{ path, key, value string }
	for _, c := range []struct {
		name, text string
		edits      []edit
		want       string
		applied    []string // paths
	}{
		{"nothing to do", `{"a": 1}`, nil, `{"a": 1}`, nil},
		{"a value", "{ \"a\" :\t1 , \"b\": 2 }", []edit{{"a", "", `"x"`}}, "{ \"a\" :\t\"x\" , \"b\": 2 }", []string{"a"}},
		{"the whole document", ` 1 `, []edit{{"", "", `[]`}}, ` [] `, []string{""}},
		{"a key", `{"a": {"x": 1}}`, []edit{{"a", "b", ""}}, `{"b": {"x": 1}}`, []string{"a"}},
		{"a key that needs escapes", `{"a": 1}`, []edit{{"a", "q\"\n", ""}}, `{"q\"\n": 1}`, []string{"a"}},
		{"a key and its value", `{"a": 1}`, []edit{{"a", "", "2"}, {"a", "b", ""}}, `{"b": 2}`, []string{"a", "a"}},
		{"in the order of the text", `[1, 2, 3]`, []edit{{"[2]", "", "30"}, {"[0]", "", "10"}}, `[10, 2, 30]`, []string{"[0]", "[2]"}},
		{"side by side", `[1,2]`, []edit{{"[0]", "", "3"}, {"[1]", "", "4"}}, `[3,4]`, []string{"[0]", "[1]"}},

		{"a member is added on the line", `{"a": 1, "b": 2}`, []edit{{"c", "", "3"}}, `{"a": 1, "b": 2, "c": 3}`, []string{"c"}},
		{"a member is added on a line of its own", "{\n  \"a\": 1,\r\n\t\"b\":  2\n}", []edit{{"c", "", "3"}}, "{\n  \"a\": 1,\r\n\t\"b\":  2,\r\n\t\"c\":  3\n}", []string{"c"}},
		{"a member is added to an empty object", `{"o": { }}`, []edit{{"o.c", "", "3"}}, `{"o": {"c": 3}}`, []string{"o.c"}},
		{"a member is added to a minified object", `{"a":1}`, []edit{{"c", "", "[]"}}, `{"a":1,"c":[]}`, []string{"c"}},
		{"a value is replaced and a member follows", `{"a": 1}`, []edit{{"c", "", "3"}, {"a", "", "2"}}, `{"a": 2, "c": 3}`, []string{"a", "c"}},
		{"of two members at one place the first", `{}`, []edit{{"c", "", "3"}, {"d", "", "4"}}, `{"c": 3}`, []string{"c"}},

		{"inside of what is replaced", `{"a": {"b": 1}}`, []edit{{"a.b", "", "2"}, {"a", "", "null"}}, `{"a": null}`, []string{"a"}},
		{"the same twice", `{"a": 1}`, []edit{{"a", "", "2"}, {"a", "", "3"}}, `{"a": 2}`, []string{"a"}},
		{"a key that is taken", `{"a": 1, "b": 2}`, []edit{{"a", "b", ""}}, `{"a": 1, "b": 2}`, nil},
		{"a key that another edit takes", `{"a": 1, "b": 2}`, []edit{{"a", "c", ""}, {"b", "c", ""}}, `{"c": 1, "b": 2}`, []string{"a"}},
		{"one key in two objects", `[{"a": 1}, {"a": 2}]`, []edit{{"[0].a", "c", ""}, {"[1].a", "c", ""}}, `[{"c": 1}, {"c": 2}]`, []string{"[0].a", "[1].a"}},
		{"a value that is there already", `{"a": "x"}`, []edit{{"a", "", `"x"`}}, `{"a": "x"}`, nil},
		{"a key that is there already", `{"a": 1}`, []edit{{"a", "a", ""}}, `{"a": 1}`, nil},
		{"a value that is not JSON", `{"a": 1}`, []edit{{"a", "", "{"}}, `{"a": 1}`, nil},
		{"no value at all", `{"a": 1}`, []edit{{"a", "", ""}}, `{"a": 1}`, nil},
		{"a key of an item", `[1]`, []edit{{"[0]", "c", ""}}, `[1]`, nil},
		{"a key that is not there", `{"a": 1}`, []edit{{"x", "c", ""}}, `{"a": 1}`, nil},
		{"an item that is not there", `[1]`, []edit{{"[1]", "", "2"}}, `[1]`, nil},
		{"a member of a list", `{"a": [1]}`, []edit{{"a.b", "", "2"}}, `{"a": [1]}`, nil},
		{"a parent that is not there", `{"a": 1}`, []edit{{"x.y", "", "2"}}, `{"a": 1}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			issues := issue.Issues{{Code: "without", Path: issue.Root}}
			for _, e := range c.edits {
				issues = append(issues, fix(t, e.path, e.key, e.value))
			}
			doc := parsed(t, []byte(c.text))
			text, applied := validate.ApplyFixes(doc, issues)
			require.Equal(t, c.want, string(text))
			require.Equal(t, c.text, string(doc.Text()))
			var paths []string
			for _, i := range applied {
				paths = append(paths, i.Path.String())
			}
			require.Equal(t, c.applied, paths)
			parsed(t, text)
		})
	}
}

// TestEdits shows that edits are small, and that those of issues that do not overlap can
// be made together.
func TestEdits(t *testing.T) {
	const text = `{"title": "Bridge", "elemnts": [{"element_id": "a"}]}`
	doc := parsed(t, []byte(text))
	issues := issue.Issues{
		fix(t, "elemnts", "elements", ""),
		fix(t, "title", "", `[{"locale": "en", "value": "Bridge"}]`),
		fix(t, "elemnts[0].element_id", "", `"b"`),
		fix(t, "title", "", `[]`), // overlaps
		fix(t, "elemnts[0].context_type_id", "", `"low"`),
	}
	edits, fixed := validate.Edits(doc, issues)
	require.Len(t, fixed, 4)
	var got []string
	for _, e := range edits {
		got = append(got, text[e.Range.Start:e.Range.End]+" -> "+string(e.Text))
	}
	require.Equal(t, []string{
		` -> [{"locale": "en", "value": `, ` -> }]`, // around the value that is there
		`"elemnts" -> "elements"`,
		`"a" -> "b"`,
		` -> , "context_type_id": "low"`,
	}, got)
	after, applied := validate.ApplyFixes(doc, issues)
	require.Equal(t, fixed, applied)
	want, err := document.ApplyEdits([]byte(text), edits)
	require.NoError(t, err)
	require.Equal(t, want, after)
	require.JSONEq(t, `{"title": [{"locale": "en", "value": "Bridge"}], "elements": [{"element_id": "b", "context_type_id": "low"}]}`, string(after))
}

// FuzzApplyFixes checks that fixes never break a document.
func FuzzApplyFixes(f *testing.F) {
	f.Add(`{"a": {"b": [1, 2]}, "c": ""}`, "a.b[1]", "c", "a")
	f.Add(`{"a": 1}`, "b", "", "a")
	f.Fuzz(func(t *testing.T, text, one, key, other string) {
		doc, err := document.Parse([]byte(text))
		first, errFirst := issue.ParsePath(one)
		second, errSecond := issue.ParsePath(other)
		if err != nil || errFirst != nil || errSecond != nil {
			return
		}
		issues := issue.Issues{
			{Fix: &issue.Fix{Path: first, Key: strings.ToValidUTF8(key, "")}},
			{Fix: &issue.Fix{Path: second, Value: []byte(`"x"`)}},
			{Fix: &issue.Fix{Path: first, Value: []byte(`{}`)}},
		}
		fixed, _ := validate.ApplyFixes(doc, issues)
		if _, err := document.Parse(fixed); err != nil {
			t.Fatalf("%s\nbecame\n%s\n%v", text, fixed, err)
		}
	})
}
