package dtpr_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain-dtpr/internal/dtpr"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const drawing = `<svg viewBox="0 0 36 36" xmlns="http://www.w3.org/2000/svg"><circle cx="18" cy="18" r="8" fill="currentColor"/></svg>`

// files returns a tree from an archive: lines of "-- name --", each followed by the
// content of a file.
func files(archive string) fstest.MapFS {
	tree := fstest.MapFS{}
	for part := range strings.SplitSeq("\n"+strings.TrimSpace(archive)+"\n", "\n-- ") {
		if name, content, ok := strings.Cut(part, " --\n"); ok {
			tree[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(content, "DRAWING", drawing))}
		}
	}
	return tree
}

// compiled imports a tree with one version and compiles the result.
func compiled(t *testing.T, tree fs.FS, o *dtpr.Options) (*taxonomy.Release, []dtpr.Note) {
	t.Helper()
	r, err := dtpr.Import(tree, o)
	require.NoError(t, err)
	require.Len(t, r.Versions, 1)
	return build(t, r.Versions[0]), r.Notes
}

func build(t *testing.T, v *dtpr.Version) *taxonomy.Release {
	t.Helper()
	out := fstest.MapFS{}
	for name, data := range v.Files() {
		out[v.ID.Type()+"/"+v.ID.Folder()+"/"+name] = &fstest.MapFile{Data: data}
	}
	c, err := source.Compile(out, v.ID, nil)
	require.NoError(t, err)
	require.Empty(t, c.Issues.With(issue.SeverityError))
	require.Equal(t, v.Source.Released, c.Released)
	return c.Release
}

// lines returns notes as text.
func lines(notes []dtpr.Note) []string {
	var list []string
	for _, n := range notes {
		list = append(list, fmt.Sprintf("%s %s %s (%s): %s", n.Kind, n.Position, n.Path, n.Subject, n.Message))
	}
	return list
}

const versionTree = `
-- 2026-03-01-beta/meta.yaml --
version: toy@2026-03-01-beta
status: beta
created_at: "2026-02-27T10:00:00.000Z"
notes: |
  First notes.
  Second line.
content_hash: sha256-00
locales: [en, fr]
-- 2026-03-01-beta/datachain-type.yaml --
id: toy
name:
  - {locale: en, value: Toy}
  - {locale: fr, value: Jouet}
description:
  - {locale: en, value: What a toy does}
  - {locale: fr, value: Ce que fait un jouet}
categories: [who, what]
subchains:
  - id: flow
    name: [{locale: en, value: Flow}, {locale: fr, value: Flux}]
    categories: [what, who]
locales: [en, fr]
sources: [{type: framework, title: Of the type}]
-- 2026-03-01-beta/categories/what.yaml --
id: what
name: [{locale: en, value: What}, {locale: fr, value: Quoi}]
description: [{locale: en, value: What it does}, {locale: fr, value: Ce qu’il fait}]
prompt: [{locale: en, value: "What does it do?"}, {locale: fr, value: "Que fait-il ?"}]
required: true
order: 2
datachain_type: toy
shape: octagon
sources: [{type: research_paper, title: A paper, url: "https://example.org/p", citation: "A. Author. CC BY-SA 4.0."}]
examples: [{scenario: [], narrative: []}]
element_variables:
  - id: detail
    label: [{locale: en, value: Detail}, {locale: fr, value: Détail}]
    required: true
  - id: harms
    kind: multi_select_enum
    label: [{locale: en, value: Harms}, {locale: fr, value: Dommages}]
    sources: [{type: other, title: A list}]
    options:
      - id: noise
        name: [{locale: en, value: Noise}, {locale: fr, value: Bruit}]
        description: [{locale: en, value: Too loud}, {locale: fr, value: Trop fort}]
        applies_to: [beep, gone]
        authoring_guidance: [{locale: en, value: When loud}]
        examples: [{narrative: [{locale: en, value: A horn}]}]
element_context:
  id: level
  name: [{locale: en, value: Level}, {locale: fr, value: Niveau}]
  description: [{locale: en, value: How much}, {locale: fr, value: Combien}]
  values:
    - id: dark
      name: [{locale: en, value: Dark}, {locale: fr, value: Sombre}]
      description: [{locale: en, value: In the dark}, {locale: fr, value: Dans le noir}]
      color: "#1f6feb"
    - id: tag
      name: [{locale: en, value: Tag}, {locale: fr, value: Mot}]
      description: [{locale: en, value: A tag}, {locale: fr, value: Un mot}]
      color: null
-- 2026-03-01-beta/categories/who.yaml --
id: who
name: [{locale: en, value: Who}, {locale: fr, value: Qui}]
description: [{locale: en, value: Who made it}, {locale: fr, value: Qui l’a fait}]
datachain_type: toy
order: 1
shape: circle
-- 2026-03-01-beta/elements/b-first.yaml --
id: beep
category_id: what
title: [{locale: en, value: "Beeps {{detail}}"}, {locale: fr, value: "Bipe {{detail}}"}, {locale: de, value: Piept}]
description: [{locale: en, value: It beeps}, {locale: fr, value: Il bipe}]
citation: [{locale: en, value: Old citation}]
examples:
  - scenario: [{locale: en, value: At home}, {locale: fr, value: À la maison}]
    narrative: [{locale: en, value: "It beeps: often."}]
authoring_guidance: [{locale: en, value: Say how often}]
symbol_id: bell
-- 2026-03-01-beta/elements/c-second.yaml --
id: "another one"
category_id: what
title: [{locale: en, value: Another}, {locale: fr, value: Autre}]
description: [{locale: en, value: It is}, {locale: fr, value: Il est}]
sources: [{type: regulation, title: A law}]
symbol_id: missing
-- 2026-03-01-beta/elements/maker.yaml --
id: maker
category_id: who
title: [{locale: en, value: Maker}, {locale: fr, value: Fabricant}]
description: [{locale: en, value: Who made it}, {locale: fr, value: Qui l’a fait}]
symbol_id: bell
-- 2026-03-01-beta/elements/lost.yaml --
id: lost
category_id: nowhere
title: [{locale: en, value: Lost}]
description: [{locale: en, value: Lost}]
symbol_id: bell
-- 2026-03-01-beta/symbols/bell.svg --
<svg viewBox="0 0 36 36" fill="none" xmlns="http://www.w3.org/2000/svg"><circle cx="18" cy="18" r="9" fill="currentColor"/><circle cx="18" cy="18" r="3" fill="var(--symbol-bg, white)"/></svg>
-- 2026-03-01-beta/symbols/bad.svg --
<svg viewBox="0 0 36 36" xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>
-- 2026-03-01-beta/translations.yaml --
source_locale: en
`

