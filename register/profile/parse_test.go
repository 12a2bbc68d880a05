package profile_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/profiles"
	"github.com/datachain-go/datachain/register/profile"
)

// TestBuiltIn reads every built-in profile, which is named by its id and says when it was checked.
func TestBuiltIn(t *testing.T) {
	entries, err := profiles.FS().ReadDir(".")
	require.NoError(t, err)
	require.Len(t, entries, 3)
	for _, e := range entries {
		p := builtIn(t, strings.TrimSuffix(e.Name(), ".yaml"))
		require.Equal(t, e.Name(), p.ID+".yaml")
		require.NotEmpty(t, p.Target.Checked)
		require.Equal(t, p.ID == british, p.Target.Superseded)
		require.True(t, p.Fits("ai"))
		for _, i := range p.Check(release(t, "ai@2026-11-15-stable")) {
			require.NotRegexp(t, "has no variable", i.Message)
		}
	}
}

// TestInvalid names the line of each mistake, and what to write.
func TestInvalid(t *testing.T) {
	head := "id: own\ntypes: [ai]\nlocale: en\nfields:\n"
	for _, test := range []struct{ name, text, line, message, hint string }{
		{"no YAML", "a: [", "1", "", ""},
		{"no object", "- a", "1", "A profile must be an object.", ""},
		{"no fields", "id: own\ntypes: [ai]\nlocale: en\n", "1", "A profile must have fields.", ""},
		{"no id", "types: [ai]\nlocale: en\nfields: [{name: a}]\n", "1", "id is missing.", "add id"},
		{"an id for no document", "id: a b\ntypes: [ai]\nlocale: en\nfields: [{name: a}]\n", "1", `The id "a b" can't be used in documents.`, ""},
		{"no types", "id: own\nlocale: en\nfields: [{name: a}]\n", "1", "types is missing", ""},
		{"no locale", "id: own\ntypes: [ai]\nfields: [{name: a}]\n", "1", "locale must be a language tag.", ""},
		{"unknown key", head + "  - {name: a, form: []}\n", "5", `A field has no key "form".`, "use from"},
		{"unknown type", head + "  - {name: a, type: txt}\n", "5", `type can't be "txt".`, "use text"},
		{"unknown role", head + "  - {name: a, from: [{role: purposes, text: \"{title}\"}]}\n", "5", `role can't be "purposes".`, "use purpose"},
		{"unknown field of a document", head + "  - {name: a, from: [{path: titel}]}\n", "5", `A document has no field "titel".`, ""},
		{"two sources in one", head + "  - {name: a, from: [{path: title, is: x}]}\n", "5", "A source must say one place", ""},
		{"no source", head + "  - {name: a, from: [{join: x}]}\n", "5", "A source must say one place", ""},
		{"no text", head + "  - {name: a, from: [{role: risk}]}\n", "5", "must have a text", ""},
		{"bad template", head + "  - {name: a, from: [{role: risk, text: \"{title\"}]}\n", "5", "a { is not closed", ""},
		{"nested groups", head + "  - {name: a, from: [{role: risk, text: \"[a[b]]\"}]}\n", "5", "a [ is inside of another", ""},
		{"unknown placeholder", head + "  - {name: a, from: [{role: risk, text: \"{titel}\"}]}\n", "5", `A placement has no "{titel}".`, ""},
		{"unknown role of a variable", head + "  - {name: a, from: [{role: risk, text: \"{role.safe}\"}]}\n", "5", `A placement has no "{role.safe}".`, ""},
		{"condition on no field", head + "  - {name: a, required: {bb: [x]}}\n  - {name: b}\n", "5", `There is no field "bb".`, "use b"},
		{"condition on no choice", head + "  - {name: a, required: {b: [z]}}\n  - {name: b, type: choice, choices: [x]}\n", "5", `"z" is no choice of b.`, ""},
		{"cycle", head + "  - {name: a, only: {b: [x]}}\n  - {name: b, only: {c: [x]}}\n  - {name: c, required: {a: [x]}}\n", "7", "The conditions of c and a depend on each other.", ""},
		{"cycle with itself", head + "  - {name: a, only: {a: [x]}}\n", "5", "The conditions of a and a depend on each other.", ""},
		{"a table with no choice", head + "  - {name: a, type: choice, choices: [x], from: [{path: id, map: {a: y}}]}\n", "5", `"y" is no choice of a.`, ""},
		{"a constant that is no choice", head + "  - {name: a, type: choice, choices: [x], from: [{is: y}]}\n", "5", `"y" is no choice of a.`, ""},
		{"no choices", head + "  - {name: a, type: choice}\n", "5", "must have choices", ""},
		{"an alias of no choice", head + "  - {name: a, type: choice, choices: [x], aliases: {y: z}}\n", "5", `There is no choice "y".`, ""},
		{"twice", head + "  - {name: a}\n  - {name: a}\n", "6", `There are two fields "a".`, ""},
		{"max", head + "  - {name: a, max: many}\n", "5", "max must be an integer from 1.", ""},
		{"a group without items", head + "  - {name: a, group: g}\n", "5", "must have each and list", ""},
		{"a group of other items", head + "  - {name: a, list: true, group: g, each: {role: risk}}\n  - {name: b, list: true, group: g, each: {role: data}}\n", "4", "has other items than the first", ""},
		{"fields without each", head + "  - {name: a, type: list, fields: [{name: b}]}\n", "5", "must have the type list, and each", ""},
		{"fields of a list in a list", head + "  - {name: a, type: list, each: {sources: [law]}, fields: [{name: b, type: list, each: {sources: [law]}, fields: [{name: c}]}]}\n", "5", "A field of a list can't have fields.", ""},
		{"a condition in a list", head + "  - {name: a, type: list, each: {sources: [law]}, fields: [{name: b, required: {c: [x]}}, {name: c}]}\n", "5", "always required, or never", ""},
		{"objects to confirm", head + "  - {name: a, type: list, each: {sources: [law]}, confirm: true, fields: [{name: b}]}\n", "5", "can't be confirmed", ""},
		{"import", head + "  - {name: a, import: nowhere}\n", "5", `import can't be "nowhere".`, ""},
		{"has a list", head + "  - {name: a, from: [{has: {list: register.classes}, then: x}]}\n", "5", "has must choose placements.", ""},
		{"a list elsewhere", head + "  - {name: a, from: [{list: elements, text: \"{.}\"}]}\n", "5", "is not a list of the object register", ""},
		{"checked", "target: {checked: soon}\n" + head + "  - {name: a}\n", "1", "checked must be a date.", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, issues := profile.Parse("own.yaml", []byte(test.text))
			require.Nil(t, p)
			require.NotEmpty(t, issues)
			found := issues[0]
			for _, i := range issues {
				require.EqualValues(t, "PROFILE_INVALID", i.Code)
				require.Equal(t, "own.yaml", i.Position.File)
				if strings.Contains(i.Message, test.message) {
					found = i
				}
			}
			require.Contains(t, found.Message, test.message, "%v", issues)
			require.Contains(t, found.FixHint, test.hint)
			require.Equal(t, test.line, fmt.Sprint(found.Position.Line))
		})
	}
}

