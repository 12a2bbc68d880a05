package translation_test

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// current returns the table that a version has now.
func current(t *testing.T, tree fs.FS, v taxonomy.Version) *translation.Table {
	t.Helper()
	c, err := source.Compile(tree, v, nil)
	require.NoError(t, err)
	require.Empty(t, c.Issues.With(issue.SeverityError))
	return translation.NewTable(write.FromRelease(c.Release))
}

// imported imports a table and returns the files that change. The result must have what
// the table says.
func importedTable(t *testing.T, tree fs.FS, v taxonomy.Version, csv []byte, o *translation.PlanOptions) (source.Edits, *translation.TablePlan) {
	t.Helper()
	now := current(t, tree, v)
	read, found := translation.ReadTable(csv)
	require.Empty(t, found)
	plan, found := read.Plan(now, o)
	require.Empty(t, found)
	edits, err := edit.Apply(tree, v, plan.Source())
	require.NoError(t, err)
	after, err := source.Preview(tree, v, edits, nil)
	require.NoError(t, err)
	require.Empty(t, after.Issues.With(issue.SeverityError))
	require.NoError(t, plan.Check(now, translation.NewTable(write.FromRelease(after.Release))))
	return edits, plan
}

func csvOf(t *testing.T, tab *translation.Table) []byte {
	t.Helper()
	text, err := tab.CSV()
	require.NoError(t, err)
	return text
}

// TestColumnsOfFields checks that each field of an element is a column, or one of those that
// have columns of another form or none: see the comment of the package.
func TestColumnsOfFields(t *testing.T) {
	a := &write.Authored{Content: taxonomy.Content{Locales: []string{"en"}}}
	e := taxonomy.Element{}
	var others []string
	list, _ := jsonfields.Of(reflect.TypeFor[taxonomy.Element]())
	for _, f := range list {
		switch v := reflect.ValueOf(&e).Elem().FieldByIndex(f.Index); {
		case f.Type.Kind() == reflect.String:
			v.SetString("x")
		case f.Type.Kind() == reflect.Int:
			v.SetInt(7)
		case f.Type.Kind() == reflect.Bool:
			v.SetBool(true)
		case f.Type == reflect.TypeFor[taxonomy.Localized]():
			v.Set(reflect.ValueOf(taxonomy.Localized{{Locale: "en", Value: "x"}}))
		default:
			others = append(others, f.Name)
			continue
		}
		a.Elements = []taxonomy.Element{e}
		columns := translation.NewTable(a).Columns
		require.True(t, slices.Contains(columns, f.Name) || slices.Contains(columns, f.Name+":en"), f.Name)
	}
	require.Equal(t, []string{"replaced_by", "icon_variants", "variables", "examples", "sources", "mappings"}, others, "document the fields in doc.go, and list them here")
}

// TestTableSamples shows that a table that was not changed changes nothing, however a
// spreadsheet writes it.
func TestTableSamples(t *testing.T) {
	t.Parallel()
	versions, _, err := source.Versions(taxonomies.FS())
	require.NoError(t, err)
	for _, v := range versions {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			now := current(t, taxonomies.FS(), v)
			text := csvOf(t, now)
			for _, form := range [][]byte{text, []byte("\ufeff" + string(text)), []byte(strings.ReplaceAll(string(text), "\r\n", "\n"))} {
				read, found := translation.ReadTable(form)
				require.Empty(t, found)
				plan, found := read.Plan(now, &translation.PlanOptions{Prune: true})
				require.Empty(t, found)
				require.True(t, plan.Empty())
			}
		})
	}
}

// TestTableEveryText changes every text of the samples, and back: the files are then as they
// were, but for how texts are folded and quoted.
func TestTableEveryText(t *testing.T) {
	t.Parallel()
	v := taxonomy.MustVersion("sensor@2026-11-15-stable")
	now := current(t, taxonomies.FS(), v)
	changed := 0
	for i := range now.Rows {
		for name, cell := range now.Rows[i].Cells {
			if strings.HasPrefix(name, "title:") || strings.HasPrefix(name, "description:") || strings.HasPrefix(name, "keywords:") || strings.Contains(name, ":label:") {
				now.Rows[i].Cells[name] = "Now: " + cell + " # \"quoted\" 'too'"
				changed++
			}
		}
	}
	edits, plan := importedTable(t, taxonomies.FS(), v, csvOf(t, now), nil)
	require.Len(t, plan.Changes, changed)
	for name, text := range edits {
		before, err := fs.ReadFile(taxonomies.FS(), name)
		require.NoError(t, err)
		assert.Equal(t, comments(before), comments(text), name)
	}
}