func TestVersion(t *testing.T) {
	t.Parallel()
	r, notes := compiled(t, files(versionTree), &dtpr.Options{Licence: "CC-BY-4.0", Attribution: "Toy Makers"})
	m := r.Manifest()
	assert.Equal(t, "toy@2026-03-01-beta", m.ID.String())
	assert.Equal(t, taxonomy.Localized{{Locale: "en", Value: "First notes.\nSecond line.\n"}}, m.Notes)
	assert.Equal(t, "CC-BY-4.0", m.Licence)
	assert.Equal(t, "Toy Makers", m.Attribution)
	assert.Equal(t, []string{"who", "what"}, r.Type().Categories)
	assert.Equal(t, []string{"what", "who"}, r.Type().Subchains[0].Categories)
	assert.Equal(t, []string{"maker", "beep", "another_one"}, r.ElementIDs(), "the order of the files")

	what, _ := r.Category("what")
	assert.True(t, what.Required)
	assert.Equal(t, taxonomy.Octagon, what.Shape)
	assert.Equal(t, "What does it do?", what.Prompt.Pick("en"))
	assert.Equal(t, "CC-BY-SA-4.0", what.Sources[0].Licence)
	assert.Equal(t, "A. Author. CC BY-SA 4.0.", what.Sources[0].Citation)
	assert.True(t, what.Variables[0].Required)
	assert.Equal(t, taxonomy.SelectVariable, what.Variables[1].Type)
	assert.Equal(t, []string{"beep"}, what.Variables[1].Options[0].AppliesTo)
	assert.Equal(t, taxonomy.Localized{{Locale: "en", Value: "Too loud\nA horn"}, {Locale: "fr", Value: "Trop fort"}}, what.Variables[1].Options[0].Description)
	assert.Equal(t, taxonomy.Localized{{Locale: "en", Value: "Noise: When loud"}}, what.AuthoringGuidance)
	assert.Equal(t, "A list", what.Variables[1].Sources[0].Title)
	assert.Equal(t, "dark_2", what.Context.Values[0].ID)
	assert.Equal(t, "#1F6FEB", what.Context.Values[0].Color)
	assert.Empty(t, what.Context.Values[1].Color)

	beep, _ := r.Element("beep")
	assert.Equal(t, "Bipe {{detail}}", beep.Title.Pick("fr"))
	assert.Equal(t, []taxonomy.Localized{{{Locale: "en", Value: "At home: It beeps: often."}, {Locale: "fr", Value: "À la maison"}}}, beep.Examples)
	assert.Equal(t, []taxonomy.Source{{Type: "other", Title: "Old citation"}}, beep.Sources)
	bell, _ := r.Symbol("bell")
	assert.Contains(t, bell, "var(--icon-fill")

	assert.Equal(t, []string{
		"lost 2026-03-01-beta/elements/lost.yaml:1:1  (lost): the element has no category that exists",
		"lost 2026-03-01-beta/symbols/bad.svg:1:61  (): the drawing is not allowed, so the symbol is a dot: The element <script> could run or load something.",
		"changed 2026-03-01-beta/categories/what.yaml:9:80 sources[0].citation (CC-BY-SA-4.0): the licence that the citation names is also the licence of the source",
		"dropped 2026-03-01-beta/categories/what.yaml:10:1 examples (): examples is not imported: only elements have examples",
		"dropped 2026-03-01-beta/categories/what.yaml:23:28 element_variables[1].options[0].applies_to[1] (gone): the element does not exist",
		"changed 2026-03-01-beta/categories/what.yaml:24:9 element_variables[1].options[0].authoring_guidance (): guidance of an option is part of that of its category or element",
		"changed 2026-03-01-beta/categories/what.yaml:25:9 element_variables[1].options[0].examples (): examples of an option are part of its description",
		"changed 2026-03-01-beta/categories/what.yaml:31:7 element_context.values[0].id (dark -> dark_2): the value id is malformed, reserved or taken, so it was changed",
		"dropped 2026-03-01-beta/datachain-type.yaml:14:1 sources (): sources is not imported: the format has no place for it",
		"dropped 2026-03-01-beta/elements/b-first.yaml:3:103 title[2].value (de): the text is in a locale that the version does not list",
		"changed 2026-03-01-beta/elements/b-first.yaml:5:1 citation (): the citation is a source",
		"changed 2026-03-01-beta/elements/b-first.yaml:7:5 examples[0] (): scenario and narrative of an example are one text",
		"changed 2026-03-01-beta/elements/c-second.yaml:1:1 id (another one -> another_one): the element id is malformed, reserved or taken, so it was changed",
		"filled 2026-03-01-beta/elements/c-second.yaml:6:1 symbol_id (missing): the symbol does not exist, so it is a dot",
		"dropped 2026-03-01-beta/elements/lost.yaml:2:1 category_id (nowhere): the category does not exist",
		"changed 2026-03-01-beta/meta.yaml:3:1 created_at (2026-02-27T10:00:00.000Z -> 2026-02-27): the date of created_at is released",
		"dropped 2026-03-01-beta/meta.yaml:7:1 content_hash (): content_hash is not imported: it is computed when the version is built, in another way",
		"changed 2026-03-01-beta/symbols/bell.svg  (): the background of the symbol is the fill of the icon",
		"dropped 2026-03-01-beta/translations.yaml  (): the review states of translations have no place in the format",
	}, lines(notes))
}