// TestHostileProfile refuses what is too large, with few findings.
func TestHostileProfile(t *testing.T) {
	head := "id: own\ntypes: [ai]\nlocale: en\nfields:\n"
	var fields, cycle strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&fields, "  - {name: f%d}\n", i)
	}
	for i := range 400 {
		fmt.Fprintf(&cycle, "  - {name: f%d, only: {f%d: [x]}}\n", i, (i+1)%400)
	}
	for name, text := range map[string]string{
		"a template of 1 MB": head + "  - {name: a, from: [{role: risk, text: \"" + strings.Repeat("{title}", 150_000) + "\"}]}\n",
		"10,000 fields":      head + fields.String(),
		"a long cycle":       head + cycle.String(),
		"deep":               head + "  - {name: a, from: " + strings.Repeat("[{all: ", 5000) + strings.Repeat("}]", 5000) + "}\n",
		"open brackets":      head + "  - {name: a, from: [{role: risk, text: \"" + strings.Repeat("[", 100_000) + "\"}]}\n",
		"many unknown keys":  head + "  - {name: a, " + strings.Repeat("x: 1, ", 1) + strings.Join(keys(20_000), ", ") + "}\n",
		"nothing but a name": "id",
		"invalid UTF-8":      head + "  - {name: \xff}\n",
	} {
		p, issues := profile.Parse("own.yaml", []byte(text))
		require.Nil(t, p, name)
		require.NotEmpty(t, issues, name)
		require.LessOrEqual(t, len(issues), 100, name)
	}
}

func keys(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("k%d: 1", i)
	}
	return list
}

// complete has most keys of the grammar. It is short, as seeds must be: a fuzzer tries to shorten what
// it finds, byte by byte.
const complete = `{id: o, title: {en: T}, target: {name: N, url: "http://n", checked: 2026-01-01, superseded: true}, types: [ai], locale: en,
output: {format: csv, header: title, joined: "; "}, fields: [
{name: a, type: choice, required: true, choices: {y: Y, n: N}, aliases: {y: J}, from: [{has: {role: data, context: personal}, then: y, else: n}], confirm: true},
{name: b, type: month, only: {a: y}, max: 7, from: [{path: register.since, map: {x: z}}, {filing: filed}, {page: url}], import: filing.url},
{name: c, list: true, group: g, each: {role: risk}, from: [{text: "{title}[: {role.safeguard}]"}], import: {category: risk, variable: safeguard}},
{name: d, type: list, each: {sources: [law]}, fields: [{name: e, type: url, from: [{path: url}]}]},
{name: f, type: html, from: [{all: [{is: x}, {publisher: name}, {element: risk.errors, text: "{description} {rest}", first: true}], join: " "}]}],
facets: [{name: h, auto: true, from: [{list: register.classes, where: {scheme: s}, text: "{class}"}]}]}`

// FuzzParse parses any text, and reports a document in what is a profile.
func FuzzParse(f *testing.F) {
	p, issues := profile.Parse("own.yaml", []byte(complete))
	require.Empty(f, issues)
	shown := present(f, housing(f, nil))
	require.NotZero(f, p.Report(shown, nil).Filled())
	f.Add(complete)
	for _, text := range []string{"id: o\ntypes: [ai]\nlocale: en\nfields:\n  - {name: a, from: [{path: title}]}\n", "- a", "a: ["} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, issues := profile.Parse("own.yaml", []byte(text))
		require.Equal(t, p == nil, len(issues) > 0)
		if p != nil {
			require.NoError(t, p.Report(shown, nil).Write(io.Discard, profile.Text))
		}
	})
}
