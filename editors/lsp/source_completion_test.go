package lsp_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// completed returns the texts after each completion at ¦, with only the lines that
// change.
func (e *editor) completed(uri, text string) []string {
	e.t.Helper()
	cursor := strings.Index(text, "¦")
	require.GreaterOrEqual(e.t, cursor, 0)
	text = strings.Replace(text, "¦", "", 1)
	e.next++
	e.change(uri, e.next, text)
	var list completion
	e.into(&list, "textDocument/completion", object{"textDocument": object{"uri": uri}, "position": pointAt(text, cursor)})
	var results []string
	for _, i := range list.Items {
		after := apply(text, append(i.Additional, i.TextEdit))
		results = append(results, strings.Split(after, "\n")[strings.Count(text[:cursor], "\n")])
	}
	return results
}

// TestSourceCompletion completes half-typed lines, most of which make the file
// unreadable as YAML or JSON.
func TestSourceCompletion(t *testing.T) {
	const head = "- id: contact.office\n  category_id: contact\n  symbol_id: dot\n"
	const version = schemas + "/bikes/2026-09-01-beta/"
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"category", "elements/all.yaml", "- id: a.b\n  category_id: ¦\n  title: {en", []string{"  category_id: contact", "  category_id: data"}},
		{"category by a prefix", "elements/all.yaml", "- id: a.b\n  category_id: con¦tcat\n", []string{"  category_id: contact"}},
		{"category by its title", "elements/all.yaml", "- category_id: What¦", nil},
		{"category after the colon", "elements/all.yaml", "category_id:¦", []string{"category_id: contact", "category_id: data"}},
		{"category in quotes", "elements/all.yaml", "- category_id: \"d¦\"", []string{`- category_id: "data"`}},
		{"category in braces", "elements/all.yaml", "- {id: a.b, category_id: d¦", []string{"- {id: a.b, category_id: data"}},
		{"symbol", "elements/all.yaml", "- id: a.b\n  symbol_id: ¦", []string{"  symbol_id: dot"}},
		{"keys of a context", "categories/data.yaml", "id: data\ncontext:\n  ¦\n  name: {en: A}\n  required: true\n  description: {en: A}", []string{"  values: ", "  id: ", "  role: ", "  order: "}},
		{"key by a prefix", "elements/all.yaml", head + "  desc¦", []string{"  description: "}},
		{"key with a value", "elements/all.yaml", head + "  desc¦: {en: A}", []string{"  description: {en: A}"}},
		{"key of a variable", "elements/all.yaml", head + "  variables:\n  - id: x\n    la¦", []string{"    label: "}},
		{"first key of an item", "elements/all.yaml", head + "  variables:\n    - id¦", []string{"    - id: "}},
		{"key in braces", "elements/all.yaml", head + "  variables: [{id: x, la¦", []string{"  variables: [{id: x, label: "}},
		{"kind of variable", "elements/all.yaml", head + "  variables:\n    - id: x\n      type: s¦", []string{"      type: select"}},
		{"element", "categories/contact.yaml", "id: contact\nvariables:\n- id: x\n  options:\n  - id: y\n    applies_to: [contact.office, ¦", []string{"    applies_to: [contact.office, data.trips", "    applies_to: [contact.office, data.battery", "    applies_to: [contact.office, contact.office"}},
		{"status", "elements/all.yaml", head + "  status: dep¦", []string{"  status: deprecated"}},
		{"successor", "elements/all.yaml", head + "  replaced_by: con¦", []string{"  replaced_by: contact.office"}},
		{"successor in a list", "elements/all.yaml", head + "  replaced_by: [data.b¦", []string{"  replaced_by: [data.battery"}},
		{"successor with a note", "elements/all.yaml", head + "  replaced_by:\n    - id: con¦", []string{"    - id: contact.office"}},
		{"successor of a removed element", "schema.yaml", "removed:\n  - id: data.old\n    replaced_by: data.b¦", []string{"    replaced_by: data.battery"}},
		{"role", "categories/contact.yaml", "id: contact\nrole: acc¦", []string{"role: accountable", "role: access"}},
		{"role of a variable", "elements/all.yaml", head + "  variables:\n    - id: x\n      role: leg¦", []string{"      role: legal_basis"}},
		{"order of a context", "categories/data.yaml", "id: data\ncontext:\n  order: r¦", []string{"  order: rising"}},
		{"shape", "categories/contact.yaml", "id: contact\nshape: hex¦", []string{"shape: hexagon"}},
		{"key of a context value", "categories/data.yaml", "id: data\ncontext:\n  values:\n    - id: x\n      co¦", []string{"      color: "}},
		{"locale", "elements/all.yaml", head + "  title:\n    en: A\n    ¦", []string{"    fr: "}},
		{"locale in braces", "elements/all.yaml", head + "  title: {en: \"A, b\", ¦", []string{"  title: {en: \"A, b\", fr: "}},
		{"locale of a list", "elements/all.yaml", head + "  title: [{locale: f¦", []string{"  title: [{locale: fr"}},
		{"variable", "elements/all.yaml", head + "  description: {en: \"Write to {{¦", []string{"  description: {en: \"Write to {{address}}"}},
		{"variable before braces", "elements/all.yaml", head + "  description: {en: \"Write to {{ad¦dr}} now\"}", []string{"  description: {en: \"Write to {{address}} now\"}"}},
		{"variable in a block", "elements/all.yaml", head + "  description:\n    en: >\n      Größe: and\n      words {{a¦", []string{"      words {{address}}"}},
		{"variable of a category", "categories/contact.yaml", "id: contact\ndescription: {en: \"{{¦", []string{"description: {en: \"{{address}}"}},
		{"no variable of others", "elements/all.yaml", "- id: data.x\n  category_id: data\n  title: {en: \"{{¦\n" + head, nil},
		{"no variable in keywords", "elements/all.yaml", head + "  keywords: {en: \"{{¦", nil},
		{"categories of the type", "schema.yaml", "datachain_type:\n  categories:\n  - data\n  - con¦", []string{"  - contact"}},
		{"categories in brackets", "schema.yaml", "datachain_type:\n  categories: [data, con¦]", []string{"  categories: [data, contact]"}},
		{"nothing in a text", "elements/all.yaml", head + "  title: {en: Off¦", nil},
		{"nothing in a comment", "elements/all.yaml", head + "  # cat¦", nil},
		{"JSON category", "elements/new.json", `[{"id": "a.b", "category_id": "con¦`, []string{`[{"id": "a.b", "category_id": "contact"`}},
		{"JSON key", "elements/new.json", `{"id": "a.b", "cate¦`, []string{`{"id": "a.b", "category_id": `}},
		{"JSON locale", "elements/new.json", `{"title": {"en": "A", "¦"`, []string{`{"title": {"en": "A", "fr": `}},
		{"JSON variable", "elements/new.json", `[{"id": "a.b", "category_id": "contact", "title": {"en": "A {{¦"}}]`, []string{`[{"id": "a.b", "category_id": "contact", "title": {"en": "A {{address}}"}}]`}},
		{"nothing in a symbol", "symbols/dot.svg", "<svg ¦", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := author(t, bikes(t))
			e.open(version+c.file, "")
			assert.Equal(t, c.want, e.completed(version+c.file, c.text))
		})
	}
}