// TestRoles checks the roles of what taxonomies of the family have in common.
func TestRoles(t *testing.T) {
	t.Parallel()
	plain, _ := compiled(t, files(versionTree), nil)
	for _, c := range plain.Categories() {
		assert.Empty(t, c.Role, c.ID)
	}
	common := strings.NewReplacer("what", "toy__input_dataset", "who", "accountable", "id: detail", "id: additional_description", "{{detail}}", "{{additional_description}}",
		"id: harms", "id: description", "id: level", "id: pii", "id: dark", "id: de_identified", "id: tag", "id: deployer").Replace(versionTree)
	r, _ := compiled(t, files(common), nil)
	data, ok := r.Category("toy__input_dataset")
	require.True(t, ok)
	assert.EqualValues(t, codes.RoleData, data.Role)
	assert.EqualValues(t, codes.RoleWords, data.Variables[0].Role)
	assert.Empty(t, data.Variables[1].Role, "another one has it")
	assert.EqualValues(t, codes.Rising, data.Context.Order)
	assert.False(t, data.Context.Values[0].Lead)
	assert.True(t, data.Context.Values[1].Lead)
	who, ok := r.Category("accountable")
	require.True(t, ok)
	assert.EqualValues(t, codes.RoleAccountable, who.Role)
}