// comments returns the lines of comments.
func comments(text []byte) (list []string) {
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

const (
	dir     = "toy/2026-09-01-beta/"
	drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M9 18h18" stroke="currentColor"/></svg>`
	header  = `title: {en: Toy, fr: Jouet}
description: {en: Toy, fr: Jouet}
locales: [en, fr]
datachain_type: {id: toy, name: {en: Toy, fr: Jouet}, categories: [c, d]}
schemes: [{id: law, title: {en: Law, fr: Loi}}, {id: code, title: {en: Code, fr: Code}}]
`
	category = `id: c
name: {en: C, fr: C}
description: {en: C, fr: C}
shape: circle
variables:
  - {id: v, label: {en: V, fr: V}}
`
)

var toyVersion = taxonomy.MustVersion("toy@2026-09-01-beta")

// toy returns a version with element files of the given content.
func toy(elements map[string]string) fstest.MapFS {
	tree := fstest.MapFS{}
	add := func(name, text string) { tree[dir+name] = &fstest.MapFile{Data: []byte(text)} }
	add("schema.yaml", header)
	add("categories/c.yaml", category)
	add("categories/d.yaml", "{id: d, name: {en: D, fr: D}, description: {en: D, fr: D}, shape: circle}\n")
	add("symbols/s.svg", drawing)
	for name, text := range elements {
		add("elements/"+name, text)
	}
	return tree
}

// TestTableInPlace shows what a changed cell does to files in many styles.
func TestTableInPlace(t *testing.T) {
	t.Parallel()
	const base = "id,title:en,title:fr\r\n"
	block := "# Comment\nid: e\ntitle:\n  en: Old   # why\n  fr: Vieux\ndescription: {en: D, fr: D} # end\ncategory_id: c\nsymbol_id: s\n\n# Last\n"
	for name, c := range map[string]struct {
		file, csv  string
		name, want string
	}{
		"plain":        {block, base + "e,New one,Vieux\r\n", "e.yaml", strings.Replace(block, "Old ", "New one ", 1)},
		"to quoted":    {block, base + "e,\"A: b\",Vieux\r\n", "e.yaml", strings.Replace(block, "Old ", `"A: b" `, 1)},
		"formula":      {block, base + "e,'=1+1,Vieux\r\n", "e.yaml", strings.Replace(block, "Old ", `"=1+1" `, 1)},
		"remove":       {block, base + "e,Old,\r\n", "e.yaml", strings.Replace(block, "  fr: Vieux\n", "", 1)},
		"short row":    {block, base + "e,New\r\n", "e.yaml", strings.Replace(block, "Old ", "New ", 1)},
		"flow":         {block, "id;description:fr\r\ne;\"a, b\"\r\n", "e.yaml", strings.Replace(block, "fr: D}", `fr: "a, b"}`, 1)},
		"flow removed": {block, "id\tdescription:fr\r\ne\t\r\n", "e.yaml", strings.Replace(block, "{en: D, fr: D}", "{en: D}", 1)},
		"new key":      {block, "id,order,keywords:en\r\ne,3,\"a, b\"\r\n", "e.yaml", strings.Replace(block, "symbol_id: s\n", "symbol_id: s\norder: 3\nkeywords:\n  en: a, b\n", 1)},
		"lines":        {block, "id,authoring_guidance:en\r\ne,\"one\r\ntwo\"\r\n", "e.yaml", strings.Replace(block, "symbol_id: s\n", "symbol_id: s\nauthoring_guidance:\n  en: |-\n    one\n    two\n", 1)},
		"new variable": {
			block, "id,variable:w:label:en,variable:w:label:fr,variable:w:required\r\ne,W,W,TRUE\r\n", "e.yaml",
			strings.Replace(block, "symbol_id: s\n", "symbol_id: s\nvariables:\n  - id: w\n    label:\n      en: W\n      fr: W\n    required: true\n", 1),
		},
		"mapping": {
			block + "mappings:\n  - scheme: law\n    id: Art. 1\n    relation: close # why\n  - {scheme: code, id: Art. 1, relation: exact}\n", "id,mapping:law:Art. 1,mapping:code:Art. 1,mapping:law:Art. 2\r\ne,broad,exact,close\r\n", "e.yaml",
			block + "mappings:\n  - scheme: law\n    id: Art. 1\n    relation: broad # why\n  - {scheme: code, id: Art. 1, relation: exact}\n  - scheme: law\n    id: Art. 2\n    relation: close\n",
		},
		"mapping removed": {
			block + "mappings:\n  - scheme: law\n    id: Art. 1\n    relation: close\n  - {scheme: code, id: Art. 1, relation: exact}\n", "id,mapping:law:Art. 1\r\ne,\r\n", "e.yaml",
			block + "mappings:\n  - {scheme: code, id: Art. 1, relation: exact}\n",
		},
		"folded": {
			"id: e\ntitle: {en: T, fr: T}\ndescription:\n    en: >-\n        One two\n        three.\n    fr: D\ncategory_id: c\nsymbol_id: s\n", "id,description:en\r\ne,Four five\r\n", "e.yaml",
			"id: e\ntitle: {en: T, fr: T}\ndescription:\n    en: >-\n        Four five\n    fr: D\ncategory_id: c\nsymbol_id: s\n",
		},
		"single quotes": {"id: e\ntitle: {en: 'T', fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\n", "id,title:en\r\ne,It's\r\n", "e.yaml", "id: e\ntitle: {en: 'It''s', fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\n"},
		"list of texts": {
			"id: e\ntitle:\n  - {locale: en, value: T}\n  - locale: fr\n    value: T\ndescription: [{locale: en, value: D}]\ncategory_id: c\nsymbol_id: s\n", "id,title:en,title:fr,description:fr\r\ne,A,,B\r\n", "e.yaml",
			"id: e\ntitle:\n  - {locale: en, value: A}\ndescription: [{locale: en, value: D}, {locale: fr, value: B}]\ncategory_id: c\nsymbol_id: s\n",
		},
		"plain guidance": {
			"id: e\ntitle: {en: T, fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\nauthoring_guidance: Do it\n", "id,authoring_guidance:fr\r\ne,Faites\r\n", "e.yaml",
			"id: e\ntitle: {en: T, fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\nauthoring_guidance:\n  en: Do it\n  fr: Faites\n",
		},
		"remove last member": {
			"id: e\ntitle: {en: T, fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\nkeywords:\n  en: a\n  fr: b\n", "id,keywords:en,keywords:fr\r\ne,,\r\n", "e.yaml",
			"id: e\ntitle: {en: T, fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\n",
		},
		"JSON": {
			"{\n  \"id\": \"e\",\n  \"title\": {\"en\": \"T\", \"fr\": \"T\"},\n  \"description\": {\"en\": \"D\"},\n  \"category_id\": \"c\",\n  \"symbol_id\": \"s\"\n}\n", "id,title:en,description:fr,order\r\ne,A \"b\",x,-2\r\n", "e.json",
			"{\n  \"id\": \"e\",\n  \"title\": {\"en\": \"A \\\"b\\\"\", \"fr\": \"T\"},\n  \"description\": {\"en\": \"D\", \"fr\": \"x\"},\n  \"category_id\": \"c\",\n  \"symbol_id\": \"s\",\n  \"order\": -2\n}\n",
		},
		"CRLF": {strings.ReplaceAll(block, "\n", "\r\n"), "id,order\r\ne,3\r\n", "e.yaml", strings.ReplaceAll(strings.Replace(block, "symbol_id: s\n", "symbol_id: s\norder: 3\n", 1), "\n", "\r\n")},
		"options": {
			"id: e\ntitle: {en: T, fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\nvariables:\n  - id: w\n    label: {en: W, fr: W}\n    type: select\n    options:\n      - id: a\n        label: {en: A, fr: A}\n      - id: b\n        label: {en: B, fr: B}\n",
			"id,variable:w:option:a:label:en,variable:w:option:a:label:fr,variable:w:option:b:applies_to,variable:w:option:x:label:en\r\ne,,,e,X\r\n", "e.yaml",
			"id: e\ntitle: {en: T, fr: T}\ndescription: {en: D, fr: D}\ncategory_id: c\nsymbol_id: s\nvariables:\n  - id: w\n    label: {en: W, fr: W}\n    type: select\n    options:\n      - id: b\n        label: {en: B, fr: B}\n        applies_to: [e]\n      - id: x\n        label:\n          en: X\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := toy(map[string]string{c.name: c.file})
			edits, _ := importedTable(t, tree, toyVersion, []byte(strings.ReplaceAll(c.csv, `A "b"`, `"A ""b"""`)), nil)
			require.Len(t, edits, 1)
			require.Equal(t, c.want, string(edits[dir+"elements/"+c.name]))
			tree[dir+"elements/"+c.name] = &fstest.MapFile{Data: edits[dir+"elements/"+c.name]}
			again, _ := importedTable(t, tree, toyVersion, csvOf(t, current(t, tree, toyVersion)), nil)
			require.Empty(t, again)
		})
	}
}

