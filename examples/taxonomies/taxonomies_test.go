package taxonomies_test

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

// compiled is what every test reads: compiling takes a while.
var compiled = sync.OnceValues(func() (*source.Tree, error) { return source.CompileAll(taxonomies.FS(), nil) })

// releases returns the sample taxonomies, which have no issues, newest first.
func releases(t *testing.T) []*taxonomy.Release {
	t.Helper()
	tree, err := compiled()
	require.NoError(t, err)
	require.Empty(t, tree.Issues())
	var all []*taxonomy.Release
	for _, p := range tree.Publications() {
		all = append(all, p.Release)
	}
	return all
}

// TestVersions checks the two types: each has a stable version and an older one without
// roles, and ai has a beta version that is newer than the stable ones.
func TestVersions(t *testing.T) {
	var ids []string
	for _, r := range releases(t) {
		ids = append(ids, r.Version().String())
		assert.LessOrEqual(t, r.Version().Date(), time.Now().Format(time.DateOnly))
	}
	assert.Equal(t, []string{
		"ai@2026-11-18-beta", "ai@2026-11-15-stable", "ai@2026-09-01-stable",
		"sensor@2026-11-15-stable", "sensor@2026-06-15-stable",
	}, ids)
}

// TestPublished checks that stable versions never change: documents that pin them
// mean what they meant.
func TestPublished(t *testing.T) {
	want := map[string]string{
		"ai@2026-09-01-stable":     "sha256-01d657b5c6dfc1ccae756b87801f02e8226710286cfc890aecaddd3bef9df277",
		"ai@2026-11-15-stable":     "sha256-ce59f623a3000c3864f557e919f8791dcfc2935d3b274c39a62503a9aee11db1",
		"sensor@2026-06-15-stable": "sha256-57a64e33e19b00073c8fbdee35e7f316526c3410680e329d057985ae9b862f9f",
		"sensor@2026-11-15-stable": "sha256-982aecd20ff669733b9467fdd608ce030ecae07b521fb29da8f156109063b4ce",
	}
	got := map[string]string{}
	for _, r := range releases(t) {
		if r.Version().Status() == taxonomy.Stable {
			got[r.Version().String()] = r.ContentHash().String()
		}
	}
	assert.Equal(t, want, got)
}

// TestContent checks that the sample taxonomies use every feature of the format.
func TestContent(t *testing.T) {
	elements, categories := map[string]bool{}, map[string]bool{}
	seen := map[string]bool{}
	for _, r := range releases(t) {
		typ := r.Version().Type()
		seen["subchains"] = seen["subchains"] || len(r.Type().Subchains) > 0
		for _, c := range r.Categories() {
			categories[typ+"/"+c.ID] = true
			seen[string(c.Shape)] = true
			for _, v := range c.Context.Values {
				seen[map[bool]string{true: "context value with a colour", false: "context value without a colour"}[v.Color != ""]] = true
			}
		}
		for _, e := range r.Elements() {
			elements[typ+"/"+e.ID] = true
			for _, v := range e.Variables {
				seen[string(v.Type)+" variable"] = true
			}
		}
	}
	assert.GreaterOrEqual(t, len(elements), 60)
	assert.GreaterOrEqual(t, len(categories), 10)
	for _, what := range []string{
		"circle", "hexagon", "octagon", "rounded-square", "subchains", "text variable", "select variable",
		"context value with a colour", "context value without a colour",
	} {
		assert.True(t, seen[what], what)
	}
}

// TestMappings checks that current versions are mapped to two laws, and that what names an
// article of one as its source is mapped to it.
func TestMappings(t *testing.T) {
	for _, r := range current(t) {
		mapped := map[string]int{}
		for _, e := range r.Elements() {
			of := map[string]bool{}
			for _, m := range e.Mappings {
				assert.Regexp(t, `^(Art\. \d+(\(\w+\))*|Annex [IVX]+, .*point \d\(\w\))$`, m.ID, e.ID)
				of[m.Scheme] = true
				mapped[m.Scheme]++
			}
			for _, source := range e.Sources {
				for _, s := range r.Manifest().Schemes {
					_, act, _ := strings.Cut(s.URL, "/eli/")
					if strings.HasSuffix(source.URL, "/eli/"+act) {
						assert.True(t, of[s.ID], "%s names %s as its source", e.ID, s.ID)
					}
				}
			}
		}
		assert.Positive(t, mapped["eu-ai-act"], r.Version())
		assert.Positive(t, mapped["gdpr"], r.Version())
	}
}

// TestTranslations checks the locales, and that every title and description is in all of
// them. (Lint warns of other missing texts.)
func TestTranslations(t *testing.T) {
	newest := current(t)
	for _, r := range releases(t) {
		locales := []string{"en", "fr", "es"}
		if slices.Contains(newest, r) {
			locales = append(locales, "de", "nl")
		}
		assert.Equal(t, locales, r.Locales(), r.Version())
		for _, e := range r.Elements() {
			for _, l := range []taxonomy.Localized{e.Title, e.Description} {
				var locales []string
				for _, text := range l {
					locales = append(locales, text.Locale)
				}
				assert.Equal(t, r.Locales(), locales, e.ID)
			}
		}
	}
}

// TestKeywords checks that every element has 4 to 25 keywords in each locale, all
// different, none of them in the title or the description, and the same in each
// version that has the element.
func TestKeywords(t *testing.T) {
	known := map[string]taxonomy.Localized{}
	for _, r := range releases(t) {
		for _, e := range r.Elements() {
			for _, locale := range r.Locales() {
				checkKeywords(t, e, locale)
			}
			id := r.Version().Type() + "/" + e.ID
			for _, keywords := range e.Keywords {
				if newer, ok := known[id].Get(keywords.Locale); ok {
					assert.Equal(t, newer, keywords.Value, id)
				}
			}
			if known[id] == nil {
				known[id] = e.Keywords // those of the newest version, which has the most locales
			}
		}
	}
}

func checkKeywords(t *testing.T, e *taxonomy.Element, locale string) {
	t.Helper()
	text, ok := e.Keywords.Get(locale)
	require.True(t, ok, "%s has no keywords in %s", e.ID, locale)
	keywords := strings.Split(text, ", ")
	assert.GreaterOrEqual(t, len(keywords), 4, "%s %s", e.ID, locale)
	assert.LessOrEqual(t, len(keywords), 25, "%s %s", e.ID, locale)
	said := words(e.Title.Pick(locale) + " " + e.Description.Pick(locale))
	for i, keyword := range keywords {
		assert.NotContains(t, keywords[:i], keyword, "%s %s", e.ID, locale)
		assert.NotSubset(t, said, words(keyword), "%s %s: %q says nothing new", e.ID, locale, keyword)
	}
}

var placeholder = regexp.MustCompile(`\{\{.*?\}\}`)

// words splits a text without its placeholders, which search ignores.
func words(text string) []string {
	text = placeholder.ReplaceAllString(strings.ToLower(text), " ")
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