// TestEvolution completes evolution.yaml, explains its keys, and reports what is wrong with
// it.
func TestEvolution(t *testing.T) {
	const uri = schemas + "/bikes/evolution.yaml"
	files := bikes(t)
	files["bikes/evolution.yaml"] = &fstest.MapFile{Data: []byte("renamed: []\n")}
	e := author(t, files)
	e.open(uri, "")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"ren¦", []string{"renamed: "}},
		{"renamed:\n  - k¦", []string{"  - kind: "}},
		{"renamed:\n  - kind: cont¦", []string{"  - kind: context_value"}},
		{"renamed:\n  - kind: element\n    to: data.b¦", []string{"    to: data.battery"}},
		{"renamed:\n  - kind: option\n    in: con¦", []string{"    in: contact.office", "    in: contact"}},
		{"split:\n  - from: data.old\n    to: [data.b¦", []string{"    to: [data.battery"}},
		{"removed:\n  - id: data.old\n    replaced_by: con¦", []string{"    replaced_by: contact.office"}},
		{"removed:\n  - id: data.old\n    since: ¦", []string{"    since: bikes@2026-09-01-beta", "    since: bikes@2026-03-01-stable"}},
		{"removed:\n  - id: data.old\n    note:\n      f¦", []string{"      fr: "}},
	} {
		assert.Equal(t, c.want, e.completed(uri, c.text), c.text)
	}
	e.next++
	e.change(uri, e.next, "renamed:\n  - {kind: element, from: data.old, to: data.battery, in: data, since: 2026-09-01-beta}\n")
	found := e.diagnostics(uri, e.next)
	require.Len(t, found, 1)
	assert.Equal(t, "field_value", found[0].Code)
	assert.Equal(t, 1, found[0].Range.Start.Line)
	var h struct {
		Contents struct{ Value string }
	}
	e.into(&h, "textDocument/hover", object{"textDocument": object{"uri": uri}, "position": object{"line": 0, "character": 2}})
	assert.Contains(t, h.Contents.Value, "Documents follow them")
	e.next++
	e.change(uri, e.next, "renamed:\n  - {kind: element, from: data.old, to: data.battery, since: 2026-09-01-beta}\n")
	assert.Empty(t, e.diagnostics(uri, e.next))
}

