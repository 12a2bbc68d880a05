package outline_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const dir = sourcetest.Dir

var version = sourcetest.Version()

// TestOutlineOfSamples checks that every id of a release has exactly one definition,
// and that all references have one.
func TestOutlineOfSamples(t *testing.T) {
	tree, err := source.CompileAll(taxonomies.FS(), nil)
	require.NoError(t, err)
	for _, c := range tree.Versions {
		t.Run(c.Version.String(), func(t *testing.T) {
			checkComplete(t, taxonomies.FS(), c.Release)
		})
	}
}

// checkComplete compares the outline of a version with its release.
func checkComplete(t *testing.T, fsys fs.FS, r *taxonomy.Release) *outline.Outline {
	t.Helper()
	o := outlineOf(t, fsys, r.Version())
	require.Empty(t, o.Unread)
	checkRanges(t, fsys, o)
	want := map[string]int{}
	for _, e := range r.Elements() {
		want["element "+e.ID]++
		assert.Len(t, o.Find(source.KindSymbol, e.SymbolID), 1)
		for _, v := range e.Variables {
			if d := o.Variable(e.ID, v.ID); assert.NotNil(t, d, "%s of %s", v.ID, e.ID) {
				assert.Equal(t, v.ID, d.ID)
			}
		}
	}
	for _, c := range r.Categories() {
		want["category "+c.ID]++
		for _, v := range c.Context.Values {
			want["context value "+c.ID+" "+v.ID]++
		}
		for _, v := range c.Variables {
			want["variable "+c.ID+" "+v.ID]++
			for _, option := range v.Options {
				want["option "+c.ID+" "+v.ID+" "+option.ID]++
			}
		}
	}
	for _, s := range r.Type().Subchains {
		want["subchain "+s.ID]++
	}
	got := map[string]int{}
	for _, d := range o.Definitions {
		if d.Kind == source.KindSymbol || ownedBy(d, source.KindElement) {
			continue
		}
		name := d.ID
		for in := d.In; in != nil; in = in.In {
			name = in.ID + " " + name
		}
		got[string(d.Kind)+" "+name]++
	}
	assert.Equal(t, want, got)
	for _, ref := range o.References {
		assert.NotNil(t, ref.Definition, "%s %s in %s at %s", ref.Kind, ref.ID, ref.File, ref.Path)
	}
	return o
}

func outlineOf(t *testing.T, fsys fs.FS, v taxonomy.Version) *outline.Outline {
	t.Helper()
	o, err := outline.New(fsys, v)
	require.NoError(t, err)
	return o
}

func ownedBy(d *outline.Definition, k source.Kind) bool {
	for in := d.In; in != nil; in = in.In {
		if in.Kind == k {
			return true
		}
	}
	return false
}