func TestVersionIDs(t *testing.T) {
	t.Parallel()
	tree := func(meta string) fstest.MapFS {
		return files("-- meta.yaml --\n" + meta + `
-- datachain-type.yaml --
{id: toy, name: [{locale: en, value: Toy}], categories: [c]}
-- categories/c.yaml --
{id: c, name: C, description: C, shape: circle}
-- elements/e.yaml --
{id: e, category_id: c, title: E, description: E, symbol_id: s}
-- symbols/s.svg --
DRAWING
`)
	}
	for stated, want := range map[string]string{
		"version: toy@2026-03-01-beta":   "toy@2026-03-01-beta",
		"version: toy@2026-03-01":        "toy@2026-03-01-stable",
		"version: other@2026-03-01-beta": "other@2026-03-01-beta",
		"status: beta":                   "toy@2025-01-02-beta",
	} {
		r, err := dtpr.Import(tree(stated), &dtpr.Options{Date: "2025-01-02"})
		require.NoError(t, err)
		assert.Equal(t, want, r.Versions[0].ID.String())
		build(t, r.Versions[0])
	}
	_, err := dtpr.Import(tree("version: toy@yesterday"), nil)
	require.ErrorIs(t, err, dtpr.ErrVersionUnknown)
	_, err = dtpr.Import(fstest.MapFS{"a/b.txt": {}}, nil)
	require.ErrorIs(t, err, dtpr.ErrNoTaxonomy)

	twice := tree("version: toy@2026-03-01-beta")
	for name, f := range tree("version: toy@2026-03-01-beta") {
		twice["copy/"+name] = f
	}
	_, err = dtpr.Import(twice, nil)
	require.ErrorContains(t, err, "are both toy@2026-03-01-beta")
}