// styles are ways to write the same elements.
var styles = map[string]string{
	"blocks": `- id: e1
  title:
    en: One
    fr: Un
  category_id: c
  symbol_id: s
  examples:
    - en: First
      fr: Premier
    - {en: Second}
  keywords:
    en: a, b
  description:
    en: D # why
    fr: >-
      folded
      text
- id: e2
  category_id: c
  symbol_id: s
  title: {en: Two, fr: Deux}
  description:
    en: |-
      one
      two
  variables:
    - id: w
      type: select
      label: {en: W}
      options:
        - {id: a, label: {en: A}}
        - id: b
          label:
            en: B
`,
	"flow": `[{id: e1, title: {en: One, fr: Un}, description: {en: D, fr: "folded text"}, category_id: c, symbol_id: s, keywords: {en: "a, b"}, examples: [{en: First, fr: Premier}, {en: Second}]},
 {id: e2, title: {en: Two, fr: Deux}, description: {en: "one\ntwo"}, category_id: c, symbol_id: s, variables: [{id: w, type: select, label: {en: W}, options: [{id: a, label: {en: A}}, {id: b, label: {en: B}}]}]}]
`,
	"JSON": `[
  {
    "id": "e1", "category_id": "c", "symbol_id": "s",
    "title": {
      "en": "One",
      "fr": "Un"
    },
    "description": {"en": "D", "fr": "folded text"},
    "keywords": {"en": "a, b"},
    "examples": [
      {"en": "First", "fr": "Premier"},
      {"en": "Second"}
    ]
  },
  {
    "id": "e2", "title": [{"locale": "en", "value": "Two"}, {"locale": "fr", "value": "Deux"}], "description": {"en": "one\ntwo"},
    "variables": [{"id": "w", "type": "select", "label": {"en": "W"}, "options": [
      {"id": "a", "label": {"en": "A"}},
      {"id": "b", "label": {"en": "B"}}
    ]}],
    "category_id": "c", "symbol_id": "s"
  }
]
`,
	"lists": `- id: e1
  category_id: c
  symbol_id: s
  keywords: [{locale: en, value: "a, b"}]
  examples:
    - [{locale: en, value: First}, {locale: fr, value: Premier}]
    - [{locale: en, value: Second}]
  title:
    - {locale: en, value: One}
    - {locale: fr, value: Un}
  description:
    - locale: en
      value: D
    - locale: fr
      value: folded text

- id: e2
  category_id: c
  symbol_id: s
  variables:
  - id: w
    type: select
    label: [{locale: en, value: W}]
    options:
    - id: a
      label: [{locale: en, value: A}]
    - id: b
      label: [{locale: en, value: B}]
  title:
  - locale: en
    value: Two
  - locale: fr
    value: Deux
  description: [{locale: en, value: "one\ntwo"}]
`,
}

