package source_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestLocator(t *testing.T) {
	const dir = "ai/2026-09-01-beta/"
	files := fstest.MapFS{
		dir + "schema.yaml":             {Data: []byte("locales: [en, fr]\ntitle: {en: AI}\ndatachain_type:\n  id: ai\n  subchains:\n    - id: flow\n")},
		dir + "categories/purpose.yaml": {Data: []byte("id: purpose\nname:\n  - locale: en\n    value: Purpose\nvariables:\n  - id: contact\n    label:\n      fr: Contact\n")},
		dir + "elements/all.json":       {Data: []byte("[\n{\"id\": \"a\"},\n{\"id\": \"b\", \"title\": {\"en\": \"B\"}}, 3, {\"id\": 4}]")},
		dir + "elements/bad.yaml":       {Data: []byte("id: [")},
		dir + "symbols/dot.svg":         {Data: []byte("<svg/>")},
	}
	l, err := source.NewLocator(files, taxonomy.MustVersion("ai@2026-09-01-beta"), nil)
	require.NoError(t, err)
	for _, c := range []struct {
		kind     source.Kind
		id, path string
		want     string
	}{
		{"", "", "", "schema.yaml:1:1"},
		{"", "", "locales.fr", "schema.yaml:1:15"},
		{"", "", "title.en", "schema.yaml:2:13"},
		{"", "", "datachain_type.subchains.flow", "schema.yaml:6:7"},
		{"", "", "removed.x", "schema.yaml:1:1"},
		{source.KindCategory, "purpose", "", "categories/purpose.yaml:1:1"},
		{source.KindCategory, "purpose", "name.en", "categories/purpose.yaml:4:12"},
		{source.KindCategory, "purpose", "name.fr", "categories/purpose.yaml:2:1"},
		{source.KindCategory, "purpose", "variables.contact.label.fr", "categories/purpose.yaml:8:11"},
		{source.KindCategory, "purpose", "variables.contact.required", "categories/purpose.yaml:6:5"},
		{source.KindElement, "b", "title.en", "elements/all.json:3:29"},
		{source.KindElement, "b", "variables.contact", "elements/all.json:3:1"},
		{source.KindElement, "gone", "title.en", "schema.yaml:1:1"},
		{source.KindSymbol, "dot", "", "symbols/dot.svg"},
		{source.KindSymbol, "gone", "", "schema.yaml:1:1"},
	} {
		at, err := issue.ParsePath(c.path)
		require.NoError(t, err)
		require.Equal(t, dir+c.want, l.Find(c.kind, c.id, at).String(), "%s %s %s", c.kind, c.id, c.path)
	}

	_, err = source.NewLocator(files, taxonomy.MustVersion("ai@2026-10-01-beta"), nil)
	require.Error(t, err)
	l, err = source.NewLocator(fstest.MapFS{dir + "elements/all.json": {Data: []byte("[]")}}, taxonomy.MustVersion("ai@2026-09-01-beta"), nil)
	require.NoError(t, err)
	require.Equal(t, "ai/2026-09-01-beta", l.Find(source.KindElement, "b", issue.Root).String())
}
