package write_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jsonfields/jsonfieldstest"
	"github.com/datachain-go/datachain/taxonomy"
)

// sourceOf returns the source of a version as a tree.
func sourceOf(v taxonomy.Version, a *write.Authored) fstest.MapFS {
	tree := fstest.MapFS{}
	for name, data := range a.Files() {
		tree[v.Type()+"/"+v.Folder()+"/"+name] = &fstest.MapFile{Data: data}
	}
	return tree
}

// TestWriteSamples shows that written source compiles to the release it was made from.
func TestWriteSamples(t *testing.T) {
	t.Parallel()
	tree, err := source.CompileAll(taxonomies.FS(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, tree.Versions)
	for _, c := range tree.Versions {
		t.Run(c.Version.String(), func(t *testing.T) {
			t.Parallel()
			files := sourceOf(c.Version, write.FromRelease(c.Release))
			again, err := source.Compile(files, c.Version, nil)
			require.NoError(t, err)
			require.Empty(t, again.Issues.With("error"))
			require.Equal(t, c.Release.ContentHash(), again.Release.ContentHash())
			for name, f := range files {
				for line := range bytes.SplitSeq(f.Data, []byte("\n")) {
					require.False(t, bytes.HasSuffix(line, []byte(" ")), "%s: %q", name, line)
				}
			}
		})
	}
}

// everything has each field of the format, with texts that are hard to write.
func everything(text string) *write.Authored {
	in := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "no", Value: s + " på norsk"}}
	}
	sources := []taxonomy.Source{{Type: "book", Title: text, URL: "https://example.org/#a", Citation: text, Licence: "CC-BY-4.0", Attribution: text}}
	mappings := []taxonomy.Mapping{{Scheme: "law", ID: "Art. 5(1)", Relation: codes.RelationNarrow, Note: in(text)}, {Scheme: "no", ID: "Art. 5(1)", Relation: codes.RelationRelated, Note: in(text)}}
	variables := []taxonomy.Variable{
		{ID: "a", Label: in(text), Required: true, Type: taxonomy.TextVariable, RenamedFrom: []string{"b"}, Sources: sources},
		{ID: "on", Label: in(text), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{
			{ID: "yes", Label: in(text), Description: in(text), AppliesTo: []string{"first"}, RenamedFrom: []string{"12"}, Sources: sources},
		}},
	}
	a := &write.Authored{Aliases: []string{"ai@v1"}, Released: "2026-09-01", Content: taxonomy.Content{
		Title: in(text), Description: in(text), Locales: []string{"en", "no"}, Notes: in(text), Licence: "CC-BY-4.0", Attribution: text,
		Schemes:  []taxonomy.Scheme{{ID: "law", Title: in(text), URL: "https://example.org/law", Version: "1999/12"}, {ID: "no", Title: in(text)}},
		Synonyms: []taxonomy.Synonyms{{Locale: "en", Groups: [][]string{{"cctv", "closed-circuit, television"}, {"a b", strings.Repeat("long ", 15) + "word", strings.Repeat("wide ", 15) + "word"}}}},
		Removed:  []taxonomy.Removal{{ID: "gone", Note: in(text), Since: version, ReplacedBy: []taxonomy.Successor{{ID: "first", Note: in(text)}}}},
		Type: taxonomy.Type{
			ID: version.Type(), Name: in(text), Description: in(text), Categories: []string{"null", "c2"},
			Subchains: []taxonomy.Subchain{{ID: "true", Name: in(text), Categories: []string{"null"}}},
		},
		Categories: []taxonomy.Category{{
			ID: "null", Name: in(text), Description: in(text), Shape: taxonomy.Circle, Role: codes.RolePurpose, Required: true,
			Cardinality: taxonomy.Cardinality{Min: 1, Max: 3}, Variables: variables, Prompt: in(text), AuthoringGuidance: in(text),
			RenamedFrom: []string{"old"}, Sources: sources, Mappings: []taxonomy.Mapping{{Scheme: "no", ID: "§ 1", Relation: codes.RelationExact}},
			Context: taxonomy.Context{ID: "x", Name: in(text), Description: in(text), Required: true, Role: codes.RoleStage, Order: codes.Falling, Values: []taxonomy.ContextValue{
				{ID: "y", Label: in(text), Description: in(text), Color: "#1F6FEB", Lead: true, RenamedFrom: []string{"n"}}, {ID: "z", Label: in(text)},
			}},
		}, {ID: "c2", Name: in(text), Description: in(text), Shape: taxonomy.Hexagon, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}}},
		Symbols: map[string]string{"s": sourcetest.Symbol},
	}}
	a.Type.Name = in(text)
	a.Elements = []taxonomy.Element{{
		ID: "first", Title: in(text), Description: in(text), CategoryID: "null", SymbolID: "s", Lead: true, Keywords: in(text),
		MaxPlacements: 4, Order: -2, AuthoringGuidance: in(text), Sources: sources, Mappings: mappings, Examples: []taxonomy.Localized{in(text), in(text)},
		Variables: []taxonomy.Variable{{ID: "own", Label: in(text), Type: taxonomy.TextVariable, Role: codes.RoleName}},
	}, {
		ID: "c2.second", Title: in(text), Description: in(text), CategoryID: "c2", SymbolID: "s",
		Status: codes.StatusDeprecated, ReplacedBy: []taxonomy.Successor{{ID: "first", Note: in(text)}},
	}}
	return a
}

