package crosswalk_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/release/crosswalk"
	"github.com/datachain-go/datachain/taxonomy"
)

func text(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }

func to(pairs ...string) (list []taxonomy.Mapping) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, taxonomy.Mapping{Scheme: pairs[i], ID: pairs[i+1], Relation: codes.RelationClose})
	}
	return list
}

// release has a category with two mappings, and elements with some and without.
func release(t testing.TB) *taxonomy.Release {
	t.Helper()
	category := func(id string, mappings ...string) taxonomy.Category {
		return taxonomy.Category{ID: id, Name: text(id), Description: text(id), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}, Mappings: to(mappings...)}
	}
	element := func(category, id string, mappings ...string) taxonomy.Element {
		return taxonomy.Element{ID: id, Title: text(id), Description: text(id), CategoryID: category, SymbolID: "s", IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{}, Mappings: to(mappings...)}
	}
	titled := func(title string, e taxonomy.Element) taxonomy.Element {
		e.Title = text(title)
		return e
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-09-01-beta"), taxonomy.Content{
		Title: text("T"), Description: text("T"), Locales: []string{"en"},
		Schemes:    []taxonomy.Scheme{{ID: "law", Title: text("Law")}, {ID: "code", Title: text("Code")}},
		Type:       taxonomy.Type{ID: "ai", Name: text("AI"), Categories: []string{"a", "b", "c"}},
		Categories: []taxonomy.Category{category("a", "law", "Art. 13"), category("b"), category("c")},
		Elements:   []taxonomy.Element{titled("=a | 1", element("a", "a1", "code", "Art. 13", "law", "Art. 5")), element("a", "a2"), element("b", "b1", "law", "art. 13", "law", "Art. 013(2)"), element("c", "c1")},
		Symbols:    map[string]string{"s": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M18 9v18"/></svg>`},
	})
	require.NoError(t, err)
	return r
}

func names(list []crosswalk.Mapped) (all []string) {
	for _, m := range list {
		all = append(all, fmt.Sprintf("%s %s: %s%s", m.Scheme, m.ID, m.CategoryID, m.ElementID))
	}
	return all
}

func TestMappings(t *testing.T) {
	r := release(t)
	for name, c := range map[string]struct {
		scheme, id string
		want       []string
	}{
		"all":      {"", "", []string{"law Art. 5: a1", "law Art. 13: a", "law art. 13: b1", "law Art. 013(2): b1", "code Art. 13: a1"}},
		"one":      {"code", "", []string{"code Art. 13: a1"}},
		"entry":    {"", "ART. 13", []string{"law Art. 13: a", "law art. 13: b1", "code Art. 13: a1"}},
		"no entry": {"law", "Art. 1", nil},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := crosswalk.Mappings(r, c.scheme, c.id)
			require.NoError(t, err)
			require.Equal(t, c.want, names(found))
		})
	}
}

func TestOf(t *testing.T) {
	r := release(t)
	scheme, ok := r.Manifest().Scheme("law")
	require.True(t, ok)
	d := crosswalk.Of(r, &taxonomy.Resolved{Instance: taxonomy.Instance{Elements: []taxonomy.Placement{{ElementID: "a2"}, {ElementID: "unknown"}}}}, scheme, "")
	require.Equal(t, 1, d.Covered())
	for format, want := range map[string]string{
		"text": "Law (law), by ai@2026-09-01-beta\n\nArt. 13\n  a (category a, close)\n\nThe document says nothing about\n  Art. 5: place a1\n  Art. 013(2): place b1\n",
		"md": "**Law**\n\n| Entry | In the document | Not in the document |\n|---|---|---|\n" +
			"| Art. 5 |  | =a \\| 1 (a1, close) |\n| Art. 13 | a (category a, close) | b1 (b1, close) |\n| Art. 013(2) |  | b1 (b1, close) |\n",
		"csv": "scheme,entry,in_document,category_id,element_id,title,relation,note\r\n" +
			"law,Art. 5,false,,a1,'=a | 1,close,\r\nlaw,Art. 13,true,a,,a,close,\r\nlaw,Art. 13,false,,b1,b1,close,\r\nlaw,Art. 013(2),false,,b1,b1,close,\r\n",
	} {
		t.Run(format, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, d.Write(&b, format))
			require.Equal(t, want, b.String())
		})
	}
	require.EqualError(t, d.Write(io.Discard, "xml"), `crosswalk: the format "xml" is not known; use text, json, csv or md`)
}

func TestUnmapped(t *testing.T) {
	categories, elements, err := crosswalk.Unmapped(release(t), "law")
	require.NoError(t, err)
	require.Len(t, categories, 1)
	require.Equal(t, "c", categories[0].ID)
	require.Len(t, elements, 2)
	require.Equal(t, "a2", elements[0].ID)
	require.Equal(t, "c1", elements[1].ID)
}

// TestUnknownScheme shows that a scheme that a release lacks is not taken for one without mappings.
func TestUnknownScheme(t *testing.T) {
	const want = `crosswalk: there is no scheme "lex" in ai@2026-09-01-beta`
	_, err := crosswalk.Mappings(release(t), "lex", "")
	require.EqualError(t, err, want)
	_, _, err = crosswalk.Unmapped(release(t), "lex")
	require.EqualError(t, err, want)
}