// checkRanges checks that ranges hold the ids, that definitions contain what is defined
// in them, and that the places are found again. White space is not compared: YAML folds it
// in quotes, and indents and chomps it in a block. No valid id has any.
func checkRanges(t *testing.T, fsys fs.FS, o *outline.Outline) {
	t.Helper()
	text := func(file string, r document.Range) string {
		data, err := fs.ReadFile(fsys, file)
		require.NoError(t, err)
		require.LessOrEqual(t, r.Start, r.End)
		require.LessOrEqual(t, r.End, len(data))
		return string(data[r.Start:r.End])
	}
	holds := func(file string, r document.Range, id string, at issue.Path) {
		written := text(file, r)
		if strings.HasPrefix(written, "*") || strings.Contains(written, `\`) || strings.Contains(written, "''") {
			return // an alias, or escaped
		}
		require.Equal(t, strings.Fields(id), strings.Fields(written), "%s in %s", at, file)
	}
	for _, d := range o.Definitions {
		if d.Kind == source.KindSymbol {
			continue
		}
		holds(d.File, d.IDRange, d.ID, d.Path)
		def, ref := o.At(d.File, d.IDRange.Start)
		require.True(t, def != nil || ref != nil)
		require.True(t, d.Range.Start <= d.IDRange.Start && d.IDRange.End <= d.Range.End)
	}
	for _, r := range o.References {
		holds(r.File, r.Range, r.ID, r.Path)
	}
}

// rename writes other ids at the places of the definitions of some kinds and of the references to
// them: what compiles still does only if all places are known, and exact.
func rename(t *testing.T, fsys fs.FS, o *outline.Outline, newID func(*outline.Definition) string, kinds ...source.Kind) fstest.MapFS {
	t.Helper()
	edits := map[string][]document.Edit{}
	files := map[string]string{}
	change := func(file string, at document.Range, d *outline.Definition) {
		if d != nil && slices.Contains(kinds, d.Kind) {
			edits[file] = append(edits[file], document.Edit{Range: at, Text: []byte(newID(d))})
		}
	}
	for _, d := range o.Definitions {
		if d.Kind != source.KindSymbol {
			change(d.File, d.IDRange, d)
		} else if slices.Contains(kinds, d.Kind) {
			files[d.File] = path.Join(path.Dir(d.File), newID(d)+path.Ext(d.File))
		}
	}
	for _, r := range o.References {
		change(r.File, r.Range, r.Definition)
	}
	renamed := fstest.MapFS{}
	require.NoError(t, fs.WalkDir(fsys, o.Version.Type()+"/"+o.Version.Folder(), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		require.NoError(t, err)
		data, err = document.ApplyEdits(data, edits[name])
		require.NoError(t, err)
		if to, ok := files[name]; ok {
			name = to
		}
		renamed[name] = &fstest.MapFile{Data: data}
		return nil
	}))
	return renamed
}

// renamedID is the id that the tests give.
func renamedID(d *outline.Definition) string { return d.ID + "-z" }

// TestRename renames everything in the samples, and compares the release with one whose
// ids were renamed as Go values.
func TestRename(t *testing.T) {
	all := []source.Kind{
		source.KindElement, source.KindCategory, source.KindVariable, source.KindOption,
		source.KindContextValue, source.KindSubchain, source.KindSymbol,
	}
	for _, v := range []string{"ai@2026-11-18-beta", "sensor@2026-11-15-stable"} {
		t.Run(v, func(t *testing.T) {
			version := taxonomy.MustVersion(v)
			before, err := source.Compile(taxonomies.FS(), version, nil)
			require.NoError(t, err)
			tree := rename(t, taxonomies.FS(), outlineOf(t, taxonomies.FS(), version), renamedID, all...)
			after, err := source.Compile(tree, version, nil)
			require.NoError(t, err)
			require.NotNil(t, after.Release, "%v", after.Issues.With("error"))
			assert.Len(t, after.Issues, len(before.Issues), "%v", after.Issues)
			checkRenamed(t, before.Release, after.Release)
			checkComplete(t, tree, after.Release)
		})
	}
}

// checkRenamed compares a release with one that has other ids.
func checkRenamed(t *testing.T, before, after *taxonomy.Release) {
	t.Helper()
	require.Len(t, after.Elements(), len(before.Elements()))
	for _, e := range before.Elements() {
		got, ok := after.Element(e.ID + "-z")
		require.True(t, ok, e.ID)
		want := *e
		want.ID, want.CategoryID, want.SymbolID = e.ID+"-z", e.CategoryID+"-z", e.SymbolID+"-z"
		want.Title, want.Description = braces(e.Title), braces(e.Description)
		want.Variables = renamedVariables(e.Variables)
		want.ReplacedBy = slices.Clone(e.ReplacedBy)
		for i := range want.ReplacedBy {
			want.ReplacedBy[i].ID += "-z"
		}
		want.IconVariants = slices.Clone(e.IconVariants)
		for i := range want.IconVariants[2:] {
			want.IconVariants[2+i] += "-z"
		}
		assert.Equal(t, &want, got)
		_, ok = after.Symbol(got.SymbolID)
		assert.True(t, ok)
	}
	require.Len(t, after.Categories(), len(before.Categories()))
	for i, c := range before.Categories() {
		want := *c
		want.ID, want.Description, want.Variables = c.ID+"-z", braces(c.Description), renamedVariables(c.Variables)
		want.Context.Values = slices.Clone(c.Context.Values)
		for k := range want.Context.Values {
			want.Context.Values[k].ID += "-z"
		}
		assert.Equal(t, &want, after.Categories()[i])
	}
	for i, s := range before.Type().Subchains {
		assert.Equal(t, s.ID+"-z", after.Type().Subchains[i].ID)
		for k, c := range s.Categories {
			assert.Equal(t, c+"-z", after.Type().Subchains[i].Categories[k])
		}
	}
}

// braces renames the {{variables}} of a text.
func braces(l taxonomy.Localized) taxonomy.Localized {
	l = slices.Clone(l)
	for i := range l {
		l[i].Value = strings.ReplaceAll(l[i].Value, "}}", "-z}}")
	}
	return l
}

func renamedVariables(list []taxonomy.Variable) []taxonomy.Variable {
	list = slices.Clone(list)
	for i := range list {
		list[i].ID += "-z"
		list[i].Options = slices.Clone(list[i].Options)
		for k := range list[i].Options {
			o := &list[i].Options[k]
			o.ID += "-z"
			o.AppliesTo = slices.Clone(o.AppliesTo)
			for m := range o.AppliesTo {
				o.AppliesTo[m] += "-z"
			}
		}
	}
	return list
}

// Editors go from a reference to the definition.
func ExampleNew() {
	v := taxonomy.MustVersion("ai@2026-09-01-beta")
	tree := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		tree["ai/2026-09-01-beta/"+name] = &fstest.MapFile{Data: data}
	}
	o, err := outline.New(tree, v)
	if err != nil {
		panic(err)
	}
	category := o.Find(source.KindCategory, "purpose")[0]
	lines := textpos.New(tree[category.File].Data, textpos.EditorBreaks)
	at := lines.Point(category.IDRange.Start)
	fmt.Printf("%s is defined in %s:%d:%d\n", category.ID, category.File, at.Line, at.Column)
	for _, r := range o.References {
		if r.Definition == category {
			fmt.Println("used in", r.File, r.Path)
		}
	}
	// Output:
	// purpose is defined in ai/2026-09-01-beta/categories/purpose.yaml:1:5
	// used in ai/2026-09-01-beta/elements/purpose.yaml [0].category_id
	// used in ai/2026-09-01-beta/schema.yaml datachain_type.categories[0]
}

// TestOutlineTexts reads what editors show of definitions, in both forms of a text, also
// if some of it is wrong.
func TestOutlineTexts(t *testing.T) {
	tree := sourcetest.With(sourcetest.Base(t), map[string]string{
		dir + "categories/odd.yaml": "id: odd\nname: [{locale: en, value: Odd}, {locale: fr}, 7]\ndescription: {en: 1, fr: Étrange}\nshape: [circle]\n",
		dir + "elements/odd.yaml":   "id: odd.one\ntitle: One\nvariables: [{id: who, label: {en: Who}}]\n",
	})
	o, err := outline.New(tree, version)
	require.NoError(t, err)
	odd := o.Find(source.KindCategory, "odd")[0]
	assert.Equal(t, taxonomy.Localized{{Locale: "en", Value: "Odd"}}, odd.Title)
	assert.Equal(t, taxonomy.Localized{{Locale: "fr", Value: "Étrange"}}, odd.Description)
	assert.Empty(t, odd.Shape)
	assert.Empty(t, o.Find(source.KindElement, "odd.one")[0].Title)
	assert.Equal(t, "Who", o.Find(source.KindVariable, "who")[0].Title.Pick())
	assert.Equal(t, []string{"en", "fr"}, o.Locales)
	assert.Contains(t, taxonomy.Shapes(), o.Find(source.KindCategory, "data")[0].Shape)
}

// TestOutlineUpdate changes, breaks, adds and removes files: an updated outline is the
// same as a new one, and the old one does not change.
func TestOutlineUpdate(t *testing.T) {
	tree := sourcetest.Big(60)
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
	o := outlineOf(t, files, version)
	for _, step := range steps {
		before := outlineOf(t, maps.Clone(files), version)
		step.edit(files)
		next, err := o.Update(files, step.file)
		require.NoError(t, err, step.name)
		sameOutline(t, outlineOf(t, files, version), next, step.name)
		sameOutline(t, before, o, step.name+": the outline before")
		o = next
	}
	_, err := o.Update(fstest.MapFS{}, category)
	require.Error(t, err)
}

func sameOutline(t *testing.T, want, got *outline.Outline, name string) {
	t.Helper()
	require.Equal(t, want.Unread, got.Unread, name)
	require.Equal(t, want.Locales, got.Locales, name)
	require.Equal(t, written(t, want), written(t, got), name)
}

// written returns an outline as text.
func written(t *testing.T, o *outline.Outline) string {
	t.Helper()
	var b strings.Builder
	there := make(map[*outline.Definition]bool)
	for _, d := range o.Definitions {
		there[d] = true
		fmt.Fprintln(&b, d.Kind, d.ID, d.File, d.Path, d.Range, d.IDRange, d.Title, d.Description, d.Shape)
		if d.Kind == source.KindVariable && d.In != nil {
			fmt.Fprintln(&b, d.In.ID, o.Variable(d.In.ID, d.ID) == d)
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

// TestRenameSuccessor shows that an element that gets another id stays the successor of
// others, however they name it.
func TestRenameSuccessor(t *testing.T) {
	const dir = "ai/2026-09-01-stable/"
	version := taxonomy.MustVersion("ai@2026-09-01-stable")
	tree := sourcetest.Base(t)
	tree[dir+"schema.yaml"].Data = append(tree[dir+"schema.yaml"].Data, `
removed:
  - {id: purpose.a, replaced_by: purpose.safety, since: 2026-09-01-stable}
  - {id: purpose.b, replaced_by: [purpose.health, "purpose.safety"], since: 2026-09-01-stable}
  - id: purpose.c
    replaced_by:
      - id: purpose.safety
        note: {en: If it protects., fr: S’il protège.}
    since: 2026-09-01-stable
`...)
	tree[dir+"elements/purpose.yaml"].Data = append(tree[dir+"elements/purpose.yaml"].Data, `
- id: purpose.old
  title: {en: Old, fr: Ancien}
  description: {en: It is old., fr: Il est ancien.}
  category_id: purpose
  symbol_id: shield
  status: deprecated
  replaced_by: purpose.safety
`...)
	o, err := outline.New(tree, version)
	require.NoError(t, err)
	safety := o.Find(source.KindElement, "purpose.safety")[0]
	renamed := rename(t, tree, o, func(d *outline.Definition) string {
		if d == safety {
			return "purpose.protection"
		}
		return d.ID
	}, source.KindElement)
	compiled, err := source.Compile(renamed, version, nil)
	require.NoError(t, err)
	require.Empty(t, compiled.Issues)
	lineage := history.New(compiled.Release, nil)
	for _, id := range []string{"purpose.a", "purpose.c", "purpose.old"} {
		require.Equal(t, "purpose.protection", lineage.Succession(id).Elements[0].ID, id)
	}
	require.Len(t, lineage.Succession("purpose.b").Elements, 2)
}
