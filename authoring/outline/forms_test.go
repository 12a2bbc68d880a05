package outline_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestOutlineForms writes the same elements in the many forms of YAML and JSON. In each
// of them the places of the category, the variable and the symbol are found.
func TestOutlineForms(t *testing.T) {
	for name, file := range map[string]string{
		"flow.yaml": `[{id: data.flow, category_id: data, symbol_id: disk, title: {en: "É😀 {{who}}", fr: 'é {{who}}'}, description: {en: A, fr: B}, variables: [{id: who, label: {en: W, fr: Q}}]}]
`,
		"flow_lines.yaml": `- {
    id: 'data.flow',   # data.flow
    category_id : "data" , title: {en: 'It''s {{who}}', fr: "\u00e9 \
      {{who}}\x21"},
    "symbol_id": disk, description: {en: A, fr: B},
    variables: [ {id: who, label: {en: W, fr: Q}}, ] # {{who}}
  }
`,
		"block.yaml": `# {{who}} data.flow
id: >-   # {{who}}
  data.flow
category_id: |-
  data
symbol_id:
  disk
title:
  en: >
    Many “words” and

    {{who}} here
  fr: |2
     é
    {{who}}
description:
  en: plain text that
    goes on with {{who}} # {{who}}
  fr: 'quoted text

    {{who}} {{who}}'
variables:
- label: {en: W, fr: Q}
  id: who
`,
		"anchors.yaml": `- id: &id data.flow
  category_id: &c data
  symbol_id: !!str disk
  title: &t {en: "A {{who}}", fr: &fr "B {{who}}"}
  description: *t
  variables: &v
    - {id: &w who, label: {en: W, fr: Q}}
- id: data.second
  category_id: *c
  symbol_id: &s disk
  title: {en: x, fr: x}
  description: {en: "x {{who}}", fr: *fr}
  variables: *v
- {id: data.third, category_id: *c , symbol_id: *s, title: {en: x, fr: x}, description: {en: x, fr: x}}
`,
		"list.yaml": `id: data.flow
category_id: data
symbol_id: disk
title: [{locale: en, value: "A {{who}}"}, {value: "B {{who}}", locale: fr}]
description: [{locale: en, value: A}, {locale: fr, value: B}]
variables: [{id: who, label: {en: W, fr: Q}}]
`,
		"windows.yaml": "\uFEFFid: data.flow\r\ncategory_id: data\r\nsymbol_id: disk\r\ntitle:\r\n  en: 日本 {{who}}\r\n  fr: >-\r\n    é\r\n    {{who}}\r\n" +
			"description: {en: A, fr: B}\r\nvariables:\r\n  - id: who\r\n    label: {en: W, fr: Q}\r\n",
		"json.json": `{"id": "data.fl\u006fw", "category_id": "data", "symbol_id": "disk",
  "title": {"en": "é😀 {{who}} \"q\"", "fr": "\ud83d\ude00 \u007b{wh\u006f}}"},
  "description": {"en": "A", "fr": "B"}, "variables": [{"id": "who", "label": {"en": "W", "fr": "Q"}}]}`,
		"line.json": "\uFEFF" + `[{"id":"data.flow","category_id":"data","symbol_id":"disk","keywords":{"en":"` + strings.Repeat("é😀x", 400) + `","fr":"x"},` +
			`"title":{"en":"{{who}}","fr":"{{who}}"},"description":{"en":"A","fr":"B"},"variables":[{"id":"who","label":{"en":"W","fr":"Q"}}]}]`,
	} {
		t.Run(name, func(t *testing.T) {
			tree := sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/" + name: file})
			before, err := source.Compile(tree, version, nil)
			require.NoError(t, err)
			require.NotNil(t, before.Release, "%v", before.Issues)
			o := checkComplete(t, tree, before.Release)
			for _, kind := range []source.Kind{source.KindElement, source.KindCategory, source.KindVariable, source.KindSymbol} {
				for _, suffix := range []string{"-z", "_9"} {
					renamed := rename(t, tree, o, func(d *outline.Definition) string { return d.ID + suffix }, kind)
					checkReleaseOf(t, renamed, before, kind, suffix)
				}
			}
			element := o.Find(source.KindElement, "data.flow")[0]
			assert.Contains(t, file[element.Range.Start:element.Range.End], "variables")
			assert.NotContains(t, file[element.Range.Start:element.Range.End], "# {{who}}\n  }\n ")
		})
	}
}