// hard are texts that YAML could read as something else.
var hard = []string{
	"plain", "yes", "12", "1.5e3", "2026-09-01", "0x1f", "null", "~", "- a", "a: b", "a #b", "# a", "'a'", `"a"`, `a\b`, "a\tb",
	"first\nsecond", "first\nsecond\n", "first\n\n  second", "first\n", "\nfirst", " first", "first ", "first\nsecond \nthird", "a\u00a0: b", "a\u2028b", "\ufeffa", "a\u0085b\x07",
	"{a}", "[a]", "a, b", "*a", "&a", "!a", "%a", "@a", "`a", "a:", "é", "日本語", "…",
	strings.Repeat("A long text: with # and words. ", 12) + "End.",
	strings.Repeat("Two  spaces ", 20) + "end", strings.Repeat("x", 300), strings.Repeat("d’où ", 60) + "fin",
}

// TestWriteEverything shows that no field and no text is lost.
func TestWriteEverything(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"Element.icon_variants"}, jsonfieldstest.Unset(everything("text")), "give the fields a value in everything in authoring/write/write_test.go, and read them in authoring/source/schema.go")
	for _, text := range hard {
		a := everything(text)
		c, err := source.Compile(sourceOf(version, a), version, nil)
		require.NoError(t, err)
		require.Empty(t, c.Issues.With("error"), "%q", text)
		got := write.FromRelease(c.Release)
		got.Aliases, got.Released = c.Aliases, c.Released
		require.Equal(t, a.Files(), got.Files(), "%q", text)
		require.Equal(t, a.Title, got.Title, "%q", text)
		require.Equal(t, a.Elements[0].Sources, got.Elements[0].Sources, "%q", text)
		require.Equal(t, a.Elements[1].ReplacedBy, got.Elements[1].ReplacedBy, "%q", text)
		require.Equal(t, a.Synonyms, got.Synonyms, "%q", text)
		require.Equal(t, a.Categories[0].Context, got.Categories[0].Context, "%q", text)
	}
}

// TestTextsOfEverything shows that no text is left out of translation.
func TestTextsOfEverything(t *testing.T) {
	a := everything("text")
	var want, got []string
	for i, l := range localized(reflect.ValueOf(a)) {
		(*l)[0].Value = fmt.Sprint("text ", i) // values share some of them
		want = append(want, (*l)[0].Value)
	}
	for _, text := range a.Texts() {
		got = append(got, text.Text[0].Value)
	}
	require.ElementsMatch(t, want, got, "a text is not collected by Texts")
}

// localized returns the localized texts in a value.
func localized(v reflect.Value) (all []*taxonomy.Localized) {
	if l, ok := reflect.TypeAssert[taxonomy.Localized](v); ok {
		if len(l) == 0 {
			return nil
		}
		l = slices.Clone(l)
		v.Set(reflect.ValueOf(l))
		return []*taxonomy.Localized{v.Addr().Interface().(*taxonomy.Localized)}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return localized(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, localized(v.Index(i))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				all = append(all, localized(v.Field(i))...)
			}
		}
	}
	return all
}

// FuzzWrite shows that any text survives.
func FuzzWrite(f *testing.F) {
	for _, text := range hard {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		if strings.TrimSpace(text) == "" || len(text) > 10_000 {
			return
		}
		a := &write.Authored{Content: taxonomy.Content{Elements: []taxonomy.Element{{ID: "e", Title: taxonomy.Localized{{Locale: "en", Value: text}}, SymbolID: text}}}}
		v, issue := source.ParseValue("e.yaml", a.Files()["elements/e.yaml"])
		require.Nil(t, issue)
		got, ok := v.Get("title").Get("en").Text()
		require.True(t, ok, "%q", text)
		require.Equal(t, text, got)
		got, ok = v.Get("symbol_id").Text()
		require.True(t, ok, "%q", text)
		require.Equal(t, text, got)
	})
}