// TestTableAnyCells sets, changes and empties cells by chance, several in a row, in every style.
func TestTableAnyCells(t *testing.T) {
	t.Parallel()
	columns := []string{
		"title:en", "title:fr", "description:en", "description:fr", "keywords:en", "keywords:fr", "authoring_guidance:en", "authoring_guidance:fr",
		"order", "max_placements", "status", "lead", "example:1:en", "example:1:fr", "example:2:en", "example:2:fr", "example:3:en", "example:4:fr",
		"variable:w:label:en", "variable:w:label:fr", "variable:w:required", "variable:w:role", "variable:w:option:a:label:en", "variable:w:option:a:label:fr",
		"variable:w:option:b:label:fr", "variable:w:option:c:label:en", "variable:w:option:b:applies_to",
	}
	values := map[string][]string{
		"order": {"", "-2", "12"}, "max_placements": {"", "3"}, "status": {"", "deprecated"}, "lead": {"", "true"}, "variable:w:role": {"", "period"}, "variable:w:required": {"", "true"}, "variable:w:option:b:applies_to": {"", "e2"},
	}
	texts := []string{"", "", "plain", "a: b", "one\ntwo", "# no", "'quoted' \"twice\"", strings.Repeat("long text ", 20) + "end", "{{v}}"}
	for name, file := range styles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := "all.yaml"
			if name == "JSON" {
				path = "all.json"
			}
			tree := toy(map[string]string{path: file})
			now := current(t, tree, toyVersion)
			for seed := range uint64(30) { // try 1500 after changing how files are edited
				random := rand.New(rand.NewPCG(seed, 1))
				wanted := &translation.Table{Columns: append([]string{"id"}, columns...)}
				for _, row := range now.Rows {
					cells := map[string]string{"id": row.ID}
					for _, column := range columns {
						cells[column] = row.Cells[column]
						required := column == "title:en" || column == "description:en" || strings.HasPrefix(column, "variable:") && (row.ID == "e1" || strings.HasSuffix(column, ":label:en"))
						if random.IntN(3) > 0 || required && row.Cells[column] == "" {
							continue
						}
						choice := values[column]
						if choice == nil {
							choice = texts
						}
						cell := choice[random.IntN(len(choice))]
						if cell != "" || !required {
							cells[column] = cell
						}
					}
					wanted.Rows = append(wanted.Rows, translation.TableRow{ID: row.ID, Cells: cells})
				}
				t.Logf("seed %d", seed)
				importedTable(t, tree, toyVersion, csvOf(t, wanted), nil)
			}
		})
	}
}