// checkReleaseOf compiles a renamed tree. But for the ids of a kind it must be the same.
func checkReleaseOf(t *testing.T, tree fstest.MapFS, before *source.Compiled, kind source.Kind, suffix string) {
	t.Helper()
	after, err := source.Compile(tree, version, nil)
	require.NoError(t, err)
	require.NotNil(t, after.Release, "%s: %v", kind, after.Issues)
	require.Len(t, after.Release.Elements(), len(before.Release.Elements()))
	for _, e := range before.Release.Elements() {
		id := e.ID
		if kind == source.KindElement {
			id += suffix
		}
		got, ok := after.Release.Element(id)
		require.True(t, ok, id)
		switch kind {
		case source.KindCategory:
			assert.Equal(t, e.CategoryID+suffix, got.CategoryID)
		case source.KindSymbol:
			assert.Equal(t, e.SymbolID+suffix, got.SymbolID)
		case source.KindVariable:
			for i, v := range e.Variables {
				assert.Equal(t, v.ID+suffix, got.Variables[i].ID)
			}
			for i, text := range e.Title {
				assert.Equal(t, strings.ReplaceAll(text.Value, "}}", suffix+"}}"), got.Title[i].Value)
			}
			for i, text := range e.Description {
				assert.Equal(t, strings.ReplaceAll(text.Value, "}}", suffix+"}}"), got.Description[i].Value)
			}
		}
		if kind != source.KindVariable {
			assert.Equal(t, e.Title, got.Title)
			assert.Equal(t, e.Description, got.Description)
		}
	}
}

// TestUnread shows that the other files count if one can't be read.
func TestUnread(t *testing.T) {
	tree := sourcetest.Base(t)
	o := outlineOf(t, tree, version)
	broken := outlineOf(t, sourcetest.With(tree, map[string]string{dir + "elements/broken.yaml": "id: ["}), version)
	assert.Equal(t, []string{dir + "elements/broken.yaml"}, broken.Unread)
	assert.Len(t, broken.Definitions, len(o.Definitions))
}

// FuzzOutline replaces each file of a small tree with arbitrary bytes. There is always
// an outline, its ranges are in the files, and if the version compiles, it still does
// after everything was renamed.
func FuzzOutline(f *testing.F) {
	files := []string{"schema.yaml", "categories/data.yaml", "categories/more.json", "elements/face.yaml", "elements/more.json"}
	tree := sourcetest.Base(f)
	for i, name := range files {
		if file, ok := tree[dir+name]; ok {
			f.Add(file.Data, uint8(i))
		}
	}
	f.Add([]byte("- &a {id: data.x, category_id: &c data, symbol_id: 'disk', title: {en: >-\n  {{kind}}\n, fr: \"\\x41\"}}\n- *a\n"), uint8(3))
	f.Add([]byte("\uFEFF? id\n: |-\n  x\ncategory_id: *y\n"), uint8(3))
	f.Add([]byte("id: |-\n\n  x \ncategory_id: \"\n  data \"\nsymbol_id: ' disk\n\n  on\t'\n"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		if len(data) > 4<<10 {
			return
		}
		tree := sourcetest.With(tree, map[string]string{dir + files[int(which)%len(files)]: string(data)})
		o := outlineOf(t, tree, version)
		checkRanges(t, tree, o)
		c, err := source.Compile(tree, version, nil)
		require.NoError(t, err)
		if c.Release == nil || len(c.Release.Elements()) > 50 {
			return
		}
		for _, d := range o.Definitions {
			if len(d.ID) > 100 {
				return
			}
		}
		renamed, err := source.Compile(rename(t, tree, o, renamedID, source.KindElement, source.KindCategory, source.KindVariable), version, nil)
		require.NoError(t, err)
		require.NotNil(t, renamed.Release, "%v", renamed.Issues)
	})
}

