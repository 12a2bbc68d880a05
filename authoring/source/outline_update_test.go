package source_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
)

// TestOutlineUpdate changes, breaks, adds and removes files: an updated outline is the
// same as a new one, and the old one does not change.
func TestOutlineUpdate(t *testing.T) {
	tree := bigTree(60)
	category, schema := dir+"categories/cat1.yaml", dir+"schema.yaml"
	var elements string
	for name := range tree {
		if strings.HasPrefix(name, dir+"elements/") {
			elements = max(elements, name)
		}
	}
	replace := func(name, old, with string) func(fstest.MapFS) {
		return func(files fstest.MapFS) {
			text := strings.ReplaceAll(string(tree[name].Data), old, with)
			require.NotEqual(t, text, string(tree[name].Data))
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	element := []byte("id: cat1.new\ncategory_id: cat1\nsymbol_id: symbol1\nvariables: [{id: retention, label: {en: Kept}}]\ntitle: {en: \"{{retention}}\"}\n")
	steps := []struct {
		name, file string
		edit       func(fstest.MapFS)
	}{
		{"nothing", category, func(fstest.MapFS) {}},
		{"an id of a category", category, replace(category, "id: cat1\n", "id: other\n")},
		{"a variable", category, replace(category, "id: retention", "id: kept")},
		{"text that can't be parsed", category, replace(category, "shape:", "shape: [")},
		{"text that can be parsed again", category, func(files fstest.MapFS) { files[category] = tree[category] }},
		{"elements", elements, replace(elements, "category_id: cat1\n", "category_id: cat2\n")},
		{"locales", schema, replace(schema, "[en, fr, es]", "[en, de]")},
		{"a file is added", dir + "elements/new.yaml", func(files fstest.MapFS) { files[dir+"elements/new.yaml"] = &fstest.MapFile{Data: element} }},
		{"a symbol is added", dir + "symbols/zzz.svg", func(files fstest.MapFS) { files[dir+"symbols/zzz.svg"] = files[dir+"symbols/symbol1.svg"] }},
		{"a file is removed", category, func(files fstest.MapFS) { delete(files, category) }},
		{"a symbol is removed", dir + "symbols/zzz.svg", func(files fstest.MapFS) { delete(files, dir+"symbols/zzz.svg") }},
	}
	files := maps.Clone(tree)
	o := outline(t, files, version)
	for _, step := range steps {
		before := outline(t, maps.Clone(files), version)
		step.edit(files)
		next, err := o.Update(files, step.file)
		require.NoError(t, err, step.name)
		sameOutline(t, outline(t, files, version), next, step.name)
		sameOutline(t, before, o, step.name+": the outline before")
		o = next
	}
	_, err := o.Update(fstest.MapFS{}, category)
	require.Error(t, err)
}

func sameOutline(t *testing.T, want, got *source.Outline, name string) {
	t.Helper()
	require.Equal(t, want.Unread, got.Unread, name)
	require.Equal(t, want.Locales, got.Locales, name)
	require.Equal(t, written(t, want), written(t, got), name)
}

// written returns an outline as text.
func written(t *testing.T, o *source.Outline) string {
	t.Helper()
	var b strings.Builder
	there := make(map[*source.Definition]bool)
	for _, d := range o.Definitions {
		there[d] = true
		fmt.Fprintln(&b, d.Kind, d.ID, d.File, d.Path, d.Range, d.IDRange, d.Title, d.Description, d.Shape)
		if d.Kind == source.KindVariable && d.In != nil {
			fmt.Fprintln(&b, d.In.ID, len(o.Group(d)), o.Variable(d.In.ID, d.ID) == d)
		}
	}
	for _, r := range o.References {
		fmt.Fprintln(&b, r.Kind, r.ID, r.File, r.Path, r.Range)
		if r.Definition != nil {
			require.True(t, there[r.Definition], "the definition of %s is not in the outline", r.ID)
			fmt.Fprintln(&b, r.Definition.File, r.Definition.IDRange)
		}
	}
	return b.String()
}