// TestHostile shows that nothing in a tree can harm, and that what can't be read is
// reported.
func TestHostile(t *testing.T) {
	t.Parallel()
	tree := files(versionTree)
	const dir = "2026-03-01-beta/"
	bomb := "a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
	for i := 'b'; i < 'k'; i++ {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", i, i, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1)
	}
	tree[dir+"elements/bomb.yaml"] = &fstest.MapFile{Data: []byte(bomb)}
	tree[dir+"elements/deep.yaml"] = &fstest.MapFile{Data: []byte(strings.Repeat("[", 5000))}
	tree[dir+"elements/large.yaml"] = &fstest.MapFile{Data: make([]byte, source.DefaultMaxFileSize+1)}
	tree[dir+"elements/list.yaml"] = &fstest.MapFile{Data: []byte("- a\n")}
	tree[dir+"elements/types.yaml"] = &fstest.MapFile{Data: []byte("id: [1]\ncategory_id: {a: b}\ntitle: 5\ndescription: [null, {locale: 1}]\nsymbol_id: 3\nexamples: text\nsources: [1]\nvariables: {}\n")}
	tree[dir+"elements/pipe.yaml"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	tree[dir+"elements/.."+"name.yaml"] = &fstest.MapFile{Data: []byte("id: ../../etc/passwd\ncategory_id: what\ntitle: x\ndescription: x\nsymbol_id: ../../x\n")}
	r, err := dtpr.Import(tree, nil)
	require.NoError(t, err)
	release := build(t, r.Versions[0])
	assert.NotContains(t, strings.Join(release.ElementIDs(), " "), "/")
	for name := range r.Versions[0].Source.Files() {
		assert.True(t, filepath.IsLocal(name) && !strings.Contains(name, ".."), name)
	}
	all := strings.Join(lines(r.Notes), "\n")
	for _, want := range []string{"bomb.yaml", "deep.yaml", "large.yaml", "list.yaml", "types.yaml", "pipe.yaml"} {
		assert.Contains(t, all, want)
	}

	_, err = dtpr.Import(tree, &dtpr.Options{MaxFiles: 5})
	require.ErrorContains(t, err, "too many files")
	_, err = dtpr.Import(tree, &dtpr.Options{MaxTotalSize: 1000})
	require.ErrorContains(t, err, "too large")
	stop := errors.New("stop")
	_, err = dtpr.Import(tree, &dtpr.Options{Interrupt: func() error { return stop }})
	require.ErrorIs(t, err, stop)
}

// TestLost shows that an element, a category, a symbol, a file or a context that is not in the result
// is reported before everything else, and that other files of a tree are not missed.
func TestLost(t *testing.T) {
	t.Parallel()
	const dir = "2026-03-01-beta/"
	utf16 := []byte{0xff, 0xfe}
	for _, r := range "id: other\ncategory_id: what\n" {
		utf16 = append(utf16, byte(r), 0)
	}
	link := &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("elsewhere")}
	for name, c := range map[string]struct {
		path string
		file *fstest.MapFile
		lost bool
	}{
		"broken":              {dir + "elements/other.yaml", &fstest.MapFile{Data: []byte("id: [")}, true},
		"utf-16":              {dir + "elements/other.yaml", &fstest.MapFile{Data: utf16}, true},
		"linked element":      {dir + "elements/other.yaml", link, true},
		"linked elements":     {"2026-04-01-beta/elements", link, true},
		"linked category":     {dir + "categories/other.yaml", link, true},
		"linked symbol":       {dir + "symbols/other.svg", link, true},
		"linked type":         {"2026-04-01-beta/datachain-type.yaml", link, true},
		"broken category":     {dir + "categories/other.yaml", &fstest.MapFile{Data: []byte("- a")}, true},
		"another extension":   {dir + "elements/other.txt", &fstest.MapFile{Data: []byte("id: other")}, true},
		"a picture":           {dir + "symbols/other.png", &fstest.MapFile{}, true},
		"deeper":              {dir + "elements/more/other.yaml", &fstest.MapFile{Data: []byte("id: other")}, true},
		"context":             {dir + "elements/other.yaml", &fstest.MapFile{Data: []byte("id: other\ncategory_id: what\ncontext: {id: own, values: []}")}, true},
		"context, older name": {dir + "elements/other.yaml", &fstest.MapFile{Data: []byte("id: other\ncategory_id: what\nelement_context: {id: own}")}, true},
		"no context":          {dir + "elements/other.yaml", &fstest.MapFile{Data: []byte("id: other\ncategory_id: what\ncontext: null")}, false},
		"a link elsewhere":    {"README.md", link, false},
		"a file elsewhere":    {dir + "README.md", &fstest.MapFile{}, false},
		"a field of the type": {dir + "translations.yaml", &fstest.MapFile{Data: []byte("a: b")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := files(versionTree)
			delete(tree, dir+"elements/lost.yaml")
			delete(tree, dir+"symbols/bad.svg")
			tree[c.path] = c.file
			r, err := dtpr.Import(tree, nil)
			require.NoError(t, err)
			var lost []string
			for i, n := range r.Notes {
				if n.Kind == dtpr.Lost {
					require.Equal(t, len(lost), i, "it comes first")
					lost = append(lost, n.Position.File)
				}
			}
			require.Equal(t, c.lost, len(lost) > 0, lines(r.Notes))
			if c.lost {
				require.Contains(t, c.path, lost[0])
			}
		})
	}
}

// TestStatus takes over what elements say about their future, and the first field for
// categories.
func TestStatus(t *testing.T) {
	t.Parallel()
	tree := files(versionTree)
	const dir = "2026-03-01-beta/"
	tree[dir+"elements/old.yaml"] = &fstest.MapFile{Data: []byte("id: old\ncategory_ids: [what, who]\ntitle: Old\ndescription: Old\nsymbol_id: bell\n" +
		"status: deprecated\nreplaced_by: [maker, {id: another one, note: [{locale: en, value: If loud}]}, gone]\n")}
	r, notes := compiled(t, tree, nil)
	old, ok := r.Element("old")
	require.True(t, ok)
	require.Equal(t, "what", old.CategoryID)
	require.True(t, old.Deprecated())
	require.Equal(t, []taxonomy.Successor{{ID: "maker"}, {ID: "another_one", Note: taxonomy.Localized{{Locale: "en", Value: "If loud"}}}}, old.ReplacedBy)
	all := strings.Join(lines(notes), "\n")
	require.Contains(t, all, "replaced_by[2] (gone): the element does not exist")
	require.NotContains(t, all, "no place for it: status")
	require.NotContains(t, all, "status is not imported")
}