// TestFixes writes strings where they are, in the style of the file.
func TestFixes(t *testing.T) {
	const dir, file = "bikes/2026-09-01-beta/", "bikes/2026-09-01-beta/elements/all"
	path := issue.Root.Index(1).Key("category_id")
	for name, c := range map[string]struct {
		ext, text string
		path      issue.Path
		value     string // or a key without quotes
		want      string // "" if nothing can be fixed
	}{
		"plain":        {"yaml", "- id: a\n- id: b\n  category_id: dta # why\n", path, `"data"`, "- id: a\n- id: b\n  category_id: data # why\n"},
		"double":       {"yaml", "- {id: a}\n- {id: b, category_id: \"dta\"}\n", path, `"data"`, "- {id: a}\n- {id: b, category_id: \"data\"}\n"},
		"single":       {"yaml", "- {}\n- {category_id: 'dta'}\n", path, `"data"`, "- {}\n- {category_id: 'data'}\n"},
		"needs quotes": {"yaml", "- {}\n- {category_id: dta}\n", path, `"true"`, "- {}\n- {category_id: \"true\"}\n"},
		"an alias":     {"yaml", "- {category_id: &c dta}\n- {category_id: *c}\n", path, `"data"`, "- {category_id: &c dta}\n- {category_id: data}\n"},
		"JSON":         {"json", "[{},\n {\"category_id\": \"dta\"}]", path, `"data"`, "[{},\n {\"category_id\": \"data\"}]"},
		"the same":     {"yaml", "- {}\n- {category_id: data}\n", path, `"data"`, ""},
		"no such key":  {"yaml", "- {}\n- {id: b}\n", path, `"data"`, ""},
		"no such item": {"yaml", "- {}\n", path, `"data"`, ""},
		"no string":    {"yaml", "- {}\n- {category_id: [dta]}\n", path, `"data"`, ""},
		"no value":     {"yaml", "- {}\n- {category_id: dta}\n", path, `7`, ""},
		"broken":       {"yaml", "- {\n- {category_id: dta}\n", path, `"data"`, ""},
		"a key":        {"yaml", "- {}\n- id: b # why\n  category_id: {x: 1}\n", path, `category`, "- {}\n- id: b # why\n  category: {x: 1}\n"},
		"a quoted key": {"yaml", "- {}\n- {'category_id': [dta]}\n", path, `category`, "- {}\n- {'category': [dta]}\n"},
		"a JSON key":   {"json", "[{},\n {\"category_id\" : 7}]", path, `category`, "[{},\n {\"category\" : 7}]"},
		"a key twice":  {"yaml", "- {}\n- {category_id: 1, category: 2}\n", path, `category`, ""},
		"an item":      {"yaml", "- {}\n- {}\n", path[:1], `category`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			name := file + "." + c.ext
			files := fstest.MapFS{dir + "schema.yaml": {Data: []byte("title: {en: x}\n")}, name: {Data: []byte(c.text)}}
			o, err := outline.New(files, taxonomy.MustVersion("bikes@2026-09-01-beta"))
			require.NoError(t, err)
			wanted := issue.Issue{Position: issue.Position{File: name}, Fix: &issue.Fix{Path: c.path, Key: c.value}}
			if json.Valid([]byte(c.value)) {
				wanted.Fix = &issue.Fix{Path: c.path, Value: []byte(c.value)}
			}
			edits, fixed := o.Fixes(files, issue.Issues{wanted, wanted, {Position: wanted.Position}})
			if c.want == "" {
				require.Empty(t, edits)
				require.Empty(t, fixed)
				return
			}
			require.Equal(t, issue.Issues{wanted}, fixed)
			text, err := document.ApplyEdits([]byte(c.text), edits[name])
			require.NoError(t, err)
			require.Equal(t, c.want, string(text))
		})
	}
}