// TestEvolutionOfUnsaved compares versions with one another and with evolution.yaml when
// the text of a version changes, before it is saved.
func TestEvolutionOfUnsaved(t *testing.T) {
	const (
		uri     = schemas + "/bikes/2026-12-01-beta/elements/all.yaml"
		between = schemas + "/bikes/2026-09-01-beta/elements/all.yaml"
		records = schemas + "/bikes/evolution.yaml"
	)
	files := bikes(t)
	for name, f := range maps.Clone(files) {
		if rest, ok := strings.CutPrefix(name, "bikes/2026-09-01-beta/"); ok {
			files["bikes/2026-12-01-beta/"+rest] = f
		}
	}
	files["bikes/evolution.yaml"] = &fstest.MapFile{Data: []byte("removed: []\n")}
	text := string(files["bikes/2026-12-01-beta/elements/all.yaml"].Data)
	e := author(t, files)
	shows := func(uri string, codes ...string) (found []diagnostic) {
		t.Helper()
		e.await(fmt.Sprint(codes, " in ", uri), func() bool {
			found = e.shown(uri)
			return slices.EqualFunc(found, codes, func(d diagnostic, code string) bool { return d.Code == code })
		})
		return found
	}
	e.open(uri, text)
	require.Empty(t, e.diagnostics(uri, 1))
	back := "- id: data.speed\n  category_id: data\n  symbol_id: dot\n  title: {en: Audit, fr: Audit}\n  description: {en: Who checks it., fr: Qui le vérifie.}\n"
	e.change(uri, 2, text+back)
	found := shows(uri, "id_reused")
	assert.Equal(t, strings.Count(text, "\n"), found[0].Range.Start.Line)
	assert.Contains(t, found[0].Message, "removed after bikes@2026-03-01-stable")

	e.open(between, text+back) // the version that lacks it
	shows(uri)
	e.change(between, 2, text)
	shows(uri, "id_reused")
	e.change(uri, 3, text)
	shows(uri)

	e.open(records, "removed:\n  - {id: data.speed, replaced_by: data.battery, since: 2026-09-01-beta}\n")
	require.Empty(t, e.diagnostics(records, 1))
	e.change(between, 3, strings.ReplaceAll(text, "data.battery", "data.charge"))
	assert.Equal(t, 1, shows(records, "successor_unknown")[0].Range.Start.Line)
	e.change(between, 4, text)
	shows(records)
}

// TestLastGoodText offers the ids of a file that was good before it was broken, and was
// never saved.
func TestLastGoodText(t *testing.T) {
	e := author(t, bikes(t))
	category := "id: contact\nname: {en: Contact, fr: Contact}\nvariables:\n- id: phone\n  label: {en: Phone, fr: Téléphone}\n"
	e.open(contact, category)
	e.diagnostics(contact, 1)
	e.next = 1
	assert.Equal(t, []string{`description: {en: "{{phone}}`}, e.completed(contact, category+`description: {en: "{{¦`))
	e.diagnostics(contact, e.next-1)
	assert.Equal(t, []string{`description: {en: "Call {{phone}}`}, e.completed(contact, category+`description: {en: "Call {{¦`))
}

// TestSourceHalfTyped cuts authoring files at every byte: everything answers.
func TestSourceHalfTyped(t *testing.T) {
	files := bikes(t)
	e := author(t, files)
	for _, name := range []string{"elements/all.yaml", "categories/data.yaml", "schema.yaml", "elements/new.json"} {
		text := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data[:400])
		if f := files["bikes/2026-09-01-beta/"+name]; f != nil {
			text = string(f.Data)
		}
		uri := schemas + "/bikes/2026-09-01-beta/" + name
		e.open(uri, "")
		for i := range min(len(text), 100) {
			e.next++
			e.change(uri, e.next, text[:i])
			at := object{"textDocument": object{"uri": uri}, "position": pointAt(text, i)}
			for _, method := range []string{"textDocument/completion", "textDocument/hover"} {
				m := e.answer(e.request(method, at))
				require.Nil(t, m.Error, "%s at %d of %s: %v", method, i, name, m.Error)
			}
		}
	}
}