const several = `# Elements of c
- id: e1
  title: {en: One, fr: Un}
  description: {en: D, fr: D}
  category_id: c
  symbol_id: s

# The second
- id: e2
  title: {en: Two, fr: Deux}
  description: {en: D, fr: D}
  category_id: c
  symbol_id: s
`

// TestTableRows shows what rows that are added or missing do.
func TestTableRows(t *testing.T) {
	t.Parallel()
	tree := toy(map[string]string{"all.yaml": several, "alone.yaml": strings.ReplaceAll("id: e3\ntitle: {en: T}\ndescription: {en: D}\ncategory_id: d\nsymbol_id: s\n", "\t", "")})
	const add = "id,category_id,symbol_id,order,title:en,description:en,variable:w:label:en\ne1,c,s,,One,D,\nnew.one,d,s,7,\"New: one\",D,W\n"
	edits, plan := importedTable(t, tree, toyVersion, []byte(add), nil)
	require.Equal(t, []string{"new.one"}, plan.Added)
	require.Empty(t, plan.Removed)
	require.Len(t, edits, 1)
	require.Equal(t, `id: new.one
title:
  en: "New: one"
description:
  en: D
category_id: d
symbol_id: s
order: 7
variables:
  - id: w
    label:
      en: W
`, string(edits[dir+"elements/new.one.yaml"]))

	edits, plan = importedTable(t, tree, toyVersion, []byte("id\ne2\n"), &translation.PlanOptions{Prune: true})
	require.Equal(t, []string{"e1", "e3"}, plan.Removed)
	_, second, found := strings.Cut(several, "# The second\n")
	require.True(t, found)
	require.Equal(t, source.Edits{
		dir + "elements/alone.yaml": nil,
		dir + "elements/all.yaml":   []byte("# Elements of c\n\n# The second\n" + second),
	}, edits)
	edits, _ = importedTable(t, tree, toyVersion, []byte("id\ne3\n"), &translation.PlanOptions{Prune: true})
	require.Equal(t, source.Edits{dir + "elements/all.yaml": nil}, edits)
}

