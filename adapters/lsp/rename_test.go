package lsp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
)

const forestDir = "forest/2026-05-01-beta/"

// forest returns a source of 600 elements, in files of all forms, with references
// between files and with warnings.
func forest() fstest.MapFS {
	files := fstest.MapFS{}
	add := func(name, format string, args ...any) {
		files[forestDir+name] = mapFile(fmt.Sprintf(format, args...))
	}
	var categories []string
	for c := range 10 {
		id := fmt.Sprintf("cat%d", c)
		categories = append(categories, id)
		add("categories/"+id+".yaml", `id: %[1]s # %[1]s
name: {en: Category %[2]d, fr: Catégorie %[2]d}
description: {en: "With {{size}} and {{kind}}.", fr: "Avec {{size}}."}
shape: circle
variables:
- id: size
  label: {en: Größe, fr: Taille}
  required: true
- {id: "kind", label: {en: Kind, fr: Genre}, type: select, options: [{id: a, label: {en: A, fr: A}, applies_to: [%[1]s.e0, '%[1]s.e1']}, {id: b, label: {en: B, fr: B}}]}
context: {values: [{id: here, label: {en: Here, fr: Ici}}]}
`, id, c)
		var list strings.Builder
		for i := range 60 {
			switch {
			case i < 5: // one element in a JSON file
				add(fmt.Sprintf("elements/%s-%d.json", id, i), `{"id": "%[1]s.e%[2]d", "category_id": "%[1]s", "symbol_id": "symbol%[3]d", "title": {"en": "日本 {{size}}", "fr": "Élément"}, "description": [{"locale": "en", "value": "{{size}} é {{kind}}"}]}`, id, i, i%7)
			case i%3 == 0:
				fmt.Fprintf(&list, "- {id: %[1]s.e%[2]d, category_id: '%[1]s', symbol_id: \"symbol%[3]d\", title: {en: \"Élan %[2]d: {{size}}\"}, description: {en: size}}\n", id, i, i%7)
			default:
				fmt.Fprintf(&list, "- id: %[1]s.e%[2]d\n  category_id: %[1]s\n  symbol_id: symbol%[3]d\n  title:\n    en: >\n      é {{size}}\n      and {{size}}\n    fr: Élément\n  description: {en: cat1 symbol1, fr: cat1}\n", id, i, i%7)
				if i%5 == 0 {
					list.WriteString("  variables: [{id: size, label: {en: Own, fr: Propre}}]\n")
				}
			}
		}
		add("elements/"+id+".yaml", "%s", list.String())
	}
	for i := range 8 { // the last one is not used
		add(fmt.Sprintf("symbols/symbol%d.svg", i), `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="%d" fill="currentColor"/></svg>`, i+2)
	}
	add("schema.yaml", "locales: [en, fr]\ntitle: {en: Forest, fr: Forêt}\ndescription: {en: Forest, fr: Forêt}\ndatachain_type:\n  id: forest\n  name: {en: Forest, fr: Forêt}\n  categories: [%s]\n  subchains: [{id: s, name: {en: S, fr: S}, categories: [cat1, cat2]}]\n", strings.Join(categories, ", "))
	return files
}

// compiled returns the findings and the elements of the forest as text.
func compiledForest(t *testing.T, files fstest.MapFS) (findings, elements []string) {
	t.Helper()
	tree, err := source.CompileAll(files, nil)
	require.NoError(t, err)
	for _, i := range tree.Issues() {
		findings = append(findings, fmt.Sprint(i.Code, i.Severity, i.Position.File, i.Position.Line, i.Path, i.Message, i.FixHint))
	}
	require.Len(t, tree.Versions, 1)
	require.NotNil(t, tree.Versions[0].Release, "%.800q", findings[:min(3, len(findings))])
	for _, e := range tree.Versions[0].Release.Elements() {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		elements = append(elements, string(text))
	}
	slices.Sort(findings)
	slices.Sort(elements)
	return findings, elements
}

// TestRenameInForest renames ids in a source of 600 elements: it compiles to the same,
// with the same findings, but for the id.
func TestRenameInForest(t *testing.T) {
	before, elementsBefore := compiledForest(t, forest())
	require.Len(t, elementsBefore, 600)
	require.NotEmpty(t, before)
	original := forest()
	e := author(t, original)
	file := func(name string) string { return schemas + "/" + forestDir + name }
	for i, c := range []struct{ name, file, part, old, with string }{
		{"element, at its definition", "elements/cat3-1.json", "cat3.e1", "cat3.e1", "cat3.zz_renamed"},
		{"element, at a reference", "categories/cat3.yaml", "cat3.e0", "cat3.e0", "cat3.zz_renamed"},
		{"element in a list", "elements/cat4.yaml", "cat4.e59", "cat4.e59", "cat4.zz_renamed"},
		{"category, at its definition", "categories/cat5.yaml", "cat5", "cat5", "zz_renamed"},
		{"category, in a subchain", "schema.yaml", "cat2]}", "cat2", "zz_renamed"},
		{"variable", "categories/cat6.yaml", "size\n", "size", "zz_renamed"},
		{"variable, in a text", "elements/cat7.yaml", "size}}\"}", "size", "zz_renamed"},
		{"variable of an element that overrides", "elements/cat8.yaml", "size, label", "size", "zz_renamed"},
		{"option", "categories/cat9.yaml", "b, label", "b", "zz_renamed"},
		{"symbol", "elements/cat9.yaml", "symbol5\n", "symbol5", "zz_renamed"},
	} {
		if testing.Short() && i > 1 {
			break
		}
		t.Run(c.name, func(t *testing.T) {
			files := maps.Clone(original)
			text := string(files[forestDir+c.file].Data)
			e.open(file(c.file), text)
			e.renamed(t, files, object{"textDocument": object{"uri": file(c.file)}, "position": place(t, text, c.part)}, c.with)
			e.notify("textDocument/didClose", object{"textDocument": object{"uri": file(c.file)}})
			after, elementsAfter := compiledForest(t, files)
			again := func(list []string) []string {
				list = slices.Clone(list)
				for i := range list {
					list[i] = strings.ReplaceAll(list[i], c.with, c.old)
				}
				slices.Sort(list)
				return list
			}
			assert.True(t, slices.Equal(before, again(after)), "the findings are the same: %d, %d", len(before), len(after))
			assert.True(t, slices.Equal(elementsBefore, again(elementsAfter)), "the elements are the same")
			assert.False(t, slices.Equal(elementsBefore, elementsAfter), "the id is another one")
			unchanged := 0
			for name, f := range files {
				if was := original[name]; was != nil && string(was.Data) == string(f.Data) {
					unchanged++
				}
			}
			assert.Greater(t, unchanged, len(files)/2, "other files do not change")
		})
	}
}