// TestLinks shows that links are not followed.
func TestLinks(t *testing.T) {
	t.Parallel()
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret.yaml")
	require.NoError(t, os.WriteFile(secret, []byte("id: secret\n"), 0o600))
	require.NoError(t, os.CopyFS(dir, files(versionTree)))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "2026-03-01-beta", "elements", "secret.yaml")))
	r, err := dtpr.Import(os.DirFS(dir), nil)
	require.NoError(t, err)
	assert.NotContains(t, r.Versions[0].Source.Files(), "elements/secret.yaml")
	assert.Contains(t, strings.Join(lines(r.Notes), "\n"), "secret.yaml  (): the file is not a regular file")
}

func TestDeterministic(t *testing.T) {
	t.Parallel()
	for _, tree := range []string{versionTree, frontMatterTree} {
		first, err := dtpr.Import(files(tree), nil)
		require.NoError(t, err)
		for range 5 {
			again, err := dtpr.Import(files(tree), nil)
			require.NoError(t, err)
			require.Equal(t, first.Notes, again.Notes)
			for i := range first.Versions {
				require.Equal(t, first.Versions[i].Source.Files(), again.Versions[i].Source.Files())
			}
		}
	}
}

// FuzzElement shows that no element file breaks an import.
func FuzzElement(f *testing.F) {
	for name, file := range files(versionTree) {
		if strings.Contains(name, "elements/") {
			f.Add(file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree := files(versionTree)
		tree["2026-03-01-beta/elements/fuzz.yaml"] = &fstest.MapFile{Data: data}
		r, err := dtpr.Import(tree, nil)
		require.NoError(t, err)
		for name := range r.Versions[0].Source.Files() {
			require.True(t, filepath.IsLocal(name), name)
		}
	})
}

// BenchmarkImport imports a tree of 600 elements in two locales with their files.
func BenchmarkImport(b *testing.B) {
	tree := files(versionTree)
	const dir = "2026-03-01-beta/"
	text := strings.Repeat("Some words about what this element says to people. ", 4)
	for i := range 600 {
		tree[fmt.Sprintf(dir+"elements/e%d.yaml", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, `id: e%d
category_id: what
title:
  - locale: en
    value: Element %d
  - locale: fr
    value: Élément %d
description:
  - locale: en
    value: >-
      %s
  - locale: fr
    value: >-
      %s
symbol_id: s%d
`, i, i, i, text, text, i)}
		tree[fmt.Sprintf(dir+"symbols/s%d.svg", i)] = &fstest.MapFile{Data: []byte(drawing)}
	}
	b.ReportAllocs()
	for b.Loop() {
		r, err := dtpr.Import(tree, nil)
		require.NoError(b, err)
		require.Len(b, r.Versions[0].Source.Files(), 1+2+603+602+1)
	}
}

// TestFilled shows what takes the place of missing names and descriptions.
func TestFilled(t *testing.T) {
	t.Parallel()
	release, notes := compiled(t, files(`
-- 2026-03-01-beta/meta.yaml --
version: toy@2026-03-01-beta
locales: [en]
-- 2026-03-01-beta/datachain-type.yaml --
id: toy
categories: [what]
-- 2026-03-01-beta/categories/what.yaml --
id: what
shape: circle
-- 2026-03-01-beta/elements/rain.yaml --
id: rain
category_id: what
symbol_id: dot
-- 2026-03-01-beta/symbols/dot.svg --
DRAWING
`), nil)
	e, _ := release.Element("rain")
	c, _ := release.Category("what")
	for _, text := range []taxonomy.Localized{e.Title, e.Description} {
		assert.Equal(t, "rain", text.Pick("en"))
	}
	for _, text := range []taxonomy.Localized{c.Name, c.Description} {
		assert.Equal(t, "what", text.Pick("en"))
	}
	all := strings.Join(lines(notes), "\n")
	for _, want := range []string{
		"the datachain type has no name, so that is its id", "the datachain type has no description, so that of the version is its name",
		"the category has no name, so that is its id", "the category has no description, so that is its name",
		"the element has no title, so that is its id", "the element has no description, so that is its title",
	} {
		assert.Contains(t, all, want)
	}
}