// TestTableFindings shows that what a table can't say is reported at its place.
func TestTableFindings(t *testing.T) {
	t.Parallel()
	tree := toy(map[string]string{"all.yaml": several})
	for csv, want := range map[string]string{
		"":                                     "row 1: the table is empty",
		"title:en\nx\n":                        "row 1: there is no column id",
		"id,title:de\ne1,x\n":                  `row 1, column title:de: the version has no locale "de": write en or fr, or add it to locales in the schema file`,
		"id,note\ne1,x\n":                      "row 1, column note: unknown column, which is ignored",
		"id,order\ne1,first\n":                 `row 2, column order: "first" is not an integer`,
		"id,variable:w:required\ne1,maybe\n":   `row 2, column variable:w:required: "maybe" is not true or false`,
		"id,title:en\n,x\n":                    "row 2, column id: the row has no id",
		"id,title:en\ne1,a\ne1,b\n":            `row 3, column id: "e1" is in row 2 already`,
		"id,title:en\ne1,\"a\nb\"\ne11,b\n":    `row 3, column id: the version has no element "e11"; a new one needs category_id and symbol_id; if e1 is meant, write that`,
		"id,title:en\ne1,\"a\nb\"\n\ne2,\"b\n": `row 4: the table is not CSV: extraneous or missing " in quoted-field`,
		"id,category_id,title:en\ne11,c,b\n":   `row 2, column id: the version has no element "e11"; a new one needs symbol_id`,
		"id,title:en\nother,b\n":               `row 2, column id: the version has no element "other"; a new one needs category_id and symbol_id`,
		"id,category_id,symbol_id\na b,c,s\n":  `row 2, column id: "a b" is not a valid id: use letters, digits, _ and -`,
		"id,title:en,title:en\ne1,a,b\n":       "row 1, column title:en: the column is there twice",
		"id,title:en\ne1,\"a\n":                "row 2: the table is not CSV: extraneous or missing \" in quoted-field",
		"id\n\xff\n":                           "row 1: the table is not UTF-8: save it as CSV UTF-8",
	} {
		read, found := translation.ReadTable([]byte(csv))
		if len(found) == 0 {
			_, found = read.Plan(current(t, tree, toyVersion), nil)
		}
		require.NotEmpty(t, found, csv)
		assert.Equal(t, want, found[0].String())
	}
}

// TestSourceFindings shows that errors of the changed source are reported at the cell that
// causes them.
func TestSourceFindings(t *testing.T) {
	t.Parallel()
	listed := "id: e4\ntitle: [{locale: en, value: T}]\ndescription: {en: D}\ncategory_id: d\nsymbol_id: s\nvariables:\n  - id: v\n    label: {en: V}\n    type: select\n    options:\n      - {id: o, label: {en: O}}\n"
	tree := toy(map[string]string{"all.yaml": several, "listed.yaml": listed})
	now := current(t, tree, toyVersion)
	for csv, want := range map[string]string{
		"id,category_id\ne1,none\n":                            "row 2, column category_id: Element e1: there is no category none",
		"id,title:en\ne1,\"a\nb\"\ne2,{{none}}\n":              "row 3, column title:en: Element e2",
		"id,title:EN\ne4,{{none}}\n":                           "row 2, column title:EN: Element e4",
		"id,category_id,symbol_id,title:en\nnew,c,none,T\n":    "row 2, column symbol_id: ",
		"id,symbol_id,category_id,title:en\nnew,s,c,\n":        "row 2, column title:en: Element new: title is missing; add title",
		"id,variable:v:option:o:applies_to\ne4,none\n":         "row 2, column variable:v:option:o:applies_to: ",
		"id,variable:v:type,variable:v:label:en\ne4,wrong,V\n": "row 2, column variable:v:type: ",
	} {
		read, found := translation.ReadTable([]byte(csv))
		require.Empty(t, found, csv)
		plan, found := read.Plan(now, nil)
		require.Empty(t, found, csv)
		edits, err := edit.Apply(tree, toyVersion, plan.Source())
		require.NoError(t, err, csv)
		after, err := source.Preview(tree, toyVersion, edits, nil)
		require.NoError(t, err)
		var got []string
		for _, i := range after.Issues.With(issue.SeverityError) {
			f, ok := plan.Finding(edits, i)
			require.True(t, ok, "%s: %s", csv, i)
			got = append(got, f.String())
		}
		assert.Contains(t, strings.Join(got, "\n"), want, csv)
	}
}

