package dtpr_test

import (
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain-dtpr/internal/dtpr"
)

// lawful returns a tree with one element and its source.
func lawful(title, url, citation string) fstest.MapFS {
	return files(`-- meta.yaml --
version: toy@2026-03-01-beta
-- datachain-type.yaml --
{id: toy, name: [{locale: en, value: Toy}], categories: [c]}
-- categories/c.yaml --
{id: c, name: C, description: C, shape: circle, sources: [{type: regulation, title: "The Law, Article 1", url: "https://example.org/eli/reg/2020/1/oj"}]}
-- elements/e.yaml --
{id: e, category_id: c, title: E, description: E, symbol_id: s, sources: [{type: regulation, title: "` + title + `", url: "` + url + `", citation: "` + citation + `"}]}
-- symbols/s.svg --
DRAWING
`)
}

// TestProposals checks which mappings sources suggest. They are comments: nothing is mapped
// until a person removes the number sign, and then the result is valid.
func TestProposals(t *testing.T) {
	const law = "https://eur-lex.example/eli/reg/2024/1689/oj"
	for name, c := range map[string]struct {
		title, url, citation string
		want                 []string
	}{
		"article":        {"AI Act", law, "Regulation (EU) 2024/1689, Article 3(1). See it.", []string{"Art. 3(1)"}},
		"both":           {"AI Act Annex III §6 and §8 — Profiling", law, "Article 6(2).", []string{"Art. 6(2)", "Annex III, point 6", "Annex III, point 8"}},
		"once":           {"AI Act Article 50 — Disclosure", law, "Article 50", []string{"Art. 50"}},
		"several":        {"GDPR", law, "Articles 13, 15(1)(h) and 22", []string{"Art. 13", "Art. 15(1)(h)", "Art. 22"}},
		"short":          {"GDPR", law, "Art. 5(1)(c), Arts. 6 and 7a", []string{"Art. 5(1)(c)", "Art. 6", "Art. 7a"}},
		"range":          {"DSA", law, "Articles 14–17", []string{"Art. 14", "Art. 15", "Art. 16", "Art. 17"}},
		"range in words": {"DSA", law, "Articles 15 to 17", []string{"Art. 15", "Art. 16", "Art. 17"}},
		"long range":     {"DSA", law, "Articles 1-900", []string{"Art. 1", "Art. 900"}},
		"annex":          {"AI Act Annex II", law, "", []string{"Annex II"}},
		"points":         {"AI Act", law, "Annex III §5(b) and §5(c)", []string{"Annex III, point 5(b)", "Annex III, point 5(c)"}},
		"section":        {"AI Act", law, "Annex XI, section 1, point 2(e)", []string{"Annex XI, section 1, point 2(e)"}},
		"hostile":        {`A \n- x: Article 1 #`, law, "", []string{"Art. 1"}},
		"whole act":      {"AI Act", law, "Regulation (EU) 2024/1689", nil},
		"not a law":      {"Article 5 of a magazine", "https://example.org/eli", "Article 5", nil},
		"no address":     {"AI Act", "", "Article 5", nil},
	} {
		t.Run(name, func(t *testing.T) {
			imported, err := dtpr.Import(lawful(c.title, c.url, c.citation), nil)
			require.NoError(t, err)
			v := imported.Versions[0]
			confirmed := fstest.MapFS{}
			for name, text := range v.Files() {
				confirmed["toy/2026-03-01-beta/"+name] = &fstest.MapFile{Data: regexp.MustCompile(`(?m)^#([a-z-])`).ReplaceAll(text, []byte("$1"))}
			}
			release := build(t, v)
			assert.Empty(t, release.Manifest().Schemes)
			e, _ := release.Element("e")
			assert.Empty(t, e.Mappings)

			compiled, err := source.Compile(confirmed, v.ID, nil)
			require.NoError(t, err)
			require.NotNil(t, compiled.Release, "%v", compiled.Issues)
			require.Empty(t, compiled.Issues.With("error"))
			e, _ = compiled.Release.Element("e")
			var got []string
			for _, m := range e.Mappings {
				assert.Equal(t, "reg-2024-1689", m.Scheme)
				got = append(got, m.ID)
			}
			assert.Equal(t, c.want, got)
			category, _ := compiled.Release.Category("c")
			require.Len(t, category.Mappings, 1)
			scheme, ok := compiled.Release.Manifest().Scheme("reg-2020-1")
			require.True(t, ok)
			assert.Equal(t, "The Law", scheme.Title.Pick("en"))
			proposed := 0
			for _, n := range imported.Notes {
				if n.Kind == dtpr.Proposed {
					proposed++
				}
			}
			assert.Equal(t, 1+min(1, len(c.want)), proposed, "the category, and the element")
		})
	}
}