// TestTableLocales shows the columns for one language, beside the one it is translated from.
func TestTableLocales(t *testing.T) {
	t.Parallel()
	c, err := source.Compile(toy(map[string]string{"all.yaml": several}), toyVersion, nil)
	require.NoError(t, err)
	a := write.FromRelease(c.Release)
	assert.Equal(t, []string{"id", "category_id", "symbol_id", "order", "title:en", "description:en", "keywords:en", "title:fr", "description:fr", "keywords:fr"}, translation.NewTable(a, "fr").Columns)
	assert.Equal(t, []string{"id", "category_id", "symbol_id", "order", "title:en", "description:en", "keywords:en"}, translation.NewTable(a, "en").Columns)
}

// FuzzReadTable shows that any text can be read, and any cell survives a round trip.
func FuzzReadTable(f *testing.F) {
	f.Add([]byte("id,title:en\ne1,'=x\n"), "'=x")
	f.Add([]byte("id;title:en\r\ne1;\"a\r\nb\"\r\n"), "a\nb\t\"")
	f.Fuzz(func(t *testing.T, csv []byte, cell string) {
		translation.ReadTable(csv)
		cell = strings.ToValidUTF8(strings.ReplaceAll(cell, "\r", ""), "?")
		if strings.TrimSpace(cell) == "" {
			return
		}
		a := &write.Authored{Content: taxonomy.Content{Locales: []string{"en"}, Elements: []taxonomy.Element{{ID: "e", Title: taxonomy.Localized{{Locale: "en", Value: cell}}}}}}
		text, err := translation.NewTable(a).CSV()
		require.NoError(t, err)
		read, found := translation.ReadTable(text)
		require.Empty(t, found)
		require.Equal(t, cell, read.Rows[0].Cells["title:en"], "%q", text)
	})
}

// TestTableOrder says that the order of rows is lost, and nothing if the column order says the same.
func TestTableOrder(t *testing.T) {
	t.Parallel()
	v := taxonomy.MustVersion("sensor@2026-11-15-stable")
	now := current(t, taxonomies.FS(), v)
	order := func(tab *translation.Table) (translation.TableFinding, bool) {
		t.Helper()
		read, found := translation.ReadTable(csvOf(t, tab))
		require.Empty(t, found)
		plan, found := read.Plan(now, nil)
		require.Empty(t, found)
		edits, err := edit.Apply(taxonomies.FS(), v, plan.Source())
		require.NoError(t, err)
		after, err := source.Preview(taxonomies.FS(), v, edits, nil)
		require.NoError(t, err)
		return plan.Order(translation.NewTable(write.FromRelease(after.Release)))
	}
	_, differs := order(now)
	require.False(t, differs)
	moved := *now
	moved.Rows = slices.Clone(now.Rows)
	moved.Rows[0], moved.Rows[1] = moved.Rows[1], moved.Rows[0]
	f, differs := order(&moved)
	require.True(t, differs)
	require.True(t, f.Ignored)
	require.Equal(t, 3, f.Row)
	require.Contains(t, f.Message, "the order of rows is not imported: "+now.Rows[0].ID+" comes before "+now.Rows[1].ID)
	for i := range moved.Rows {
		cells := maps.Clone(moved.Rows[i].Cells)
		cells["order"] = strconv.Itoa(i + 1)
		moved.Rows[i].Cells = cells
	}
	_, differs = order(&moved)
	require.False(t, differs)
}
